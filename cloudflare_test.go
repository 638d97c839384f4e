package preflight_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file holds Cloudflare's cases and tests: sanitizeMessageForPersistence, its row-size guard, the truncation of older
// messages, and the repair of interrupted tool parts.

const cloudflareMarker = "… [truncated, original length: "

func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }

// requireCut asserts that v is a text of n x, cut to exactly limit UTF-16 units with the marker.
func requireCut(t testing.TB, v jsonscan.Value, n, limit int) {
	t.Helper()
	require.Equal(t, limit, utf16Length(v.Str()))
	require.True(t, strings.HasSuffix(v.Str(), cloudflareMarker+strconv.Itoa(n)+"]"), v.Str())
}

// persistInputs are the reference's settings: it shortens inputs too.
func persistInputs() *preflight.Options {
	o := preflight.PersistOptions()
	o.TruncateInputs = true
	return &o
}

func asInterrupted() *preflight.Options {
	o := preflight.InterruptedOptions()
	o.DanglingText = "The tool call was interrupted before a result was recorded."
	return &o
}

// requireAnswered asserts that a call has the error result of the reference behind it.
func requireAnswered(t testing.TB, h []preflight.Message, id string) {
	t.Helper()
	for _, r := range every[*preflight.ToolResult](h) {
		if r.CallID == id {
			require.True(t, r.IsError)
			require.Equal(t, "The tool call was interrupted before a result was recorded.", r.Content[0].(*preflight.Text).Text)
			return
		}
	}
	t.Fatalf("call %s has no result", id)
}

func older(keep, output int) step {
	options := &preflight.Options{Older: preflight.Older{Keep: keep, MaxOutput: output}}
	return applying(options, preflight.TruncateOlder)
}

