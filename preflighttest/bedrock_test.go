package preflighttest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestReasoningContent holds a conversation with reasoning through Converse,
// and then changes what was said. The words are Claude's.
func TestReasoningContent(t *testing.T) {
	d := dialects["bedrock"]
	const model = "global.anthropic.claude-fable-5-1-v1:0"
	d.path = "/model/" + model + "/converse"
	s := preflighttest.New(t, "bedrock", nil)
	s.Script(preflighttest.Reply{
		Reasoning: "first",
		Redacted:  true,
		Text:      "I look.",
		Calls:     []preflighttest.Call{{Name: "f"}},
	})
	body := d.start("How is the weather?")
	body["additionalModelRequestFields"] = object{"thinking": object{"type": "adaptive"}}
	obj(arr(body["messages"])[0])["content"] = array{
		object{"text": "How is the weather?"},
		object{"cachePoint": object{"type": "default"}},
		object{"text": "Please."},
	}
	for _, id := range d.keep(body, d.ask(t, s, body, false)).ids {
		d.result(body, id, "ok")
	}
	body["modelId"] = model
	reasoning := func(body object, j int) object {
		return obj(blockOf(body, 1, j)["reasoningContent"])
	}
	const rule, prefix = "bedrock/reasoning-content", "The model returned the following errors: " +
		"messages.1.content."
	tryEdits(t, "bedrock", body, []edit{
		{name: "nothing", make: func(object) {}},
		{"the text is edited",
			func(body object) { obj(reasoning(body, 0)["reasoningText"])["text"] = "second" }, rule,
			prefix +
				"0: `thinking` or `redacted_thinking` blocks in the latest assistant message " +
				"cannot be modified"},
		{
			name: "the signature is another server's",
			make: func(body object) {
				obj(reasoning(body, 0)["reasoningText"])["signature"] = "EqQB+/=="
			},
		},
		{"the signature is cut", func(body object) {
			text := obj(reasoning(body, 0)["reasoningText"])
			text["signature"] = str(text["signature"])[:40]
		}, rule, prefix + "0: Invalid `signature` in `thinking` block"},
		{"the signature is lost",
			func(body object) { delete(obj(reasoning(body, 0)["reasoningText"]), "signature") },
			rule, "signature"},
		{"half of it is dropped", func(body object) { dropBlock(body, 1, 1) }, rule,
			"cannot be modified"},
		{
			name: "all of it is dropped",
			make: func(body object) { dropBlock(body, 1, 0); dropBlock(body, 1, 0) },
		},
		{"the question is edited", func(body object) { blockOf(body, 0, 0)["text"] = "?" }, rule,
			"first at `messages.0.content.0`"},
		{name: "the cache point is dropped", make: func(body object) { dropBlock(body, 0, 1) }},
		{
			name: "another family does not look",
			make: func(body object) {
				body["modelId"] = "zai.glm-4.7"
				obj(reasoning(body, 0)["reasoningText"])["text"] = "second"
			},
		},
		{"a model that does not reason takes none",
			func(body object) { body["modelId"] = "us.meta.llama3-3-70b-instruct-v1:0" }, rule,
			"User messages cannot contain reasoning content"},
		{"Nova takes none unless it is to reason",
			func(body object) { body["modelId"] = "us.amazon.nova-2-lite-v1:0" }, rule,
			"User messages cannot contain reasoning content"},
		{
			name: "Nova is to reason",
			make: func(body object) {
				body["modelId"] = "us.amazon.nova-2-lite-v1:0"
				body["additionalModelRequestFields"] = object{
					"reasoningConfig": object{"type": "enabled", "maxReasoningEffort": "low"},
				}
			},
		},
	})
}

