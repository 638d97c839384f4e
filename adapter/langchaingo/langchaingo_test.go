package preflightlangchaingo_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"reflect"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
	"github.com/go-preflight/preflight/wire"
)

func human(parts ...llms.ContentPart) llms.MessageContent {
	return llms.MessageContent{Role: llms.ChatMessageTypeHuman, Parts: parts}
}

func ai(parts ...llms.ContentPart) llms.MessageContent {
	return llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: parts}
}

func call(id, name, arguments string) llms.ToolCall {
	return llms.ToolCall{
		ID:           id,
		Type:         "function",
		FunctionCall: &llms.FunctionCall{Name: name, Arguments: arguments},
	}
}

func result(responses ...llms.ToolCallResponse) llms.MessageContent {
	m := llms.MessageContent{Role: llms.ChatMessageTypeTool}
	for _, r := range responses {
		m.Parts = append(m.Parts, r)
	}
	return m
}

var (
	user  = human(llms.TextPart("a"))
	pixel = llms.BinaryPart("image/png", picture())
)

// picture is a picture of one pixel.
func picture() []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// clone is a copy of messages down to their slices of parts, by which tests see whether they were
// written to.
func clone(messages []llms.MessageContent) []llms.MessageContent {
	out := append([]llms.MessageContent(nil), messages...)
	for i := range out {
		out[i].Parts = append([]llms.ContentPart(nil), out[i].Parts...)
	}
	return out
}

// foreign is a part of a type that langchaingo does not have.
type foreign struct {
	llms.ContentPart
	n int
}

// TestMessages: what a repair is not about stays, in the messages that it changes too.
func TestMessages(t *testing.T) {
	control := &llms.CacheControl{Type: "ephemeral", Duration: 42 * time.Minute}
	kept := llms.ToolCall{
		ID:   "c1",
		Type: "special",
		FunctionCall: &llms.FunctionCall{
			Name:      "f",
			Arguments: `{"n":12345678901234567890, "x":"<>"}`,
		},
	}
	own := &foreign{n: 1}
	generic := llms.MessageContent{
		Role: llms.ChatMessageTypeGeneric,
		Parts: []llms.ContentPart{
			llms.WithCacheControl(llms.TextPart("bad \xff"), control),
			llms.ImageURLWithDetailPart("https://example.org/a.png", "low"), pixel, own},
	}
	in := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "s"), user,
		ai(llms.WithCacheControl(llms.TextPart("t"), control), call("c0", "open", ""),
			llms.WithCacheControl(kept, control)),
		result(llms.ToolCallResponse{ToolCallID: "c1", Name: "f", Content: "r"}), generic}
	before := clone(in)

	out, warnings, err := preflightlangchaingo.Messages(context.Background(), in, nil)
	if err != nil || len(warnings) != 2 || len(out) != 5 {
		t.Fatalf("%v %v %v", err, warnings, out)
	}
	for _, i := range []int{0, 1, 3} {
		if &out[i].Parts[0] != &in[i].Parts[0] || out[i].Role != in[i].Role {
			t.Errorf("messages[%d] needed no repair and is not the caller's own", i)
		}
	}
	if want := []llms.ContentPart{in[2].Parts[0], in[2].Parts[2]}; !reflect.DeepEqual(out[2].Parts,
		want) {
		t.Errorf("the message that lost a call is %#v", out[2])
	}
	want := []llms.ContentPart{
		llms.WithCacheControl(llms.TextPart("bad \uFFFD"), control),
		generic.Parts[1],
		pixel,
		own,
	}
	if out[4].Role != llms.ChatMessageTypeGeneric || !reflect.DeepEqual(out[4].Parts, want) ||
		out[4].Parts[0].(llms.CachedContent).CacheControl != control {
		t.Errorf("the message whose text was repaired is %#v", out[4])
	}
	if !reflect.DeepEqual(in, before) {
		t.Error("the input was written to")
	}
}

// TestBreakpointMoves: the cache breakpoint of a removed call moves to its neighbour, as it was.
func TestBreakpointMoves(t *testing.T) {
	for _, duration := range []time.Duration{0, 5 * time.Minute, time.Hour} {
		control := &llms.CacheControl{Type: "ephemeral", Duration: duration}
		in := []llms.MessageContent{
			user,
			ai(llms.TextPart("t"), llms.WithCacheControl(call("c0", "open", "{}"), control)),
			user,
		}
		out, _, err := preflightlangchaingo.Messages(context.Background(), in,
			&wire.Options{Provider: "anthropic"})
		if err != nil {
			t.Fatal(err)
		}
		want := llms.WithCacheControl(llms.TextPart("t"), control)
		if got := out[1].Parts; len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%v: %#v", duration, got)
		}
	}
}

