package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/provider"
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
	result, err := wire.Convert(
		context.Background(),
		[]byte(toConvert),
		&wire.ConvertOptions{To: "openai-chat", Model: "gpt-5.4"},
	)
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

// TestConvertSays: the whole of what comes out, and of what is said.
func TestConvertSays(t *testing.T) {
	const unchanged = ""
	for _, c := range []struct {
		from, to, model, in, out string
		said                     []string
	}{
		{"anthropic", "openai-chat", "gpt-5.4",
			`{"model":"claude-sonnet-4-5","max_tokens":100,"top_p":0.5,"system":"s",` +
				`"metadata":{"user_id":"u"},"stop_sequences":[],` +
				`"tools":[{"name":"f","description":"d","input_schema":{"type":"object"},` +
				`"strict":true,"x":null},{"name":"g","input_schema":7},{"name":"h"},` +
				`{"name":7,"input_schema":{}},` +
				`{"type":"web_search_20250305","name":"web_search"},` +
				`{"name":"k","description":7,"input_schema":{}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"gpt-5.4","max_completion_tokens":100,"top_p":0.5,` +
				`"tools":[{"type":"function","function":{"name":"f","description":"d",` +
				`"parameters":{"type":"object"}}},` +
				`{"type":"function","function":{"name":"k","parameters":{}}}],` +
				`"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`,
			[]string{
				"metadata not-carried", "stop_sequences not-carried", "tools[0].strict not-carried",
				"tools[1] not-carried", "tools[2] not-carried", "tools[3] not-carried",
				"tools[4] not-carried",
			}},
		{"anthropic", "gemini", "",
			`{"max_tokens":100,"temperature":1.0,"top_p":0.5,"messages":[{"role":"user",` +
				`"content":"q"}],"tools":[{"name":"f","input_schema":{"type":"object"}},` +
				`{"name":"g","input_schema":{"type":"object"}}]}`,
			`{"generationConfig":{"maxOutputTokens":100,"temperature":1.0,"topP":0.5},` +
				`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object"}},` +
				`{"name":"g","parameters":{"type":"object"}}]}],` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			nil},
		{"gemini", "anthropic", "claude-sonnet-4-5",
			`{"model":"gemini-3-pro","systemInstruction":{"parts":[{"text":"s"}]},` +
				`"generationConfig":{"maxOutputTokens":9,"topK":3,"topP":0.5},` +
				`"safetySettings":[],"tools":[{"googleSearch":{}},` +
				`{"functionDeclarations":[{"name":"f","parameters":{}},{"name":"g"},` +
				`{"name":"h","parameters":7}],"x":1},` +
				`{"function_declarations":[{"name":"k","response":{"a":1}}]}],` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			`{"model":"claude-sonnet-4-5","max_tokens":9,"top_p":0.5,"tools":[{"name":"f",` +
				`"input_schema":{}},{"name":"g","input_schema":{"type":"object"}},` +
				`{"name":"k","input_schema":{"type":"object"}}],` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}],` +
				`"system":[{"type":"text","text":"s"}]}`,
			[]string{
				"model not-carried", "generationConfig.topK not-carried",
				"safetySettings not-carried", "tools[0] not-carried",
				"tools[1].functionDeclarations[2] not-carried", "tools[1][#1] not-carried",
				"tools[2].function_declarations[0].response not-carried",
			}},
		{"bedrock", "openai-chat", "",
			`{"modelId":"m","toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}},"strict":true}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"g"}},` +
				`{"toolSpec":7}],"toolChoice":{"auto":{}}},` +
				`"inferenceConfig":{"maxTokens":5,"stopSequences":["x"]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			`{"max_completion_tokens":5,"tools":[{"type":"function","function":{"name":"f",` +
				`"parameters":{"type":"object"}}},` +
				`{"type":"function","function":{"name":"g","parameters":{"type":"object"}}}],` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]}`,
			[]string{
				"modelId not-carried", "toolConfig.toolChoice not-carried",
				"inferenceConfig.stopSequences not-carried",
				"toolConfig.tools[0].toolSpec.strict not-carried",
				"toolConfig.tools[1] not-carried", "toolConfig.tools[3] not-carried",
			}},
		{"openai-chat", "bedrock", "",
			`{"model":"gpt-4o","max_completion_tokens":5,"n":1,"tools":[{"type":"function",` +
				`"function":{"name":"f","parameters":{"a":1.0},"strict":true},"x":1},` +
				`{"type":"function","function":{"name":"g"}},` +
				`{"type":"custom","custom":{"name":"c"}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"inferenceConfig":{"maxTokens":5},` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"a":1.0}}}},` +
				`{"toolSpec":{"name":"g","inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			[]string{
				"n not-carried", "tools[0].function.strict not-carried", "tools[0][#2] not-carried",
				"tools[2] not-carried",
			}},
		{"openai-chat", "openai-responses", "gpt-5.4",
			`{"tools":[{"type":"function","function":{"name":"f","description":"d",` +
				`"parameters":{"a":1.0}}}],"messages":[{"role":"system","content":"s"},` +
				`{"role":"user","content":"q"}]}`,
			`{"model":"gpt-5.4","tools":[{"type":"function","name":"f","description":"d",` +
				`"parameters":{"a":1.0}}],"input":[{"role":"system",` +
				`"content":[{"type":"input_text","text":"s"}]},` +
				`{"role":"user","content":[{"type":"input_text","text":"q"}]}]}`,
			nil},
		{"openai-chat", "ollama", "qwen3",
			`{"max_completion_tokens":5,"temperature":0,"tools":[{"type":"function",` +
				`"function":{"name":"f"}}],"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"qwen3","options":{"num_predict":5,"temperature":0},` +
				`"tools":[{"type":"function","function":{"name":"f",` +
				`"parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "cohere", "command-a",
			`{"top_p":0.5,"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"command-a","p":0.5,"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "anthropic", "",
			`[{"role":"system","content":"s"},{"role":"user","content":"q"}]`,
			`[{"role":"user","content":"s"},{"role":"user","content":"q"}]`,
			[]string{"messages[0] system-demoted"}},
		{"anthropic", "openai-chat", "",
			`[{"role":"user","content":[{"type":"text","text":"q"}]},` +
				`{"role":"assistant","content":"a"}]`,
			unchanged,
			nil},
		{"openai-chat", "mistral", "",
			`[{"role":"system","content":"s"},{"role":"user","content":"q"}]`,
			unchanged,
			nil},
		{"openai-chat", "deepseek", "deepseek-chat",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
			`{"model":"deepseek-chat","messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "openrouter", "",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
			unchanged,
			nil},
		{"openai-chat", "azure", "x", `[{"role":"user","content":"q"}]`,
			unchanged,
			nil},
		{"openai-chat", "azure", "gpt-4o",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
			unchanged,
			nil},
		{"gemini", "gemini", "gemini-2.5-pro",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			unchanged,
			nil},
		{"openai-responses", "anthropic", "", `{"input":"q","instructions":"i","temperature":null}`,
			`{"temperature":null,"messages":[{"role":"user","content":"q"}],"system":"i"}`,
			nil},
		{"openai-responses", "openai-chat", "o1-mini",
			`{"instructions":"i\u0000","input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}]}`,
			`{"model":"o1-mini","messages":[{"role":"user","content":"i"},` +
				`{"role":"user","content":"q"}]}`,
			[]string{
				"instructions text-repaired", "instructions system-demoted",
				"input[1] dangling-removed",
			}},
		{"openai-responses", "mistral", "", `{"input":"q","instructions":""}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
			[]string{"instructions not-carried"}},
		{"openai-responses", "mistral", "", `{"input":"q","instructions":null}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
			[]string{"instructions not-carried"}},
		{"openai-chat", "anthropic", "claude-opus-4-6",
			`{"messages":[{"role":"user","content":"q","x":1},` +
				`{"role":"function","name":"f","content":[]},` +
				`{"role":"assistant","content":"a","tool_calls":[]},` +
				`{"role":"user","content":"q\ud800"}]}`,
			`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"q\ufffd"}]}`,
			[]string{
				"messages[3].content text-repaired", "messages[1].role shape-repaired",
				"messages[2].tool_calls shape-repaired", "messages[0][#2] not-carried",
				"messages[1].name not-carried", "messages[1] message-removed",
			}},
		{"openai-chat", "anthropic", "",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"},` +
				`"cache_control":{"type":"ephemeral"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"r"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"c1","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1",` +
				`"content":"r"}]}]}`,
			[]string{"messages[1].tool_calls[0] cache-removed"}},
		{"ollama", "anthropic", "",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}},"cache_control":{"type":"ephemeral"}}]},` +
				`{"role":"tool","tool_name":"f","content":"r"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"noid_1_f_9d0af926","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"noid_1_f_9d0af926","content":"r"}]}]}`,
			[]string{
				"messages[1].tool_calls[0].cache_control not-carried",
				"messages[1].tool_calls[0] id-rewritten", "messages[2] id-rewritten",
			}},
	} {
		t.Run(c.from+" to "+c.to, func(t *testing.T) {
			result, err := wire.Convert(
				context.Background(),
				[]byte(c.in),
				&wire.ConvertOptions{From: c.from, To: c.to, Model: c.model},
			)
			require.NoError(t, err)
			r, err := wire.Decode([]byte(c.in), &wire.Options{Provider: c.from})
			require.NoError(t, err)
			var said []string
			for _, w := range result.Warnings {
				said = append(said, w.Path+" "+string(w.Code))
				requirePlace(t, r, w.At, w.Path, []byte(c.in))
			}
			want := c.out
			if want == unchanged {
				want = c.in
			}
			require.Equal(t, want, string(result.Body))
			require.Equal(t, c.said, said)
			require.Equal(t, c.to, result.Provider)
			require.Equal(t, c.out != unchanged, result.Changed)
			if c.model != "" {
				require.Equal(t, c.model, result.Model)
			}
		})
	}
}

