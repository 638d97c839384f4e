package preflightfantasy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/google"
	"charm.land/fantasy/providers/openai"

	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file has prompts of the kinds that fantasy's own tests of its providers convert. What the
// provider accepts of them is sent as fantasy converts it, to the byte.

// senders are providers of fantasy, with the fakes that they send to.
type sender struct {
	fake, model string
	open        func(url string) (fantasy.Provider, error)
	options     fantasy.ProviderOptions
}

var senders = map[string]sender{
	"anthropic": {"anthropic", "claude-sonnet-4-5", kinds["anthropic"].open, nil},
	"compat":    {"openai-chat", "gpt-4o", kinds["openai-compat"].open, nil},
	"openai": {"openai-chat", "gpt-4o", func(url string) (fantasy.Provider, error) {
		return openai.New(openai.WithAPIKey("none"), openai.WithBaseURL(url+"/v1"))
	}, nil},
	"gemini": {"gemini", "gemini-2.5-pro", func(url string) (fantasy.Provider, error) {
		return google.New(google.WithGeminiAPIKey("none"), google.WithBaseURL(url))
	}, nil},
	"responses": {"openai-responses", "gpt-5", openResponses, nil},
	"stored": {"openai-responses", "gpt-5", openResponses, fantasy.ProviderOptions{
		"openai": &openai.ResponsesProviderOptions{Store: fantasy.Opt(true)},
	}},
}

func openResponses(url string) (fantasy.Provider, error) {
	return openai.New(openai.WithAPIKey("none"), openai.WithBaseURL(url+"/v1"),
		openai.WithUseResponsesAPI())
}

func file(name, mediaType string, data []byte) fantasy.FilePart {
	return fantasy.FilePart{Filename: name, MediaType: mediaType, Data: data}
}

func callOf(id, input string) fantasy.ToolCallPart {
	return fantasy.ToolCallPart{ToolCallID: id, ToolName: "read", Input: input}
}

func resultOf(id string, output fantasy.ToolResultOutputContent) fantasy.ToolResultPart {
	return fantasy.ToolResultPart{ToolCallID: id, Output: output}
}

func mediaOf(mediaType, data, text string) fantasy.ToolResultOutputContentMedia {
	return fantasy.ToolResultOutputContentMedia{MediaType: mediaType, Data: data, Text: text}
}

var pdf = []byte("%PDF-1.4\n%%EOF\n")

