package rule

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEvidence: every rule says what shows it, and nothing else has evidence.
func TestEvidence(t *testing.T) {
	date := regexp.MustCompile(`^20\d\d(-(0[1-9]|1[0-2]))?$`)
	pattern := regexp.MustCompile(`^[a-z0-9*.-]+$`)
	kinds := map[EvidenceKind]int{Recorded: 0, Reported: 0, Stated: 0, Guessed: 0}
	ids := map[string]bool{}
	for _, r := range All() {
		ids[r.ID] = true
		_, found := evidence[r.ID]
		require.True(t, found, "%s has no evidence: write into evidence.go what shows it", r.ID)
		e := r.Evidence
		_, known := kinds[e.Kind]
		require.True(t, known, "%s: %q is no kind of evidence", r.ID, e.Kind)
		kinds[e.Kind]++
		require.NotEmpty(t, e.Source, r.ID)
		if e.Seen != "" {
			require.Regexp(t, date, e.Seen, r.ID)
		}
		for _, m := range e.Models {
			require.Regexp(t, pattern, m, r.ID)
		}
		if e.Kind == Recorded {
			require.NotEmpty(t, e.Seen, "%s: a recording has a date", r.ID)
			require.NotEmpty(t, append(e.Models, e.Hosts...),
				"%s: a recording is of a model and a host", r.ID)
		}
	}
	for id := range evidence {
		require.True(t, ids[id], "there is evidence for %s, and no such rule", id)
	}
	for kind, n := range kinds {
		require.Positive(t, n, kind)
	}
}

// TestEvidenceIsACopy: the table cannot be changed through a rule.
func TestEvidenceIsACopy(t *testing.T) {
	const id = "deepseek/image-unsupported"
	r, _ := ByID(id)
	require.NotEmpty(t, r.Evidence.Models)
	r.Evidence.Models[0], r.Evidence.Hosts[0] = "spoiled", "spoiled"
	again, _ := ByID(id)
	require.NotEqual(t, "spoiled", again.Evidence.Models[0])
	require.NotEqual(t, "spoiled", again.Evidence.Hosts[0])
}
