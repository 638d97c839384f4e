package rule

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEvidence: both sides of each rule say what they are, when they were seen, and where that can
// be read.
func TestEvidence(t *testing.T) {
	date := regexp.MustCompile(`^20\d\d(-(0[1-9]|1[0-2]))?$`)
	for _, r := range All() {
		require.NotEmpty(t, r.For, "%s has no public source", r.ID)
		for i, e := range append(r.For, r.Against...) {
			require.Contains(t, []EvidenceKind{Recorded, Reported, Stated, Guessed}, e.Kind, r.ID)
			require.NotEmpty(t, e.Source, "%s: evidence %d", r.ID, i)
			if e.Seen != "" || e.Kind == Recorded || i >= len(r.For) {
				require.Regexp(t, date, e.Seen, "%s: a recording and an acceptance have a date", r.ID)
			}
		}
		if !slices.Contains([]Cost{CostNothing, CostPrefix, CostWords, CostLoss}, r.Cost) {
			require.Empty(t, r.Cost, r.ID)
			require.False(t, r.Coverage == Repaired || r.Coverage == Accepted || len(r.Against) > 0,
				"%s does not say what its repair costs", r.ID)
		}
	}
}

// TestPatterns: the patterns of models and hosts are in lower case, as the names are compared.
func TestPatterns(t *testing.T) {
	pattern := regexp.MustCompile(`^[a-z0-9*.:/-]+$`)
	for _, r := range All() {
		patterns := r.Models
		for _, e := range append(r.For, r.Against...) {
			patterns = append(append(patterns, e.Models...), e.Hosts...)
		}
		for _, p := range patterns {
			require.Regexp(t, pattern, p, r.ID)
			_, err := path.Match(p, "")
			require.NoError(t, err, r.ID)
		}
	}
}

// TestSources: every source is an address that anyone can open.
func TestSources(t *testing.T) {
	for _, r := range All() {
		for _, s := range r.Sources {
			u, err := url.Parse(s)
			require.NoError(t, err, r.ID)
			require.True(t, u.Scheme == "https" && regexp.MustCompile(`\.[a-z]+$`).
				MatchString(u.Host) && len(u.Path) > 1, "%s: %q is no address", r.ID, s)
			require.NotRegexp(t, `[\s"<>]`, s, r.ID)
		}
	}
}

// TestListed: every table of rules is one of a provider.
func TestListed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	lists, err := os.ReadFile("rule.go")
	require.NoError(t, err)
	table := regexp.MustCompile(`(?m)^var (\w+) = \[\]Rule\{$`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range table.FindAllStringSubmatch(string(source), -1) {
			require.Regexp(t, `\b`+m[1]+`\b[,)]`, string(lists), "no provider has the table %s", m[1])
		}
	}
}