var cloudflareCases = map[string]func(*testing.T, string){
	"cf-01-strip-itemid-keep-other-openai-field": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		text := only[*preflight.Text](t, out.Messages)
		require.Equal(t, "Hello!", text.Text)
		require.JSONEq(t, `{"someOtherField":"keep-me"}`, string(text.Meta["openai"]))
	},
	"cf-02-strip-both-openai-fields-drops-openai-key": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		text := only[*preflight.Text](t, out.Messages)
		require.Nil(t, text.Meta)
		require.Equal(t, "Thought about it", text.Text)

		keep := preflight.PersistOptions()
		keep.KeepEncrypted = true
		_, out = runCase(t, name, persisting(&keep))
		require.JSONEq(t, `{"reasoningEncryptedContent":"encrypted-blob"}`, string(only[*preflight.Text](t, out.Messages).Meta["openai"]))
	},
	"cf-04-preserve-redacted-thinking": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(nil))
		reasoning := every[*preflight.Reasoning](out.Messages)
		require.Len(t, reasoning, 2)
		require.Same(t, in[0].Parts[0], reasoning[0], "opaque reasoning has to be the very same part")
		require.Equal(t, "Visible thinking", reasoning[1].Text)
		require.Equal(t, []string{"Here is my answer"}, texts(out.Messages))
	},
	"cf-05-openai-reasoning-placeholder-removed-after-strip": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		require.Empty(t, every[*preflight.Reasoning](out.Messages))
		require.Equal(t, []string{"Final answer"}, texts(out.Messages))
	},
	"cf-07-non-openai-metadata-untouched": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(nil))
		requireUntouched(t, in, out)
	},
	"cf-08-truncate-provider-executed-input-and-output": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(persistInputs()))
		call, result := only[*preflight.ToolCall](t, out.Messages), only[*preflight.ToolResult](t, out.Messages)
		requireCut(t, get(t, call.Input, "file_text"), 10000, 500)
		requireCut(t, get(t, result.Output, "content"), 10000, 500)
		require.Equal(t, 463, strings.Count(get(t, result.Output, "content").Str(), "x"))
		require.Equal(t, "create", get(t, call.Input, "command").Str())
		require.Equal(t, "/tmp/file.txt", get(t, call.Input, "path").Str())
		require.Equal(t, "text", get(t, result.Output, "file_type").Str())
		require.Equal(t, "421", string(get(t, result.Output, "num_lines").Raw()))
		require.Equal(t, []string{"Done!"}, texts(out.Messages))

		in, out := runCase(t, name, persisting(nil))
		require.True(t, in[0].Parts[0] == out.Messages[0].Parts[0])
		require.Equal(t, 10000, len(get(t, only[*preflight.ToolCall](t, out.Messages).Input, "file_text").Str()), "inputs stay unless asked for")
	},
	"cf-10-user-tool-not-truncated": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(nil))
		requireUntouched(t, in, out)
	},
	"cf-11-web-search-encrypted-content-preserved": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(persistInputs()))
		requireUntouched(t, in, out)
	},
	"cf-13-web-fetch-payload-and-nested-encryptedIndex-preserved": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(persistInputs()))
		requireUntouched(t, in, out)
	},
	"cf-14-user-hook-redacts-output-content": func(t *testing.T, name string) {
		o := preflight.PersistOptions()
		o.Hooks = []preflight.Hook{redactContent()}
		_, out := runCase(t, name, persisting(&o))
		output := only[*preflight.ToolResult](t, out.Messages).Output
		require.Equal(t, "[custom-redacted]", get(t, output, "content").Str())
		require.Equal(t, "keep", get(t, output, "metadata").Str())
		require.Equal(t, []string{"Hello!"}, texts(out.Messages))
	},
	"cf-16-think-strip-encrypted-only": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		require.Nil(t, only[*preflight.Text](t, out.Messages).Meta)
	},
	"cf-17-think-filter-empty-reasoning": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		require.Len(t, out.Messages[0].Parts, 2)
		require.Equal(t, "Hello", out.Messages[0].Parts[0].(*preflight.Text).Text)
		require.Equal(t, "Thinking...", out.Messages[0].Parts[1].(*preflight.Reasoning).Text)
	},
	"cf-19-edge-mixed-provider-metadata": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(nil))
		require.Empty(t, cmp.Diff(preflight.Metadata{"anthropic": in[0].Parts[0].(*preflight.Reasoning).Meta["anthropic"]}, only[*preflight.Reasoning](t, out.Messages).Meta))
	},
	"cf-20-edge-empty-metadata-objects": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		require.Empty(t, out.Messages, "null and empty objects are no metadata: all four parts go, and the message with them")
	},
	"cf-22-edge-unstripped-metadata-keys": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		for _, m := range out.Messages {
			for _, p := range m.Parts {
				require.Empty(t, metaOfPart(p), "every slot is stripped")
			}
		}
		require.Equal(t, []string{"t", "u"}, texts(out.Messages))
	},
	"cf-23-issue-1118-code-execution-view": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(nil))
		output := only[*preflight.ToolResult](t, out.Messages).Output
		requireCut(t, get(t, output, "content"), 200000, 500)
		for key, want := range map[string]string{"num_lines": "421", "start_line": "1", "total_lines": "421"} {
			require.Equal(t, want, string(get(t, output, key).Raw()))
		}
		require.Greater(t, storedBytes(t, in[0]), 200_000)
		require.Less(t, storedBytes(t, out.Messages[0]), 2_000)
	},
	"cf-25-provider-executed-in-flight": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(persistInputs()))
		requireUntouched(t, in, out)
	},
	"cf-31-rowsize-tool-output-compacted": func(t *testing.T, name string) {
		in, out := runCase(t, name, persisting(nil))
		var text string
		result := only[*preflight.ToolResult](t, out.Messages)
		require.NoError(t, json.Unmarshal(result.Output, &text), "the output stays a string")
		require.Contains(t, text, "[truncated")
		requireCut(t, get(t, result.Output), 1900000, 1000)
		require.Equal(t, []string{"call_huge"}, out.CallIDs(preflight.CodeCutToSize), "the warnings say what was compacted")
		require.Same(t, only[*preflight.ToolCall](t, in), only[*preflight.ToolCall](t, out.Messages))
	},
	"cf-32-rowsize-user-text-truncated": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		text := texts(out.Messages)[0]
		require.True(t, strings.HasPrefix(text, strings.Repeat("Z", 400)))
		require.True(t, strings.HasSuffix(text, cloudflareMarker+"1900000]"))
		require.Len(t, out.Warnings, 1)
		require.Equal(t, preflight.CodeCutToSize, out.Warnings[0].Code)
		require.Equal(t, "messages[0].parts[0]", out.Warnings[0].At.String(), "the warnings say which text was compacted")
		require.Empty(t, out.CallIDs())
	},
	"cf-34-rowsize-keeps-object-shape": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		output := only[*preflight.ToolResult](t, out.Messages).Output
		require.Equal(t, "/large.txt", get(t, output, "path").Str())
		require.Equal(t, "1", string(get(t, output, "totalLines").Raw()))
		require.Contains(t, get(t, output, "content").Str(), "[truncated")
		require.Less(t, len(output), 2_000)
	},
	"cf-35-rowsize-marker-fallback": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		result := only[*preflight.ToolResult](t, out.Messages)
		require.LessOrEqual(t, storedBytes(t, out.Messages[1]), 1_800_000)
		require.Equal(t, jsonscan.True, get(t, result.Output, "__truncated").Kind())
		chars, err := strconv.Atoi(string(get(t, result.Output, "__truncatedChars").Raw()))
		require.NoError(t, err)
		require.Greater(t, chars, 1_800_000)
	},
	"cf-37-rowsize-oversize-input-or-error": func(t *testing.T, name string) {
		_, out := runCase(t, name, persisting(nil))
		for _, m := range out.Messages {
			require.LessOrEqual(t, storedBytes(t, m), 1_800_000)
		}
	},
	"cf-40-older-object-output-truncated-in-shape": func(t *testing.T, name string) {
		in, out := runCase(t, name, older(2, 100))
		output := only[*preflight.ToolResult](t, out.Messages).Output
		require.Equal(t, "/large.txt", get(t, output, "path").Str())
		require.Equal(t, "1", string(get(t, output, "totalLines").Raw()))
		require.Contains(t, get(t, output, "content").Str(), "[truncated")
		n := len(in)
		for _, i := range []int{n - 2, n - 1} {
			require.Same(t, in[i].Parts[0], out.Messages[i].Parts[0], "recent messages stay the same values")
		}
	},
	"cf-41-older-nested-arrays-marker": func(t *testing.T, name string) {
		_, out := runCase(t, name, older(2, 500))
		output := only[*preflight.ToolResult](t, out.Messages).Output
		require.Equal(t, 1, get(t, output, "a").Len())
		require.Equal(t, jsonscan.True, get(t, output, "a", "0", "__truncated").Kind())
		require.Equal(t, jsonscan.Number, get(t, output, "a", "0", "__truncatedChars").Kind())
	},
	"cf-43-older-string-stays-string": func(t *testing.T, name string) {
		_, out := runCase(t, name, older(2, 100))
		require.Contains(t, get(t, only[*preflight.ToolResult](t, out.Messages).Output).Str(), "[truncated")
	},
	"cf-44-older-web-search-token-corrupted-by-reference": func(t *testing.T, name string) {
		in, out := runCase(t, name, older(4, 500))
		requireUntouched(t, in, out)
	},
	"cf-50-repair-input-available": func(t *testing.T, name string) {
		in, out := runCase(t, name, interrupting(asInterrupted()))
		requireAnswered(t, out.Messages, "tc1")
		require.Same(t, in[0].Parts[0], out.Messages[0].Parts[0], "the input stays")
		require.Equal(t, []string{"tc1"}, out.CallIDs(preflight.CodeDanglingAnswered))
	},
	"cf-52-repair-approval-responded-kept": func(t *testing.T, name string) {
		in, out := runCase(t, name, interrupting(asInterrupted()))
		requireUntouched(t, in, out)
	},
	"cf-53-repair-stringified-input-normalized": func(t *testing.T, name string) {
		_, out := runCase(t, name, interrupting(asInterrupted()))
		require.Equal(t, `{"q":"cats"}`, string(only[*preflight.ToolCall](t, out.Messages).Input))
		require.Equal(t, 1, out.Count(preflight.CodeArgumentsRepaired))
		require.Equal(t, 0, out.Count(preflight.CodeDanglingAnswered))
		require.False(t, only[*preflight.ToolResult](t, out.Messages).IsError)
	},
	"cf-55-repair-dynamic-tool": func(t *testing.T, name string) {
		_, out := runCase(t, name, interrupting(asInterrupted()))
		requireAnswered(t, out.Messages, "tc1")
	},
	"cf-56-repair-leaves-text": func(t *testing.T, name string) {
		in, out := runCase(t, name, interrupting(asInterrupted()))
		require.Same(t, in[0].Parts[0], out.Messages[0].Parts[0])
		requireAnswered(t, out.Messages, "tc1")
	},
	"cf-58-repair-skip-client-tool": func(t *testing.T, name string) {
		o := asInterrupted()
		o.Pending = func(c *preflight.ToolCall) bool { return c.Name == "chooseOption" }
		in, out := runCase(t, name, interrupting(o))
		require.Empty(t, cmp.Diff(in[0], out.Messages[0]))
		requireAnswered(t, out.Messages, "server-1")
		require.Equal(t, []string{"server-1"}, out.CallIDs(preflight.CodeDanglingAnswered))
	},
	"cf-59-repair-multiple": func(t *testing.T, name string) {
		in, out := runCase(t, name, interrupting(asInterrupted()))
		require.Equal(t, []string{"tc1", "tc3"}, out.CallIDs(preflight.CodeDanglingAnswered))
		require.Same(t, in[1].Parts[0], out.Messages[2].Parts[0])
		require.Same(t, in[2].Parts[0], out.Messages[3].Parts[0])
	},
}

