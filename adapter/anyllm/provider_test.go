package preflightanyllm_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mozilla-ai/any-llm-go/config"
	"github.com/mozilla-ai/any-llm-go/providers"
	"github.com/mozilla-ai/any-llm-go/providers/anthropic"
	"github.com/mozilla-ai/any-llm-go/providers/openai"

	"github.com/go-preflight/preflight"
	preflightanyllm "github.com/go-preflight/preflight/adapter/anyllm"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives any-llm's own providers against strict fakes.

// whole answers a history.
func whole(
	ctx context.Context, p providers.Provider, model string, history []providers.Message,
) (string, error) {
	answer, err := p.Completion(ctx, providers.CompletionParams{Model: model, Messages: history})
	if err != nil {
		return "", err
	}
	return answer.Choices[0].Message.ContentString(), nil
}

// streamed answers a history in pieces.
func streamed(
	ctx context.Context, p providers.Provider, model string, history []providers.Message,
) (text string, err error) {
	chunks, errs := p.CompletionStream(ctx,
		providers.CompletionParams{Model: model, Messages: history})
	for c := range chunks {
		for _, choice := range c.Choices {
			text += choice.Delta.Content
		}
	}
	return text, <-errs
}

// newProviders are any-llm's providers, for fakes at url.
func newProvider(t *testing.T, name, url string) providers.Provider {
	t.Helper()
	var p providers.Provider
	var err error
	switch name {
	case "openai":
		p, err = openai.New(config.WithAPIKey("none"), config.WithBaseURL(url+"/v1"))
	case "anthropic":
		p, err = anthropic.New(config.WithAPIKey("none"), config.WithBaseURL(url))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func toolCall(id, name string) providers.ToolCall {
	return providers.ToolCall{
		ID: id, Type: "function", Function: providers.FunctionCall{Name: name, Arguments: "{}"},
	}
}

// stopped is a history whose parallel calls were stopped: one has a result.
func stopped() []providers.Message {
	return []providers.Message{
		{Role: providers.RoleSystem, Content: "You are terse."},
		{Role: providers.RoleUser, Content: "Build it."},
		{
			Role: providers.RoleAssistant, Content: "Building <main> & more.",
			ToolCalls: []providers.ToolCall{toolCall("call_1", "read"), toolCall("call_2", "build")},
		},
		{Role: providers.RoleTool, ToolCallID: "call_1", Content: "port=8080"},
		{Role: providers.RoleUser, Content: "Stop."},
	}
}

// client is any-llm's provider of OpenAI in one that repairs.
var client = clienttest.Client[providers.Message]{
	Provider: "openai-chat",
	New: func(
		t *testing.T, url string, report clienttest.Report,
	) clienttest.Sender[providers.Message] {
		p := preflightanyllm.Provider(newProvider(t, "openai", url), nil,
			func(_ context.Context, warnings []wire.Warning, _ error) { report(warnings) })
		return clienttest.Sender[providers.Message]{
			Whole: func(ctx context.Context, history []providers.Message) (string, error) {
				return whole(ctx, p, "gpt-5.4", history)
			},
			Streamed: func(ctx context.Context, history []providers.Message) (string, error) {
				return streamed(ctx, p, "gpt-5.4", history)
			},
		}
	},
	Broken: func() []providers.Message {
		return []providers.Message{
			{Role: providers.RoleUser, Content: "Build it."},
			{
				Role: providers.RoleAssistant, Content: "Building <main> & more.",
				ToolCalls: []providers.ToolCall{toolCall("call_1", "build")},
			},
			{Role: providers.RoleUser, Content: "Stop."},
		}
	},
	Keep: preflightanyllm.Keep,
	Same: func(a, b providers.Message) bool {
		return a.Role == b.Role && a.Content == b.Content
	},
}

func TestProvider(t *testing.T) { client.Run(t) }

var answering = &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}

// TestSwitch: a session is stopped in the middle of parallel calls, stored, resumed, and goes on
// with one provider and then with another.
func TestSwitch(t *testing.T) {
	ctx := context.Background()
	stored, err := json.Marshal(stopped())
	if err != nil {
		t.Fatal(err)
	}
	var history []providers.Message
	if err := json.Unmarshal(stored, &history); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ provider, fake, model, refusal string }{
		{"anthropic", "anthropic", "claude-sonnet-4-5",
			"`tool_use` ids were found without `tool_result` blocks"},
		{"openai", "openai-chat", "gpt-5.4", "must be followed by tool messages"},
	} {
		server := preflighttest.New(t, c.fake, nil)
		server.Script(preflighttest.Reply{
			Calls: []preflighttest.Call{{Name: "read", Arguments: "{}"}, {Name: "build"}},
		})
		plain := newProvider(t, c.provider, server.URL)
		if _, err := whole(ctx, plain, c.model, history); err == nil ||
			!strings.Contains(err.Error(), c.refusal) {
			t.Errorf("%s without preflight: %v", c.provider, err)
		}
		before := len(server.Refused())
		p := preflightanyllm.Provider(plain, answering, nil)
		answer, err := p.Completion(preflightanyllm.Keep(ctx, &history),
			providers.CompletionParams{Model: c.model, Messages: history})
		if err != nil || len(server.Refused()) > before {
			t.Fatalf("%s with preflight: %v", c.provider, err)
		}
		// what is repaired is kept, and the next calls are stopped again
		if _, warnings, err := preflightanyllm.Messages(ctx, history, answering); err != nil ||
			len(warnings) > 0 {
			t.Errorf("%v, %v", warnings, err)
		}
		history = append(history, answer.Choices[0].Message,
			providers.Message{Role: providers.RoleUser, Content: "Stop."})
	}
}

