package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests tool exchanges that become text.

func TestFlattenTools(t *testing.T) {
	q := userMsg(says("q"))
	marked := func(p preflight.Part) preflight.Part {
		preflight.CarriedBy(p).Meta = preflight.Metadata{"mine": json.RawMessage(`1`)}
		return p
	}
	runFixer(t, preflight.Fixers.FlattenTools, []fixerCase{
		{
			name:    "calls and results become text, the assistant's and the user's",
			profile: preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			in: history(q, botMsg(says("x"), callsWith("a", `{"n":1}`)),
				toolMsg(answers("a", "done"))),
			want: history(q, botMsg(says("x"), says(`Called the tool f with {"n":1}`)),
				userMsg(says("Result of an earlier tool call:\n```\ndone\n```"))),
			codes: warned(codes.PartToText, codes.ResultToText),
		},
		{
			name:    "a result without text says so",
			profile: preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			in:      history(q, botMsg(calls("a")), toolMsg(&preflight.ToolResult{CallID: "a"})),
			want: history(q, botMsg(says("Called the tool f with {}")),
				userMsg(says("(no output)"))),
			codes: warned(codes.PartToText, codes.ResultToText),
		},
		{
			name:    "metadata stays on what a call and its result became",
			profile: preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			in:      history(q, botMsg(marked(calls("a"))), toolMsg(marked(answers("a", "done")))),
			want: history(q, botMsg(marked(says("Called the tool f with {}"))),
				userMsg(marked(says("Result of an earlier tool call:\n```\ndone\n```")))),
			codes: warned(codes.PartToText, codes.ResultToText),
		},
		{
			name: "the model knows tools",
			in:   history(q, botMsg(calls("a")), toolMsg(answers("a", "done"))),
		},
	})
}

// TestFlattenLeavesNoEmptyMessage: a search whose encrypted payload was emptied becomes text that
// says what it found.
func TestFlattenLeavesNoEmptyMessage(t *testing.T) {
	encrypts := preflight.Profile{Tools: provider.ToolRules{EncryptedResults: true}}
	const emptied = ` [{"type":"web_search_result","title":"T","url":"https://t",` +
		`"encrypted_content":""},{"title":"only a title"},{"url":"https://only"},` +
		`{"encrypted_content":"x"},{"title":"U","url":"https://u"}]`
	text := says("Search results:\n```\n" +
		"T (https://t)\nonly a title\nhttps://only\nU (https://u)\n```")
	both := warned(codes.OrphanToText, codes.DanglingRemoved)
	found := func(output string) []preflight.Message {
		return history(botMsg(searches("s"), finds("s", output)))
	}
	runFixer(t, preflight.Fixers.FlattenEmptied, []fixerCase{
		{
			name: "call and result", profile: encrypts,
			in: history(botMsg(says("x"), searches("r"), finds("r", `[]`), searches("s"),
				finds("s", emptied))),
			want:  history(botMsg(says("x"), searches("r"), finds("r", `[]`), text)),
			codes: both,
		},
		{
			name: "a search result without any payload", profile: encrypts,
			in:    found(`[{"encrypted_content":"x"},{"type":"web_search_result"}]`),
			want:  history(botMsg(says("Search results:"))),
			codes: both,
		},
		{
			name: "or with one that is no text", profile: encrypts,
			in:    found(`[{"type":"web_search_result","encrypted_content":5}]`),
			want:  history(botMsg(says("Search results:"))),
			codes: both,
		},
		{
			name: "a result without its call", profile: encrypts,
			in:    history(botMsg(finds("s", emptied))),
			want:  history(botMsg(text)),
			codes: warned(codes.OrphanToText),
		},
		{
			name: "a second result of one call", profile: encrypts,
			in:    history(botMsg(searches("s"), finds("s", emptied), finds("s", emptied))),
			want:  history(botMsg(text, text)),
			codes: warned(codes.OrphanToText, codes.DanglingRemoved, codes.OrphanToText),
		},
		{
			name: "a call in another message stays", profile: encrypts,
			in: history(botMsg(waitsFor(searches("s"))), userMsg(says("q")),
				botMsg(finds("s", emptied))),
			want:  history(botMsg(waitsFor(searches("s"))), userMsg(says("q")), botMsg(text)),
			codes: warned(codes.OrphanToText),
		},
		{
			name: "a payload that is there", profile: encrypts,
			in: found(`[{"type":"web_search_result","encrypted_content":"x"}]`),
		},
		{
			name: "a result of another type has none", profile: encrypts,
			in: found(`[{"type":"text","title":"T"}]`),
		},
		{
			name: "what is not a list is no search", profile: encrypts,
			in: found(`{"type":"web_search_result","encrypted_content":""}`),
		},
		{
			name: "nor what is no JSON", profile: encrypts,
			in: found(`[{"type":"web_search_result"}`),
		},
		{name: "not asked for", in: found(emptied)},
	})
}

func waitsFor(c *preflight.ToolCall) *preflight.ToolCall {
	c.Awaiting = preflight.AwaitingApproval
	return c
}

// TestFlattenToolsInPlace: what is beside calls and results stays where it is.
func TestFlattenToolsInPlace(t *testing.T) {
	plain := preflight.Profile{Tools: provider.ToolRules{NoTools: true}}
	users := preflight.Profile{
		Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
		Tools:   provider.ToolRules{NoTools: true},
	}
	q, nothing := userMsg(says("q")), &preflight.ToolCall{ID: "a"}
	result := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: parts}
	}
	both := []string{
		"part-to-text 1.0 preflight/tools-refused of a",
		"result-to-text 2.0 preflight/tools-refused of a",
	}
	called := botMsg(says("Called the tool f with {}"))
	runFixer(t, preflight.Fixers.FlattenTools, []fixerCase{
		{
			name: "a call without a name or arguments", profile: plain,
			in: history(q, botMsg(nothing), toolMsg(answers("a", "1"))),
			want: history(q, botMsg(says("Called the tool unknown_tool with {}")),
				userMsg(says("Result of an earlier tool call:\n```\n1\n```"))),
			report: both,
		},
		{
			name: "media of a result stays media", profile: plain,
			in: history(q, botMsg(calls("a")), toolMsg(result(says("1"), image()))),
			want: history(q, called,
				userMsg(says("Result of an earlier tool call:\n```\n1\n```\n"+
					"(the next image is from this result)"), image())),
			report: both,
		},
		{
			name: "of media alone", profile: plain,
			in: history(q, botMsg(calls("a")), toolMsg(result(image()))),
			want: history(q, called, userMsg(says("Result of an earlier tool call:\n"+
				"(the next image is from this result)"), image())),
			report: both,
		},
		{
			name: "text beside results", profile: users,
			in: history(q, botMsg(calls("a"), calls("b")),
				userMsg(answers("a", "1"), answers("b", "2"), says("next"))),
			want: history(q,
				botMsg(says("Called the tool f with {}"), says("Called the tool f with {}")),
				userMsg(says("Result of an earlier tool call:\n```\n1\n```"),
					says("Result of an earlier tool call:\n```\n2\n```"), says("next"))),
			report: []string{
				"part-to-text 1.0 preflight/tools-refused of a",
				"part-to-text 1.1 preflight/tools-refused of b",
				"result-to-text 2.0 preflight/tools-refused of a",
				"result-to-text 2.1 preflight/tools-refused of b",
			},
		},
	})
}
