package rule_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// TestOrder: the rules of a provider are sorted, since ByID searches them by bisection.
func TestOrder(t *testing.T) {
	var want []rule.Rule
	for _, provider := range rule.Providers() {
		rules := rule.ForProvider(provider)
		require.True(t, slices.IsSortedFunc(rules, func(a, b rule.Rule) int {
			return strings.Compare(a.ID, b.ID)
		}), "rules of %s are not sorted", provider)
		want = append(want, rules...)
	}
	require.Empty(t, cmp.Diff(want, rule.All()))
}

func TestIDs(t *testing.T) {
	wellFormed := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range rule.All() {
		require.Regexp(t, wellFormed, r.ID)
		require.False(t, seen[r.ID], "%s occurs twice", r.ID)
		seen[r.ID] = true
	}
}

// TestProse: each text is one clean line that ends with a period.
func TestProse(t *testing.T) {
	line := regexp.MustCompile(`^\S+( \S+)*\.$`)
	for _, r := range rule.All() {
		require.Regexp(t, line, r.Statement, r.ID)
		require.Regexp(t, line, r.Fix, r.ID)
		require.NotEqual(t, r.Statement, r.Fix, r.ID)
		if r.Reason != "" {
			require.Regexp(t, line, r.Reason, r.ID)
		}
	}
}

// TestErrorKind: a rule has an error text if its kind says so.
func TestErrorKind(t *testing.T) {
	for _, r := range rule.All() {
		switch r.ErrorKind {
		case rule.Verbatim, rule.Quoted, rule.Reconstructed:
			require.NotEmpty(t, r.Error, r.ID)
		case rule.Documented, rule.Inferred:
			require.Empty(t, r.Error, r.ID)
		default:
			t.Errorf("%s: unknown error kind %q", r.ID, r.ErrorKind)
		}
	}
}

// TestSeverity: a rule has the status of a refusal if there is one.
func TestSeverity(t *testing.T) {
	for _, r := range rule.All() {
		switch r.Severity {
		case rule.Rejects, rule.Varies:
			raised := r.Provider == "chat-template" && r.Status == 500
			require.True(t, raised || r.Status/100 == 4, "%s: status %d", r.ID, r.Status)
		case rule.Throws, rule.Degrades, rule.Advises:
			require.Zero(t, r.Status, r.ID)
		default:
			t.Errorf("%s: unknown severity %q", r.ID, r.Severity)
		}
	}
}

// TestCoverage: what is not repaired has a reason; docs/rules.md shows them all.
func TestCoverage(t *testing.T) {
	for _, r := range rule.All() {
		_, implemented := provider.ByName(r.Provider, "")
		switch r.Coverage {
		case rule.Repaired:
			require.Empty(t, r.Reason, r.ID)
		case rule.Refused, rule.Accepted, rule.Unseen:
			require.NotEmpty(t, r.Reason, r.ID)
		default:
			t.Errorf("%s: every rule is decided, not %q", r.ID, r.Coverage)
		}
		if !implemented && r.Coverage != rule.Unseen {
			t.Errorf("%s is %s, and %s has no profile", r.ID, r.Coverage, r.Provider)
		}
	}
}

// TestSeenAs: a rule that is seen as another one leads to it in one step.
func TestSeenAs(t *testing.T) {
	for _, r := range rule.All() {
		if r.SeenAs != "" {
			other, ok := rule.ByID(r.SeenAs)
			require.True(t, ok && other.ID != r.ID && other.SeenAs == "", r.ID)
		}
	}
}

func TestByID(t *testing.T) {
	for _, want := range rule.All() {
		got, ok := rule.ByID(want.ID)
		require.True(t, ok, want.ID)
		require.Empty(t, cmp.Diff(want, got))
	}
	for _, id := range []string{
		"", "/", "anthropic", "anthropic/", "anthropic/no-such-rule", "nobody/empty-text-block",
		"empty-text-block",
	} {
		got, ok := rule.ByID(id)
		require.False(t, ok, id)
		require.Zero(t, got, id)
	}
	require.Nil(t, rule.ForProvider("nobody"))
	require.Nil(t, rule.ForProvider(""))
}

// TestResultsAreIndependent: whatever a caller does to a result, the next caller gets the tables.
func TestResultsAreIndependent(t *testing.T) {
	want := rule.All()
	spoil := func(rules []rule.Rule) {
		for _, r := range rules {
			for _, e := range slices.Concat(r.For, r.Against) {
				spoilAll(e.Models)
				spoilAll(e.Hosts)
			}
			spoilAll(r.Models)
			spoilAll(r.Sources)
			clear(r.For)
			clear(r.Against)
		}
		clear(rules)
	}
	spoil(rule.All())
	for _, provider := range rule.Providers() {
		spoil(rule.ForProvider(provider))
	}
	for _, r := range want {
		found, _ := rule.ByID(r.ID)
		spoil([]rule.Rule{found})
	}
	spoilAll(rule.Providers())
	require.Empty(t, cmp.Diff(want, rule.All()))
	require.Equal(t, "anthropic", rule.Providers()[0])
}

func spoilAll(words []string) {
	for k := range words {
		words[k] = "spoiled"
	}
}
