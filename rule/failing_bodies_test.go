package rule_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

// TestFailingBodies: each rule has a body that breaks it, in failing.json or in a golden file, if a
// request can show it at all.
func TestFailingBodies(t *testing.T) {
	data, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var bodies []struct {
		ID       string                     `json:"id"`
		Provider string                     `json:"provider"`
		Request  map[string]json.RawMessage `json:"request"`
	}
	require.NoError(t, json.Unmarshal(data, &bodies))

	requests := map[string]map[string]json.RawMessage{}
	for _, b := range bodies {
		r, _ := rule.ByID(b.ID)
		require.Equal(t, r.Provider, b.Provider, b.ID)
		require.NotEmpty(t, b.Request, b.ID)
		require.NotContains(t, requests, b.ID, "it has two bodies")
		requests[b.ID] = b.Request
	}

	golden, err := filepath.Glob("../testdata/problems/*.txtar")
	require.NoError(t, err)
	var shown strings.Builder // a golden file of the rule has such a body, too
	for _, file := range golden {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		_, violations, _ := strings.Cut(string(data), "-- violations --")
		shown.WriteString(violations)
	}
	for _, r := range rule.All() {
		if r.Coverage != rule.Unseen && requests[r.ID] == nil {
			require.True(t, strings.Contains(shown.String(), " "+r.ID+"\n"), "no body breaks %s: add "+
				"one to testdata/rules/failing.json, or a golden file to testdata/problems", r.ID)
		}
	}

	// A tool that rewrites the file may silently repair the fault in these
	// bodies, or spell an escape out as six plain characters.
	for id, escape := range map[string]string{
		"anthropic/lone-surrogate":         `half emoji \ud83d"`,
		"chat-template/nul-truncation":     `"a\u0000b"`,
		"chat-template/nim-control-chars":  `"\u0000\u0001"`,
		"anthropic/whitespace-text-block":  `"text": "  "`,
		"anthropic/trailing-whitespace":    `"The answer is "`,
		"moonshot/tool-call-id-not-found":  `"tool_call_id": ""`,
		"openai-chat/message-name-pattern": `"Jane Doe"`,
	} {
		if messages := string(requests[id]["messages"]); !strings.Contains(messages, escape) {
			t.Errorf("%s: %s does not contain %s", id, messages, escape)
		}
	}
}