func TestConvertToTheSameFormatRepairs(t *testing.T) {
	result, err := wire.Convert(
		context.Background(),
		[]byte(toConvert),
		&wire.ConvertOptions{To: "anthropic", Model: "claude-opus-4-6"},
	)
	require.NoError(t, err)
	require.Contains(t, string(result.Body), `"model":"claude-opus-4-6"`)
	require.Contains(
		t,
		string(result.Body),
		`"signature":"QUJD"`,
		"reasoning of the same provider stays",
	)
}

func TestConvertNeedsATarget(t *testing.T) {
	for _, options := range []*wire.ConvertOptions{
		nil, {}, {To: "nobody"}, {From: "nobody", To: "gemini", Model: "m"},
		{From: "gemini", To: "anthropic"},
	} {
		result, err := wire.Convert(context.Background(), []byte(toConvert), options)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		require.Equal(t, toConvert, string(result.Body))
		require.False(t, result.Changed)
		if options != nil {
			require.Equal(
				t,
				[2]string{options.To, options.Model},
				[2]string{result.Provider, result.Model},
			)
		}
	}
	_, err := wire.Convert(context.Background(), []byte(toConvert), nil)
	require.ErrorContains(t, err, "name the provider to convert to")
	result, err := wire.Convert(
		context.Background(),
		[]byte(`{"messages":[]}`),
		&wire.ConvertOptions{From: "anthropic", To: "openai-chat"},
	)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	require.False(t, result.Changed)
	result, err = wire.Convert(
		context.Background(),
		[]byte(`{"messages":[]}`),
		&wire.ConvertOptions{From: "openai-chat", To: "deepseek", Model: "deepseek-chat"},
	)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	require.Equal(t, `{"messages":[]}`, string(result.Body))
	require.False(t, result.Changed)
}

