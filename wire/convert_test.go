package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

const toConvert = `{"model":"claude-sonnet-4-5","max_tokens":100,"system":"be brief",` +
	`"temperature":0.5,"metadata":{"user_id":"u"},
"tools":[{"name":"f","description":"d","input_schema":{"type":"object",` +
	`"properties":{"n":{"type":"number"}}}}],"messages":[
{"role":"user","content":[{"type":"text","text":"q"},` +
	`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
	`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]},
{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"QUJD"},` +
	`{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"},` +
	`{"type":"text","text":"next"}]}]}`

func TestConvertCarriesWhatItCan(t *testing.T) {
	result, err := wire.Convert(context.Background(), []byte(toConvert),
		"", &wire.Options{Provider: "openai-chat", Model: "gpt-5.4"})
	require.NoError(t, err)
	want := `{"model":"gpt-5.4","max_completion_tokens":100,"temperature":0.5,` +
		`"tools":[{"type":"function","function":{"name":"f",` +
		`"description":"d","parameters":{"type":"object",` +
		`"properties":{"n":{"type":"number"}}}}}],"messages":[` +
		`{"role":"system","content":"be brief"},` +
		`{"role":"user","content":[{"type":"text","text":"q"},` +
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
		`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function",` +
		`"function":{"name":"f","arguments":"{\"n\":1.0}"}}]},` +
		`{"role":"tool","tool_call_id":"toolu_1","content":"ok"},` +
		`{"role":"user","content":[{"type":"text","text":"next"}]}]}`
	if diff := cmp.Diff(want, string(result.Body)); diff != "" {
		t.Errorf("converted body (-want +got):\n%s", diff)
	}
	var said []string
	for _, w := range result.Warnings {
		said = append(said, string(w.Code)+" "+w.Path)
	}
	require.Contains(t, said, "not-carried metadata")
	require.Contains(t, said, "reasoning-removed messages[1].content[0]")
}

// TestConvertStoredFiles: a file that a provider stores goes along to its other format, and is a
// line of text for others.
func TestConvertStoredFiles(t *testing.T) {
	const stored = "https://generativelanguage.googleapis.com/v1beta/files/x"
	for _, c := range []struct{ in, to, want string }{
		{`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"` + stored + `"}}]}]}`,
			"gemini-interactions", stored},
		{`{"model":"gemini-3-pro","input":[{"type":"user_input","content":[` +
			`{"type":"document","uri":"` + stored + `"}]}]}`, "gemini", stored},
		{`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"` + stored + `"}}]}]}`,
			"anthropic", "[document: " + stored + "]"},
		{`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"gs://b/x"}}]}]}`,
			"openai-responses", "[document: gs://b/x]"},
		{`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"files/x"}}]}]}`,
			"openai-responses", "[document omitted]"},
		{`{"model":"gpt-5.4","messages":[{"role":"user","content":[` +
			`{"type":"file","file":{"file_id":"file-x"}}]}]}`, "openai-responses", "file-x"},
		{`{"model":"gpt-5.4","input":[{"role":"user","content":[` +
			`{"type":"input_file","file_id":"file-x"}]}]}`, "openai-chat", "file-x"},
		{`{"model":"gpt-5.4","input":[{"role":"user","content":[` +
			`{"type":"input_file","file_id":"file-x"}]}]}`, "xai", "omitted"},
	} {
		result, err := wire.Convert(context.Background(), []byte(c.in),
			"", &wire.Options{Provider: c.to, Model: "m"})
		require.NoError(t, err, c.in)
		require.Contains(t, string(result.Body), c.want, "%s to %s", c.in, c.to)
	}
}

func TestConvertToTheSameFormatRepairs(t *testing.T) {
	result, err := wire.Convert(context.Background(), []byte(toConvert),
		"", &wire.Options{Provider: "anthropic", Model: "claude-opus-4-6"})
	require.NoError(t, err)
	require.Contains(t, string(result.Body), `"model":"claude-opus-4-6"`)
	require.Contains(t, string(result.Body), `"signature":"QUJD"`,
		"reasoning of the same provider stays")
}

// TestConvertToAVendor: the result names the format that a vendor's name means.
func TestConvertToAVendor(t *testing.T) {
	for vendor, format := range map[string]string{"openai": "openai-chat", "vertex": ""} {
		result, err := wire.Convert(context.Background(), []byte(toConvert),
			"", &wire.Options{Provider: vendor})
		require.NoError(t, err)
		require.Contains(t, wire.Providers(), result.Provider)
		if format != "" {
			require.Equal(t, format, result.Provider)
		}
		report, err := wire.Check(result.Body, &wire.Options{Provider: result.Provider})
		require.NoError(t, err)
		require.Empty(t, report.Violations)
	}
}

func TestConvertNeedsATarget(t *testing.T) {
	for _, c := range []struct {
		from    string
		options *wire.Options
	}{
		{"", nil}, {"", &wire.Options{}}, {"", &wire.Options{Provider: "nobody"}},
		{"nobody", &wire.Options{Provider: "gemini", Model: "m"}},
		{"gemini", &wire.Options{Provider: "anthropic"}},
	} {
		options := c.options
		result, err := wire.Convert(context.Background(), []byte(toConvert), c.from, options)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		require.Equal(t, toConvert, string(result.Body))
		require.False(t, result.Changed)
		if options != nil {
			require.Equal(t, [2]string{options.Provider, options.Model},
				[2]string{result.Provider, result.Model})
		}
	}
	_, err := wire.Convert(context.Background(), []byte(toConvert), "", nil)
	require.ErrorContains(t, err, "name the provider to convert to")
	result, err := wire.Convert(context.Background(), []byte(`{"messages":[]}`),
		"anthropic", &wire.Options{Provider: "openai-chat"})
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	require.False(t, result.Changed)
	result, err = wire.Convert(context.Background(), []byte(`{"messages":[]}`),
		"openai-chat", &wire.Options{Provider: "deepseek", Model: "deepseek-chat"})
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	require.Equal(t, `{"messages":[]}`, string(result.Body))
	require.False(t, result.Changed)
}

// emptyBody is a request of a provider without messages.
func emptyBody(provider string) string {
	switch spoken(provider) {
	case "gemini":
		return `{"contents":[]}`
	case "openai-responses", "gemini-interactions":
		return `{"input":[]}`
	}
	return `{"messages":[]}`
}

// A call without an id whose result has one is a pair where names count, and stays one elsewhere
// (found by TestConvertProperties).
func TestConvertPairsByName(t *testing.T) {
	const in = `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f"}},` +
		`{"functionCall":{"name":"f","id":"1"}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"one"},` +
		`"id":"1"}},{"functionResponse":{"name":"f","response":{"output":"two"},"id":"2"}}]}]}`
	result, err := wire.Convert(context.Background(), []byte(in),
		"gemini", &wire.Options{Provider: "openai-chat"})
	require.NoError(t, err)
	r, err := wire.Decode(result.Body, &wire.Options{Provider: "openai-chat"})
	require.NoError(t, err)
	said := map[string]string{}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if x, ok := p.(*preflight.ToolResult); ok {
				said[x.CallID] = x.Content[0].(*preflight.Text).Text
			}
		}
	}
	calls := r.Messages[1].Parts
	require.Len(t, calls, 2)
	require.Equal(t, map[string]string{calls[0].(*preflight.ToolCall).ID: "two", "1": "one"}, said)
}

