package preflight_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

func TestDropEmpty(t *testing.T) {
	blank := preflight.Profile{RefuseEmptyText: true, RefuseBlankText: true, RefuseEmptyMessage: true, ErrorNeedsText: true}
	empty := preflight.Profile{RefuseEmptyText: true, RefuseEmptyMessage: true}
	wordy := preflight.Profile{RefuseEmptyText: true, ResultNeedsText: true}
	pair := func(r *preflight.ToolResult) []preflight.Message {
		return history(userMsg(says("q")), botMsg(calls("a")), toolMsg(r))
	}
	silent := &preflight.ToolResult{CallID: "a", IsError: true}
	spoken := &preflight.ToolResult{CallID: "a", IsError: true, Content: []preflight.Part{says("(no error text)")}}
	runFixer(t, preflight.DropEmpty, []fixerCase{
		{name: "empty text goes, its neighbours stay", profile: empty, in: history(userMsg(says(""), says("q"))), want: history(userMsg(says("q"))),
			codes: warned(preflight.CodeEmptyRemoved)},
		{name: "blank text stays where only empty text is refused", profile: empty, in: history(userMsg(says(" ")))},
		{name: "blank text goes where it is refused", profile: blank, in: history(userMsg(says(" \n\u00a0"), says("q"))), want: history(userMsg(says("q"))),
			codes: warned(preflight.CodeEmptyRemoved)},
		{name: "a message goes with its last text", profile: blank, in: history(userMsg(says("q")), botMsg(says(""))), want: history(userMsg(says("q"))),
			codes: warned(preflight.CodeEmptyRemoved)},
		{name: "a message without parts goes", profile: blank, in: history(userMsg(says("q")), botMsg()), want: history(userMsg(says("q"))),
			codes: warned(preflight.CodeMessageRemoved)},
		{name: "reasoning, media and unknown parts are content", profile: blank, in: history(userMsg(image()), botMsg(redacted()), userMsg(&preflight.Other{Kind: "new"}))},
		{name: "a result may be empty", profile: blank, in: pair(&preflight.ToolResult{CallID: "a"})},
		{name: "empty text in a result goes", profile: blank, in: pair(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{says(" "), says("x")}}),
			want: pair(answers("a", "x")), codes: warned(preflight.CodeEmptyRemoved)},
		{name: "an error says something", profile: blank, in: pair(silent), want: pair(spoken), codes: warned(preflight.CodeResultFilled)},
		{name: "a result that needs a text is not given one that is refused", profile: wordy, in: pair(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("")}}),
			want: pair(answers("a", "(no output)")), codes: warned(preflight.CodeEmptyRemoved, preflight.CodeResultFilled)},
		{name: "nothing is refused", in: history(userMsg(says("")), botMsg())},
	})
}