// TestConvertProperties: what comes out is valid for the target, deterministic, and there and back
// again keeps every text, every answered call and every image that the other can express.
func TestConvertProperties(t *testing.T) {
	for _, pair := range conversions() {
		from, to := pair[0], pair[1]
		t.Run(from+" to "+to, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := body(spoken(from)).Draw(t, "body")
				clean, err := wire.Sanitize(context.Background(), in, &wire.Options{Provider: from})
				if err != nil {
					return // not a request, or beyond repair
				}
				given := bytes.Clone(clean.Body)
				if continues(t, clean.Body, from) {
					_, err := wire.Convert(
						context.Background(),
						clean.Body,
						&wire.ConvertOptions{From: from, To: to},
					)
					require.ErrorIs(t, err, preflight.ErrEmptyHistory)
					return
				}
				there := mustConvert(t, clean.Body, from, to)
				require.Equal(t, given, clean.Body, "the input was written to")
				require.Equal(t, there, mustConvert(t, clean.Body, from, to), "two runs differ")
				found, err := wire.Check(there, &wire.Options{Provider: to})
				require.NoError(t, err)
				require.Empty(t, found.Violations, "%s\n%s", clean.Body, there)
				back := mustConvert(t, there, to, from)
				requireKept(t, from, to, clean.Body, back)
			})
		})
	}
}

