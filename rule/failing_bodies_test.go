package rule_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

// withoutBody lists the rules that have no body, in failing.json or in a golden file: those that cannot be seen in a
// request, and those of frameworks.
var withoutBody = []string{
	"anthropic/image-size",
	"anthropic/many-image-dimension",
	"anthropic/messages-max",
	"anthropic/request-too-large",
	"bedrock/text-beside-call",
	"chat-template/arguments-mapping",
	"chat-template/vllm-anthropic-blocks",
	"gemini-interactions/thought-signature-missing",
	"langgraph/missing-tool-messages",
	"mistral/conversations-pending",
	"moonshot/size",
	"openai-chat/string-max",
	"openai-chat/tools-max",
	"openai-responses/conflicting-identities",
	"openai-responses/item-null-field",
	"openai-responses/item-type-unsupported",
	"openai-responses/string-max",
	"pydantic-ai/unprocessed-tool-calls",
	"xai/compaction-blob-invalid",
	"xai/encrypted-content-invalid",
	"xai/single-text",
}

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
		r, ok := rule.ByID(b.ID)
		if !ok {
			t.Errorf("no rule %q", b.ID)
			continue
		}
		if b.Provider != r.Provider {
			t.Errorf("%s is filed under provider %q", b.ID, b.Provider)
		}
		if len(b.Request) == 0 {
			t.Errorf("%s has an empty request", b.ID)
		}
		if _, twice := requests[b.ID]; twice {
			t.Errorf("%s has two bodies", b.ID)
		}
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
	var missing []string
	for _, r := range rule.All() {
		if requests[r.ID] == nil && !strings.Contains(shown.String(), " "+r.ID+"\n") {
			missing = append(missing, r.ID)
		}
	}
	slices.Sort(missing)
	if diff := cmp.Diff(withoutBody, missing); diff != "" {
		t.Errorf("rules without a body (-want +got):\n%s", diff)
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