// redactContent is the hook of cf-14.
func redactContent() preflight.Hook {
	return preflight.Hook{Name: "redact-content", Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
		for _, p := range m.Parts {
			r, ok := p.(*preflight.ToolResult)
			if !ok {
				continue
			}
			doc, err := jsonscan.Parse(r.Output)
			if err != nil || !doc.Root().Has("content") {
				continue
			}
			edit := jsonscan.EditObject(doc.Root())
			edit.SetMember("content", []byte(`"[custom-redacted]"`))
			r.Output = edit.Bytes()
		}
		return m, nil
	}}
}

func metaOfPart(p preflight.Part) preflight.Metadata {
	switch p := p.(type) {
	case *preflight.Text:
		return p.Meta
	case *preflight.Reasoning:
		return p.Meta
	case *preflight.ToolCall:
		return p.Meta
	case *preflight.ToolResult:
		return p.Meta
	}
	return nil
}

func storedBytes(t testing.TB, m preflight.Message) int {
	t.Helper()
	body, err := m.MarshalJSON()
	require.NoError(t, err)
	return len(body)
}

// ui decodes one UI message with these parts.
func ui(t testing.TB, parts string) []preflight.Message {
	t.Helper()
	doc, err := jsonscan.Parse([]byte(`[{"id":"m","role":"assistant","parts":[` + parts + `]}]`))
	require.NoError(t, err)
	return fromUI(doc.Root())
}

