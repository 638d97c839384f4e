package remedy_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/recorded"
)

// refusalOf has, for the rows of shapes that stay as they are at first, what a host said that
// refused them.
var refusalOf = map[string]string{
	"3": `{"error":{"message":"Item 'rs_1' of type 'reasoning' was provided without its required ` +
		`following item.","type":"invalid_request_error"}}`,
	"7": `{"message":"A conversation must start with a user message. Try again with a ` +
		`conversation that starts with a user message."}`,
	"8": `{"message":"A conversation must alternate between user and assistant roles. Make sure ` +
		`the conversation alternates between user and assistant roles and try again."}`,
	"9": `{"message":"The model returned the following errors: messages: text content blocks ` +
		`must contain non-whitespace text"}`,
	"10b": `{"message":"The model returned the following errors: messages.1.content: ` +
		`Conversation blocks and tool use blocks cannot be provided in the same turn."}`,
	"12": refusal("messages: text content blocks must contain non-whitespace text"),
	"16": refusal(`messages: roles must alternate between "user" and "assistant", but found ` +
		`multiple "user" roles in a row`),
	"17": refusal("messages.2: `tool_use` ids were found without `tool_result` blocks " +
		"immediately after: toolu_01A. Each `tool_use` block must have a corresponding " +
		"`tool_result` block in the next message."),
	"24": `{"error":{"code":400,"message":"Please ensure that multiturn requests alternate ` +
		`between user and model.","status":"INVALID_ARGUMENT"}}`,
	"29": `{"error":{"message":"Item 'fc_1' of type 'function_call' was provided without its ` +
		`required 'reasoning' item: 'rs_1'.","type":"invalid_request_error"}}`,
	"31": `{"error":{"code":"invalid_payload","message":"Invalid payload","details":[{"message":` +
		`"Value is 'null' but should be 'string'","param":"/input/1/status"}]}}`,
	"34": `{"object":"error","message":"Unexpected role 'user' after role 'tool'","type":` +
		`"invalid_request_message_order","code":"3230"}`,
	"36": `{"error":{"message":"Invalid 'messages[1].tool_calls': empty array. Expected an ` +
		`array with minimum length 1, but got an empty array instead.",` +
		`"type":"invalid_request_error"}}`,
}

// TestTwoSidedRemedies: of the shapes that were collected, each that stays as it is at first is
// sent in another form once a host has refused it in the words on record.
func TestTwoSidedRemedies(t *testing.T) {
	for _, r := range recorded.TwoSided(t, "..") {
		words := refusalOf[r.Row]
		if !strings.Contains(r.Verdict, "after a refusal") &&
			!strings.Contains(r.Verdict, "remedy") || words == "" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			model := r.Model
			paths := map[string]string{
				"anthropic": path,
				"bedrock":   "/model/" + model + "/converse",
				"gemini":    "/v1beta/models/" + model + ":generateContent",
				"vertex-gemini": "/v1/projects/p/locations/l/publishers/google/models/" + model +
					":generateContent",
			}
			to, known := paths[r.Provider]
			switch {
			case known:
			case strings.HasSuffix(r.Provider, "-responses"):
				to = "/v1/responses"
			default:
				to = "/v1/chat/completions"
			}
			transport, all, server := resending(http.StatusBadRequest, words, "")
			transport.Endpoints[0].Provider = r.Provider
			do(t, transport, post(t, address+to, string(r.Request)))
			got := server.received()
			require.Greater(t, len(got), 1, "it is not sent again")
			require.JSONEq(t, string(r.Request), got[0].body)
			require.NotEqual(t, got[0].body, got[1].body)
			require.NotEmpty(t, all.all[1].Remedy)
		})
	}
}