// prompts are histories, each followed by what the user says.
var prompts = map[string]fantasy.Prompt{
	"a system message":        {fantasy.NewSystemMessage("Be terse.")},
	"a system message of two": {fantasy.NewSystemMessage("Be terse.", "Be kind.")},
	"an empty system message": {fantasy.NewSystemMessage()},
	"two messages of the user": {
		fantasy.NewUserMessage("Hello."),
	},
	"a picture": {
		fantasy.NewUserMessage("Look.", file("a.png", "image/png", pixel())),
	},
	"a picture alone": {
		fantasy.NewUserMessage("", file("", "image/png", pixel())),
	},
	"a PDF": {
		fantasy.NewUserMessage("Read.", file("a b.pdf", "application/pdf", pdf)),
	},
	"a PDF without a name": {
		fantasy.NewUserMessage("Read.", file("", "application/pdf", pdf)),
	},
	"a text file": {
		fantasy.NewUserMessage("Read.", file("a.txt", "text/plain", []byte("x"))),
	},
	"a text file, no name": {
		fantasy.NewUserMessage("Read.", file("", "text/plain", []byte("x"))),
	},
	"sound": {
		fantasy.NewUserMessage("Listen.", file("a.wav", "audio/wav", []byte("RIFF"))),
	},
	"an unknown file": {
		fantasy.NewUserMessage("Run.", file("a.bin", "application/zip", []byte("x"))),
	},
	"an unknown file alone": {
		fantasy.NewUserMessage("", file("a.bin", "application/zip", []byte("x"))),
	},
	"an id of a file": {
		fantasy.NewUserMessage("Read.", file("", "application/pdf", []byte("file-12345"))),
	},
	"an empty message of the user": {
		fantasy.NewUserMessage(""),
	},
	"an empty message of the assistant": {
		fantasy.NewUserMessage("Hi."), assistant(),
	},
	"the assistant's words": {
		fantasy.NewUserMessage("Hi."), assistant(fantasy.TextPart{Text: "Hello."}),
	},
	"reasoning alone": {
		fantasy.NewUserMessage("Hi."), assistant(fantasy.ReasoningPart{Text: "Hm."}),
	},
	"reasoning and words": {
		fantasy.NewUserMessage("Hi."),
		assistant(fantasy.ReasoningPart{Text: "Hm."}, fantasy.TextPart{Text: "Hello."}),
	},
	"signed reasoning and words": {
		fantasy.NewUserMessage("Hi."),
		assistant(fantasy.ReasoningPart{Text: "Hm.", ProviderOptions: signature},
			fantasy.TextPart{Text: "Hello."}),
	},
	"an empty reasoning and a call": {
		fantasy.NewUserMessage("Hi."), assistant(fantasy.ReasoningPart{}, callOf("a", "{}")),
		toolMessage(resultOf("a", text)),
	},
	"a call with words": {
		fantasy.NewUserMessage("Hi."),
		assistant(fantasy.TextPart{Text: "I read."}, callOf("a", `{"path":"a"}`)),
		toolMessage(resultOf("a", text)),
	},
	"an error": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", "{}")),
		toolMessage(resultOf("a", failure)),
	},
	"an empty result": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", "{}")),
		toolMessage(resultOf("a", fantasy.ToolResultOutputContentText{})),
	},
	"a result with a picture": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", "{}")),
		toolMessage(resultOf("a", picture)),
	},
	"a result with sound": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", "{}")),
		toolMessage(resultOf("a", mediaOf("audio/wav", "UklGRg==", ""))),
	},
	"a result with another file": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", "{}")),
		toolMessage(resultOf("a", mediaOf("application/zip", "UEsDBA==", "An archive."))),
	},
	"arguments that are cut off": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", `{"path":"/tm`)),
		toolMessage(resultOf("a", failure)),
	},
	"empty arguments": {
		fantasy.NewUserMessage("Hi."), assistant(callOf("a", "")), toolMessage(resultOf("a", text)),
	},
	"breakpoints": {
		{
			Role: "system", ProviderOptions: cached,
			Content: []fantasy.MessagePart{fantasy.TextPart{Text: "Be terse."}},
		},
		{Role: "user", Content: []fantasy.MessagePart{
			fantasy.TextPart{Text: "Hi.", ProviderOptions: cached},
		}},
	},
	"a search that OpenAI ran": {
		fantasy.NewUserMessage("Hi."),
		assistant(
			fantasy.ToolCallPart{ToolCallID: "ws_01", ToolName: "web_search", ProviderExecuted: true},
			fantasy.ToolResultPart{ToolCallID: "ws_01", ProviderExecuted: true},
			fantasy.TextPart{Text: "Found."},
		),
	},
	"a search that Anthropic ran": {
		fantasy.NewUserMessage("Hi."),
		assistant(fantasy.ToolCallPart{
			ToolCallID: "srvtoolu_1", ToolName: "web_search", Input: `{"query":"q"}`,
			ProviderExecuted: true,
		}, fantasy.ToolResultPart{
			ToolCallID: "srvtoolu_1", ProviderExecuted: true,
			ProviderOptions: fantasy.ProviderOptions{
				"anthropic": &anthropic.WebSearchResultMetadata{
					Results: []anthropic.WebSearchResultItem{
						{URL: "https://example.org", Title: "Example", EncryptedContent: "x"},
					},
				},
			},
		}, fantasy.TextPart{Text: "Found."}),
	},
}

// outcomes are those of the prompts that are not sent as fantasy converts them, or that need no
// repair, and what was repaired: "mended" was refused before, "unsent" is what fantasy does not
// send, and "changed" is sent otherwise, though what fantasy makes of it is accepted.
//
// fantasy itself leaves out empty messages, system messages without text, and what it has no place
// for: the model then learns of a file at least that it was there. Its text files have no name,
// which OpenAI's Chat Completions refuses, and no repair of the history can give them one.
var outcomes = map[string]string{
	"anthropic, a picture alone":            "mended: empty-part-removed",
	"anthropic, a result with another file": "mended: media-moved",
	"anthropic, a result with sound":        "mended: media-described",
	"anthropic, a search that OpenAI ran": "mended: " +
		"arguments-repaired id-rewritten id-rewritten",
	"anthropic, an empty message of the assistant": "changed: message-removed messages-merged",
	"anthropic, an empty message of the user":      "mended: empty-part-removed",
	"anthropic, an empty reasoning and a call":     "unsent: empty-part-removed",
	"anthropic, an empty result":                   "mended: empty-part-removed result-filled",
	"anthropic, an empty system message":           "unsent: message-removed",
	"anthropic, an id of a file":                   "mended: media-described messages-merged",
	"anthropic, an unknown file alone":             "mended: empty-part-removed",
	"anthropic, arguments that are cut off":        "changed: arguments-repaired",
	"anthropic, empty arguments":                   "unsent: arguments-repaired",
	"anthropic, sound":                             "changed: media-described messages-merged",
	"compat, a search that Anthropic ran":          "mended: part-removed part-removed",
	"compat, a search that OpenAI ran":             "mended: part-removed part-removed",
	"compat, a text file":                          "refused",
	"compat, a text file, no name":                 "refused",
	"compat, an empty message of the assistant":    "unsent: message-removed",
	"compat, an empty system message":              "unsent: message-removed",
	"gemini, a result with a picture":              "changed: media-moved",
	"gemini, a result with another file":           "changed: media-moved",
	"gemini, a result with sound":                  "changed: media-moved",
	"gemini, a search that Anthropic ran":          "changed: part-removed part-removed",
	"gemini, a search that OpenAI ran":             "unsent: part-removed part-removed",
	"gemini, an empty message of the assistant":    "changed: message-removed messages-merged",
	"gemini, an empty system message":              "unsent: message-removed",
	"gemini, arguments that are cut off":           "mended: arguments-repaired",
	"gemini, empty arguments":                      "mended: arguments-repaired",
	"openai, a search that Anthropic ran":          "mended: part-removed part-removed",
	"openai, a search that OpenAI ran":             "mended: part-removed part-removed",
	"openai, a text file":                          "refused",
	"openai, a text file, no name":                 "refused",
	"openai, an empty message of the assistant":    "unsent: message-removed",
	"openai, an empty system message":              "unsent: message-removed",
	"responses, a result with sound":               "changed: media-described",
	"responses, a search that Anthropic ran":       "unsent: part-removed part-removed",
	"responses, an empty message of the assistant": "changed: message-removed messages-merged",
	"responses, an empty system message":           "unsent: message-removed",
	"responses, sound":                             "changed: media-described messages-merged",
	"stored, a result with sound":                  "changed: media-described",
	"stored, a search that Anthropic ran":          "changed: part-removed part-removed",
	"stored, an empty message of the assistant":    "changed: message-removed messages-merged",
	"stored, an empty system message":              "unsent: message-removed",
	"stored, sound":                                "changed: media-described messages-merged",
}

func TestHistories(t *testing.T) {
	for name, s := range senders {
		for kind, history := range prompts {
			got := outcome(t, s, history)
			if want := outcomes[name+", "+kind]; got != want {
				t.Errorf("%q: %q, want %q", name+", "+kind, got, want)
			}
		}
	}
}

// outcome sends a prompt without preflight, and with it.
func outcome(t *testing.T, s sender, history fantasy.Prompt) string {
	t.Helper()
	server := preflighttest.New(t, s.fake, nil)
	p, err := s.open(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.LanguageModel(context.Background(), s.model)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	repairing := preflightfantasy.Model(m, nil,
		func(_ context.Context, warnings []wire.Warning, _ error) {
			codes = append(codes, clienttest.Codes(warnings)...)
		})
	call := fantasy.Call{
		Prompt:          append(slices.Clone(history), fantasy.NewUserMessage("Go on.")),
		ProviderOptions: s.options,
	}
	_, plainErr := m.Generate(context.Background(), call)
	_, err = repairing.Generate(context.Background(), call)
	sent := server.Requests()
	same := len(sent) == 2 && string(sent[0].Body) == string(sent[1].Body)
	out := ""
	switch {
	case err != nil && plainErr != nil:
		out = "refused"
	case err != nil:
		t.Fatal(err)
	case plainErr != nil:
		out = "mended: "
	case !same:
		out = "changed: "
	case len(codes) > 0:
		out = "unsent: "
	}
	return out + strings.Join(codes, " ")
}
