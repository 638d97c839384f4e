package preflighttest_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// copied returns a copy of a body that shares nothing with it.
func copied(body object) object { return decoded(body) }

// edit is a change to a conversation, and the rule it breaks, or "".
type edit struct {
	name string
	make func(body object)
	rule string
	says string // a part of the refusal's text
}

// tryEdits makes each edit on a copy of the body.
func tryEdits(t *testing.T, provider string, body object, edits []edit) {
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			changed := copied(body)
			e.make(changed)
			violations, err := preflighttest.Violations(provider, []byte(compact(changed)))
			require.NoError(t, err)
			if e.rule == "" {
				require.Empty(t, violations)
				return
			}
			require.NotEmpty(t, violations)
			require.Equal(t, e.rule, violations[0].Rule, "%v", violations)
			require.Contains(t, violations[0].Message, e.says)
		})
	}
}

// block returns the j-th block of the i-th message.
func blockOf(body object, i, j int) object {
	return obj(arr(obj(arr(body["messages"])[i])["content"])[j])
}

// dropBlock removes the j-th block of the i-th message.
func dropBlock(body object, i, j int) {
	m := obj(arr(body["messages"])[i])
	content := arr(m["content"])
	m["content"] = append(content[:j:j], content[j+1:]...)
}

// TestThinking holds a conversation with thinking, and then changes what was
// said.
func TestThinking(t *testing.T) {
	d := dialects["anthropic"]
	s := preflighttest.New(t, "anthropic", nil)
	s.Script(preflighttest.Reply{
		Reasoning: "first",
		Redacted:  true,
		Text:      "I look.",
		Calls:     []preflighttest.Call{{Name: "f"}},
	}, preflighttest.Reply{Reasoning: "second", Redacted: true, Text: "Snow."})
	body := d.start("How is the weather?")
	body["system"] = "Be brief."
	first := d.keep(body, d.ask(t, s, body, false))
	d.result(body, first.ids[0], "snow")
	d.keep(body, d.ask(t, s, body, true))
	d.say(body, "Thanks.")
	// messages: 0 user, 1 assistant [thinking, redacted, text, call], 2 result, 3 assistant
	// [thinking, redacted, text], 4 user

	const (
		binding  = "anthropic/thinking-binding-prefix"
		modified = "anthropic/thinking-modified"
		invalid  = "anthropic/thinking-signature-invalid"
	)
	damage := func(signature any) string {
		raw, err := base64.StdEncoding.DecodeString(str(signature))
		require.NoError(t, err)
		raw[len(raw)-3] ^= 1
		return base64.StdEncoding.EncodeToString(raw)
	}
	tryEdits(t, "anthropic", body, []edit{
		{"nothing", func(b object) {}, "", ""},
		{"a turn follows", func(b object) {
			add(b, "messages", object{"role": "assistant", "content": "Welcome."})
			d.say(b, "Bye.")
		}, "", ""},
		{"a string becomes a block", func(b object) {
			obj(arr(b["messages"])[0])["content"] = array{
				object{"type": "text", "text": "How is the weather?"},
			}
			blockOf(b, 2, 0)["content"] = array{object{"type": "text", "text": "snow"}}
			b["system"] = array{object{"type": "text", "text": "Be brief."}}
		}, "", ""},
		{"cache breakpoints", func(b object) {
			b["system"] = array{
				object{
					"type":          "text",
					"text":          "Be brief.",
					"cache_control": object{"type": "ephemeral"},
				},
			}
			blockOf(b, 2, 0)["cache_control"] = object{"type": "ephemeral"}
		}, "", ""},
		{"earlier thinking is missing", func(b object) { dropBlock(b, 1, 0); dropBlock(b, 1, 0) }, "",
			""},
		{"all thinking is missing", func(b object) {
			dropBlock(b, 1, 0)
			dropBlock(b, 1, 0)
			dropBlock(b, 3, 0)
			dropBlock(b, 3, 0)
			b["system"] = "Be loud."
		}, "", ""},
		{"another model that does not bind",
			func(b object) { b["model"], b["system"] = "claude-opus-4-8", "Be loud." }, "", ""},
		{"the system prompt", func(b object) { b["system"] = "Be brief. It is Monday." }, binding,
			"The `system` prompt differs"},
		{"a tool", func(b object) { b["tools"] = arr(b["tools"])[1:] }, binding,
			"The `tools` list differs"},
		{"the first message", func(b object) { obj(arr(b["messages"])[0])["content"] = "hm" },
			binding, "first at `messages.0.content`"},
		{"the result", func(b object) { blockOf(b, 2, 0)["content"] = "rain" }, binding,
			"first at `messages.2.content.0`"},
		{"the text of the turn", func(b object) { blockOf(b, 1, 2)["text"] = "I loo" }, binding,
			"first at `messages.1.content.2`"},
		{"a message is missing", func(b object) { b["messages"] = arr(b["messages"])[2:] },
			"anthropic/tool-result-orphan", "messages.0.content.0"},
		{"latest thinking is edited", func(b object) { blockOf(b, 3, 0)["thinking"] = "sec" },
			modified, "messages.3.content.0"},
		{"latest thinking is cut", func(b object) { dropBlock(b, 3, 0) }, modified,
			"messages.3.content.0"},
		{"latest redacted thinking is cut", func(b object) { dropBlock(b, 3, 1) }, modified,
			"messages.3.content.0"},
		{"latest thinking is turned round", func(b object) {
			content := arr(obj(arr(b["messages"])[3])["content"])
			content[0], content[1] = content[1], content[0]
		}, modified, "messages.3.content.0"},
		{"earlier thinking is edited", func(b object) { blockOf(b, 1, 0)["thinking"] = "fir" },
			invalid, "messages.1.content.0: Invalid `signature`"},
		{"a signature is damaged", func(b object) {
			blockOf(b, 1, 0)["signature"] = damage(blockOf(b, 1, 0)["signature"])
		}, invalid, "messages.1.content.0"},
		{"a signature is cut", func(b object) {
			blockOf(b, 3, 0)["signature"] = str(blockOf(b, 3, 0)["signature"])[:40]
		}, invalid, "messages.3.content.0"},
		{"a signature is moved",
			func(b object) { blockOf(b, 1, 0)["signature"] = blockOf(b, 1, 1)["data"] }, invalid,
			"messages.1.content.0"},
		{"redacted data is damaged",
			func(b object) { blockOf(b, 1, 1)["data"] = damage(blockOf(b, 1, 1)["data"]) },
			"anthropic/redacted-thinking-data", "messages.1.content.1"},
		{"a foreign signature", func(b object) { blockOf(b, 1, 0)["signature"] = "Zm9yZWlnbg==" },
			"", ""},
		{"no signature", func(b object) { delete(blockOf(b, 1, 0), "signature") },
			"anthropic/thinking-signature-required", "messages.1.content.0.thinking.signature"},
	})

	// The control that lets the provider drop what no longer fits.
	body["thinking"] = object{
		"type":          "adaptive",
		"block_binding": object{"prefix_mismatch_behavior": "drop_block"},
	}
	body["system"] = "Be loud."
	require.Equal(t, 400, d.post(t, s, body, false).StatusCode, "without its beta header")
	require.Equal(t, "anthropic/extra-inputs", s.Refused()[0].Refusal.Rule)
	violations, err := preflighttest.Violations("anthropic", []byte(compact(body)))
	require.NoError(t, err)
	require.Empty(t, violations)
}

