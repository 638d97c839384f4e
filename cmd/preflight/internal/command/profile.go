package command

import (
	"bytes"
	"encoding/json"
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

func writeProfile(name string, m *provider.Measured) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