// conversions are the pairs of providers of which each converts to the other's: every two formats,
// and each dialect with one format in either direction. make soak tries every two providers.
func conversions() [][2]string {
	var formats []string
	var pairs [][2]string
	for _, p := range wire.Providers() {
		if spoken(p) == p {
			formats = append(formats, p)
		}
	}
	for i, from := range wire.Providers() {
		for k, to := range wire.Providers() {
			both := slices.Contains(formats, from) && slices.Contains(formats, to)
			one := slices.Contains(formats, to) && to == formats[i%len(formats)]
			other := slices.Contains(formats, from) && from == formats[k%len(formats)]
			if from != to && (both || one || other || rapidseed.Soaks()) {
				pairs = append(pairs, [2]string{from, to})
			}
		}
	}
	return pairs
}

// isHost reports whether a provider is a dialect of another format than OpenAI's Chat.
func isHost(provider string) bool { return spoken(provider) != provider && !isDialect(provider) }

// spoken is the format that a provider speaks.
func spoken(name string) string {
	if p, ok := provider.ByName(name, ""); ok && p.Format != "" {
		return p.Format
	}
	return name
}

// continues reports whether a request holds no history: it goes on from one that the provider has.
func continues(t *rapid.T, body []byte, provider string) bool {
	r, err := wire.Decode(body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	return len(r.Messages) == 0
}

func mustConvert(t *rapid.T, in []byte, from, to string) []byte {
	result, err := wire.Convert(context.Background(), in, &wire.ConvertOptions{From: from, To: to})
	require.NoError(t, err, "%s", in)
	require.True(t, json.Valid(result.Body), "%s", result.Body)
	return result.Body
}

// requireKept asserts that what of before the provider by could express is still there in after:
// the texts of users and the assistant, the answered calls with their arguments and results, and
// images.
func requireKept(t *rapid.T, name, by string, before, after []byte) {
	was, is := contentsOf(t, name, before), contentsOf(t, name, after)
	middle, err := wire.Decode([]byte(emptyBody(by)), &wire.Options{Provider: by})
	require.NoError(t, err)
	if spoken(by) == "anthropic" { // declared tools are named more strictly than those of a history
		middle.Profile.Tools.Name = provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 128}
	}
	for _, text := range was.texts {
		require.Contains(t, is.all, text, "a text\n%s\n%s", before, after)
	}
	for _, image := range was.images {
		if takesImage(&middle.Profile, image) {
			require.True(
				t,
				slices.ContainsFunc(
					is.media,
					func(m *preflight.Media) bool { return whereImage(m) == whereImage(image) },
				),
				"an image\n%s\n%s",
				before,
				after,
			)
		}
	}
	for _, e := range was.exchanges {
		found := slices.ContainsFunc(is.exchanges, func(x exchange) bool {
			return (x.name == e.name || x.name == middle.Profile.RepairToolName(e.name)) &&
				strings.Contains(x.arguments, e.arguments) &&
				holdsAll(x.result, e.result)
		})
		require.True(
			t,
			found || middle.Profile.Tools.NoTools,
			"an exchange %+v\n%s\n%s",
			e,
			before,
			after,
		)
	}
}