// TestExceptionTypes: the type of an error is in a header, and that of one
// in the middle of a stream in the name of its event.
func TestExceptionTypes(t *testing.T) {
	d := dialects["bedrock"]
	s := preflighttest.New(t, "bedrock", nil)
	for status, want := range map[int]string{
		429: "ThrottlingException",
		500: "InternalServerException",
		503: "ServiceUnavailableException",
	} {
		s.Script(preflighttest.Reply{Fault: &preflighttest.Fault{Status: status}},
			preflighttest.Reply{
				Text:  "a text of several events",
				Fault: &preflighttest.Fault{After: 2, Status: status},
			})
		resp := d.post(t, s, d.start("hi"), true)
		require.Equal(t, want, resp.Header.Get("x-amzn-ErrorType"))
		events, err := d.events(d.post(t, s, d.start("hi"), true).Body)
		require.NoError(t, err)
		require.Equal(t, strings.ToLower(want[:1])+want[1:], events[2].name)
	}
	body := d.start("hi")
	body["messages"] = "hi"
	resp := d.post(t, s, body, false)
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)
	require.Equal(t, "SerializationException", resp.Header.Get("x-amzn-ErrorType"))
}

// TestServerTools: what Bedrock executes itself is called and answered within
// one message, and needs no answer from the caller.
func TestServerTools(t *testing.T) {
	body := bedrockStart("hi")
	add(body, "messages", object{
		"role": "assistant",
		"content": array{
			object{
				"toolUse": object{
					"toolUseId": "tooluse_1",
					"name":      "nova_grounding",
					"input":     object{},
					"type":      "server_tool_use",
				},
			},
			object{
				"toolResult": object{
					"toolUseId": "tooluse_1",
					"content":   array{object{"text": "found"}},
				},
			},
			object{"text": "This is what I found."},
		},
	})
	bedrockSay(body, "thanks")
	body["modelId"] = "amazon.nova-pro-v1:0"
	tryEdits(t, "bedrock", body, []edit{
		{name: "nothing", make: func(object) {}},
		{
			name: "the caller answers it, too",
			make: func(body object) {
				obj(arr(body["messages"])[2])["content"] = array{
					object{
						"toolResult": object{
							"toolUseId": "tooluse_1",
							"content":   array{object{"text": "ok"}},
						},
					},
				}
			},
		},
		{"the call was the caller's",
			func(body object) { delete(obj(blockOf(body, 1, 0)["toolUse"]), "type") },
			"bedrock/tool-result-exceeds", "messages.1.content"},
		{"the result belongs elsewhere",
			func(body object) { obj(blockOf(body, 1, 1)["toolResult"])["toolUseId"] = "tooluse_2" },
			"bedrock/tool-result-exceeds", "messages.1.content"},
	})
}

// TestCachePointOfNothing: the check took a cache point without a value for
// one, which is between results and separates none from its call; wire removes
// it as what it is.
func TestCachePointOfNothing(t *testing.T) {
	for _, value := range []string{"null", "7", `"x"`} {
		body := []byte(`{"modelId":"amazon.nova-pro-v1:0","messages":[{"role":"user",` +
			`"content":[{"text":"q"},{"cachePoint":` + value + `}]}]}`)
		requireRefused(t, "bedrock", body)
	}
}

// TestMediaWithoutFormat: neither asked for the format of an image, a required member.
func TestMediaWithoutFormat(t *testing.T) {
	const gif = `"source":{"bytes":"R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="}`
	for _, block := range []string{
		`"image":{` + gif + `}`, `"image":{"format":"",` + gif + `}`,
		`"image":{"source":{"bytes":"eA=="}}`, `"audio":{"source":{"bytes":"eA=="}}`,
	} {
		requireRefused(t, "bedrock", []byte(`{"modelId":"amazon.nova-pro-v1:0","messages":[`+
			`{"role":"user","content":[{"text":"q"},{`+block+`}]}]}`))
	}
	requireRefused(t, "bedrock", []byte(`{"modelId":"amazon.nova-pro-v1:0","toolConfig":{"tools":[`+
		`{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[`+
		`{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[`+
		`{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},{"role":"user","content":[`+
		`{"toolResult":{"toolUseId":"t","content":[{"image":{`+gif+`}}]}}]}]}`))
}