// The address of an image tells Gemini its type, without which it is any file (found by
// TestConvertProperties).
func TestConvertImageAddressKeepsItsKind(t *testing.T) {
	const in = `{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url",` +
		`"url":"https://e/X.JPG?w=1"}},{"type":"text","text":"q"}]}]}`
	there, err := wire.Convert(context.Background(), []byte(in),
		"anthropic", &wire.Options{Provider: "gemini"})
	require.NoError(t, err)
	require.Contains(t, string(there.Body),
		`{"fileData":{"fileUri":"https://e/X.JPG?w=1","mimeType":"image/jpeg"}}`)
	back, err := wire.Convert(context.Background(), there.Body,
		"gemini", &wire.Options{Provider: "anthropic"})
	require.NoError(t, err)
	require.Contains(t, string(back.Body),
		`{"type":"image","source":{"type":"url","url":"https://e/X.JPG?w=1"}}`)
}

// An image spelled out in its address (RFC 2397 allows it without base64) becomes data where no
// address is taken, and without what is no media type; such an address that holds nothing becomes
// text.
func TestConvertDataAddress(t *testing.T) {
	image := func(url string) string {
		return `{"type":"image_url","image_url":{"url":"` + url + `"}}`
	}
	in := `{"messages":[{"role":"user","content":[` + image(
		"data:image/gif,%47IF89a%01%00%01%00",
	) + `,` + image(
		"data:image/png;name=x;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
	) + `,` + image("data:image/png") + `]}]}`
	for to, want := range map[string]string{
		"bedrock": `{"messages":[{"role":"user","content":[{"image":{"format":"gif",` +
			`"source":{"bytes":"R0lGODlhAQABAA=="}}},` +
			`{"image":{"format":"png","source":{"bytes":` +
			`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}},{"text":"[image omitted]"}]}]}`,
		"anthropic": `{"messages":[{"role":"user","content":[{"type":"image",` +
			`"source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAA=="}},` +
			`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}},` +
			`{"type":"text","text":"[image omitted]"}]}]}`,
		"ollama": `{"messages":[{"role":"user","content":"[image omitted]",` +
			`"images":["R0lGODlhAQABAA==","iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"]}]}`,
	} {
		result, err := wire.Convert(context.Background(), []byte(in),
			"openai-chat", &wire.Options{Provider: to})
		require.NoError(t, err, to)
		require.Equal(t, want, string(result.Body), to)
		require.Len(t, result.Warnings, 3)
	}
}

