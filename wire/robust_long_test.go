package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/wire"
)

// longHeads is what comes before the messages of a long body.
var longHeads = map[string]string{
	"gemini": `{"model":"gemini-3.1-pro-preview",` +
		`"tools":[{"functionDeclarations":[{"name":"f"}]}],"contents":[`,
	"anthropic": `{"model":"claude-sonnet-4-5","tools":[{"type":"custom","name":"f",` +
		`"input_schema":{}}],"messages":[`,
	"openai-chat": `{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"f",` +
		`"parameters":{}}}],` +
		`"messages":[`,
	"bedrock": `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
		`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]},"messages":[`,

	"openai-responses": `{"model":"gpt-5.4","tools":[{"type":"function","name":"f",` +
		`"parameters":{}}],"input":[`,
	"gemini-interactions": `{"model":"gemini-3.7-flash","tools":[{"type":"function","name":"f",` +
		`"parameters":{}}],"input":[`,
}

// long is a body of n messages in turns of four, with a tool call each; spoil changes some of them.
func long(provider string, n, textSize int, spoil func(k int, message string) string) []byte {
	text := strings.Repeat("lorem ipsum dolor sit amet ", textSize/27+1)[:textSize]
	format := spoken(provider)
	var b bytes.Buffer
	head, ok := longHeads[format]
	if !ok {
		head = `{"model":"","tools":[{"type":"function","function":{"name":"f",` +
			`"parameters":{}}}],"messages":[`
	}
	b.WriteString(head)
	for k := range n {
		if k > 0 {
			b.WriteByte(',')
		}
		m := ""
		switch {
		case format == "gemini":
			m = longContent(k, text)
		case format == "gemini-interactions":
			m = longStep(k, text)
		case k%4 == 1 && format == "openai-responses":
			m = fmt.Sprintf(
				`{"type":"function_call","call_id":"call_%d","name":"f","arguments":"{\"n\":1.0}"}`,
				k,
			)
		case k%4 == 2 && format == "openai-responses":
			m = fmt.Sprintf(`{"type":"function_call_output","call_id":"call_%d","output":"%s"}`,
				k-1, text)
		case k%4 == 0 && format == "bedrock":
			m = fmt.Sprintf(`{"role":"user","content":[{"text":"%s"}]}`, text)
		case k%4 == 0:
			m = fmt.Sprintf(`{"role":"user","content":"%s"}`, text)
		case k%4 == 1 && format == "anthropic":
			m = fmt.Sprintf(
				`{"role":"assistant","content":[{"type":"text","text":"%s"},`+
					`{"type":"tool_use","id":"toolu_%d","name":"f","input":{"n":1.0}}]}`,
				text,
				k,
			)
		case k%4 == 2 && format == "anthropic":
			m = fmt.Sprintf(
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d",`+
					`"content":"%s"}]}`,
				k-1,
				text,
			)
		case k%4 == 1 && format == "bedrock":
			m = fmt.Sprintf(
				`{"role":"assistant","content":[{"text":"%s"},`+
					`{"toolUse":{"toolUseId":"toolu_%d","name":"f","input":{"n":1.0}}}]}`,
				text,
				k,
			)
		case k%4 == 2 && format == "bedrock":
			m = fmt.Sprintf(
				`{"role":"user","content":[{"toolResult":{"toolUseId":"toolu_%d",`+
					`"content":[{"text":"%s"}]}}]}`,
				k-1,
				text,
			)
		case format == "bedrock":
			m = fmt.Sprintf(`{"role":"assistant","content":[{"text":"%s"}]}`, text)
		case k%4 == 1 && format == "ollama":
			m = fmt.Sprintf(
				`{"role":"assistant","content":"%s","tool_calls":[{"id":"call%05d",`+
					`"function":{"name":"f","arguments":{"n":1.0}}}]}`,
				text,
				k,
			)
		case k%4 == 1:
			m = fmt.Sprintf(
				`{"role":"assistant","content":"%s","tool_calls":[{"id":"call%05d",`+
					`"type":"function","function":{"name":"f","arguments":"{\"n\":1.0}"}}]}`,
				text,
				k,
			)
		case k%4 == 2:
			m = fmt.Sprintf(`{"role":"tool","tool_call_id":"call%05d","content":"%s"}`, k-1, text)
		default:
			m = fmt.Sprintf(`{"role":"assistant","content":"%s"}`, text)
		}
		if spoil != nil {
			m = spoil(k, m)
		}
		b.WriteString(m)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// dialectsWithDemands want something of every assistant message that a long body does not have.
var dialectsWithDemands = map[string]bool{"deepseek": true, "moonshot": true, "chat-template": true}

func TestLongBodies(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			options := &wire.Options{Provider: provider}
			clean := long(provider, 1001, 100, nil) // it ends on a user turn, which everybody takes
			result, err := wire.Sanitize(context.Background(), clean, options)
			require.NoError(t, err)
			if !dialectsWithDemands[provider] {
				require.Empty(t, result.Warnings)
				require.True(t, sameSlice(clean, result.Body))
			}
			require.NotNil(t, requireGuarantees(t, long(provider, 1001, 100, spoilFifth), options))
		})
	}
}

// TestHuge: a long string of the worst that a string can hold, in every place for one, and very
// many parts, sound and not, come out as they would in small: 1 MB and 15,625 parts, or 64 MB and a
// million parts with make soak. Each is sanitized once: the other properties would take a minute.
func TestHuge(t *testing.T) {
	size, n := rapidseed.Size(64<<20, 1<<20), rapidseed.Size(1_000_000, 15_625)
	worst := `\ud83d\u0000é\"\n `
	letters := size / len(worst)
	text := strings.Repeat(worst, letters)
	parts := func(part string) string {
		return strings.TrimSuffix(strings.Repeat(part+",", n), ",")
	}
	for _, c := range []struct {
		name, provider, body string
		warnings             int
		letters              int // é in the output
	}{
		{"a user's text", "anthropic",
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"` +
				text +
				`"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
				`"input":{}}]}]}`, 2, letters},
		{"a result", "bedrock",
			`{"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
				`"content":[{"text":"` +
				text + `"}]}}]}]}`,
			2, letters},
		{"arguments", "qwen",
			`{"model":"qwen-max","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"` +
				text + `"}}]},{"role":"tool","tool_call_id":"c1","content":"r"}]}`, 2, letters},
		{"an id", "openai-responses",
			`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"` +
				text + `","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"` +
				text + `","output":"r"}]}`, 4, 0},
		{"a name", "gemini",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"` +
				text + `","args":{}}}]}]}`, 2, 0},
		{"a member's name", "anthropic",
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"q","` +
				text + `":1}]}]}`,
			1, letters},
		{"sound parts", "anthropic",
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":[` +
				parts(`{"type":"text","text":"q"}`) + `]}]}`, 0, 0},
		{"empty parts", "openai-responses",
			`{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":"input_text",` +
				`"text":"q"},` +
				parts(`{}`) + `]}]}`,
			n, 0},
		{"blank parts", "anthropic",
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"q"},` +
				parts(`{"type":"text","text":" "}`) + `]}]}`, n, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, options := []byte(c.body), &wire.Options{Provider: c.provider}
			result, err := wire.Sanitize(context.Background(), in, options)
			require.NoError(t, err)
			require.Equal(t, c.body, string(in))
			require.Len(t, result.Warnings, c.warnings)
			require.Equal(t, c.letters, bytes.Count(result.Body, []byte("é")))
			report, err := wire.Check(result.Body, options)
			require.NoError(t, err)
			require.Empty(t, report.Violations)
		})
	}
}
