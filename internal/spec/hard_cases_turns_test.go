package spec

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
)

// hardTurns are the hard cases of turns and of content.
var hardTurns = []hardCase{
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
		source: "anthropic/web-search-encrypted-content",
		options: preflight.Options{
			Fixers: []preflight.Fixer{fixer.Truncate{MaxString: 5}.Fixer()},
		},
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
		want:  []string{`user: "q" | "hello?"`},
		codes: []codes.Code{codes.EmptyRemoved, codes.Merged},
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
			`user: "(the next image is from the result of tool f)" | image`,
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
