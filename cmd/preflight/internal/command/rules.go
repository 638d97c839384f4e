package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight/internal/nearest"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
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
			fmt.Fprintf(std.err, "preflight rules: there are no rules of %q%s; providers are %s\n",
				*provider, meant(nearest.Name(*provider, rule.Providers())),
				strings.Join(rule.Providers(), ", "))
			return exitUsage
		}
	}
	printRules(std.out, rules, *asJSON)
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
	if asJSON {
		printRules(std.out, []rule.Rule{r}, true)
	} else {
		writeRule(std.out, r)
	}
	return exitOK
}

// likelyRules returns the rules that may be meant by an id that none has: those of that name at the
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
func writeRule(w io.Writer, r rule.Rule) {
	fmt.Fprintln(w, r.ID)
	fmt.Fprintf(w, "  %-9s %s\n", "means", r.Statement)
	if r.Error != "" {
		fmt.Fprintf(w, "  %-9s %s\n", "text", r.Error)
	}
	fmt.Fprintf(w, "  %-9s %s\n", "fix", r.Fix)
	about := &explain.Explanation{Rule: r, Owner: r.Provider}
	fmt.Fprintf(w, "  %-9s %s\n", "repair", repairOf(about, wire.Options{}))
	for _, source := range r.Sources {
		fmt.Fprintf(w, "  %-9s %s\n", "source", source)
	}
}

func printRules(w io.Writer, rules []rule.Rule, asJSON bool) {
	if asJSON {
		_ = printJSON(w, rules, "  ") // Run says what could not be written
		return
	}
	if isTerminal(w) {
		listRules(w, rules)
		return
	}
	for _, r := range rules {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Coverage, r.For[0].String(), r.Statement)
	}
}

// listRules prints rules for people, with each statement in the lines below its rule.
func listRules(w io.Writer, rules []rule.Rule) {
	c := colorsFor(w)
	for _, r := range rules {
		id := c.bold(r.ID) + strings.Repeat(" ", max(0, 44-len(r.ID)))
		fmt.Fprintf(w, "%s  %-8s  %s\n", id, r.Coverage, r.For[0].String())
		for _, line := range wrapped(r.Statement, 76) {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
}

// wrapped breaks a text between its words into lines of at most so many bytes, where no word is
// longer.
func wrapped(text string, most int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= most {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
