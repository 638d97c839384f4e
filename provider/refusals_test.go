package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
)

// TestWhatOpenAIChatRefuses holds Check with the profile to its rules, one at a time.
func TestWhatOpenAIChatRefuses(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	pair := func(c *preflight.ToolCall) []preflight.Message {
		return history(botMsg(c), toolMsg(answers(c.ID, "1")))
	}
	id := func(n int) *preflight.ToolCall { return calls(strings.Repeat("i", n)) }
	by := func(name string) []preflight.Message {
		return history(preflight.Message{Role: "user", Name: name, Parts: q.Parts})
	}
	file := func(name string) preflight.Part {
		return &preflight.Media{
			Kind:      "document",
			MediaType: "application/pdf",
			Data:      "JVBERi0=",
			Name:      name,
		}
	}
	refuses(t, *provider.OpenAIChat(""), []refusal{
		{"nothing", history(sysMsg(says("s")), a, a, q, q, sysMsg(says("s")), botMsg(says("x "))),
			nil},
		{"no message", nil, []string{"openai-chat/messages-empty messages[0]"}},
		{
			"roles by another name that it knows",
			history(preflight.Message{Role: "developer", Parts: q.Parts}, q, botMsg(calls("a")),
				preflight.Message{Role: "function", Parts: []preflight.Part{answers("a", "1")}}),
			nil,
		},
		{
			"or does not",
			history(preflight.Message{Role: "human", Parts: q.Parts}),
			[]string{"openai-chat/role-unknown messages[0]"},
		},
		{
			"two results in a message",
			history(botMsg(calls("a"), calls("b")),
				decoded("openai-chat", toolMsg(answers("a", "1"), answers("b", "2")))),
			[]string{"preflight/result-misplaced messages[1].parts[1]"},
		},
		{"the shortest name and the longest", append(by("n"), by(strings.Repeat("n", 64))...), nil},
		{
			"a longer one, or in another alphabet",
			append(by(strings.Repeat("n", 65)), by("n n")...),
			[]string{
				"openai-chat/message-name-pattern messages[0]",
				"openai-chat/message-name-pattern messages[1]",
			},
		},
		{
			"messages without content",
			history(sysMsg(), q, botMsg()),
			[]string{
				"openai-chat/content-null messages[0]",
				"openai-chat/content-null messages[2]",
			},
		},
		{"empty text", history(userMsg(says(""), says(" "))), nil},
		{"the shortest id and the longest", append(pair(id(1)), pair(id(40))...), nil},
		{
			"a longer one",
			pair(id(41)),
			[]string{
				"openai-chat/tool-call-id-length messages[0].parts[0]",
				"openai-chat/tool-call-id-length messages[1].parts[0]",
			},
		},
		{
			"none",
			pair(id(0)),
			[]string{
				"openai-chat/tool-call-id-length messages[0].parts[0]",
				"openai-chat/tool-call-id-length messages[1].parts[0]",
			},
		},
		{"an id again in another turn", append(pair(id(1)), pair(id(1))...), nil},
		{
			"in the same",
			history(botMsg(id(1), id(1)), toolMsg(answers("i", "1")), toolMsg(answers("i", "2"))),
			[]string{"openai-chat/tool-call-id-duplicate messages[0].parts[1]"},
		},
		{"the shortest and the longest name of a tool",
			append(pair(renamed("a", 1)), pair(renamed("b", 64))...), nil},
		{
			"a longer one",
			pair(renamed("a", 65)),
			[]string{"openai-chat/function-name-pattern messages[0].parts[0]"},
		},
		{"arguments that are no object, since OpenAI takes what it cut off itself",
			pair(callsWith("a", `[]`)), nil},
		{
			"a result without content",
			history(botMsg(calls("a")), toolMsg(&preflight.ToolResult{CallID: "a"})),
			[]string{"openai-chat/content-null messages[1].parts[0]"},
		},
		{
			"tools that only other providers have",
			history(botMsg(ran("s"), finds("s", `[]`))),
			[]string{
				"preflight/server-refused messages[0].parts[0]",
				"preflight/server-refused messages[0].parts[1]",
			},
		},
		{
			"media of the assistant's",
			history(botMsg(says("x"), image()), userMsg(image())),
			[]string{"openai-chat/tool-message-image messages[0].parts[1]"},
		},
		{
			"media in a result",
			history(botMsg(calls("a")),
				toolMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}})),
			[]string{"openai-chat/tool-message-image messages[1].parts[0].content[0]"},
		},
		{
			"media of a kind it does not take",
			history(
				userMsg(&preflight.Media{Kind: "hologram", Data: "AAAA"},
					&preflight.Media{Kind: "audio", Data: "AAAA"}),
			),
			[]string{"openai-chat/part-type messages[0].parts[0]"},
		},
		{
			"a file without its name",
			history(userMsg(file(""), file("a"))),
			[]string{"openai-chat/file-needs-filename messages[0].parts[0]"},
		},
	})
}

// refusal is a history, and the rules it breaks with their places.
type refusal struct {
	name string
	in   []preflight.Message
	want []string
}

func refuses(t *testing.T, profile preflight.Profile, refusals []refusal) {
	t.Helper()
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, v := range preflight.Check(c.in, &profile, nil) {
				got = append(got, v.Rule+" "+v.At.String())
			}
			require.Equal(t, c.want, got)
		})
	}
}

// ran is a call of a provider's tool that hides nothing.
func ran(id string) *preflight.ToolCall {
	return &preflight.ToolCall{
		ID:               id,
		Name:             "code_execution",
		Input:            json.RawMessage(`{}`),
		ProviderExecuted: true,
	}
}

// renamed is a call of a tool with a name of n characters.
func renamed(id string, n int) *preflight.ToolCall {
	c := calls(id)
	c.Name = strings.Repeat("n", n)
	return c
}

func titled(name string) preflight.Part {
	return &preflight.Media{Kind: "document", URL: "https://example.com/a.pdf", Name: name}
}

// Short names of the helpers of tests.
var (
	sysMsg    = msgtest.System
	userMsg   = msgtest.User
	botMsg    = msgtest.Assistant
	toolMsg   = msgtest.Tool
	history   = msgtest.History
	says      = msgtest.Says
	thinks    = msgtest.Thinks
	calls     = msgtest.Calls
	callsWith = msgtest.CallsWith
	answers   = msgtest.Answers
	searches  = msgtest.Searches
	finds     = msgtest.Finds
	image     = msgtest.Image
	cached    = msgtest.Cached
	hourly    = msgtest.Hourly
	decoded   = msgtest.Decoded
)
