package rule_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

var update = flag.Bool("update", false, "rewrite docs/rules.md and the count in README.md")

const (
	docsFile   = "../docs/rules.md"
	readmeFile = "../README.md"
)

// TestDocs keeps docs/rules.md, and the count in the README, the same as the data.
func TestDocs(t *testing.T) {
	requireCurrent(t, docsFile, docs())
	readme, err := os.ReadFile(readmeFile)
	require.NoError(t, err)
	require.Len(t, ruleCount.FindAll(readme, -1), 1, "the README does not count the rules")
	want := string(readme)
	want = ruleCount.ReplaceAllString(want,
		fmt.Sprintf("%d rules of %d providers", len(rule.All()), len(rule.Providers())))
	requireCurrent(t, readmeFile, want)
}

// ruleCount is how the README counts the rules.
var ruleCount = regexp.MustCompile(`\d+ rules of \d+ providers`)

// requireCurrent compares a file with what it should hold, or rewrites it.
func requireCurrent(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err, "run: make docs")
	lines := cmpopts.AcyclicTransformer("lines", func(s string) []string {
		return strings.Split(s, "\n")
	})
	if diff := cmp.Diff(want, string(got), lines); diff != "" {
		t.Errorf("%s is stale; run: make docs (-want +got):\n%s", file, diff)
	}
}

// docs is the rule catalogue as Markdown.
func docs() string {
	var b bytes.Buffer
	b.WriteString("# Provider rules\n\n")
	b.WriteString("Generated from package `rule` by `make docs`; do not edit. Statements are ours, " +
		"error texts are\nthe providers' own. `preflight rules --json` lists the sources of every " +
		"rule.\n\n")
	writeCounts(&b)
	writeUnseen(&b)
	for _, provider := range rule.Providers() {
		writeProvider(&b, provider)
	}
	return b.String()
}

func writeCounts(b *bytes.Buffer) {
	writeTable(b)
	b.WriteString("\n- **repaired**: `check` reports it and `fix` repairs it.\n")
	b.WriteString("- **refused**: `check` reports it; `fix` gives an error, since nothing valid " +
		"can be made of such a history.\n")
	b.WriteString("- **accepted**: today's models were seen to accept it, so it is left alone; " +
		"the reason is below.\n")
	b.WriteString("- **cannot be seen**: the request does not show it; the reason is below.\n\n")
	b.WriteString("How a rule is known:\n\n")
	b.WriteString("- **recorded**: a real provider's refusal, with the request.\n")
	b.WriteString("- **reported**: the error text, in an issue, a log or public code.\n")
	b.WriteString("- **stated**: the provider's own documentation, SDK, validator or template.\n")
	b.WriteString("- **inferred**: what clients do, or an analogy.\n\n")
	b.WriteString("A profile restricts nothing for an inferred rule. The date is that of the latest " +
		"answer on record. Who\naccepted a history that breaks the rule comes last: such a model " +
		"is not restricted, unless the refusal is\nnewer and the repair loses nothing.\n\n")
}

// writeTable counts the rules of each provider by what preflight does about them.
func writeTable(b *bytes.Buffer) {
	b.WriteString("| provider | rules | repaired | refused | accepted | cannot be seen |\n" +
		"|---|---|---|---|---|---|\n")
	for _, provider := range rule.Providers() {
		count := map[rule.Coverage]int{}
		rules := rule.ForProvider(provider)
		for _, r := range rules {
			count[r.Coverage]++
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", provider, len(rules),
			count[rule.Repaired], count[rule.Refused], count[rule.Accepted], count[rule.Unseen])
	}
}

// writeUnseen is the table of what a sanitizer cannot see, or refuses.
func writeUnseen(b *bytes.Buffer) {
	b.WriteString("## What preflight does not repair, and why\n\n| rule | coverage | reason " +
		"|\n|---|---|---|\n")
	for _, r := range rule.All() {
		if r.Coverage != rule.Repaired {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", r.ID, r.Coverage, cell(r.Reason))
		}
	}
	b.WriteString("\n")
}

func writeProvider(b *bytes.Buffer, provider string) {
	fmt.Fprintf(b,
		"## %s\n\n| rule | what has to hold | coverage | evidence | the provider says "+
			"|\n|---|---|---|---|---|\n", provider)
	for _, r := range rule.ForProvider(provider) {
		coverage := string(r.Coverage)
		if r.SeenAs != "" {
			coverage += ", reported as `" + r.SeenAs + "`"
		}
		fmt.Fprintf(b, "| <a id=%q></a>`%s` | %s | %s | %s | %s |\n",
			strings.ReplaceAll(r.ID, "/", "-"), r.ID, cell(r.Statement), coverage,
			cell(shown(r)), cell(code(r.Error)))
	}
	b.WriteString("\n")
}

// shown is the evidence of a rule in a cell of the table.
func shown(r rule.Rule) string {
	var sides []string
	for _, e := range r.For {
		sides = append(sides, side(e))
	}
	s := strings.Join(sides, "; ")
	for i, e := range r.Against {
		if i == 0 {
			s += ". Accepted: "
		} else {
			s += "; "
		}
		s += side(e)
	}
	return s
}

// side is one side's report.
func side(e rule.Evidence) string {
	s := fmt.Sprintf("[%s](%s)", e, e.Source)
	if on := append(slices.Clone(e.Models), e.Hosts...); len(on) > 0 {
		s += " `" + strings.Join(on, "`, `") + "`"
	}
	if e.Note != "" {
		s += " (" + e.Note + ")"
	}
	return s
}

// code quotes an error text, which may hold back quotes itself.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`` " + s + " ``"
}

// cell makes s fit into a table cell.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`)
}
