package command

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/wire"
)

// providerHelp is the help of --provider.
const providerHelp = "format and rules of the body; preflight help providers lists them " +
	"(default: detected)"

// providersHelp prints what --provider, --from and --to take.
func providersHelp(w io.Writer) {
	fmt.Fprintf(w, "The formats, and the hosts that speak one with rules of their own:\n\n  %s\n\n"+
		"--provider also takes a vendor, whose rules are those of the format that the body shows:\n\n"+
		"  %s\n", strings.Join(wire.Providers(), "\n  "), strings.Join(wire.Vendors(), "\n  "))
}

// portableHelp is the help of --portable.
const portableHelp = "use the rules that suit every provider: consecutive messages of one role " +
	"merged, a user message first, nothing empty"

func runCheck(args []string, std stdio) int {
	var options wire.Options
	set := flags("check")
	set.StringVar(&options.Provider, "provider", "", providerHelp)
	set.StringVar(&options.Model, "model", "",
		"model whose rules apply (default: the one the body names)")
	profileFlag(set, &options.Measured)
	set.BoolVar(&options.Portable, "portable", false, portableHelp)
	asJSON := set.Bool("json", false, "print the violations as JSON")
	names, err := parseNamed(set, args, std)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case len(names) > 0:
		return checkNamed(names, &options, *asJSON, std)
	}
	body, err := io.ReadAll(std.in)
	if err != nil {
		fmt.Fprintln(std.err, "preflight check:", err)
		return exitUsage
	}
	found, err := wire.Check(body, &options)
	if err != nil {
		fmt.Fprintln(std.err, "preflight check:", storedHint(err, body))
		return exitUsage
	}
	if err := printViolations(std.out, found, *asJSON); err != nil {
		fmt.Fprintln(std.err, "preflight check:", err)
		return exitWrong
	}
	if len(found.Violations) > 0 {
		return exitWrong
	}
	return exitOK
}

// printViolations prints one line per violation (path, rule id, message, with tabs between), or all
// as one JSON object.
func printViolations(w io.Writer, found *wire.Report, asJSON bool) error {
	if asJSON {
		out := struct {
			Provider   string           `json:"provider"`
			Model      string           `json:"model"`
			Violations []wire.Violation `json:"violations"`
		}{
			found.Provider, shorten.Name(found.Model), found.Violations,
		}
		if out.Violations == nil {
			out.Violations = []wire.Violation{}
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(out)
	}
	for _, v := range found.Violations {
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", v.Path, v.Rule, v.Detail); err != nil {
			return err
		}
	}
	return nil
}
