package preflightfantasy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"reflect"
	"slices"
	"testing"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"

	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

var (
	signature = fantasy.ProviderOptions{
		"anthropic": &anthropic.ReasoningOptionMetadata{Signature: "sig"},
	}
	cached = fantasy.ProviderOptions{
		"anthropic": &anthropic.ProviderCacheControlOptions{
			CacheControl: anthropic.CacheControl{Type: "ephemeral"},
		},
	}
)

func assistant(parts ...fantasy.MessagePart) fantasy.Message {
	return fantasy.Message{Role: "assistant", Content: parts}
}

func toolMessage(parts ...fantasy.MessagePart) fantasy.Message {
	return fantasy.Message{Role: "tool", Content: parts}
}

func called(id string) fantasy.ToolCallPart {
	return fantasy.ToolCallPart{
		ToolCallID: id, ToolName: "read", Input: `{"size":12345678901234567890}`,
		ProviderOptions: cached,
	}
}

func result(id string, output fantasy.ToolResultOutputContent) fantasy.ToolResultPart {
	return fantasy.ToolResultPart{
		ToolCallID: id, Output: output, ProviderOptions: cached, ClientMetadata: "of the client",
	}
}

var (
	text    = fantasy.ToolResultOutputContentText{Text: "port=8080"}
	failure = fantasy.ToolResultOutputContentError{Error: errors.New("no such file")}
	picture = fantasy.ToolResultOutputContentMedia{
		Data:      base64.StdEncoding.EncodeToString(pixel()),
		MediaType: "image/png", Text: "A picture.",
	}
)

// table is an output of a type that fantasy does not have.
type table struct{ cell string }

func (table) GetType() fantasy.ToolResultContentType { return "table" }

// What OpenAI did itself, and what it has.
var (
	search = fantasy.ToolCallPart{
		ToolCallID: "ws_01", ToolName: "web_search", ProviderExecuted: true,
	}
	found        = fantasy.ToolResultPart{ToolCallID: "ws_01", ProviderExecuted: true}
	fileOfOpenAI = fantasy.FilePart{Data: []byte("file-123"), MediaType: "application/pdf"}
)