// TestIdentity: sound histories come back as they are, whichever provider serves the model.
func TestIdentity(t *testing.T) {
	in := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "s"), user,
		ai(llms.TextPart("b"), call("c1a2b3d4e", "f", `{"n":1.0}`), call("c1a2b3d4f", "g", "{}")),
		result(llms.ToolCallResponse{ToolCallID: "c1a2b3d4e", Name: "f", Content: "r"}),
		result(llms.ToolCallResponse{ToolCallID: "c1a2b3d4f", Name: "g", Content: "q"}),
		ai(llms.TextPart("c")), user,
	}
	for _, provider := range wire.Providers() {
		out, warnings, err := preflightlangchaingo.Messages(context.Background(), in,
			&wire.Options{Provider: provider})
		if err != nil || len(warnings) > 0 || &out[0] != &in[0] || len(out) != cap(out) {
			t.Errorf("%s: %v %v", provider, err, warnings)
		}
	}
}

// TestSystemMessages: langchaingo's models for Google send one system message.
func TestSystemMessages(t *testing.T) {
	in := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "s"),
		llms.TextParts(llms.ChatMessageTypeSystem, "r"), user,
	}
	for provider, want := range map[string]int{"gemini": 2, "anthropic": 3, "openai-chat": 3} {
		out, warnings, err := preflightlangchaingo.Messages(context.Background(), in,
			&wire.Options{Provider: provider})
		if err != nil || len(out) != want || len(warnings) != 3-want || len(out[0].Parts) != 4-want {
			t.Errorf("%s: %v %v %v", provider, out, warnings, err)
		}
	}
}

// TestOnePartPerMessage: langchaingo's Anthropic model sends the first part of a message alone, so
// that histories for it have a message for each. They are sound, and what is missing in one is
// found. https://github.com/tmc/langchaingo/blob/v0.1.14/llms/anthropic/anthropicllm.go#L386
func TestOnePartPerMessage(t *testing.T) {
	answer := func(id string) llms.MessageContent {
		return result(llms.ToolCallResponse{ToolCallID: id, Name: "f", Content: "r"})
	}
	in := []llms.MessageContent{
		user, ai(llms.TextPart("b")), ai(call("c1", "f", "{}")), ai(call("c2", "f", "{}")),
		answer("c1"), answer("c2"), ai(llms.TextPart("c")), user,
	}
	options := &wire.Options{
		Provider: "anthropic",
		Options:  preflight.Options{Dangling: preflight.DanglingAnswer},
	}
	out, warnings, err := preflightlangchaingo.Messages(context.Background(), in, options)
	if err != nil || len(warnings) > 0 || &out[0] != &in[0] {
		t.Errorf("%v %v", err, warnings)
	}
	open := append(clone(in[:5]), in[6:]...)
	out, warnings, err = preflightlangchaingo.Messages(context.Background(), open, options)
	if err != nil || len(warnings) != 1 || warnings[0].ToolCallID != "c2" || len(out) != len(in) {
		t.Fatalf("%v %v %v", err, warnings, out)
	}
	for _, m := range out {
		if len(m.Parts) != 1 {
			t.Errorf("%v has parts that are not sent", m)
		}
	}
}

