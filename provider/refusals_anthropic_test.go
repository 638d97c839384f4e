package provider_test

import (
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestWhatAnthropicRefuses holds Check with the profile to its rules, one at a time, and to the
// limits they name.
func TestWhatAnthropicRefuses(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	lead := []preflight.Message{q}
	turn := func(in ...preflight.Message) []preflight.Message { return append(lead[:1:1], in...) }
	pair := func(c *preflight.ToolCall) []preflight.Message {
		return turn(botMsg(c),
			userMsg(answers(c.ID, "1")))
	}
	named := func(n int) *preflight.ToolCall {
		c := calls("a")
		c.Name = strings.Repeat("n",
			n)
		return c
	}
	served := func(id string) []preflight.Message {
		return turn(botMsg(ran(id), finds(id, `[]`),
			says("x")), q)
	}
	older := *provider.Anthropic("claude-3-opus")
	refuses(t, *provider.Anthropic(""), []refusal{
		{"nothing", turn(), nil},
		{"no message", nil, []string{"anthropic/messages-empty messages[0]"}},
		{
			"system messages alone",
			history(sysMsg(says("s"))),
			[]string{"anthropic/messages-empty messages[0]"},
		},
		{"the assistant first", append(history(a), lead...), nil},
		{
			"neighbours, whose calls are one turn's",
			turn(botMsg(calls("a")), botMsg(calls("b")),
				userMsg(answers("a", "1"), answers("b", "2"))),
			nil,
		},
		{
			"roles of others",
			turn(a, decoded("anthropic", preflight.Message{Role: "tool", Parts: q.Parts})),
			[]string{
				"preflight/role-unknown messages[2]",
				"preflight/text-misplaced messages[2].parts[0]",
			},
		},
		{"a system message midway", turn(a, q, sysMsg(says("s")), a, q), nil},
		{"one of settings", turn(a, q, sysMsg(&preflight.Other{Kind: "output_config"}), a, q), nil},
		{"a final assistant turn", turn(a), []string{"anthropic/prefill-unsupported messages[1]"}},
		{"text after a call", turn(botMsg(calls("a"), says("x")), userMsg(answers("a", "1"))), nil},
		{
			"a message without content",
			turn(botMsg(), q),
			[]string{"anthropic/empty-message-content messages[1]"},
		},
		{
			"empty text",
			turn(botMsg(says("x"), says("")), q),
			[]string{"anthropic/empty-text-block messages[1].parts[1]"},
		},
		{
			"blank text of the user",
			turn(a, userMsg(says("x"), says(" "))),
			[]string{"anthropic/whitespace-text-block messages[2].parts[1]"},
		},
		{"blank text of the assistant beside other content",
			turn(botMsg(says(" "), says("x"), says("\n")), q), nil},
		{
			"and alone",
			turn(botMsg(says(" "), says("\n")), q),
			[]string{
				"anthropic/whitespace-text-block messages[1].parts[0]",
				"anthropic/whitespace-text-block messages[1].parts[1]",
			},
		},
		{
			"kinds that are output only",
			turn(
				botMsg(says("x"), &preflight.Other{Kind: "fallback"},
					&preflight.Other{Kind: "container_upload"}),
				userMsg(&preflight.Other{Kind: "container_upload"}),
			),
			[]string{
				"anthropic/output-only-blocks messages[1].parts[1]",
				"anthropic/output-only-blocks messages[1].parts[2]",
			},
		},
		{"ids in an alphabet", pair(calls("toolu_-Z9")), nil},
		{
			"and in no other",
			pair(calls("a.b")),
			[]string{
				"anthropic/tool-use-id-pattern messages[1].parts[0]",
				"anthropic/tool-use-id-pattern messages[2].parts[0]",
			},
		},
		{"an id of one character", pair(calls("a")), nil},
		{
			"no id",
			pair(calls("")),
			[]string{
				"anthropic/tool-use-id-pattern messages[1].parts[0]",
				"anthropic/tool-use-id-pattern messages[2].parts[0]",
			},
		},
		{"ids of its own tools", served("srvtoolu_a"), nil},
		{
			"which say more than that",
			served("srvtoolu_"),
			[]string{"anthropic/server-tool-id-pattern messages[1].parts[0]"},
		},
		{
			"in a smaller alphabet",
			served("srvtoolu_a-b"),
			[]string{"anthropic/server-tool-id-pattern messages[1].parts[0]"},
		},
		{
			"an id again",
			append(pair(calls("a")), pair(calls("a"))[1:]...),
			[]string{"anthropic/tool-use-id-duplicate messages[3].parts[0]"},
		},
		{
			"the shortest name and the longest",
			append(
				pair(named(1)),
				turn(botMsg(renamed("b", 200)), userMsg(answers("b", "1")))[1:]...),
			nil,
		},
		{
			"a longer one",
			pair(named(201)),
			[]string{"anthropic/tool-use-name-length messages[1].parts[0]"},
		},
		{"none", pair(named(0)), []string{"anthropic/tool-use-name-length messages[1].parts[0]"}},
		{
			"arguments that are no object",
			pair(callsWith("a", `[]`)),
			[]string{"anthropic/tool-use-input-object messages[1].parts[0]"},
		},
		{
			"an error without a word",
			turn(botMsg(calls("a")), userMsg(&preflight.ToolResult{CallID: "a", IsError: true})),
			[]string{"anthropic/tool-result-error-empty messages[2].parts[0]"},
		},
		{"a result without one",
			turn(botMsg(calls("a")), userMsg(&preflight.ToolResult{CallID: "a"})), nil},
		{
			"reasoning without a signature",
			turn(botMsg(thinks("hm", ""), says("x")), q),
			[]string{"anthropic/thinking-signature-required messages[1].parts[0]"},
		},
		{
			"or somebody else",
			turn(botMsg(thinks("hm", "a.b"), says("x")), q),
			[]string{"anthropic/thinking-signature-invalid messages[1].parts[0]"},
		},
		{
			"a search that was emptied",
			turn(
				botMsg(searches("srvtoolu_a"),
					finds("srvtoolu_a", `[{"type":"web_search_result","encrypted_content":""}]`),
					says("x")),
				q,
			),
			[]string{"anthropic/web-search-encrypted-content messages[1].parts[1]"},
		},
		{
			"media of the assistant's",
			turn(botMsg(says("x"), image()), q),
			[]string{"anthropic/image-in-assistant messages[1].parts[1]"},
		},
		{
			"media in a result",
			turn(botMsg(calls("a")),
				userMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}})),
			nil,
		},
		{
			"media of a kind it does not take",
			turn(a, userMsg(&preflight.Media{Kind: "audio", Data: "AAAA"})),
			[]string{"preflight/media-refused messages[2].parts[0]"},
		},
		{
			"an image that is another",
			turn(
				a,
				userMsg(
					&preflight.Media{
						Kind:      "image",
						MediaType: "image/jpeg",
						Data:      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
					},
				),
			),
			[]string{"anthropic/image-media-type-mismatch messages[2].parts[0]"},
		},
		{"titles", turn(a, userMsg(titled("a"), titled("a_b.pdf"))), nil},
		{"four breakpoints", turn(a, userMsg(hourly("1"), hourly("2"), hourly("3"), hourly("4"))),
			nil},
		{
			"five",
			turn(a, userMsg(hourly("1"), hourly("2"), hourly("3"), hourly("4"), hourly("5"))),
			[]string{"anthropic/cache-control-max4 messages[2].parts[4]"},
		},
		{
			"a long-lived one after a short-lived one",
			turn(a, userMsg(cached(&preflight.Text{Text: "1"}), hourly("2"))),
			[]string{"anthropic/cache-control-ttl-order messages[2].parts[1]"},
		},
	})
	refuses(t, older, []refusal{
		{
			"white space at the end of what the model goes on from",
			turn(botMsg(says("a "))),
			[]string{"anthropic/trailing-whitespace messages[1]"},
		},
		{"no white space", turn(a), nil},
		{
			"a system message midway",
			turn(a, q, sysMsg(says("s")), a, q),
			[]string{"anthropic/system-role-unsupported-model messages[3]"},
		},
		{
			"an image that is another",
			turn(
				a,
				userMsg(
					&preflight.Media{
						Kind:      "image",
						MediaType: "image/jpeg",
						Data:      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
					},
				),
			),
			nil,
		},
	})
}
