package rule_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

var update = flag.Bool("update", false, "rewrite docs/rules.md")

const docsFile = "../docs/rules.md"

// TestDocs keeps docs/rules.md the same as the data.
func TestDocs(t *testing.T) {
	want := docs()
	if *update {
		require.NoError(t, os.WriteFile(docsFile, []byte(want), 0o644))
	}
	got, err := os.ReadFile(docsFile)
	require.NoError(t, err, "run: make docs")
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/rules.md is stale; run: make docs (-want +got):\n%s", diff)
	}
}

// docs is the rule catalogue as Markdown.
func docs() string {
	var b bytes.Buffer
	b.WriteString("# Provider rules\n\n")
	b.WriteString("Generated from package `rule` by `make docs`; do not edit. Statements are ours, error texts are the providers' own, and every\n")
	b.WriteString("rule has its sources in `preflight rules --json`.\n\n")
	writeCounts(&b)
	writeUnseen(&b)
	for _, provider := range rule.Providers() {
		writeProvider(&b, provider)
	}
	return b.String()
}

func writeCounts(b *bytes.Buffer) {
	b.WriteString("| provider | rules | repaired | refused | cannot be seen | not yet |\n|---|---|---|---|---|---|\n")
	for _, provider := range rule.Providers() {
		count := map[rule.Coverage]int{}
		rules := rule.ForProvider(provider)
		for _, r := range rules {
			count[r.Coverage]++
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", provider, len(rules), count[rule.Repaired], count[rule.Refused], count[rule.Unseen], count[rule.NotYet])
	}
	b.WriteString("\n- **repaired**: `check` reports it and `fix` repairs it.\n")
	b.WriteString("- **refused**: `check` reports it; `fix` gives an error, since nothing valid can be made of such a history.\n")
	b.WriteString("- **cannot be seen**: the request does not show it; the reason stands below.\n")
	b.WriteString("- **not yet**: the provider's format is not implemented.\n\n")
}

// writeUnseen is the table of what a sanitizer cannot see, or refuses.
func writeUnseen(b *bytes.Buffer) {
	b.WriteString("## What preflight does not repair, and why\n\n| rule | coverage | reason |\n|---|---|---|\n")
	for _, r := range rule.All() {
		if r.Coverage == rule.Unseen || r.Coverage == rule.Refused {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", r.ID, r.Coverage, cell(r.Reason))
		}
	}
	b.WriteString("\n")
}

func writeProvider(b *bytes.Buffer, provider string) {
	fmt.Fprintf(b, "## %s\n\n| rule | what has to hold | coverage | the provider says |\n|---|---|---|---|\n", provider)
	for _, r := range rule.ForProvider(provider) {
		coverage := string(r.Coverage)
		if r.SeenAs != "" {
			coverage += ", reported as `" + r.SeenAs + "`"
		}
		fmt.Fprintf(b, "| <a id=%q></a>`%s` | %s | %s | %s |\n", strings.ReplaceAll(r.ID, "/", "-"), r.ID, cell(r.Statement), coverage, cell(code(r.Error)))
	}
	b.WriteString("\n")
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
