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

func TestOrder(t *testing.T) {
	var want []rule.Rule
	for _, provider := range rule.Providers() {
		rules := rule.ForProvider(provider)
		// ByID searches these tables by bisection: an unsorted one loses rules.
		require.True(t,
			slices.IsSortedFunc(rules, func(a, b rule.Rule) int {
				return strings.Compare(a.ID, b.ID)
			}), "rules of %s are not sorted", provider)
		want = append(want, rules...)
	}
	if diff := cmp.Diff(want, rule.All()); diff != "" {
		t.Errorf("All is not the providers in order (-want +got):\n%s", diff)
	}
}

func TestIDs(t *testing.T) {
	wellFormed := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range rule.All() {
		if !wellFormed.MatchString(r.ID) {
			t.Errorf("%q is not provider/name in lower case", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("%s occurs twice", r.ID)
		}
		seen[r.ID] = true
		if prefix, _, _ := strings.Cut(r.ID, "/"); prefix != r.Provider {
			t.Errorf("%s belongs to provider %q", r.ID, r.Provider)
		}
	}
}

func TestProse(t *testing.T) {
	for _, r := range rule.All() {
		for _, s := range []struct {
			field, text string
			optional    bool
		}{
			{"Statement", r.Statement, false},
			{"Fix", r.Fix, false},
			{"Reason", r.Reason, true},
		} {
			if s.text == "" && s.optional {
				continue
			}
			if !strings.HasSuffix(s.text, ".") {
				t.Errorf("%s: %s does not end with a period: %q", r.ID, s.field, s.text)
			}
			if strings.ContainsAny(s.text, "\r\n\t") || strings.Contains(s.text, "  ") ||
				strings.TrimSpace(s.text) != s.text {
				t.Errorf("%s: %s is not one clean line: %q", r.ID, s.field, s.text)
			}
		}
		if r.Statement == r.Fix {
			t.Errorf("%s: the fix repeats the statement", r.ID)
		}
	}
}

func TestErrorKind(t *testing.T) {
	for _, r := range rule.All() {
		switch r.ErrorKind {
		case rule.Verbatim, rule.Quoted, rule.Reconstructed:
			if r.Error == "" {
				t.Errorf("%s is %s and has no error text", r.ID, r.ErrorKind)
			}
		case rule.Documented, rule.Inferred:
			if r.Error != "" {
				t.Errorf("%s is %s and has an error text: %q", r.ID, r.ErrorKind, r.Error)
			}
		default:
			t.Errorf("%s: unknown error kind %q", r.ID, r.ErrorKind)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, r := range rule.All() {
		switch r.Severity {
		case rule.Rejects, rule.Varies:
			raised := r.Provider == "chat-template" && r.Status == 500
			if (r.Status < 400 || r.Status > 499) && !raised {
				t.Errorf("%s %s with status %d", r.ID, r.Severity, r.Status)
			}
		case rule.Throws, rule.Degrades, rule.Advises:
			if r.Status != 0 {
				t.Errorf("%s %s, yet has status %d", r.ID, r.Severity, r.Status)
			}
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

func TestSeenAs(t *testing.T) {
	for _, r := range rule.All() {
		if r.SeenAs == "" {
			continue
		}
		other, ok := rule.ByID(r.SeenAs)
		if !ok || other.ID == r.ID {
			t.Errorf("%s is seen as %q", r.ID, r.SeenAs)
		}
		if other.SeenAs != "" {
			t.Errorf("%s is seen as %s, which is itself seen as %s", r.ID, other.ID, other.SeenAs)
		}
	}
	r, ok := rule.ByID("anthropic/pause-turn")
	require.True(t, ok)
	require.Equal(t, "anthropic/server-tool-result-missing", r.SeenAs)
}

func TestByID(t *testing.T) {
	for _, want := range rule.All() {
		got, ok := rule.ByID(want.ID)
		require.True(t, ok, want.ID)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ByID(%q) (-want +got):\n%s", want.ID, diff)
		}
	}
	for _, id := range []string{
		"", "/", "anthropic", "anthropic/", "anthropic/no-such-rule", "nobody/empty-text-block",
		"empty-text-block",
	} {
		if got, ok := rule.ByID(id); ok || !cmp.Equal(got, rule.Rule{}) {
			t.Errorf("ByID(%q) = %v, %v", id, got, ok)
		}
	}
}

func TestUnknownProvider(t *testing.T) {
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
