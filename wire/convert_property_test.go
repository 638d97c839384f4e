package wire_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

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
				if want := continues(t, clean.Body, from, to); want != nil {
					_, err := wire.Convert(context.Background(), clean.Body,
						from, &wire.Options{Provider: to})
					require.ErrorIs(t, err, want)
					return
				}
				there, ok := convert(t, clean.Body, from, to)
				if !ok {
					return
				}
				require.Equal(t, given, clean.Body, "the input was written to")
				twice, _ := convert(t, clean.Body, from, to)
				require.Equal(t, there, twice, "two runs differ")
				found, err := wire.Check(there, &wire.Options{Provider: to})
				require.NoError(t, err)
				require.Empty(t, found.Violations, "%s\n%s", clean.Body, there)
				if back, ok := convert(t, there, to, from); ok {
					requireKept(t, from, to, clean.Body, back)
				}
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

// continues is the error of converting a request that goes on with a history that the provider has,
// or may have by a member of an unknown meaning, which only another host of the format is sent; nil
// for other requests.
func continues(t *rapid.T, body []byte, from, to string) error {
	r, err := wire.Decode(body, &wire.Options{Provider: from})
	require.NoError(t, err)
	switch {
	case r.State.ServerHoldsHistory:
		return wire.ErrHeldHistory
	case len(r.Messages) == 0 && !(r.State.Unknown != "" && spoken(from) == spoken(to)):
		return preflight.ErrEmptyHistory
	}
	return nil
}

// convert converts a body. ok is false if a vendor with several formats is named, and the body is
// not read as what was written.
func convert(t *rapid.T, in []byte, from, to string) (out []byte, ok bool) {
	result, err := wire.Convert(context.Background(), in, from, &wire.Options{Provider: to})
	if slices.Contains(wire.Vendors(), to) && errors.Is(err, preflight.ErrUnfixable) &&
		strings.Contains(err.Error(), "in another format") {
		return nil, false
	}
	require.NoError(t, err, "%s", in)
	require.True(t, json.Valid(result.Body), "%s", result.Body)
	if from == "ollama" && slices.ContainsFunc(result.Warnings, func(w wire.Warning) bool {
		return w.Code == codes.OrphanRemoved
	}) {
		return nil, false // of a result without a call, which other formats cannot express
	}
	return result.Body, true
}

// requireKept asserts that what of before the provider by could express is still there in after:
// the texts of users and the assistant, the answered calls with their arguments and results, and
// images.
func requireKept(t *rapid.T, name, by string, before, after []byte) {
	was, is := contentsOf(t, name, before), contentsOf(t, name, after)
	middle, err := wire.Decode([]byte(emptyBody(by)), &wire.Options{Provider: by})
	require.NoError(t, err)
	names := []func(string) string{middle.Profile.RepairToolName}
	for _, most := range []int{64, 128} { // declared tools are named more strictly than others
		var declares preflight.Profile
		declares.Tools.Name = provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: most}
		names = append(names, declares.RepairToolName)
	}
	for _, text := range was.texts {
		require.Contains(t, is.all, text, "a text\n%s\n%s", before, after)
	}
	for _, image := range was.images {
		// Gemini's files have a type or are of no kind
		untyped := spoken(by) == "gemini" && image.MediaType == "" && image.Data == ""
		if takesImage(&middle.Profile, image) && !untyped {
			require.True(
				t,
				slices.ContainsFunc(is.media,
					func(m *preflight.Media) bool { return whereImage(m) == whereImage(image) }),
				"an image\n%s\n%s",
				before,
				after,
			)
		}
	}
	for _, e := range was.exchanges {
		found := slices.ContainsFunc(is.exchanges, func(x exchange) bool {
			named := func(repaired func(string) string) bool { return x.name == repaired(e.name) }
			return (x.name == e.name || slices.ContainsFunc(names, named)) &&
				strings.Contains(x.arguments, e.arguments) &&
				holdsAll(x.result, e.result)
		})
		require.True(t, found || middle.Profile.Tools.NoTools, "an exchange %+v\n%s\n%s", e, before,
			after)
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
	answered := make(map[preflight.Position]int) // the exchanges of the calls
	pairs := make(map[preflight.Position]preflight.Position)
	for _, p := range preflight.Pairs(r.Messages, &r.Profile) {
		if r.State.ServerHoldsHistory && p.Reason != "id" {
			continue // it may be the result of a call that the server has
		}
		if _, ok := p.Part.(*preflight.ToolResult); ok && p.Counterpart != nil {
			pairs[p.At] = p.CounterpartAt
		}
	}
	for i, m := range r.Messages {
		for j, p := range m.Parts {
			at := preflight.At(i, j)
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
					answered[at] = len(c.exchanges)
					c.exchanges = append(c.exchanges,
						exchange{name: p.Name, arguments: argumentsOf(p)})
				}
			case *preflight.ToolResult:
				for _, in := range p.Content {
					if m, ok := in.(*preflight.Media); ok && !p.ProviderExecuted {
						c.add(m) // what the provider ran becomes text elsewhere
					}
				}
				if call, ok := pairs[at]; ok {
					if k, ok := answered[call]; ok && !isPlaceholder(p) {
						c.exchanges[k].result = resultOf(p)
						delete(answered, call)
					}
				}
			}
		}
	}
	c.all = all.String()
	for _, k := range answered { // calls nobody answered
		c.exchanges[k] = exchange{}
	}
	c.exchanges = slices.DeleteFunc(c.exchanges, func(e exchange) bool { return e == exchange{} })
	return c
}

// isPlaceholder reports whether a result stands for one that is missing. Another result of the call
// takes its place, if the target reads one as such.
func isPlaceholder(r *preflight.ToolResult) bool {
	said := resultOf(r)
	return said == pairing.DanglingText || said == "No result provided"
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
	return !slices.ContainsFunc(strings.Split(texts, "\x00"),
		func(text string) bool { return !strings.Contains(result, text) })
}

// argumentsOf are the arguments in one spelling: the members of an object, without its braces.
func argumentsOf(c *preflight.ToolCall) string {
	var v any
	if json.Unmarshal(c.Input, &v) != nil || v == nil {
		return "" // OpenAI takes "null" for no arguments, and others want an object
	}
	if text, ok := v.(string); ok { // encoded twice: most want the object itself
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) == nil && object != nil {
			v = object
		}
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
		if text := ""; json.Unmarshal(r.Output, &text) == nil {
			return text
		}
		if json.Compact(&b, r.Output) == nil {
			return b.String()
		}
	}
	return strings.Join(said, "\x00")
}

// takesImage reports whether a provider takes an image anywhere in the form it has. Data of no
// known type is none, and where images have to be readable, neither is what is no base64.
func takesImage(p *preflight.Profile, m *preflight.Media) bool {
	inline := m.Data != "" || strings.HasPrefix(m.URL, "data:")
	if _, err := base64.StdEncoding.DecodeString(whereImage(m)); inline && p.Media.Readable &&
		err != nil {
		return false
	}
	return (m.MediaType != "" || m.URL != "") && !p.Media.TextOnly &&
		(len(p.Media.Kinds) == 0 || slices.Contains(p.Media.Kinds, "image")) &&
		(inline || !p.Media.NoURLs)
}
