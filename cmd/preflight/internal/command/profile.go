package command

import (
	"flag"
	"fmt"
	"os"

	"github.com/go-preflight/preflight/provider"
)

// This file reads and writes measured profiles.

// profileFlag adds --profile, which reads a measured profile into the options.
func profileFlag(set *flag.FlagSet, to **provider.Measured) {
	set.Func("profile", "use the measured profile in `FILE`, as preflight probe writes it",
		func(name string) error {
			m, err := readProfile(name)
			*to = m
			return err
		})
}

func readProfile(name string) (*provider.Measured, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m, err := provider.ReadMeasured(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// writeProfile writes a measured profile to a file in one step. template is the file it is of, ""
// for a server.
func writeProfile(name, template string, m *provider.Measured, std stdio) error {
	w, close, err := openReport(name, std, template)
	if err != nil {
		return err
	}
	return alsoClosed(printJSON(w, m, "  "), close)
}
