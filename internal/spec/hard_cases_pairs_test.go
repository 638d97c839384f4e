package spec

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// hardPairs are the hard cases of calls and results.
var hardPairs = []hardCase{
	{
		name: "the real result comes turns after its call",
		reason: "set arithmetic finds both halves and changes nothing, so the session stays " +
			"broken; dropping the call loses work that was done",
		source: "https://github.com/anthropics/claude-code/issues/1237",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(calls("a")), userMsg(says("and?")),
			botMsg(says("still running")), userMsg(answers("a", "done")), userMsg(says("so?")),
		},
		want: []string{
			`user: "run it" | "and?"`,
			`assistant: "still running" | call a`,
			`user: result a "done"`,
			`user: "so?"`,
		},
		codes: []codes.Code{codes.CallMoved, codes.Merged},
	},
	{
		name:   "the real result comes after the user, and the model has not spoken",
		reason: "nothing was said to the user's words, and a result goes before them",
		source: "https://github.com/anthropics/claude-code/issues/1237",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(calls("a")), userMsg(says("and?")),
			userMsg(says("hm")), userMsg(answers("a", "done")),
		},
		want: []string{
			`user: "run it"`,
			`assistant: call a`,
			`user: result a "done" | "and?"`,
			`user: "hm"`,
		},
		codes: []codes.Code{codes.ResultMoved},
	},
	{
		name: "the real result is the last word, after the model spoke again",
		reason: "moved up, it would be before what was said meanwhile, and the model would be asked " +
			"to go on with its own words",
		source: "https://github.com/vercel/eve/issues/533",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(says("at once"), calls("a")), userMsg(says("and?")),
			botMsg(says("still running")), userMsg(answers("a", "done")),
		},
		want: []string{
			`user: "run it"`,
			`assistant: "at once"`,
			`user: "and?"`,
			`assistant: "still running" | call a`,
			`user: result a "done"`,
		},
		codes: []codes.Code{codes.CallMoved},
	},
	{
		name:   "the same, after a placeholder",
		reason: "what was sent with the placeholder stays as it is",
		source: "https://github.com/vercel/eve/issues/533",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(calls("a")), userMsg(fails("a", "No result provided")),
			userMsg(says("and?")), botMsg(says("still running")), userMsg(says("ok")),
			userMsg(answers("a", "done")),
		},
		want: []string{
			`user: "run it"`,
			`assistant: call a`,
			`user: error a "No result provided"`,
			`user: "and?"`,
			`assistant: "still running"`,
			`user: "ok"`,
			`assistant: call a_2`,
			`user: result a_2 "done"`,
		},
		codes: []codes.Code{codes.CallRepeated},
	},
	{
		name: "a placeholder is in the place of the real result",
		reason: "keeping the first result keeps the stand-in, and the model repeats what was " +
			"already done",
		source: "anthropic/tool-result-duplicate",
		in: []preflight.Message{
			userMsg(says("run it")), botMsg(calls("a")), userMsg(fails("a", "No result provided")),
			userMsg(says("hm")), userMsg(answers("a", "done"), says("see?")),
		},
		want: []string{
			`user: "run it"`, `assistant: call a`, `user: result a "done"`,
			`user: "hm" | "see?"`,
		},
		codes: []codes.Code{codes.PlaceholderReplaced, codes.ResultMoved, codes.Merged},
	},
	{
		name: "a result whose call was cut off, and later calls that have its id again",
		reason: "merged into the answer of the later call, it is what another call returned; an " +
			"agent that counts calls from 0 in every turn is the rule, not the exception",
		source: "anthropic/tool-use-id-duplicate", profile: "openai-chat",
		in: []preflight.Message{
			toolMsg(answers("call_0", "of a lost call")), userMsg(says("q")),
			botMsg(calls("call_0")), toolMsg(answers("call_0", "one")),
			botMsg(calls("call_0")), toolMsg(answers("call_0", "two")),
		},
		want: []string{
			`user: "q"`, `assistant: call call_0`, `tool: result call_0 "one"`,
			`assistant: call call_0`, `tool: result call_0 "two"`,
		},
		codes: []codes.Code{codes.OrphanRemoved},
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
		reason: "the text around it stays; the user's messages that the repair brought together " +
			"become one, as the API reads them",
		source: "https://github.com/anthropics/claude-code/issues/13460",
		in:     []preflight.Message{userMsg(says("q")), botMsg(calls("a")), userMsg(says("stop"))},
		want:   []string{`user: "q" | "stop"`},
		codes:  []codes.Code{codes.DanglingRemoved, codes.Merged},
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
}
