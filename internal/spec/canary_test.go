package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// canary is what hooks remove: it is in a text, in arguments, in a result and in an answer.
const canary = "CANARY"

// canaryBodies are requests of each format with the canary, and with a last message without it.
var canaryBodies = map[string]string{
	"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[
		{"role":"user","content":[{"type":"text","text":"say CANARY1"},{"type":"text","text":"b"}]},
		{"role":"assistant","content":[{"type":"text","text":"CANARY2"},
			{"type":"tool_use","id":"toolu_1","name":"f","input":{"q":"CANARY3"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"CANARY4"}]},
		{"role":"assistant","content":"CANARY5 then"},
		{"role":"user","content":"more"},{"role":"assistant","content":"fine"},
		{"role":"user","content":"plain"}]}`,
	"openai-chat": `{"model":"gpt-5","messages":[
		{"role":"user","content":[{"type":"text","text":"say CANARY1"},{"type":"text","text":"b"}]},
		{"role":"assistant","content":"CANARY2","tool_calls":[{"id":"call_1","type":"function",
			"function":{"name":"f","arguments":"{\"q\":\"CANARY3\"}"}}]},
		{"role":"tool","tool_call_id":"call_1","content":"CANARY4"},
		{"role":"assistant","content":"CANARY5 then"},
		{"role":"user","content":"more"},{"role":"assistant","content":"fine"},
		{"role":"user","content":"plain"}]}`,
	"openai-responses": `{"model":"gpt-5","store":false,"input":[
		{"role":"user","content":[{"type":"input_text","text":"say CANARY1"}]},
		{"type":"function_call","call_id":"call_1","name":"f","arguments":"{\"q\":\"CANARY3\"}"},
		{"type":"function_call_output","call_id":"call_1","output":"CANARY4"},
		{"role":"assistant","content":[{"type":"output_text","text":"CANARY5 then"}]},
		{"role":"user","content":"more"},{"role":"assistant","content":"fine"},
		{"role":"user","content":"plain"}]}`,
	"gemini": `{"contents":[
		{"role":"user","parts":[{"text":"say CANARY1"},{"text":"b"}]},
		{"role":"model","parts":[{"functionCall":{"name":"f","args":{"q":"CANARY3"}}}]},
		{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"r":"CANARY4"}}}]},
		{"role":"model","parts":[{"text":"CANARY5 then"}]},
		{"role":"user","parts":[{"text":"more"}]},{"role":"model","parts":[{"text":"fine"}]},
		{"role":"user","parts":[{"text":"plain"}]}]}`,
	"bedrock": `{"modelId":"us.amazon.nova-2-lite-v1:0","messages":[
		{"role":"user","content":[{"text":"say CANARY1"},{"text":"b"}]},
		{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f",
			"input":{"q":"CANARY3"}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"CANARY4"}]}}]},
		{"role":"assistant","content":[{"text":"CANARY5 then"}]},
		{"role":"user","content":[{"text":"more"}]},
		{"role":"assistant","content":[{"text":"fine"}]},
		{"role":"user","content":[{"text":"plain"}]}]}`,
	"ollama": `{"model":"qwen3","messages":[
		{"role":"user","content":"say CANARY1"},
		{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",
			"arguments":{"q":"CANARY3"}}}]},
		{"role":"tool","tool_name":"f","content":"CANARY4"},
		{"role":"assistant","content":"CANARY5 then"},
		{"role":"user","content":"more"},{"role":"assistant","content":"fine"},
		{"role":"user","content":"plain"}]}`,
}

// redactFields writes over the canary in the fields of parts, and leaves native JSON alone.
func redactFields(m preflight.Message) preflight.Message {
	over := func(s string) string { return strings.ReplaceAll(s, canary, "xxxxxx") }
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *preflight.Text:
			p.Text = over(p.Text)
		case *preflight.ToolCall:
			p.Input = json.RawMessage(over(string(p.Input)))
		case *preflight.ToolResult:
			p.Output = json.RawMessage(over(string(p.Output)))
			for _, c := range p.Content {
				if c, ok := c.(*preflight.Text); ok {
					c.Text = over(c.Text)
				}
			}
		}
	}
	return m
}

// removeParts removes the parts that hold the canary.
func removeParts(m preflight.Message) preflight.Message {
	var kept []preflight.Part
	for _, p := range m.Parts {
		alone := preflight.CopyPart(p)
		*preflight.CarriedBy(alone) = preflight.Carried{}
		data, err := json.Marshal(preflight.Message{Role: m.Role, Parts: []preflight.Part{alone}})
		if err != nil || !bytes.Contains(data, []byte(canary)) {
			kept = append(kept, p)
		}
	}
	m.Parts = kept
	return m
}

// TestRemovedIsGone: what a hook has changed or removed is in no message of Prepare, however they
// are stored. The messages that it left alone keep their JSON.
func TestRemovedIsGone(t *testing.T) {
	ctx := context.Background()
	for name, body := range canaryBodies {
		for kind, hook := range map[string]func(preflight.Message) preflight.Message{
			"edits": redactFields, "removes": removeParts,
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				r, err := wire.Decode([]byte(body), &wire.Options{Provider: name})
				require.NoError(t, err)
				options := &wire.RequestOptions{MaxTokens: 9}
				options.Options.Hooks = []preflight.Hook{preflight.HookFunc("redact", hook)}
				prepared, err := wire.Prepare(ctx, name, r.Profile.Model, r.Messages, options)
				require.NoError(t, err)
				require.NotContains(t, string(prepared.Body), canary)
				data, err := json.Marshal(prepared.Messages)
				require.NoError(t, err)
				require.NotContains(t, string(data), canary)
				kept, err := stored.Persist(ctx, prepared.Messages, stored.PersistOptions())
				require.NoError(t, err)
				data, err = json.Marshal(kept.Messages)
				require.NoError(t, err)
				require.NotContains(t, string(data), canary)

				last, now := r.Messages[len(r.Messages)-1], prepared.Messages
				require.NotEmpty(t, last.Native.JSON)
				require.Equal(t, string(last.Native.JSON), string(now[len(now)-1].Native.JSON))
				options.Options.Hooks = nil
				again, err := wire.Prepare(ctx, name, r.Profile.Model, now, options)
				require.NoError(t, err)
				require.Equal(t, string(prepared.Body), string(again.Body))
			})
		}
	}
}