func quotedRun(char string, n int) string { return `"` + strings.Repeat(char, n) + `"` }

// The tests of the reference, by what they are about.

func TestCloudflareFiltersEmptyReasoning(t *testing.T) {
	out := runSystem(t, ui(t, `{"type":"reasoning","text":""},{"type":"reasoning","text":"  "},{"type":"reasoning","text":"real"},{"type":"text","text":"answer"}`), persisting(nil))
	require.Equal(t, "real", only[*preflight.Reasoning](t, out.Messages).Text)
	require.Equal(t, []string{"answer"}, texts(out.Messages))
	require.Equal(t, 2, out.Count(preflight.CodeReasoningRemoved))
}

func TestCloudflareStripsCallProviderMetadata(t *testing.T) {
	in := ui(t, `{"type":"tool-getWeather","toolCallId":"c1","state":"output-available","input":{"city":"London"},"output":"Sunny","callProviderMetadata":{"openai":{"itemId":"item_1"}}}`)
	out := runSystem(t, in, persisting(nil))
	call := only[*preflight.ToolCall](t, out.Messages)
	require.Nil(t, call.Meta)
	require.Equal(t, `{"city":"London"}`, string(call.Input))
	require.Equal(t, `"Sunny"`, string(only[*preflight.ToolResult](t, out.Messages).Output))
}