// TestConvertNamesOddMembers: the path of what is not carried over is written like any other,
// however its key is spelled.
func TestConvertNamesOddMembers(t *testing.T) {
	in := `{"messages":[{"role":"user","content":"q"}],"":1,"a.b":{"c":1}}`
	result, err := wire.Convert(context.Background(), []byte(in),
		"openai-chat", &wire.Options{Provider: "anthropic"})
	require.NoError(t, err)
	require.Len(t, result.Warnings, 2)
	require.Equal(t, "[#1]", result.Warnings[0].Path)
	require.Equal(t, "[#2]", result.Warnings[1].Path)
}

// TestConvertErrorsSayWhere: instructions are the first message, as the system members of other
// formats are.
func TestConvertErrorsSayWhere(t *testing.T) {
	in := []byte(
		`{"instructions":"s","input":[{"role":"user","content":"q"},` +
			`{"role":"narrator","content":"n"}]}`,
	)
	options := &wire.Options{
		Provider: "anthropic",
		Options:  preflight.Options{Strict: true},
	}
	_, err := wire.Convert(context.Background(), in, "openai-responses", options)
	var ambiguous *preflight.Error
	require.ErrorAs(t, err, &ambiguous)
	require.Len(t, ambiguous.Choices, 1)
	require.Equal(t, 2, ambiguous.Choices[0].At.Message())

	for text, want := range map[string]int{"s": 0, "q": 1, "n": 2} {
		options.Options = preflight.Options{
			Hooks: []preflight.Hook{
				{
					Name: "h",
					Message: func(
						_ context.Context, m preflight.Message,
					) (preflight.Message, error) {
						if m.Parts[0].(*preflight.Text).Text == text {
							return m, errors.New("boom")
						}
						return m, nil
					},
				},
			},
		}
		_, err = wire.Convert(context.Background(),
			bytes.Replace(in, []byte("narrator"), []byte("assistant"), 1),
			"openai-responses", options)
		var hook *preflight.Error
		require.ErrorAs(t, err, &hook)
		require.Equal(t, want, hook.Message, text)
	}
}

