package preflight_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file is the hard cases: histories that brick sessions out there, each with the reason why
// the obvious repair is wrong. Every one names the public report or the rule it comes from.
// Histories are written as messages, and compared as one line per message: see line.

type hardCase struct {
	name    string
	reason  string // why the obvious repair is wrong
	source  string // a public report, or the id of the rule with its sources
	profile string // a provider, or a model of Anthropic's; claude-sonnet-4-5 unless given
	options preflight.Options
	in      []preflight.Message
	want    []string // nil: the history is valid and comes back untouched
	codes   []codes.Code
}

const interrupted = `"Tool call was interrupted before a result was recorded."`

var hardCases = []hardCase{
	{
		name: "the real result comes turns after its call",
		reason: "set arithmetic finds both halves and changes nothing, so the session stays " +
			"broken; dropping the call loses work that was done",
		source: "https://github.com/anthropics/claude-code/issues/1237",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(calls("a")), userMsg(says("and?")),
			botMsg(says("still running")), userMsg(answers("a", "done")),
		},
		want: []string{
			`user: "run it"`,
			`assistant: call a`,
			`user: result a "done" | "and?"`,
			`assistant: "still running"`,
		},
		codes: []codes.Code{codes.ResultMoved},
	},
	{
		name: "a placeholder is in the place of the real result",
		reason: "keeping the first result keeps the stand-in, and the model repeats what was " +
			"already done",
		source: "anthropic/tool-result-duplicate",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(calls("a")), userMsg(fails("a", "No result provided")),
			botMsg(says("hm")), userMsg(answers("a", "done"), says("see?")),
		},
		want: []string{
			`user: "run it"`, `assistant: call a`, `user: result a "done"`, `assistant: "hm"`,
			`user: "see?"`,
		},
		codes: []codes.Code{codes.PlaceholderReplaced, codes.ResultMoved},
	},
	{
		name: "placeholders of two rounds with one id, then both results",
		reason: "the nearest call with the id is the wrong one for the first result; results " +
			"belong to calls in the order in which they were made",
		source: "anthropic/tool-use-id-duplicate", profile: "openai-chat",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("call_0")), toolMsg(fails("call_0", "aborted")),
			botMsg(calls("call_0")), toolMsg(fails("call_0", "aborted")),
			toolMsg(answers("call_0", "one")), toolMsg(answers("call_0", "two")),
		},
		want: []string{
			`user: "q"`, `assistant: call call_0`, `tool: result call_0 "one"`,
			`assistant: call call_0`, `tool: result call_0 "two"`,
		},
		codes: []codes.Code{
			codes.PlaceholderReplaced, codes.PlaceholderReplaced, codes.ResultMoved,
		},
	},
	{
		name: "a result before its call, and another after a later turn",
		reason: "every id exists, so a comparison of sets sees nothing wrong; but no model can " +
			"have answered before the question, so the answer moves",
		source: "openai-chat/tool-result-missing", profile: "openai-chat",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("b", "B")), botMsg(calls("b")),
			toolMsg(answers("a", "A")), userMsg(says("next")),
		},
		want: []string{
			`user: "q"`, `assistant: call a`, `tool: result a "A"`, `assistant: call b`,
			`tool: result b "B"`, `user: "next"`,
		},
		codes: []codes.Code{codes.ResultMoved, codes.ResultMoved},
	},
	{
		name: "ids that start again with every turn",
		reason: "pairing over the whole history makes one pair of many; each turn's result " +
			"answers that turn's call",
		source: "openai-chat/tool-call-id-duplicate", profile: "openai-chat",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("call_0")), toolMsg(answers("call_0", "one")),
			botMsg(calls("call_0")), toolMsg(answers("call_0", "two")),
		},
	},
	{
		name: "one id twice in a message",
		reason: "a map from id to result gives both calls the same answer; they are matched by " +
			"occurrence, and the second gets an id of its own",
		source: "https://github.com/anthropics/claude-code/issues/20508",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("a"), calls("a")),
			userMsg(answers("a", "one"), answers("a", "two")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call a | call a_05a9c569`,
			`user: result a "one" | result a_05a9c569 "two"`,
		},
		codes: []codes.Code{codes.IDRewritten, codes.IDRewritten},
	},
	{
		name: "ids spelled otherwise on the other side",
		reason: "an exact comparison sees two orphans and two dangling calls, and deletes four " +
			"sound parts",
		source: "anthropic/tool-use-id-pattern",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("call_A"), calls("b")),
			userMsg(answers("call_a|fc_1", "one"), answers(" b ", "two")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call call_A | call b`,
			`user: result call_A "one" | result b "two"`,
		},
		codes: []codes.Code{codes.ResultRebound, codes.ResultRebound},
	},
	{
		name:   "results without an id",
		reason: "within a turn the order still says which call is meant",
		source: "openai-chat/tool-result-missing", profile: "openai-chat",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("a"), calls("b")), toolMsg(answers("", "one")),
			toolMsg(answers("", "two")),
		},
		want: []string{
			`user: "q"`, `assistant: call a | call b`, `tool: result a "one"`,
			`tool: result b "two"`,
		},
		codes: []codes.Code{codes.ResultRebound, codes.ResultRebound},
	},
	{
		name: "a tool failed", reason: "an error answer is an answer: the call is not dangling",
		source: "https://github.com/anthropics/claude-code/issues/5989",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(calls("a")),
			userMsg(fails("a", "exit status 1"), says("try again")),
		},
	},
	{
		name: "an aborted call",
		reason: "the text around it stays; the API reads the user's neighbours as one turn, so " +
			"they need no merging",
		source: "https://github.com/anthropics/claude-code/issues/13460",
		in:     []preflight.Message{userMsg(says("q")), botMsg(calls("a")), userMsg(says("stop"))},
		want:   []string{`user: "q"`, `user: "stop"`},
		codes:  []codes.Code{codes.DanglingRemoved},
	},
	{
		name: "an aborted call inside a signed thinking turn",
		reason: "removing it changes the turn that the signature covers, which is a 400 of its " +
			"own; the call is answered instead",
		source: "https://github.com/anthropics/claude-code/issues/63404",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(thinks("hm", "c2ln"), calls("a"), calls("b")),
			userMsg(answers("a", "one"), says("stop")),
		},
		want: []string{
			`user: "q"`,
			`assistant: thinking c2ln | call a | call b`,
			`user: result a "one" | error b ` + interrupted + ` | "stop"`,
		},
		codes: []codes.Code{codes.DanglingAnswered},
	},
	{
		name:   "a turn of thinking alone, redacted",
		reason: "it has no text, and is not empty: the payload is opaque content",
		source: "anthropic/redacted-thinking-data",
		in:     []preflight.Message{userMsg(says("q")), botMsg(redacted()), userMsg(says("go on"))},
	},
	{
		name: "an assistant message with calls and no text",
		reason: "null content is legal next to tool calls; a filter for empty messages would " +
			"drop the calls and orphan the results",
		source: "openai-chat/content-null", profile: "openai-chat",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "")), botMsg(says("done")),
		},
	},
	{
		name: "two user messages in a row",
		reason: "the API accepts them; deleting one to force alternation deletes what the user " +
			"said",
		source: "anthropic/alternation",
		in: []preflight.Message{
			userMsg(says("first")), userMsg(says("second")), botMsg(says("a")), botMsg(says("b")),
			userMsg(says("third")),
		},
	},
	{
		name:   "two user messages in a row, where turns have to alternate",
		reason: "deleting one to force alternation deletes what the user said",
		source: "bedrock/alternation", profile: "alternating",
		in: []preflight.Message{
			userMsg(says("first")), userMsg(says("second")), botMsg(says("a")), botMsg(says("b")),
			userMsg(says("third")),
		},
		want:  []string{`user: "first" | "second"`, `assistant: "a" | "b"`, `user: "third"`},
		codes: []codes.Code{codes.Merged, codes.Merged},
	},
	{
		name:   "a window that starts with the assistant's answer",
		reason: "the API accepts it as it is", source: "anthropic/first-role-user",
		in: []preflight.Message{botMsg(says("as I said")), userMsg(says("go on"))},
	},
	{
		name:   "a window that starts with the assistant's answer, where the user has to start",
		reason: "the answer stays; what is missing is the turn before it",
		source: "bedrock/starts-with-user", profile: "alternating",
		in: []preflight.Message{botMsg(says("as I said")), userMsg(says("go on"))},
		want: []string{
			`user: "(conversation resumed)"`,
			`assistant: "as I said"`,
			`user: "go on"`,
		},
		codes: []codes.Code{codes.TurnInserted},
	},
	{
		name: "a window that starts between call and result",
		reason: "pairing has to come before merging: joined to its neighbours first, the orphan " +
			"would sit in a message with text to keep",
		source: "https://github.com/router-for-me/CLIProxyAPI/issues/497",
		in: []preflight.Message{
			userMsg(answers("gone", "x"), says("and now?")),
			botMsg(says("a")),
			userMsg(says("q")),
		},
		want:  []string{`user: "and now?"`, `assistant: "a"`, `user: "q"`},
		codes: []codes.Code{codes.OrphanRemoved},
	},
	{
		name:   "an interrupted message between parallel calls and their results",
		reason: "merging first would put the text in front of the results, where it cuts them off",
		source: "anthropic/tool-result-first",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(calls("a"), calls("b")),
			userMsg(says("hurry")),
			userMsg(answers("b", "two"), answers("a", "one")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call a | call b`,
			`user: result a "one" | result b "two" | "hurry"`,
		},
		codes: []codes.Code{codes.ResultMoved, codes.ResultMoved},
	},
	{
		name:   "the same result recorded twice",
		reason: "a retry that was stored twice; one is enough, and no choice is needed",
		source: "anthropic/tool-result-duplicate",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(calls("a")),
			userMsg(answers("a", "one"), answers("a", "one")),
		},
		want:  []string{`user: "q"`, `assistant: call a`, `user: result a "one"`},
		codes: []codes.Code{codes.DuplicateRemoved},
	},
	{
		name: "two different results, merged", reason: "nothing that a tool said is lost",
		source:  "anthropic/tool-result-duplicate",
		options: preflight.Options{Duplicates: preflight.DuplicateMerge},
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(calls("a")),
			userMsg(answers("a", "one"), answers("a", "two")),
		},
		want:  []string{`user: "q"`, `assistant: call a`, `user: result a "one""two"`},
		codes: []codes.Code{codes.DuplicatesMerged},
	},
	{
		name: "an id that the provider refuses, and further on the id made of it",
		reason: "the made id is fixed by what comes before it; the later, legal one gives way, " +
			"so that nothing already sent changes",
		source: "https://github.com/CommandCodeAI/command-code/issues/323",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(calls("functions.f:0")),
			userMsg(answers("functions.f:0", "one")),
			botMsg(calls("functions_f_0_e7d109d5")),
			userMsg(answers("functions_f_0_e7d109d5", "two")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call functions_f_0_e7d109d5`,
			`user: result functions_f_0_e7d109d5 "one"`,
			`assistant: call functions_f_0_e7d109d5_47a9db8d`,
			`user: result functions_f_0_e7d109d5_47a9db8d "two"`,
		},
		codes: []codes.Code{
			codes.IDRewritten, codes.IDRewritten, codes.IDRewritten, codes.IDRewritten,
		},
	},
	{
		name:   "arguments that were cut off",
		reason: "the pair is kept, and so is what the model wrote",
		source: "anthropic/tool-use-input-object",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(callsWith("a", `{"path":"/et`)), userMsg(answers("a", "?")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call a {"_raw":"{\"path\":\"/et"}`,
			`user: result a "?"`,
		},
		codes: []codes.Code{codes.ArgumentsRepaired},
	},
	{
		name:   "arguments encoded twice, and none",
		reason: "the object inside the string is what the model meant",
		source: "qwen/arguments-json", profile: "qwen",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(callsWith("a", `"{\"n\":1.0}"`), callsWith("b", "null")),
			toolMsg(answers("a", "x")),
			toolMsg(answers("b", "y")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call a {"n":1.0} | call b`,
			`tool: result a "x"`,
			`tool: result b "y"`,
		},
		codes: []codes.Code{codes.ArgumentsRepaired, codes.ArgumentsRepaired},
	},
	{
		name:   "a server tool that is still running at the end",
		reason: "the provider paused its turn; the next request has to hold exactly this",
		source: "anthropic/pause-turn",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(says("let me look"), searches("srvtoolu_1")),
		},
	},
	{
		name:   "the same in a turn that is over",
		reason: "no result can come any more, and the provider says so for ever after",
		source: "anthropic/server-tool-result-missing",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(says("let me look"), searches("srvtoolu_1")),
			userMsg(says("well?")),
		},
		want:  []string{`user: "q"`, `assistant: "let me look"`, `user: "well?"`},
		codes: []codes.Code{codes.DanglingRemoved},
	},
	{
		name: "long search results, with a limit on strings",
		reason: "shortening encrypted_content bricked real conversations; a search result is " +
			"left alone as a whole",
		source:  "anthropic/web-search-encrypted-content",
		options: preflight.Options{MaxString: 5},
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(searches("srvtoolu_1"),
				finds("srvtoolu_1",
					`[{"title":"a long title","encrypted_content":"EqgfCioIARgBIiQ3"}]`),
				says("found")),
			userMsg(says("ok")),
		},
	},
	{
		name:   "a call that waits for approval",
		reason: "no provider takes an open call: a placeholder answers it, and says the truth",
		source: "https://github.com/cloudflare/agents",
		in:     []preflight.Message{userMsg(says("delete it")), botMsg(waits("a"))},
		want: []string{
			`user: "delete it"`,
			`assistant: call a`,
			`user: result a "The tool call is waiting for approval: it has not run yet."`,
		},
		codes: []codes.Code{codes.DanglingAnswered},
	},
	{
		name: "an empty text with a cache breakpoint",
		reason: "padding it with a space is refused as well; it is removed, and the breakpoint moves " +
			"to its neighbour",
		source: "anthropic/cache-control-empty-text",
		in: []preflight.Message{
			userMsg(says("q"), cached(&preflight.Text{})), botMsg(says("a")), userMsg(says("next")),
		},
		want:  []string{`user: "q" (cached)`, `assistant: "a"`, `user: "next"`},
		codes: []codes.Code{codes.EmptyRemoved, codes.CacheMoved},
	},
	{
		name: "text of white space alone", reason: "no padding makes it acceptable",
		source: "https://github.com/anomalyco/opencode/issues/31259",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(says(" \n")), userMsg(says("hello?")),
		},
		want:  []string{`user: "q"`, `user: "hello?"`},
		codes: []codes.Code{codes.EmptyRemoved},
	},
	{
		name:   "text of white space beside a call",
		reason: "the API answers in this form itself, and takes it back",
		source: "anthropic/whitespace-text-block",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(says(" "), calls("a")), userMsg(answers("a", "one")),
		},
	},
	{
		name: "an image in a tool result",
		reason: "the provider has no place for it there; it follows in a user message, and the " +
			"result says so",
		source: "https://github.com/strands-agents/sdk-python/issues/320", profile: "openai-chat",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(calls("a"), calls("b")),
			toolMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}}),
			toolMsg(answers("b", "two")),
		},
		want: []string{
			`user: "q"`,
			`assistant: call a | call b`,
			`tool: result a "(see the media in the next user message)"`,
			`tool: result b "two"`,
			`user: image`,
		},
		codes: []codes.Code{codes.MediaMoved},
	},
	{
		name: "half an emoji",
		reason: "a truncated string ended inside a surrogate pair, and the whole request is " +
			"refused",
		source: "anthropic/lone-surrogate",
		in:     []preflight.Message{userMsg(says("ok \xed\xa0\xbd"))},
		want:   []string{"user: \"ok \ufffd\""},
		codes:  []codes.Code{codes.TextRepaired},
	},
	{
		name:    "a trailing answer that the model refuses",
		reason:  "deleting it deletes the answer; a short user turn after it is enough",
		source:  "https://github.com/cortexkit/magic-context/issues/511",
		profile: "claude-opus-4-6",
		in:      []preflight.Message{userMsg(says("q")), botMsg(says("a"))},
		want:    []string{`user: "q"`, `assistant: "a"`, `user: "Continue."`},
		codes:   []codes.Code{codes.Continued},
	},
	{
		name: "the same where the model takes it", reason: "prefill is a feature of older models",
		source: "https://github.com/ericc-ch/copilot-api/pull/261",
		in:     []preflight.Message{userMsg(says("q")), botMsg(says("a"))},
	},
	{
		name: "a system message midway",
		reason: "moving it to the top rewrites the prefix, and with it every cached token; it " +
			"becomes a user turn in place",
		source: "anthropic/system-role-unsupported-model",
		in: []preflight.Message{
			sysMsg(says("s")), userMsg(says("q")), botMsg(says("a")), sysMsg(says("be brief")),
			userMsg(says("next")),
		},
		want: []string{
			`system: "s"`, `user: "q"`, `assistant: "a"`, `user: "be brief"`, `user: "next"`,
		},
		codes: []codes.Code{codes.SystemDemoted},
	},
	{
		name:   "the same where the model takes it",
		reason: "after a user turn and in front of the assistant's it is legal since Opus 4.8",
		source: "anthropic/system-role-after", profile: "claude-opus-4-8",
		in: []preflight.Message{
			userMsg(says("q")), sysMsg(says("be brief")), botMsg(says("a")), userMsg(says("next")),
		},
	},
	{
		name: "thinking after a repair, where it is bound to all before it",
		reason: "the provider compares; kept, the block is a 400 for ever. What comes before " +
			"the repair stays",
		source: "https://github.com/anomalyco/opencode/issues/48637", profile: "claude-opus-5-5",
		in: []preflight.Message{
			userMsg(says("q")), botMsg(thinks("one", "b25l"), says("a")),
			userMsg(says("next"), says(" ")), botMsg(thinks("two", "dHdv"), says("b")),
			userMsg(says("more")),
		},
		want: []string{
			`user: "q"`,
			`assistant: thinking b25l | "a"`,
			`user: "next"`,
			`assistant: "b"`,
			`user: "more"`,
		},
		codes: []codes.Code{codes.EmptyRemoved, codes.ReasoningRemoved},
	},
	{
		name: "thinking that another provider signed",
		reason: "its signature is in another alphabet and cannot verify here; the text around it " +
			"stays",
		source: "https://github.com/ding113/claude-code-hub/issues/518",
		in: []preflight.Message{
			userMsg(says("q")),
			botMsg(thinks("hm", "rs_68a|enc:v1"), says("a")),
			userMsg(says("next")),
		},
		want:  []string{`user: "q"`, `assistant: "a"`, `user: "next"`},
		codes: []codes.Code{codes.ReasoningRemoved},
	},
	{
		name:   "roles of another framework",
		reason: "an unknown role keeps its content: dropping it would lose what was said",
		source: "openai-chat/role-unknown",
		in: []preflight.Message{
			{Role: "human", Parts: []preflight.Part{says("q")}},
			{Role: "ai", Parts: []preflight.Part{says("a")}},
			{Role: "narrator", Parts: []preflight.Part{says("meanwhile")}},
		},
		want:  []string{`user: "q"`, `assistant: "a"`, `user: "meanwhile"`},
		codes: []codes.Code{codes.RoleMapped, codes.RoleMapped, codes.RoleMapped},
	},
}