// contents are what of a history no hand-over may lose.
type contents struct {
	texts  []string // without white space around them
	all    string   // all that is said anywhere
	images []*preflight.Media
	// images, and whatever else there is: an address alone does not say what it leads to
	media     []*preflight.Media
	exchanges []exchange
}

// exchange is an answered call.
// what a result says, each text ended by a NUL
type exchange struct{ name, arguments, result string }

func contentsOf(t *rapid.T, provider string, body []byte) contents {
	r, err := wire.Decode(body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	var c contents
	var all strings.Builder
	var open []openCall
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				all.WriteString(p.Text + "\x00")
				if text := strings.TrimSpace(p.Text); text != "" && m.Role != preflight.RoleSystem {
					c.texts = append(c.texts, text)
				}
			case *preflight.Media:
				c.add(p)
			case *preflight.ToolCall:
				if !p.ProviderExecuted {
					open = append(open, openCall{p, len(c.exchanges)})
					c.exchanges = append(c.exchanges,
						exchange{name: p.Name, arguments: argumentsOf(p)})
				}
			case *preflight.ToolResult:
				for _, in := range p.Content {
					if m, ok := in.(*preflight.Media); ok {
						c.add(m)
					}
				}
				if k := slices.IndexFunc(open,
					func(o openCall) bool { return o.takes(p) }); k >= 0 {
					c.exchanges[open[k].exchange].result = resultOf(p)
					open = slices.Delete(open, k, k+1)
				}
			}
		}
	}
	c.all = all.String()
	for _, o := range open { // calls nobody answered
		c.exchanges[o.exchange] = exchange{}
	}
	c.exchanges = slices.DeleteFunc(c.exchanges, func(e exchange) bool { return e == exchange{} })
	return c
}

// openCall is a call without a result so far.
type openCall struct {
	call     *preflight.ToolCall
	exchange int // its index
}

// takes reports whether a result is of the call: they have the same id, or the same name where
// either has no id, as Gemini allows.
func (o openCall) takes(r *preflight.ToolResult) bool {
	switch {
	case r.ProviderExecuted:
		return false
	case o.call.ID != "" && r.CallID != "":
		return o.call.ID == r.CallID
	}
	return r.Name == o.call.Name || r.Name == ""
}

func (c *contents) add(m *preflight.Media) {
	if m.Kind == "image" && m.Data+m.URL != "" {
		c.images = append(c.images, m)
	}
	c.media = append(c.media, m)
}

// whereImage is the data of an image, or its address.
func whereImage(m *preflight.Media) string {
	at := m.Data + m.URL
	return at[strings.LastIndex(at, ",")+1:]
}

// holdsAll reports whether every text of a result is in another.
func holdsAll(result, texts string) bool {
	return !slices.ContainsFunc(
		strings.Split(texts, "\x00"),
		func(text string) bool { return !strings.Contains(result, text) },
	)
}

// argumentsOf are the arguments in one spelling: the members of an object, without its braces.
func argumentsOf(c *preflight.ToolCall) string {
	var v any
	if json.Unmarshal(c.Input, &v) != nil || v == nil {
		return "" // OpenAI takes "null" for no arguments, and others want an object
	}
	spelled, _ := json.Marshal(v)
	return strings.TrimSuffix(strings.TrimPrefix(string(spelled), "{"), "}")
}

// resultOf is what a result says.
func resultOf(r *preflight.ToolResult) string {
	var said []string
	for _, p := range r.Content {
		if text, ok := p.(*preflight.Text); ok && strings.TrimSpace(text.Text) != "" {
			said = append(said, strings.TrimSpace(text.Text))
		}
	}
	if len(said) == 0 {
		var b bytes.Buffer
		if json.Compact(&b, r.Output) == nil {
			return b.String()
		}
	}
	return strings.Join(said, "\x00")
}