func TestCloudflareRepersistingChangesNothing(t *testing.T) {
	in := loadSourceCase(t, "cf-08-truncate-provider-executed-input-and-output").messages(t)
	first, err := preflight.Persist(context.Background(), in, persistInputs())
	require.NoError(t, err)
	again, err := preflight.Persist(context.Background(), first.Messages, persistInputs())
	require.NoError(t, err)
	requireUntouched(t, first.Messages, again)
}

func TestCloudflareKeepsEncryptedStdoutAndTruncatesBesideIt(t *testing.T) {
	in := ui(t, `{"type":"tool-code_execution","toolCallId":"s1","providerExecuted":true,"state":"output-available","input":{},`+
		`"output":{"encryptedStdout":`+quotedRun("s", 5548)+`,"preview":`+quotedRun("p", 10000)+`}}`)
	out := runSystem(t, in, persisting(nil))
	output := only[*preflight.ToolResult](t, out.Messages).Output
	require.Equal(t, strings.Repeat("s", 5548), get(t, output, "encryptedStdout").Str())
	requireCut(t, get(t, output, "preview"), 10000, 500)
}

func TestCloudflareRunsTheHookBehindTheBuiltInSteps(t *testing.T) {
	in := ui(t, `{"type":"tool-myTool","toolCallId":"c1","state":"output-available","input":{},"output":{"content":"sensitive"},"callProviderMetadata":{"openai":{"itemId":"i"}}}`)
	o := preflight.PersistOptions()
	seen, stripped := 0, true
	redact := redactContent()
	o.Hooks = []preflight.Hook{{Name: "count", Message: func(ctx context.Context, m preflight.Message) (preflight.Message, error) {
		seen++
		for _, p := range m.Parts {
			stripped = stripped && metaOfPart(p) == nil
		}
		return redact.Message(ctx, m)
	}}}
	out, err := preflight.Persist(context.Background(), in, &o)
	require.NoError(t, err)
	require.True(t, stripped, "the hook sees what the built-in steps left")
	require.Equal(t, len(in), seen, "once per message per run")
	require.Equal(t, "[custom-redacted]", get(t, only[*preflight.ToolResult](t, out.Messages).Output, "content").Str())
}

// TestCloudflareNormalizesInputs has the twelve values of the reference's normalizeToolInput. Where the reference empties
// what it cannot read, we keep it under _raw.
func TestCloudflareNormalizesInputs(t *testing.T) {
	for _, c := range []struct{ reason, input, want string }{
		{"an object stays", `{"q":"cats"}`, `{"q":"cats"}`},
		{"an empty object stays", `{}`, `{}`},
		{"a nested object stays", `{"a":{"b":[1.0]}}`, `{"a":{"b":[1.0]}}`},
		{"an encoded object is decoded", `"{\"q\":\"cats\"}"`, `{"q":"cats"}`},
		{"null is nothing", `null`, `{}`},
		{"nothing is nothing", ``, `{}`},
		{"an empty string is nothing", `""`, `{}`},
		{"an array is kept", `[1,2]`, `{"_raw":[1,2]}`},
		{"a number is kept", `42`, `{"_raw":42}`},
		{"a boolean is kept", `true`, `{"_raw":true}`},
		{"a string that is no object is kept", `"cats"`, `{"_raw":"cats"}`},
		{"a cut-off object is kept", `"{\"q\":\"ca"`, `{"_raw":"{\"q\":\"ca"}`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			in := []preflight.Message{
				{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{ID: "c", Name: "search", Input: json.RawMessage(c.input)}}},
				{Role: preflight.RoleTool, Parts: []preflight.Part{&preflight.ToolResult{CallID: "c", Output: json.RawMessage(`1`)}}},
			}
			out := runSystem(t, in, interrupting(nil))
			require.Equal(t, c.want, string(only[*preflight.ToolCall](t, out.Messages).Input))
			require.Equal(t, c.input != c.want, out.Changed)
		})
	}
}