// TestConvertRefusesDeltas: a body that goes on with a history that only the server of the source
// has is an error that names the member, also for another host of the format: what came before
// would be missing there. For the same host it is no conversion.
func TestConvertRefusesDeltas(t *testing.T) {
	const turn = `{"type":"function_call_output","call_id":"c1","output":"forecast"}`
	for _, c := range []struct{ from, member, body string }{
		{"openai-responses", "previous_response_id",
			`{"model":"gpt-5.4","previous_response_id":"resp_1","input":[` + turn + `]}`},
		{"openai-responses", "previous_response_id", `{"previous_response_id":"resp_1","input":[]}`},
		{"openai-responses", "conversation", `{"conversation":{"id":"c_1"},"input":[` + turn + `]}`},
		{"openai-responses", "prompt", `{"prompt":{"id":"p_1"}}`},
		{"anthropic", "thread", `{"model":"claude-opus-5-5","max_tokens":9,"thread":{"type":` +
			`"continue","previous_message_id":"msg_1"},"messages":[{"role":"user","content":"q"}]}`},
	} {
		for _, to := range []string{
			"anthropic", "openrouter-anthropic", "xai", "xai-responses", "azure-responses",
		} {
			if to == c.from {
				continue
			}
			result, err := wire.Convert(t.Context(), []byte(c.body), c.from,
				&wire.Options{Provider: to})
			require.ErrorIs(t, err, wire.ErrHeldHistory, "%s to %s", c.body, to)
			var at *wire.Error
			require.ErrorAs(t, err, &at)
			require.Equal(t, c.member, at.Path)
			require.Equal(t, c.body, string(result.Body))
			require.False(t, result.Changed)
		}
		result, err := wire.Convert(t.Context(), []byte(c.body), c.from,
			&wire.Options{Provider: c.from})
		require.NoError(t, err, c.body)
		require.Equal(t, c.body, string(result.Body))
	}
	// beside an input, a prompt is a setting
	result, err := wire.Convert(t.Context(), []byte(`{"prompt":{"id":"p_1"},"input":"q"}`),
		"openai-responses", &wire.Options{Provider: "xai-responses"})
	require.NoError(t, err)
	require.JSONEq(t, `{"input":"q"}`, string(result.Body))
	require.Len(t, result.Warnings, 1)
	require.Equal(t, codes.NotCarried, result.Warnings[0].Code)
	require.Equal(t, "prompt", result.Warnings[0].Path)
	// the beginning of a thread is a whole conversation
	_, err = wire.Convert(t.Context(), []byte(`{"model":"claude-opus-5-5","max_tokens":9,`+
		`"thread":{"type":"create"},"messages":[{"role":"user","content":"q"}]}`), "anthropic",
		&wire.Options{Provider: "gemini"})
	require.NoError(t, err)
}

// TestConvertKeepsResultsOfReferences: the result of a call that is given by reference, which only
// the server of the source has, becomes text, also where a later call has the same id, and for
// another host of the format.
func TestConvertKeepsResultsOfReferences(t *testing.T) {
	const body = `{"model":"gpt-5.4","input":[{"type":"item_reference","id":"fc_1"},` +
		`{"type":"function_call_output","call_id":"c1","output":"forecast"},` +
		`{"role":"user","content":"q"},` +
		`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c1","output":"No result provided"}]}`
	for _, to := range []string{"xai", "xai-responses"} {
		result, err := wire.Convert(t.Context(), []byte(body), "openai-responses",
			&wire.Options{Provider: to})
		require.NoError(t, err)
		require.Contains(t, string(result.Body), "Result of a tool:\\n```\\nforecast\\n```", to)
		require.Contains(t, string(result.Body), "No result provided", to)
		require.True(t, slices.ContainsFunc(result.Warnings, func(w wire.Warning) bool {
			return w.Code == codes.OrphanToText && w.Path == "input[1]"
		}), "%s: %v", to, result.Warnings)
	}
}