// TestReasoningItems: the items of an OpenAI Responses answer belong together.
func TestReasoningItems(t *testing.T) {
	d := dialects["openai-responses"]
	for _, stored := range []bool{false, true} {
		s := preflighttest.New(t, "openai-responses", nil)
		s.Script(preflighttest.Reply{
			Reasoning: "think",
			Calls:     []preflighttest.Call{{Name: "f"}, {Name: "g"}},
		}, preflighttest.Reply{Text: "no thought"})
		body := d.start("hi")
		body["store"] = stored
		for _, id := range d.keep(body, d.ask(t, s, body, false)).ids {
			d.result(body, id, "ok")
		}
		d.keep(body, d.ask(t, s, body, true))
		d.say(body, "thanks")
		// input: 0 user, 1 reasoning, 2 and 3 calls, 4 and 5 outputs, 6 message, 7 user

		item := func(b object, i int) object { return obj(arr(b["input"])[i]) }
		drop := func(b object, i int) {
			in := arr(b["input"])
			b["input"] = append(in[:i:i], in[i+1:]...)
		}
		const (
			needs     = "openai-responses/item-needs-reasoning"
			following = "openai-responses/reasoning-needs-following"
		)
		tryEdits(t, "openai-responses", body, []edit{
			{"nothing", func(b object) {}, "", ""},
			// Ids bind what is stored. Otherwise the API knows none to hold anything against.
			{"the reasoning is missing", func(b object) { drop(b, 1) },
				map[bool]string{true: needs}[stored],
				map[bool]string{true: "without its required 'reasoning' item: 'rs_pfr"}[stored]},
			{"the calls go", func(b object) {
				for _, i := range []int{5, 4, 3, 2} {
					drop(b, i)
				}
			}, map[bool]string{true: following}[stored],
				map[bool]string{true: "without its required following item"}[stored]},
			{"something gets between", func(b object) {
				in := arr(b["input"])
				b["input"] = append(
					append(append(array{}, in[:2]...), object{"role": "user", "content": "!"}),
					in[2:]...)
			}, map[bool]string{true: needs}[stored],
				map[bool]string{true: "of type 'function_call'"}[stored]},
			{"the summary is edited", func(b object) { item(b, 1)["summary"] = array{} }, "", ""},
			{"the content is damaged", func(b object) {
				item(b, 1)["encrypted_content"] = str(item(b, 1)["encrypted_content"])[:50]
			}, "openai-responses/encrypted-content-invalid", str(item(body, 1)["id"])},
			{"everything is detached", func(b object) {
				drop(b, 1)
				for i := range arr(b["input"]) {
					delete(item(b, i), "id")
				}
				delete(item(b, 5), "status")
			}, "", ""},
			{"an output is missing", func(b object) { drop(b, 4) },
				"openai-responses/tool-output-missing",
				"No tool output found for function call call_"},
			{"an output comes twice",
				func(b object) { b["input"] = append(arr(b["input"]), item(b, 4)) },
				"openai-responses/tool-output-orphan", "No tool call found"},
			{"an item comes twice",
				func(b object) { b["input"] = append(arr(b["input"]), item(b, 6)) },
				"openai-responses/duplicate-item", str(item(body, 6)["id"])},
			{"the content is left out", func(b object) { delete(item(b, 1), "encrypted_content") },
				map[bool]string{false: "openai-responses/item-not-found"}[stored],
				str(item(body, 1)["id"])},
		})
	}
}

// TestNotPersisted: what was answered without encrypted content cannot be sent
// again when nothing is stored, which catches clients that forget to ask.
func TestNotPersisted(t *testing.T) {
	d := dialects["openai-responses"]
	s := preflighttest.New(t, "openai-responses", nil)
	s.Script(preflighttest.Reply{Reasoning: "think", Text: "hello"})
	body := d.start("hi")
	delete(body, "include")
	d.keep(body, d.ask(t, s, body, false))
	d.say(body, "and?")
	resp := d.post(t, s, body, false)
	require.Equal(t, 400, resp.StatusCode)
	var answer object
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Equal(t, "openai-responses/item-not-found", s.Refused()[0].Refusal.Rule)
	require.Contains(t, str(obj(answer["error"])["message"]),
		"Items are not persisted when `store` is set to false.")
}
