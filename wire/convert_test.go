package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

const toConvert = `{"model":"claude-sonnet-4-5","max_tokens":100,"system":"be brief","temperature":0.5,"metadata":{"user_id":"u"},
"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"n":{"type":"number"}}}}],"messages":[
{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]},
{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"QUJD"},{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"},{"type":"text","text":"next"}]}]}`

func TestConvertCarriesWhatItCan(t *testing.T) {
	result, err := wire.Convert(context.Background(), []byte(toConvert), &wire.ConvertOptions{To: "openai-chat", Model: "gpt-5.4"})
	require.NoError(t, err)
	want := `{"model":"gpt-5.4","max_completion_tokens":100,"temperature":0.5,"tools":[{"type":"function","function":{"name":"f",` +
		`"description":"d","parameters":{"type":"object","properties":{"n":{"type":"number"}}}}}],"messages":[` +
		`{"role":"system","content":"be brief"},` +
		`{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"f","arguments":"{\"n\":1.0}"}}]},` +
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

func TestConvertToTheSameFormatRepairs(t *testing.T) {
	result, err := wire.Convert(context.Background(), []byte(toConvert), &wire.ConvertOptions{To: "anthropic", Model: "claude-opus-4-6"})
	require.NoError(t, err)
	require.Contains(t, string(result.Body), `"model":"claude-opus-4-6"`)
	require.Contains(t, string(result.Body), `"signature":"QUJD"`, "reasoning of the same provider stays")
}

func TestConvertNeedsATarget(t *testing.T) {
	for _, options := range []*wire.ConvertOptions{nil, {}, {To: "nobody"}} {
		result, err := wire.Convert(context.Background(), []byte(toConvert), options)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		require.Equal(t, toConvert, string(result.Body))
	}
}

// TestConvertProperties: what comes out is valid for the target, deterministic, and there and back again keeps every text,
// every answered call and every image that the other can express.
func TestConvertProperties(t *testing.T) {
	for _, from := range wire.Providers() {
		for _, to := range wire.Providers() {
			if from == to {
				continue
			}
			t.Run(from+" to "+to, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					in := body(generatorOf(from)).Draw(t, "body")
					clean, err := wire.Sanitize(context.Background(), in, &wire.Options{Provider: from})
					if err != nil {
						return // not a request, or beyond repair
					}
					given := bytes.Clone(clean.Body)
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
}

// generated are the formats that body makes bodies in.
var generated = []string{"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "mistral", "cohere", "ollama"}

// generatorOf is the format in which the bodies of a provider are made: dialects speak OpenAI's.
func generatorOf(provider string) string {
	if slices.Contains(generated, provider) {
		return provider
	}
	return "openai-chat"
}

func mustConvert(t *rapid.T, in []byte, from, to string) []byte {
	result, err := wire.Convert(context.Background(), in, &wire.ConvertOptions{From: from, To: to})
	require.NoError(t, err, "%s", in)
	require.True(t, json.Valid(result.Body), "%s", result.Body)
	return result.Body
}

// requireKept asserts that what of before the provider by could express is still there in after: the texts of users and the
// assistant, the answered calls with their arguments and results, and images.
func requireKept(t *rapid.T, provider, by string, before, after []byte) {
	was, is := contentsOf(t, provider, before), contentsOf(t, provider, after)
	middle, err := wire.Decode([]byte(emptyBody(by)), &wire.Options{Provider: by})
	require.NoError(t, err)
	for _, text := range was.texts {
		require.Contains(t, is.all, text, "a text\n%s\n%s", before, after)
	}
	for _, image := range was.images {
		if takesImage(&middle.Profile, image) {
			require.True(t, slices.ContainsFunc(is.media, func(m *preflight.Media) bool { return whereImage(m) == whereImage(image) }), "an image\n%s\n%s", before, after)
		}
	}
	for _, e := range was.exchanges {
		found := slices.ContainsFunc(is.exchanges, func(x exchange) bool {
			return (x.name == e.name || x.name == middle.Profile.RepairToolName(e.name)) && strings.Contains(x.arguments, e.arguments) && holdsAll(x.result, e.result)
		})
		require.True(t, found || middle.Profile.NoTools, "an exchange %+v\n%s\n%s", e, before, after)
	}
}

// contents are what of a history no hand-over may lose.
type contents struct {
	texts     []string // without white space around them
	all       string   // all that is said anywhere
	images    []*preflight.Media
	media     []*preflight.Media // images, and whatever else there is: an address alone does not say what it leads to
	exchanges []exchange
}

// exchange is an answered call.
type exchange struct{ name, arguments, result string } // what a result says, each text ended by a NUL

func contentsOf(t *rapid.T, provider string, body []byte) contents {
	r, err := wire.Decode(body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	var c contents
	var all strings.Builder
	open := map[string][]int{}
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
					open[p.ID] = append(open[p.ID], len(c.exchanges))
					c.exchanges = append(c.exchanges, exchange{name: p.Name, arguments: argumentsOf(p)})
				}
			case *preflight.ToolResult:
				for _, in := range p.Content {
					if m, ok := in.(*preflight.Media); ok {
						c.add(m)
					}
				}
				if q := open[p.CallID]; len(q) > 0 && !p.ProviderExecuted {
					c.exchanges[q[0]].result = resultOf(p)
					open[p.CallID] = q[1:]
				}
			}
		}
	}
	c.all = all.String()
	for _, q := range open { // calls nobody answered
		for _, k := range q {
			c.exchanges[k] = exchange{}
		}
	}
	c.exchanges = slices.DeleteFunc(c.exchanges, func(e exchange) bool { return e == exchange{} })
	return c
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
	return !slices.ContainsFunc(strings.Split(texts, "\x00"), func(text string) bool { return !strings.Contains(result, text) })
}

// argumentsOf are the arguments in one spelling: the members of an object, without its braces.
func argumentsOf(c *preflight.ToolCall) string {
	var v any
	if json.Unmarshal(c.Input, &v) != nil {
		return ""
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

// takesImage reports whether a provider takes an image anywhere in the form it has. Data of no known type is none.
func takesImage(p *preflight.Profile, m *preflight.Media) bool {
	inline := m.Data != "" || strings.HasPrefix(m.URL, "data:")
	return (m.MediaType != "" || m.URL != "") && !p.TextOnly && (len(p.MediaKinds) == 0 || slices.Contains(p.MediaKinds, "image")) && (inline || !p.NoMediaURLs)
}

// emptyBody is a request of a provider without messages.
func emptyBody(provider string) string {
	switch provider {
	case "gemini":
		return `{"contents":[]}`
	case "openai-responses":
		return `{"input":[]}`
	}
	return `{"messages":[]}`
}

// A call without an id whose result has one is a pair where names count, and stays one elsewhere (found by
// TestConvertProperties).
func TestConvertPairsByName(t *testing.T) {
	const in = `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f","id":"1"}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"one"},"id":"1"}},{"functionResponse":{"name":"f","response":{"output":"two"},"id":"2"}}]}]}`
	result, err := wire.Convert(context.Background(), []byte(in), &wire.ConvertOptions{From: "gemini", To: "openai-chat"})
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

// The address of an image tells Gemini its type, without which it is any file (found by TestConvertProperties).
func TestConvertImageAddressKeepsItsKind(t *testing.T) {
	const in = `{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://e/X.JPG?w=1"}},{"type":"text","text":"q"}]}]}`
	there, err := wire.Convert(context.Background(), []byte(in), &wire.ConvertOptions{From: "anthropic", To: "gemini"})
	require.NoError(t, err)
	require.Contains(t, string(there.Body), `{"fileData":{"fileUri":"https://e/X.JPG?w=1","mimeType":"image/jpeg"}}`)
	back, err := wire.Convert(context.Background(), there.Body, &wire.ConvertOptions{From: "gemini", To: "anthropic"})
	require.NoError(t, err)
	require.Contains(t, string(back.Body), `{"type":"image","source":{"type":"url","url":"https://e/X.JPG?w=1"}}`)
}
