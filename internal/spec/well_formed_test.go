package spec

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
)

// This file tests what every pipeline repairs first, whatever the provider.

// TestWellFormed: whatever else a fixer does, parts that are nil are removed first, and what may
// not be in a tool result becomes its text.
func TestWellFormed(t *testing.T) {
	within := func(parts ...preflight.Part) []preflight.Message {
		return history(botMsg(calls("a")),
			toolMsg(&preflight.ToolResult{CallID: "a", Content: parts}))
	}
	deep := &preflight.ToolResult{
		Output: json.RawMessage(`"o1"`),
		Content: []preflight.Part{
			says("t1"), (*preflight.Text)(nil), thinks("r1", ""), (*preflight.Reasoning)(nil),
			callsWith("x", `{"i":1}`), (*preflight.ToolCall)(nil),
			&preflight.ToolResult{
				Output:  json.RawMessage(`"o2"`),
				Content: []preflight.Part{says("t2"), &preflight.ToolResult{}},
			}, (*preflight.ToolResult)(nil), nil, says(""), image(), says("t3"),
		},
	}
	nested := warned(codes.NestingRemoved)
	takes := preflight.Profile{Media: provider.MediaRules{InResult: true}}
	runFixer(t, fixer.ClearMeta(), []fixerCase{
		{
			name: "nil parts",
			in: history(userMsg(nil, says("a"), (*preflight.Text)(nil), (*preflight.Media)(nil),
				(*preflight.Other)(nil), (*preflight.Reasoning)(nil), (*preflight.ToolCall)(nil),
				(*preflight.ToolResult)(nil), says("b"))),
			want:  history(userMsg(says("a"), says("b"))),
			codes: slices.Repeat(warned(codes.NilRemoved), 7),
		},
		{
			name:  "calls and reasoning in a result",
			in:    within(says("0"), calls("b"), thinks("hm", ""), says("1")),
			want:  within(says("0"), says(`{}`), says("hm"), says("1")),
			codes: nested,
		},
		{
			name: "of which nothing can be said",
			in: within(callsWith("b", ""), thinks("", ""), nil, (*preflight.Text)(nil),
				&preflight.ToolResult{}, says("1")),
			want:  within(says("1")),
			codes: nested,
		},
		{
			name:  "a result in a result, however deep",
			in:    within(deep),
			want:  within(says("\"o1\"\nt1\nr1\n{\"i\":1}\n\"o2\"\nt2\nt3")),
			codes: nested,
		},
		{
			name: "what is allowed there", profile: takes,
			in: within(says("0"), image(), &preflight.Other{Kind: "x"}),
		},
	})
}
