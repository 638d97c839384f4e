package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight/internal/nearest"
	"github.com/go-preflight/preflight/rule"
)

func runRules(args []string, std stdio) int {
	set := flags("rules")
	provider := set.String("provider", "", "only the rules of this provider")
	asJSON := set.Bool("json", false,
		"print the rules as a JSON array, with error texts, fixes, evidence and sources")
	names, code, done := parse(set, args, std, 1)
	if done {
		return code
	}
	if len(names) == 1 {
		return printRule(names[0], *asJSON, std)
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

// printRule prints the rule with the given id: what explain says of it, and its sources.
func printRule(id string, asJSON bool, std stdio) int {
	r, ok := rule.ByID(id)
	if !ok {
		fmt.Fprintf(std.err, "preflight rules: there is no rule %q%s; preflight rules lists them\n",
			id, meant(likelyRules(id)...))
		return exitUsage
	}
	err := error(nil)
	if asJSON {
		err = printRules(std.out, []rule.Rule{r}, true)
	} else {
		var b strings.Builder
		writeRule(&b, r)
		_, err = io.WriteString(std.out, b.String())
	}
	if err != nil {
		fmt.Fprintln(std.err, "preflight rules:", err)
		return exitWrong
	}
	return exitOK
}

// likelyRules are the rules that may be meant by an id that none has: those of that name at the
// providers, or else the one that is spelled like it.
func likelyRules(id string) []string {
	var ids, same []string
	for _, r := range rule.All() {
		ids = append(ids, r.ID)
		if strings.HasSuffix(r.ID, "/"+id) {
			same = append(same, r.ID)
		}
	}
	if near := nearest.Name(id, ids); len(same) == 0 && near != "" {
		same = []string{near}
	}
	return same
}

// writeRule writes a rule without an occurrence of it.
func writeRule(b *strings.Builder, r rule.Rule) {
	fmt.Fprintln(b, r.ID)
	fmt.Fprintf(b, "  %-9s %s\n", "means", r.Statement)
	if r.Error != "" {
		fmt.Fprintf(b, "  %-9s %s\n", "text", r.Error)
	}
	fmt.Fprintf(b, "  %-9s %s\n", "fix", r.Fix)
	fmt.Fprintf(b, "  %-9s %s\n", "repair", covered(r))
	for _, source := range r.Sources {
		fmt.Fprintf(b, "  %-9s %s\n", "source", source)
	}
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
