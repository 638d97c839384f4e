package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/wire"
)

// This file tests that texts are read in full where more of them is used than the end.

// drawnText makes a text one that has to be decoded, or longer than any placeholder.
func drawnText(t *rapid.T, text string) string {
	switch rapid.IntRange(0, 4).Draw(t, "text") {
	case 0:
		return "a \"quoted\" line\n" + text
	case 1:
		return text + "\n\tand more."
	case 2:
		return strings.Repeat("a long\nstory ", 40) + text
	case 3:
		return text + " \n"
	}
	return text
}

// drawTexts changes the texts of parts, and of the results among them.
func drawTexts(t *rapid.T, parts []preflight.Part) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				p.Text = drawnText(t, p.Text)
			}
		case *preflight.Reasoning:
			if p != nil && p.Opaque == "" {
				p.Text = drawnText(t, p.Text)
			}
		case *preflight.ToolResult:
			if p == nil {
				continue
			}
			for _, inner := range p.Content {
				if text, ok := inner.(*preflight.Text); ok && text != nil {
					text.Text = drawnText(t, text.Text)
				}
			}
		}
	}
}

// TestTextsAreReadWhenNeeded compares the repair that reads texts when it needs them with the one
// that reads all of them before, under every policy that concerns texts.
func TestTextsAreReadWhenNeeded(t *testing.T) {
	for _, provider := range []string{
		"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "mistral", "cohere",
		"ollama", "deepseek", "chat-template",
	} {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := &wire.Options{
					Provider: provider,
					Portable: rapid.IntRange(0, 3).Draw(t, "portable") == 0,
					Model: rapid.SampledFrom([]string{
						"", "", "claude-opus-4-8", "claude-opus-4-1", "gemini-2.5-pro",
						"meta.llama3-1-70b-instruct-v1:0", "gpt-oss-120b", "zephyr-7b-beta",
					}).Draw(t, "model"),
					Options: preflight.Options{
						Orphans: rapid.SampledFrom([]preflight.Orphans{
							preflight.OrphanRemove, preflight.OrphanText,
						}).Draw(t, "orphans"),
						Duplicates: rapid.SampledFrom([]preflight.Duplicates{
							preflight.DuplicateMerge, preflight.DuplicateFirst,
							preflight.DuplicateLast,
						}).Draw(t, "duplicates"),
						Trailing: rapid.SampledFrom([]preflight.Trailing{
							preflight.TrailingContinue, preflight.TrailingStrip,
						}).Draw(t, "trailing"),
						FallbackToLastUser: rapid.Bool().Draw(t, "fallback"),
					},
				}
				r, err := wire.Decode([]byte(`{"messages":[],"input":[],"contents":[]}`), options)
				require.NoError(t, err)
				history := histgen.Any(&r.Profile,
					&preflight.Options{Request: r.State}).Draw(t, "history")
				for i := range history {
					drawTexts(t, history[i].Parts)
				}
				in, err := r.Encode(history)
				if errors.Is(err, wire.ErrEncode) {
					return
				}
				require.NoError(t, err)
				result, err := wire.Sanitize(context.Background(), in, options)
				if err == nil {
					requireLongWay(t, in, options, result)
				}
			})
		})
	}
}

// TestWritersReadInFull: what a repair writes anew depends on the whole text, which the ends of
// these would misrepresent.
func TestWritersReadInFull(t *testing.T) {
	const text = `a \"quoted\" line\nand an end \n`
	ends := `{"messages":[{"role":"user","content":"q"},{"role":"assistant",` +
		`"content":[{"type":"text","text":"` + text + `"}]}]}`
	exchange := func(result string) string {
		return `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
			`"content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]},{"role":"user",` +
			`"content":[{"toolResult":{"toolUseId":"t1","status":"error","content":[{"text":"` +
			result + `"}]}}]}]}`
	}
	for name, test := range map[string]struct {
		options wire.Options
		body    string
	}{
		"a trimmed text": {wire.Options{Provider: "anthropic", Model: "claude-sonnet-4-5"}, ends},
		"a removed message": {wire.Options{Provider: "anthropic", Model: "claude-opus-4-6",
			Options: preflight.Options{Trailing: preflight.TrailingStrip}}, ends},
		"an error as text": {wire.Options{Provider: "bedrock", Model: "us.writer.palmyra-x5-v1:0"},
			exchange(text)},
		"a placeholder that is an error": {
			wire.Options{Provider: "bedrock", Model: "us.writer.palmyra-x5-v1:0"},
			exchange(`Tool call was interrupted\nbefore a result was recorded.`),
		},
		"the last user message alone": {wire.Options{Provider: "anthropic",
			Options: preflight.Options{Strict: true, FallbackToLastUser: true}},
			`{"messages":[{"role":"nobody","content":"` + text + `"},{"role":"assistant",` +
				`"content":"` + text + `"},{"role":"user","content":"` + text + `"}]}`},
		"a system message": {wire.Options{Provider: "anthropic"},
			`{"max_tokens":1,"messages":[{"role":"system","content":"` + text + `"},` +
				`{"role":"user","content":"q"}]}`},
		"a result as text": {wire.Options{Provider: "chat-template", Model: "zephyr-7b-beta"},
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"",` +
				`"tool_calls":[{"id":"t1","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"t1","content":"` + text + `"}]}`},
	} {
		in := []byte(test.body)
		result, err := wire.Sanitize(context.Background(), in, &test.options)
		require.NoError(t, err, name)
		require.True(t, result.Changed, name)
		requireLongWay(t, in, &test.options, result)
	}
}

// TestFixersSeeWholeTexts: whatever made a repair necessary, fixers and hooks of the caller get
// texts in full.
func TestFixersSeeWholeTexts(t *testing.T) {
	long := strings.Repeat("a long story ", 100)
	body := `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"` + long + `"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},` +
		`{"role":"user","content":"` + long + `"}]}`
	seen := 0
	see := func(history []preflight.Message) {
		for _, m := range history {
			if text, ok := m.Parts[0].(*preflight.Text); ok {
				require.Equal(t, long, text.Text)
				seen++
			}
		}
	}
	_, err := wire.Sanitize(context.Background(), []byte(body), &wire.Options{
		Options: preflight.Options{
			Fixers: []preflight.Fixer{{Name: "see", Fix: func(
				history []preflight.Message, _ *preflight.Profile, _ preflight.Request,
			) ([]preflight.Message, []preflight.Warning) {
				see(history)
				return history, nil
			}}},
			Hooks: []preflight.Hook{{Name: "see", History: func(
				_ context.Context, history []preflight.Message,
			) ([]preflight.Message, error) {
				see(history)
				return history, nil
			}}},
		},
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, seen, 4)
}