// TestUserContent: a repair of a user's list leaves it a list, with the members that any-llm does
// not know.
func TestUserContent(t *testing.T) {
	for _, c := range []struct {
		content any
		want    string
	}{
		{[]any{
			map[string]any{"type": "text", "text": "a", "cache_control": map[string]any{}},
			map[string]any{"type": "text", "text": "b\x00"},
		}, `[{"cache_control":{},"text":"a","type":"text"},{"text":"b","type":"text"}]`},
		{[]providers.ContentPart{{Type: "text", Text: "a"}, {Type: "text", Text: "b\x00"}},
			`[{"type":"text","text":"a"},{"type":"text","text":"b"}]`},
	} {
		history := []providers.Message{{Role: providers.RoleUser, Content: c.content}}
		repaired, warnings, err := preflightanyllm.Messages(context.Background(), history,
			&wire.Options{Provider: "openai"})
		if err != nil || len(warnings) != 1 {
			t.Fatalf("%v, %v", warnings, err)
		}
		if got, _ := json.Marshal(repaired[0].Content); string(got) != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestContent: any-llm sends all content of repaired messages, and of the caller's lists.
func TestContent(t *testing.T) {
	text := func(s string) providers.ContentPart {
		return providers.ContentPart{Type: "text", Text: s}
	}
	history := []providers.Message{
		{Role: providers.RoleSystem, Content: "Rule 1."},
		{Role: providers.RoleSystem, Content: "Rule 2."},
		{Role: providers.RoleUser, Content: []providers.ContentPart{text("Read."), text("Now.")}},
		{Role: providers.RoleAssistant, Content: "I read."},
		{Role: providers.RoleAssistant, ToolCalls: []providers.ToolCall{toolCall("call_1", "read")}},
		{Role: providers.RoleTool, ToolCallID: "call_1", Content: "one"},
		{Role: providers.RoleTool, ToolCallID: "call_1", Content: "two"},
		{Role: providers.RoleAssistant, Content: []providers.ContentPart{text("Found.")}},
		{Role: providers.RoleAssistant, Content: "Both."}, {Role: providers.RoleUser, Content: "Yes?"},
	}
	for name, c := range map[string]struct{ fake, model string }{
		"anthropic": {"anthropic", "claude-sonnet-4-5"}, "openai": {"openai-chat", "gpt-5.4"},
	} {
		server := preflighttest.New(t, c.fake, nil)
		p := preflightanyllm.Provider(newProvider(t, name, server.URL), nil, nil)
		kept := history
		ctx := preflightanyllm.Keep(context.Background(), &kept)
		if _, err := whole(ctx, p, c.model, history); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body := string(server.Requests()[0].Body)
		for _, part := range []string{"Rule 1.", "Rule 2.", "Read.", "Now.", "I read.", "call_1",
			"one", "two", "Found.", "Both.", "Yes?"} {
			if !strings.Contains(body, part) {
				t.Errorf("%s: %s is not in %s", name, part, body)
			}
		}
		if _, ok := history[7].Content.([]providers.ContentPart); !ok {
			t.Errorf("%s: the caller's message was written to", name)
		}
		_, warnings, err := preflightanyllm.Messages(ctx, kept, &wire.Options{Provider: name})
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: what was kept is repaired again: %v, %v", name, warnings, err)
		}
		for i, m := range kept {
			if _, ok := m.Content.([]any); ok {
				t.Errorf("%s: messages[%d] has content that any-llm does not send: %v", name, i, m)
			}
		}
	}
}

// TestInterfaces: the provider has the interfaces of the one that it wraps, and no others.
func TestInterfaces(t *testing.T) {
	for _, name := range []string{"openai", "anthropic"} {
		own := newProvider(t, name, "http://127.0.0.1:1")
		p := preflightanyllm.Provider(own, nil, nil)
		_, capable := own.(providers.CapabilityProvider)
		_, isCapable := p.(providers.CapabilityProvider)
		_, embeds := own.(providers.EmbeddingProvider)
		_, isEmbedder := p.(providers.EmbeddingProvider)
		_, lists := own.(providers.ModelLister)
		_, isLister := p.(providers.ModelLister)
		if p.Name() != name || capable != isCapable || embeds != isEmbedder || lists != isLister {
			t.Errorf("%s: the interfaces differ", name)
		}
		lost := errors.New("lost")
		if c, ok := p.(providers.ErrorConverter); !ok ||
			!reflect.DeepEqual(c.ConvertError(lost), own.(providers.ErrorConverter).ConvertError(lost)) {
			t.Errorf("%s: an error is converted in another way", name)
		}
	}
}

// counting is a provider that counts its calls.
type counting struct {
	providers.Provider
	calls int
}

func (*counting) Name() string { return "openai" }

func (c *counting) Completion(
	context.Context, providers.CompletionParams,
) (*providers.ChatCompletion, error) {
	c.calls++
	return &providers.ChatCompletion{Choices: make([]providers.Choice, 1)}, nil
}

func (c *counting) CompletionStream(
	context.Context, providers.CompletionParams,
) (<-chan providers.ChatCompletionChunk, <-chan error) {
	c.calls++
	chunks, errs := make(chan providers.ChatCompletionChunk), make(chan error)
	close(chunks)
	close(errs)
	return chunks, errs
}

// gemini keeps the messages that it is given.
type gemini struct {
	counting
	given []providers.Message
}

func (*gemini) Name() string { return "gemini" }

func (g *gemini) Completion(
	ctx context.Context, params providers.CompletionParams,
) (*providers.ChatCompletion, error) {
	g.given = params.Messages
	return g.counting.Completion(ctx, params)
}

// TestResultNames: results have the names of their tools, by which any-llm's provider for Gemini
// sends them.
func TestResultNames(t *testing.T) {
	history := []providers.Message{
		{Role: providers.RoleUser, Content: "Read it."},
		{Role: providers.RoleAssistant, ToolCalls: []providers.ToolCall{
			toolCall("call_1", "read"), toolCall("call_2", "build"),
		}},
		{Role: providers.RoleTool, ToolCallID: "call_2", Content: "built"},
		{Role: providers.RoleTool, ToolCallID: "call_1", Content: "read"},
	}
	own := &gemini{}
	_, err := whole(context.Background(), preflightanyllm.Provider(own, nil, nil), "m", history)
	if err != nil || own.given[2].Name+own.given[3].Name != "buildread" || history[2].Name != "" {
		t.Errorf("%v, %v", own.given, err)
	}
}

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
func TestFaultyReport(t *testing.T) {
	ctx := context.Background()
	entries := func(report clienttest.ReportFunc) (map[string]func() error, func() int) {
		own := &counting{}
		p := preflightanyllm.Provider(own, nil, report)
		return map[string]func() error{
			"Completion":       func() error { _, err := whole(ctx, p, "m", stopped()); return err },
			"CompletionStream": func() error { _, err := streamed(ctx, p, "m", stopped()); return err },
		}, func() int { return own.calls }
	}
	clienttest.FaultyReport(t, entries)
}

// TestBeyondRepair: a request that cannot be repaired is not sent.
func TestBeyondRepair(t *testing.T) {
	own := &counting{}
	p := preflightanyllm.Provider(own, nil, nil)
	if _, err := whole(context.Background(), p, "m", []providers.Message{}); err == nil ||
		own.calls > 0 {
		t.Errorf("%v, %d calls", err, own.calls)
	}
}

// TestIdentity: what a provider accepts comes back as it is, and so does what stands beside a
// repair.
func TestIdentity(t *testing.T) {
	ctx := context.Background()
	parts := []providers.ContentPart{
		{Type: "text", Text: "Look."},
		{Type: "image_url", ImageURL: &providers.ImageURL{URL: "https://example.org/a.png"}},
	}
	history := []providers.Message{
		{Role: providers.RoleUser, Content: parts},
		{
			Role: providers.RoleAssistant, Reasoning: &providers.Reasoning{Content: "Hm."},
			ToolCalls: []providers.ToolCall{toolCall("call_1", "read")},
		},
		{Role: providers.RoleTool, ToolCallID: "call_1", Content: ""},
		{Role: providers.RoleUser, Content: "Thanks."},
	}
	out, warnings, err := preflightanyllm.Messages(ctx, history, nil)
	if err != nil || len(warnings) > 0 || &out[0] != &history[0] {
		t.Fatalf("%v, %v", warnings, err)
	}
	history = slices.Delete(slices.Clone(history), 2, 3)
	out, warnings, err = preflightanyllm.Messages(ctx, history, answering)
	if err != nil || !slices.Equal(clienttest.Codes(warnings), []string{"dangling-answered"}) {
		t.Fatalf("%v, %v", warnings, err)
	}
	if got, ok := out[0].Content.([]providers.ContentPart); !ok || &got[0] != &parts[0] ||
		out[1].Reasoning != history[1].Reasoning || out[2].ToolCallID != "call_1" {
		t.Errorf("%v", out)
	}
}