func (c hardCase) given() given {
	profile, known := provider.ByName(c.profile, "")
	switch {
	case c.profile == "":
		profile = provider.Anthropic("claude-sonnet-4-5")
	case c.profile == "alternating": // as hosts and self-hosted models want it
		profile = provider.Anthropic("claude-sonnet-4-5")
		profile.Turns.UserFirst, profile.Turns.Neighbours = true, provider.NeighboursMerged
	case !known:
		profile = provider.Anthropic(c.profile)
	}
	return given{profile, &c.options, c.in}
}

func TestHardCases(t *testing.T) {
	for _, c := range hardCases {
		t.Run(c.name, func(t *testing.T) {
			g := c.given()
			res, err := g.sanitize(g.in)
			require.NoError(t, err)
			want := c.want
			if want == nil {
				want = lines(g.in)
				require.True(t, sameArray(res.Messages, g.in),
					"a valid history has to come back as it is")
			}
			if diff := cmp.Diff(want, lines(res.Messages)); diff != "" {
				t.Errorf("%s\nsource: %s\n(-want +got):\n%s", c.reason, c.source, diff)
			}
			var codes []codes.Code
			for _, w := range res.Warnings {
				codes = append(codes, w.Code)
			}
			if diff := cmp.Diff(c.codes, codes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			require.Empty(t, preflight.Check(res.Messages, g.effective(), nil))
			again, err := g.sanitize(res.Messages)
			require.NoError(t, err)
			require.False(t, again.Changed, "the output changes again: %s", list(again.Warnings))
		})
	}
}

// TestWarningsPointIntoTheInput: positions count in the caller's history, whatever was removed and
// joined before.
func TestWarningsPointIntoTheInput(t *testing.T) {
	g := hardCase{}.given()
	g.in = []preflight.Message{
		userMsg(says(" "), says("q")), userMsg(says("")), botMsg(calls("gone")), userMsg(says("x")),
		botMsg(says("a"), calls("b.c")), userMsg(says("wait")), userMsg(answers("b.c", "late")),
	}
	res, err := g.sanitize(g.in)
	require.NoError(t, err)
	var got []string
	for _, w := range res.Warnings {
		got = append(got, fmt.Sprintf("%s %s %s", w.At, w.Code, w.ToolCallID))
	}
	want := []string{
		"messages[2].parts[0] dangling-removed gone",
		"messages[6].parts[0] result-moved b.c",
		"messages[4].parts[1] id-rewritten b.c",
		"messages[6].parts[0] id-rewritten b.c",
		"messages[0].parts[0] empty-part-removed ",
		"messages[1].parts[0] empty-part-removed ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]int{{0}, {3}, {4}, {5, 6}}, res.Origins); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
}

// TestSameAnswerEveryTime: no clock, no randomness, no order of a map in the output.
func TestSameAnswerEveryTime(t *testing.T) {
	for _, c := range hardCases {
		g := c.given()
		first, err := g.sanitize(g.in)
		require.NoError(t, err)
		for range 20 {
			again, err := preflight.Sanitize(context.Background(), g.in, g.profile, g.options)
			require.NoError(t, err)
			require.Equal(t, first, again, c.name)
		}
	}
}
