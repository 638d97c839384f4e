package preflightlangchaingo_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// client is langchaingo's OpenAI model in one that repairs.
var client = clienttest.Client[llms.MessageContent]{
	Provider: "openai-chat",
	New: func(
		t *testing.T, url string, report clienttest.Report,
	) clienttest.Sender[llms.MessageContent] {
		own, err := openai.New(openai.WithBaseURL(url+"/v1"), openai.WithToken("none"),
			openai.WithModel("gpt-5.4"))
		if err != nil {
			t.Fatal(err)
		}
		llm := preflightlangchaingo.Model(own, nil,
			func(_ context.Context, warnings []wire.Warning, _ error) { report(warnings) })
		return clienttest.Sender[llms.MessageContent]{
			Whole: func(ctx context.Context, history []llms.MessageContent) (string, error) {
				answer, err := llm.GenerateContent(ctx, history)
				if err != nil {
					return "", err
				}
				return answer.Choices[0].Content, nil
			},
			Streamed: func(
				ctx context.Context, history []llms.MessageContent,
			) (text string, err error) {
				_, err = llm.GenerateContent(ctx, history,
					llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
						text += string(chunk)
						return nil
					}))
				return text, err
			},
		}
	},
	Broken: func() []llms.MessageContent {
		return []llms.MessageContent{
			llms.TextParts(llms.ChatMessageTypeHuman, "Build it."),
			{
				Role: llms.ChatMessageTypeAI,
				Parts: []llms.ContentPart{
					llms.TextPart("Building <main> & more."),
					llms.ToolCall{
						ID: "call_1", Type: "function",
						FunctionCall: &llms.FunctionCall{Name: "build", Arguments: "{}"},
					},
				},
			},
			llms.TextParts(llms.ChatMessageTypeHuman, "Stop."),
		}
	},
	Keep: preflightlangchaingo.Keep,
	Same: func(a, b llms.MessageContent) bool { return &a.Parts[0] == &b.Parts[0] },
	// the OpenAI model keeps context.Canceled to itself
	Cancelled: func(err error) bool { return err != nil && err.Error() == "request cancelled" },
}

func TestModel(t *testing.T) { client.Run(t) }

// TestSendable: langchaingo's models send all of the messages that they get from a Model.
func TestSendable(t *testing.T) {
	for provider, open := range map[string]func(url string) (llms.Model, error){
		"anthropic": func(url string) (llms.Model, error) {
			return anthropic.New(anthropic.WithBaseURL(url), anthropic.WithToken("none"),
				anthropic.WithModel("claude-sonnet-4-5"))
		},
		"openai-chat": func(url string) (llms.Model, error) {
			return openai.New(openai.WithBaseURL(url), openai.WithToken("none"),
				openai.WithModel("gpt-5.4"))
		},
	} {
		server := preflighttest.New(t, provider, nil)
		own, err := open(server.URL + "/v1")
		if err != nil {
			t.Fatal(err)
		}
		history := client.Broken()
		history = slices.Insert(history, 2, llms.MessageContent{
			Role:  llms.ChatMessageTypeTool,
			Parts: []llms.ContentPart{llms.ToolCallResponse{ToolCallID: "call_1", Content: "built"}},
		})
		for _, at := range [][2]int{{0, 0}, {1, 1}} {
			part := &history[at[0]].Parts[at[1]]
			*part = llms.WithCacheControl(*part, &llms.CacheControl{Type: "ephemeral"})
		}
		llm := preflightlangchaingo.Model(own, &wire.Options{Provider: provider}, nil)
		if _, err := llm.GenerateContent(context.Background(), history); err != nil {
			t.Fatalf("%s: %v", provider, err)
		}
		body := string(server.Requests()[0].Body)
		for _, part := range []string{"Build it.", "Building", `"build"`, `"built"`, "Stop."} {
			if !strings.Contains(body, part) {
				t.Errorf("%s: %s is not in %s", provider, part, body)
			}
		}
		if strings.Contains(body, "cache_control") != (provider == "anthropic") {
			t.Errorf("%s: the cache breakpoint in %s", provider, body)
		}
		if _, ok := history[1].Parts[1].(llms.CachedContent); !ok || len(history[1].Parts) != 2 {
			t.Errorf("%s: the caller's message was written to", provider)
		}
	}
}

// TestSendableTexts: langchaingo's Ollama model takes messages with several texts.
func TestSendableTexts(t *testing.T) {
	server := preflighttest.New(t, "ollama", nil)
	own, err := ollama.New(ollama.WithServerURL(server.URL), ollama.WithModel("qwen3"))
	if err != nil {
		t.Fatal(err)
	}
	llm := preflightlangchaingo.Model(own, &wire.Options{Provider: "ollama"}, nil)
	text := llms.WithCacheControl(llms.TextPart("Build it."), &llms.CacheControl{Type: "ephemeral"})
	history := []llms.MessageContent{{
		Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{text, llms.TextPart("Now.")},
	}}
	if _, err := llm.GenerateContent(context.Background(), history); err != nil {
		t.Fatal(err)
	}
	body := string(server.Requests()[0].Body)
	if !strings.Contains(body, "Build it.") || !strings.Contains(body, "Now.") {
		t.Errorf("sent %s", body)
	}
}

// TestModelCall: a single prompt passes the same way, and a history beyond repair is not sent.
func TestModelCall(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	s := newSession(t, server)
	var told error
	llm := preflightlangchaingo.Model(s.llm, nil,
		func(_ context.Context, _ []wire.Warning, err error) { told = err })
	//nolint:staticcheck // deprecated, and still a way through the model
	answer, err := llm.Call(context.Background(), "Are you there?")
	if err != nil || answer != "ok" || told != nil {
		t.Errorf("%q %v %v", answer, err, told)
	}
	_, err = llm.GenerateContent(context.Background(), nil)
	if err == nil || !errors.Is(told, err) || len(server.Requests()) != 1 {
		t.Errorf("%v, reported %v", err, told)
	}
	if llm.(llms.ReasoningModel).SupportsReasoning() != s.llm.SupportsReasoning() {
		t.Error("the wrapper says something else about reasoning")
	}
}
