package preflight_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/rule"
)

var profiles = preflight.Profiles()

// Every rule a profile names has a statement and sources in package rule.
func TestProfileRulesExist(t *testing.T) {
	for _, p := range profiles {
		require.NotEmpty(t, p.Rules)
		for problem, id := range p.Rules {
			_, ok := rule.ByID(id)
			require.True(t, ok, "%s: %s names the rule %q, which does not exist", p.Provider, problem, id)
		}
	}
}

// A row of the model table without a source is a guess.
func TestModelsHaveSources(t *testing.T) {
	date := regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])$`)
	for _, m := range preflight.Models() {
		_, known := preflight.ProfileFor(m.Provider)
		require.True(t, known, "%s: unknown provider %q", m.Pattern, m.Provider)
		require.NotEmpty(t, m.Source, m.Pattern)
		require.Regexp(t, date, m.Date, m.Pattern)
		if id, ok := strings.CutPrefix(m.Source, "rule "); ok {
			id, _, _ = strings.Cut(id, " ")
			_, ok := rule.ByID(id)
			require.True(t, ok, "%s: its source is the rule %q, which does not exist", m.Pattern, id)
		}
	}
}

func TestForModel(t *testing.T) {
	for _, test := range []struct {
		model                    string
		prefill, midway, refused bool
		bound                    bool
	}{
		{model: "claude-sonnet-4-5-20250929", prefill: true},
		{model: "claude-3-5-haiku-latest", prefill: true},
		{model: "anthropic/claude-opus-4.1", prefill: true},
		{model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0", prefill: true},
		{model: "claude-opus-4-6"},
		{model: "claude-opus-4-8", midway: true},
		{model: "claude-opus-5-5", midway: true, bound: true},
		{model: "claude-something-new"},
		{model: ""},
	} {
		p := preflight.Anthropic().ForModel(test.model)
		require.Equal(t, test.prefill, !p.RefusePrefill, test.model)
		require.Equal(t, test.midway, p.System == preflight.SystemMidway, test.model)
		require.Equal(t, test.bound, p.BoundReasoning, test.model)
	}
	o1 := preflight.OpenAIChat().ForModel("o1-mini-2024-09-12")
	require.Equal(t, preflight.SystemRefused, o1.System)
	gpt := preflight.OpenAIChat().ForModel("gpt-5.4")
	require.Equal(t, preflight.SystemAnywhere, gpt.System)
}

// A caller's table wins.
func TestForModelIn(t *testing.T) {
	table := []preflight.Model{{Provider: "anthropic", Pattern: "house-*-model", Traits: []preflight.Trait{preflight.TakesPrefill}}}
	p := preflight.Anthropic().ForModelIn(table, "house-7-model")
	require.False(t, p.RefusePrefill)
	p = preflight.Anthropic().ForModelIn(table, "house-7")
	require.True(t, p.RefusePrefill)
}

// docs/warnings.md has an anchor for every code.
func TestWarningsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile("docs/warnings.md")
	require.NoError(t, err)
	for _, file := range []string{"warning.go", "wire/warning.go"} {
		for _, code := range constants(t, file, "Code") {
			require.Contains(t, string(docs), `<a id="`+code+`"></a>`+"`"+code+"`", "docs/warnings.md lacks the code %q of %s", code, file)
		}
	}
}

// The doc comment of DefaultFixers lists them, in order.
func TestDefaultFixersAreDocumented(t *testing.T) {
	source, err := os.ReadFile("pipeline.go")
	require.NoError(t, err)
	var want, got []string
	for _, f := range preflight.DefaultFixers() {
		want = append(want, f.Name)
		require.NotEmpty(t, f.Doc, f.Name)
	}
	for _, line := range regexp.MustCompile(`(?m)^//\t([a-z-]+)  `).FindAllStringSubmatch(string(source), -1) {
		got = append(got, line[1])
	}
	require.Equal(t, want, got)
}

// constants returns the values of the string constants of a file whose names start with prefix.
func constants(t *testing.T, file, prefix string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var out []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, prefix) || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			value, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			out = append(out, value)
		}
		return true
	})
	require.NotEmpty(t, out)
	return out
}