// TestProviders: damage of all kinds is repaired for every provider, in parts that langchaingo has,
// and once.
func TestProviders(t *testing.T) {
	ask := ai(call("c1", "f", "{}"))
	answer := result(llms.ToolCallResponse{ToolCallID: "c1", Content: "r"})
	histories := map[string][]llms.MessageContent{
		"arguments cut off": {user, ai(call("c1", "f g", `{"a":`)), answer, user},
		"an open call":      {user, ask, user},
		"a call of nothing": {user, ai(llms.ToolCall{ID: "c1"}), answer, user},
		"an empty result": {user, ai(call("c1", "f", "")),
			result(llms.ToolCallResponse{ToolCallID: "c1"}), user},
		"an empty turn": {user, ai(), user},
		"an empty text": {user, ai(llms.TextPart("")), user},
		"roles of others": {{Role: "developer", Parts: user.Parts},
			{Role: "model", Parts: user.Parts},
			{Role: llms.ChatMessageTypeFunction, Parts: answer.Parts},
			{Role: "nobody", Parts: user.Parts}, user},
		"a system message late": {user, ai(llms.TextPart("b")),
			llms.TextParts(llms.ChatMessageTypeSystem, "s"), user},
		"a trailing assistant turn": {user, ai(llms.TextPart("b "))},
		"a result turns too late":   {user, ask, user, ai(llms.TextPart("b")), answer, user},
		"an orphan":                 {answer, user},
		"a result in a user's message": {user, ask, human(answer.Parts[0], llms.TextPart("and?")),
			ai(llms.TextPart("b")), user},
		"ids that are reused": {user, ask, answer, ask, answer, user},
		"two results in one message": {user, ai(call("c1", "f", "{}"), call("c2", "f", "{}")),
			result(llms.ToolCallResponse{ToolCallID: "c2", Content: "r"},
				llms.ToolCallResponse{ToolCallID: "c1", Content: "q"}), user},
		"neighbours": {user, user, ai(llms.TextPart("b")), ai(llms.TextPart("c")), user},
		"media": {
			human(pixel, llms.BinaryPart("image/gif", pixel.Data),
				llms.ImageURLPart("https://example.org/a.png"),
				llms.BinaryPart("audio/wav", []byte("x")),
				llms.BinaryPart("application/pdf", []byte("x")), llms.BinaryPart("", nil)),
		},
		"a picture in an assistant turn": {user, ai(llms.TextPart("b"), pixel), user},
		"text after a call": {user, ai(call("c1", "f", "{}"), llms.TextPart("b")),
			answer, user},
	}
	for _, provider := range wire.Providers() {
		for name, history := range histories {
			before := clone(history)
			options := &wire.Options{
				Provider: provider,
				Options:  preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			out, _, err := preflightlangchaingo.Messages(context.Background(), history, options)
			if err != nil {
				t.Errorf("%s: %s: %v", provider, name, err)
				continue
			}
			again, warnings, err := preflightlangchaingo.Messages(context.Background(), out,
				options)
			if err != nil || len(warnings) > 0 || &again[0] != &out[0] {
				t.Errorf("%s: %s: repaired again: %v %v\n%v", provider, name, err, warnings, out)
			}
			if !reflect.DeepEqual(history, before) {
				t.Errorf("%s: %s: the input was written to", provider, name)
			}
		}
	}
}

// TestNil: parts that are nil, which langchaingo refuses, are removed.
func TestNil(t *testing.T) {
	out, warnings, err := preflightlangchaingo.Messages(context.Background(),
		[]llms.MessageContent{human(nil, llms.TextPart("a"), llms.CachedContent{})}, nil)
	if err != nil || len(warnings) == 0 ||
		!reflect.DeepEqual(out, []llms.MessageContent{human(llms.TextPart("a"))}) {
		t.Errorf("%v %v %v", out, warnings, err)
	}
}

func TestErrors(t *testing.T) {
	var e *adapter.MessageError
	if _, _, err := preflightlangchaingo.Messages(context.Background(), nil, nil); !errors.Is(err,
		preflight.ErrEmptyHistory) {
		t.Error(err)
	}
	unfit := map[string]preflight.Part{
		"reasoning": &preflight.Reasoning{Text: "hm"},
		"a call of a custom tool": &preflight.ToolCall{
			ID:       "x",
			Name:     "f",
			Input:    []byte("{}"),
			Variant:  "custom",
			Awaiting: preflight.AwaitingClient,
		},
		"a part of another kind": &preflight.Other{Kind: "hologram"},
		"an uploaded file":       &preflight.Media{Kind: "document", FileID: "file-1"},
	}
	for name, part := range unfit {
		hook := preflight.Hook{
			Name: "unfit",
			History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
				role := preflight.RoleAssistant
				if _, ok := part.(*preflight.Media); ok {
					role = preflight.RoleUser
				}
				return append(h, preflight.Message{
					Role:  role,
					Parts: []preflight.Part{&preflight.Text{Text: "b"}, part},
				}), nil
			},
		}
		options := &wire.Options{Options: preflight.Options{Hooks: []preflight.Hook{hook}}}
		out, _, err := preflightlangchaingo.Messages(context.Background(),
			[]llms.MessageContent{user}, options)
		if !errors.As(err, &e) || !e.Reading || !errors.Is(err, adapter.ErrInexact) ||
			!reflect.DeepEqual(out, []llms.MessageContent{user}) {
			t.Errorf("%s: %v %v", name, out, err)
		}
	}
}