// pixel is a picture.
func pixel() []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// TestMessages has histories of the kinds that fantasy's own tests of its providers have: those
// that the provider takes come back as they are, and of the others what was not repaired.
func TestMessages(t *testing.T) {
	user := fantasy.NewUserMessage("Read it.")
	for _, c := range []struct {
		name     string
		provider string
		in, want []fantasy.Message // want is nil for in
		codes    []string
	}{
		{name: "text", in: []fantasy.Message{fantasy.NewSystemMessage("Be terse."), user}},
		{
			name: "files of all kinds",
			in: []fantasy.Message{fantasy.NewUserMessage("Look.",
				fantasy.FilePart{Filename: "a.png", Data: pixel(),
					MediaType: "image/png", ProviderOptions: cached},
				fantasy.FilePart{Filename: "b.txt", Data: []byte("text"),
					MediaType: "text/plain"})},
		},
		{
			name: "results in one message, of all kinds", provider: "anthropic",
			in: []fantasy.Message{
				user, assistant(called("a"), called("b"), called("c")),
				toolMessage(result("a", text), result("b", failure), result("c", picture)),
			},
		},
		{
			name: "results in messages of their own",
			in: []fantasy.Message{
				user, assistant(called("a"), called("b")),
				toolMessage(result("a", text)), toolMessage(result("b", text)),
			},
		},
		{
			name: "a tool that the provider ran", provider: "anthropic",
			in: []fantasy.Message{user, assistant(
				fantasy.ToolCallPart{
					ToolCallID: "srvtoolu_1", ToolName: "web_search", Input: `{"query":"q"}`,
					ProviderExecuted: true,
				},
				fantasy.ToolResultPart{
					ToolCallID: "srvtoolu_1", ProviderExecuted: true,
					ProviderOptions: fantasy.ProviderOptions{
						"anthropic": &anthropic.WebSearchResultMetadata{},
					},
				},
				fantasy.TextPart{Text: "Found."},
			), user},
		},
		{
			name: "beside tools that OpenAI ran, and a file that it has", provider: "openai-responses",
			in: []fantasy.Message{
				fantasy.NewUserMessage("Read it.\x00", fileOfOpenAI),
				assistant(search, found, called("a")),
				user,
			},
			want: []fantasy.Message{
				fantasy.NewUserMessage("Read it.", fileOfOpenAI), assistant(search, found), user,
			},
			codes: []string{"text-repaired", "dangling-removed"},
		},
		{
			name: "the id of a result of another type", provider: "anthropic",
			in: []fantasy.Message{
				user, assistant(called("a:1")), toolMessage(result("a:1", table{"b"})),
			},
			want: []fantasy.Message{
				user, assistant(called("a_1_7262d867")),
				toolMessage(result("a_1_7262d867", table{"b"})),
			},
			codes: []string{"id-rewritten", "id-rewritten"},
		},
		{
			name: "a file that leaves its result", provider: "gemini",
			in: []fantasy.Message{
				user, assistant(called("a"), called("b")),
				toolMessage(result("a", text), result("b", picture)),
			},
			want: []fantasy.Message{
				user, assistant(called("a"), called("b")),
				toolMessage(result("a", text), result("b", fantasy.ToolResultOutputContentText{
					Text: "A picture.\n(see the media in the next user message)",
				})),
				fantasy.NewUserMessage("(the next image is from the result of tool read)",
					fantasy.FilePart{Data: pixel(), MediaType: "image/png"}),
			},
			codes: []string{"media-moved"},
		},
		{
			name: "a system message that fantasy would leave out", provider: "anthropic",
			in: []fantasy.Message{
				user, assistant(fantasy.TextPart{Text: "Done."}), fantasy.NewSystemMessage("Be terse."), user,
			},
			want: []fantasy.Message{
				user, assistant(fantasy.TextPart{Text: "Done."}), fantasy.NewUserMessage("Be terse."), user,
			},
			codes: []string{"system-demoted"},
		},
		{
			name: "two of which it would leave out one", provider: "gemini",
			in: []fantasy.Message{
				fantasy.NewSystemMessage("Be terse."), fantasy.NewSystemMessage("Be kind."), user,
			},
			want:  []fantasy.Message{fantasy.NewSystemMessage("Be terse.", "Be kind."), user},
			codes: []string{"messages-merged"},
		},
		{
			name: "messages that are joined", provider: "anthropic",
			in: []fantasy.Message{
				user, assistant(called("a"), (*fantasy.TextPart)(nil)),
				{Role: "user", Content: user.Content, ProviderOptions: cached},
			},
			want: []fantasy.Message{{
				Role: "user", ProviderOptions: cached,
				Content: slices.Concat(user.Content, user.Content),
			}},
			codes: []string{"nil-part-removed", "dangling-removed", "messages-merged"},
		},
		{
			name: "pointers", in: []fantasy.Message{
				user, assistant(&fantasy.TextPart{Text: "Hm."}, &fantasy.ToolCallPart{
					ToolCallID: "a", ToolName: "read", Input: "{}",
				}), toolMessage(&fantasy.ToolResultPart{ToolCallID: "a", Output: &text}),
			},
		},
		{
			name: "signed reasoning with its calls", provider: "anthropic",
			in: []fantasy.Message{
				user,
				assistant(fantasy.ReasoningPart{Text: "Hm.", ProviderOptions: signature},
					called("a")),
				toolMessage(result("a", text)),
			},
		},
		{
			name: "signed reasoning whose call is open is not cut", provider: "anthropic",
			in: []fantasy.Message{
				user,
				assistant(fantasy.ReasoningPart{Text: "Hm.", ProviderOptions: signature},
					called("a")),
				user,
			},
			want: []fantasy.Message{
				user,
				assistant(fantasy.ReasoningPart{Text: "Hm.", ProviderOptions: signature},
					called("a")),
				toolMessage(fantasy.ToolResultPart{
					ToolCallID: "a", Output: fantasy.ToolResultOutputContentError{Error: errors.New(
						"Tool call was interrupted before a result was recorded.")},
				}),
				user,
			},
			codes: []string{"dangling-answered"},
		},
		{
			name: "reasoning of another provider",
			in: []fantasy.Message{
				user,
				assistant(fantasy.ReasoningPart{Text: "Hm.", ProviderOptions: signature},
					fantasy.TextPart{Text: "Yes."}),
				user,
			},
		},
		{
			name: "one of parallel calls is open",
			in: []fantasy.Message{
				user, assistant(fantasy.TextPart{Text: "Both."}, called("a"), called("b")),
				toolMessage(result("a", text)), user,
			},
			want: []fantasy.Message{
				user, assistant(fantasy.TextPart{Text: "Both."}, called("a")),
				toolMessage(result("a", text)), user,
			},
			codes: []string{"dangling-removed"},
		},
		{
			name: "a result without a call beside another",
			in: []fantasy.Message{
				user, assistant(called("a")), toolMessage(result("a", text), result("b", text)),
			},
			want: []fantasy.Message{
				user, assistant(called("a")), toolMessage(result("a", text)),
			},
			codes: []string{"orphan-removed"},
		},
		{
			name: "a result that is late",
			in: []fantasy.Message{
				user, assistant(called("a")), user, toolMessage(result("a", picture)),
			},
			want: []fantasy.Message{
				user, assistant(called("a")), toolMessage(result("a", picture)), user,
			},
			codes: []string{"result-moved"},
		},
		{
			name: "arguments that were cut off", provider: "anthropic",
			in: []fantasy.Message{
				user,
				assistant(fantasy.ToolCallPart{
					ToolCallID: "a", ToolName: "read", Input: `{"path":"/tm`, ProviderOptions: cached,
				}),
				toolMessage(result("a", failure)),
			},
			codes: []string{"arguments-repaired"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := &wire.Options{Provider: c.provider}
			out, warnings, err := preflightfantasy.Messages(context.Background(), c.in, options)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("reported %v, want %v", got, c.codes)
			}
			if c.codes == nil && &out[0] != &c.in[0] {
				t.Error("the history is not the caller's own")
			}
			if c.want != nil && !reflect.DeepEqual(out, c.want) {
				t.Errorf("got  %v\nwant %v", out, c.want)
			}
			again, warnings, err := preflightfantasy.Messages(context.Background(), out, options)
			if err != nil || len(warnings) > 0 || &again[0] != &out[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}
