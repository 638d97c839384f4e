package preflight_test

import (
	"testing"

	"github.com/go-preflight/preflight"
)

func TestMergeNeighbours(t *testing.T) {
	merges := preflight.Profile{Merge: true}
	named := func(name string, m preflight.Message) preflight.Message { m.Name = name; return m }
	runFixer(t, preflight.MergeNeighbours, []fixerCase{
		{name: "users join, part by part, in order", profile: merges, in: history(userMsg(says("a"), image()), userMsg(says("b"))),
			want: history(userMsg(says("a"), image(), says("b"))), codes: warned(preflight.CodeMerged)},
		{name: "a run of any length is one message", profile: merges, in: history(userMsg(says("q")), botMsg(says("a")), botMsg(says("b")), botMsg(says("c"))),
			want: history(userMsg(says("q")), botMsg(says("a"), says("b"), says("c"))), codes: warned(preflight.CodeMerged, preflight.CodeMerged)},
		{name: "the first message's own fields win", profile: merges, in: history(named("ann", userMsg(says("a"))), named("bob", userMsg(says("b")))),
			want: history(named("ann", userMsg(says("a"), says("b")))), codes: warned(preflight.CodeMerged)},
		{name: "system messages stay apart", profile: merges, in: history(sysMsg(says("a")), sysMsg(says("b")), userMsg(says("q")))},
		{name: "but where one of them leads", profile: preflight.Profile{Merge: true, OneSystem: true}, in: history(sysMsg(says("a")), sysMsg(says("b")), userMsg(says("q"))),
			want: history(sysMsg(says("a"), says("b")), userMsg(says("q"))), codes: warned(preflight.CodeMerged)},
		{name: "tool messages stay apart", profile: merges, in: history(userMsg(says("q")), botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")), toolMsg(answers("b", "2")))},
		{name: "nobody asked for it", in: history(userMsg(says("a")), userMsg(says("b")))},
	})
}