// takesImage reports whether a provider takes an image anywhere in the form it has. Data of no
// known type is none.
func takesImage(p *preflight.Profile, m *preflight.Media) bool {
	inline := m.Data != "" || strings.HasPrefix(m.URL, "data:")
	return (m.MediaType != "" || m.URL != "") && !p.Media.TextOnly &&
		(len(p.Media.Kinds) == 0 || slices.Contains(p.Media.Kinds, "image")) &&
		(inline || !p.Media.NoURLs)
}

// emptyBody is a request of a provider without messages.
func emptyBody(provider string) string {
	switch spoken(provider) {
	case "gemini":
		return `{"contents":[]}`
	case "openai-responses":
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
	result, err := wire.Convert(
		context.Background(),
		[]byte(in),
		&wire.ConvertOptions{From: "gemini", To: "openai-chat"},
	)
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
	there, err := wire.Convert(
		context.Background(),
		[]byte(in),
		&wire.ConvertOptions{From: "anthropic", To: "gemini"},
	)
	require.NoError(t, err)
	require.Contains(
		t,
		string(there.Body),
		`{"fileData":{"fileUri":"https://e/X.JPG?w=1","mimeType":"image/jpeg"}}`,
	)
	back, err := wire.Convert(
		context.Background(),
		there.Body,
		&wire.ConvertOptions{From: "gemini", To: "anthropic"},
	)
	require.NoError(t, err)
	require.Contains(
		t,
		string(back.Body),
		`{"type":"image","source":{"type":"url","url":"https://e/X.JPG?w=1"}}`,
	)
}

// An image spelled out in its address (RFC 2397 allows it without base64) goes as data where no
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
	) + `,` + image(
		"data:image/png",
	) + `]}]}`
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
		result, err := wire.Convert(
			context.Background(),
			[]byte(in),
			&wire.ConvertOptions{From: "openai-chat", To: to},
		)
		require.NoError(t, err, to)
		require.Equal(t, want, string(result.Body), to)
		require.Len(t, result.Warnings, 3)
	}
}

// TestConvertNamesOddMembers: the path of what is not carried over is written like any other,
// however its key is spelled.
func TestConvertNamesOddMembers(t *testing.T) {
	in := `{"messages":[{"role":"user","content":"q"}],"":1,"a.b":{"c":1}}`
	result, err := wire.Convert(
		context.Background(),
		[]byte(in),
		&wire.ConvertOptions{From: "openai-chat", To: "anthropic"},
	)
	require.NoError(t, err)
	require.Len(t, result.Warnings, 2)
	require.Equal(t, "[#1]", result.Warnings[0].Path)
	require.Equal(t, "[#2]", result.Warnings[1].Path)
}

// TestConvertErrorsSayWhere: what is next to the list of messages is not counted among them in
// errors either.
func TestConvertErrorsSayWhere(t *testing.T) {
	in := []byte(
		`{"instructions":"s","input":[{"role":"user","content":"q"},` +
			`{"role":"narrator","content":"n"}]}`,
	)
	options := &wire.ConvertOptions{
		From:     "openai-responses",
		To:       "anthropic",
		Sanitize: preflight.Options{Strict: true},
	}
	_, err := wire.Convert(context.Background(), in, options)
	var ambiguous *preflight.Error
	require.ErrorAs(t, err, &ambiguous)
	require.Len(t, ambiguous.Choices, 1)
	require.Equal(t, 1, ambiguous.Choices[0].At.Message)

	for text, want := range map[string]int{"s": -1, "q": 0, "n": 1} {
		options.Sanitize = preflight.Options{
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
		_, err = wire.Convert(
			context.Background(),
			bytes.Replace(in, []byte("narrator"), []byte("assistant"), 1),
			options,
		)
		var hook *preflight.Error
		require.ErrorAs(t, err, &hook)
		require.Equal(t, want, hook.Message, text)
	}
}
