package preflighttest_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// recorded is a request that a real provider answered.
type recorded struct {
	ID, Provider, Host, Model, Source, Error string
	Body                                     json.RawMessage
}

// recordings are the requests of a file beside the checkout, and whether there
// is one.
func recordings(t *testing.T, name string) ([]recorded, bool) {
	file, err := os.Open(filepath.Join("../../shared/recorded", name))
	if err != nil {
		return nil, false
	}
	defer file.Close()
	var all []recorded
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r recorded
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	require.NoError(t, lines.Err())
	return all, true
}

// violations is what the fake says of a recorded request at its host.
func (r recorded) violations(t *testing.T) []preflighttest.Violation {
	model := r.Model
	if strings.Contains(r.Host, "aiplatform") {
		model = "publishers/google/models/" + model
	}
	violations, err := (&preflighttest.Options{Model: model}).Violations(r.Provider, r.Body)
	require.NoError(t, err)
	return violations
}

// TestFakesAcceptRecorded: the fakes of Gemini, Cohere and Ollama accept what
// the providers accepted.
func TestFakesAcceptRecorded(t *testing.T) {
	ran := map[string]int{"gemini": 0, "cohere": 0, "ollama": 0}
	for _, name := range []string{"accepted.jsonl", "followups.jsonl"} {
		all, ok := recordings(t, name)
		if !ok {
			t.Skip("the recorded requests are kept beside the project, and are not here")
		}
		for _, r := range all {
			if _, ours := ran[r.Provider]; !ours {
				continue
			}
			ran[r.Provider]++
			for _, v := range r.violations(t) {
				t.Errorf("%s %s %s %s: %s: %s %s", r.ID, r.Host, r.Model, r.Source, v.Path, v.Rule,
					v.Message)
			}
		}
	}
	for provider, n := range ran {
		require.Positive(t, n, provider)
	}
}

// TestFakesRefuseRecorded: what Vertex AI refused for its history, the fake
// refuses in the same words; what it refused for something else is none of
// the fake's concern.
func TestFakesRefuseRecorded(t *testing.T) {
	all, ok := recordings(t, "refused.jsonl")
	if !ok {
		t.Skip("the recorded requests are kept beside the project, and are not here")
	}
	seen := 0
	for _, r := range all {
		if r.Provider != "gemini" {
			continue
		}
		violations := r.violations(t)
		if !strings.Contains(r.Error, "valid role") {
			require.Empty(t, violations, r.Source)
			continue
		}
		seen++
		require.NotEmpty(t, violations, r.Source)
		require.Equal(t, "gemini/role-invalid", violations[0].Rule)
		require.Contains(t, r.Error, violations[0].Message)
	}
	require.Positive(t, seen)
}
