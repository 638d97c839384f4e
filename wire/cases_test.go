package wire_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/casecheck"
	"github.com/go-preflight/preflight/wire"
)

// contested are assertions of peers' cases that we hold to be wrong, with the reason.
var contested = map[string]string{
	// Aider's sanity_check_messages knows no provider and asks for a user turn at the end of every history. The case names
	// the format openai-chat and no target, and there the history is valid: G3 wants it untouched and without a warning.
	// Where a provider refuses it, its profile says so, and a user turn follows.
	"aider.json:last_must_be_user: ends with user or caller told": "OpenAI Chat takes a conversation that ends on an assistant turn",

	// An answer that was cut off is reasoning alone, and the next request sends it with the user's next message: what OpenAI gave is
	// sent as it came. It was seen to refuse such reasoning where it goes by its id alone (continuedev/continue#8933).
	"continue.json:reasoning_followed_by_user: no reasoning item followed by user message": "the reasoning is sent in full",

	// gemini-cli hardens a history for every model that there is or was. The cases name no model, and the API was recorded to
	// accept all of it; Portable does what they ask for.
	"gemini-cli.json:coalesce_adjacent: roles alternate":                                                                     "only the first generation wanted alternation",
	"gemini-cli.json:ends_with_model: ends with user or caller told":                                                         "3.5 and before take a final model turn",
	"gemini-cli.json:starts_with_model: starts with user":                                                                    "only function calls need a user turn before them",
	"roo-code.json:duplicate_valid_id_terminal_fallback: result tooluse_QZ-pU8v2QKO8L8fHoJRI2g is 'No test processes found'": "different results of one call are merged",
	"roo-code.json:duplicate_with_text_between: result tool-123 is 'First result'":                                           "different results of one call are merged",
	"gemini-cli.json:reorder_responses_to_call_order: responses in call order 1,2,3":                                         "ids tell which call is meant",
	"gemini-cli.json:reorder_responses_to_call_order: functionResponses before text in their turn":                           "text before responses is accepted",
}

// portableCases are peers' cases that want what no provider demands, or not every one: they are run with Options.Portable.
var portableCases = map[string]bool{
	"gemini-cli.json:coalesce_adjacent":                     true,
	"gemini-cli.json:starts_with_model":                     true,
	"gemini-cli.json:responses_split_across_user_turns":     true,
	"goose.json:role_alternation_and_content_placement":     true,
	"goose.json:orphaned_tools_and_empty_messages_collapse": true,
	"goose.json:real_world_consecutive_assistant":           true,
	"goose.json:leading_assistant_with_completed_pair":      true,
	"litellm.json:case_c_whitespace_with_tool_use":          true,
	"litellm.json:case_c_all_blocks_empty":                  true,
	"pi-mono.json:whitespace_only_user":                     true,
	"vercel-ai.json:consecutive_tool_messages_combined":     true,
}

// TestPeerCases runs every case of testdata/cases/peers whose format is implemented, and evaluates every assertion that a
// program can.
func TestPeerCases(t *testing.T) {
	cases, err := casecheck.Load("../testdata/cases/peers")
	require.NoError(t, err)
	implemented := map[string]bool{}
	for _, p := range wire.Providers() {
		implemented[p] = true
	}
	ran := 0
	names := map[string]bool{}
	for _, c := range cases {
		if !implemented[c.Format] {
			continue
		}
		ran++
		names[c.String()] = true
		t.Run(c.String(), func(t *testing.T) {
			lines, outcome := casecheck.Run(c, fixer(portableCases[c.String()]))
			require.False(t, outcome.Panicked)
			for _, line := range lines {
				if line.Verdict != casecheck.Fail {
					continue
				}
				if _, known := contested[c.String()+": "+line.Must]; known {
					continue
				}
				t.Errorf("%s\n  found %s\n  in    %s\n  out   %s\n  warn  %s\n  %s", line.Must, line.Why, c.Body(), outcome.Body, outcome.Warnings, outcome.Err)
			}
		})
	}
	require.Positive(t, ran)
	for name := range portableCases {
		require.True(t, names[name], "there is no case %s", name)
	}
}

// fixer is wire.Sanitize as the evaluator calls it.
func fixer(portable bool) casecheck.FixFunc {
	return func(provider string, body []byte) ([]byte, []json.RawMessage, error) {
		result, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider, Portable: portable})
		if err != nil {
			return nil, nil, err
		}
		var warnings []json.RawMessage
		for _, w := range result.Warnings {
			data, err := json.Marshal(w)
			if err != nil {
				return nil, nil, err
			}
			warnings = append(warnings, data)
		}
		return result.Body, warnings, nil
	}
}