// TestConvertKeepsPairsOfOneName: of calls of one tool without ids, each keeps the result that the
// source takes for its own, also if that is only a placeholder.
func TestConvertKeepsPairsOfOneName(t *testing.T) {
	const body = `{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":1}}}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"user","parts":[` +
		`{"functionResponse":{"name":"f","response":{"error":"Interrupted"}}},` +
		`{"functionResponse":{"name":"f","response":{"output":"two"}}}]}]}`
	result, err := wire.Convert(context.Background(), []byte(body),
		"gemini", &wire.Options{Provider: "bedrock"})
	require.NoError(t, err)
	r, err := wire.Decode(result.Body, &wire.Options{Provider: "bedrock"})
	require.NoError(t, err)
	said := map[string]string{}
	for _, p := range preflight.Pairs(r.Messages, &r.Profile) {
		if c, ok := p.Part.(*preflight.ToolCall); ok {
			said[string(c.Input)] = resultOf(p.Counterpart.(*preflight.ToolResult))
		}
	}
	require.Equal(t, map[string]string{`{"n":1}`: "Interrupted", `{}`: "two"}, said)
}

// TestConvertGivesEachCallAnID: a call with the id of another one gets an id that no call before it
// has, also where one without an id was named in an earlier round of the fixers, or an earlier
// conversion.
func TestConvertGivesEachCallAnID(t *testing.T) {
	const (
		chat = `{"messages":[{"role":"user","content":"q"},{"tool_calls":[%s]}]}`
		f    = `"function":{"name":"f","arguments":"{}"}`
		// what an unnamed f is called
		named = "f_9d6b4672"
	)
	for _, c := range []struct{ name, from, model, in string }{
		{"twice, and none between", "openai-compatible", "", fmt.Sprintf(chat,
			`{"id":"X",`+f+`},{`+f+`},{"id":"X",`+f+`}`)},
		{"twice, and none after", "openai-compatible", "", fmt.Sprintf(chat,
			`{"id":"X",`+f+`},{"id":"X",`+f+`},{`+f+`}`)},
		{"the id of an earlier conversion", "openai-compatible", "", fmt.Sprintf(chat,
			`{"id":"`+named+`",`+f+`},{`+f+`}`)},
		{"in parts", "gemini", "claude-opus-5-5", `{"contents":[{"role":"model","parts":[
			{"functionCall":{"id":"X","name":"f"}},{"functionCall":{"name":"f"}},
			{"functionCall":{"id":"X","name":"f"},"thoughtSignature":"q"}]}]}`},
	} {
		last := map[string]string{"openai-compatible": "gemini", "gemini": "gemini-chat"}[c.from]
		for _, to := range []string{"openai-responses", "cohere", last} {
			t.Run(c.name+" to "+to, func(t *testing.T) {
				out, err := wire.Convert(context.Background(), []byte(c.in), c.from, &wire.Options{
					Provider: to, Model: c.model,
					Options: preflight.Options{Dangling: preflight.DanglingAnswer},
				})
				require.NoError(t, err)
				r, err := wire.Decode(out.Body, &wire.Options{Provider: to})
				require.NoError(t, err)
				ids, calls := map[string]bool{}, 0
				for _, pair := range preflight.Pairs(r.Messages, &r.Profile) {
					if call, ok := pair.Part.(*preflight.ToolCall); ok {
						ids[call.ID] = true
						calls++
						require.NotNil(t, pair.Counterpart)
					}
				}
				require.Len(t, ids, calls, string(out.Body))
			})
		}
	}
}

// TestConvertDescribesMediaOfServerTools: the result of a tool that the source's provider ran
// becomes text, with a line for each of its pictures.
func TestConvertDescribesMediaOfServerTools(t *testing.T) {
	const body = `{"messages":[{"role":"user","content":[{"text":"q"}]},` +
		`{"role":"assistant","content":[` +
		`{"toolUse":{"toolUseId":"t1","name":"f","input":{},"type":"server_tool_use"}},` +
		`{"toolResult":{"toolUseId":"t1","type":"nova_code_interpreter_result","content":[` +
		`{"text":"a"},{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}]}},` +
		`{"text":"done"}]},{"role":"user","content":[{"text":"q"}]}]}`
	result, err := wire.Convert(context.Background(), []byte(body),
		"bedrock", &wire.Options{Provider: "openai-chat"})
	require.NoError(t, err)
	require.Contains(t, string(result.Body),
		"Result of nova_code_interpreter_result:\\n```\\na\\n[image omitted]\\n```")
}
