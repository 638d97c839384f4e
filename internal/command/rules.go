package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight/rule"
)

func runRules(args []string, std stdio) int {
	set := flags("rules", std)
	provider := set.String("provider", "", "only the rules of this provider")
	asJSON := set.Bool("json", false,
		"print the rules as a JSON array, with error texts, fixes, evidence and sources")
	if code, done := parse(set, args, std, ""); done {
		return code
	}
	rules := rule.All()
	if *provider != "" {
		if rules = rule.ForProvider(*provider); len(rules) == 0 {
			fmt.Fprintf(std.err, "preflight rules: there are no rules of %q; providers are %s\n",
				*provider, strings.Join(rule.Providers(), ", "))
			return exitUsage
		}
	}
	if err := printRules(std.out, rules, *asJSON); err != nil {
		fmt.Fprintln(std.err, "preflight rules:", err)
		return exitWrong
	}
	return exitOK
}

func printRules(w io.Writer, rules []rule.Rule, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(rules)
	}
	for _, r := range rules {
		known := r.For[0].String()
		const line = "%s\t%s\t%s\t%s\n"
		if _, err := fmt.Fprintf(w, line, r.ID, r.Coverage, known, r.Statement); err != nil {
			return err
		}
	}
	return nil
}
