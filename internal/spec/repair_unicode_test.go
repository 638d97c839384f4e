package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the repair of texts: lone surrogates, NUL and control characters.

func TestStripControls(t *testing.T) {
	refuses := preflight.Profile{Content: provider.ContentRules{RefuseControls: true}}
	runFixer(t, preflight.Fixers.StripControls, []fixerCase{
		{
			name: "control characters go, tab and line ends stay", profile: refuses,
			in:    history(userMsg(says("a\x1b[31m\tb\r\n\x7f"))),
			want:  history(userMsg(says("a[31m\tb\r\n"))),
			codes: warned(codes.TextRepaired),
		},
		{
			name: "in results too", profile: refuses,
			in:    history(botMsg(calls("a")), toolMsg(answers("a", "\x07x"))),
			want:  history(botMsg(calls("a")), toolMsg(answers("a", "x"))),
			codes: warned(codes.TextRepaired),
		},
		{
			name: "signed reasoning is never edited", profile: refuses,
			in: history(botMsg(thinks("a\x1b", "sig"))),
		},
		{name: "not asked for", in: history(userMsg(says("a\x1b")))},
	})
}

// TestControlCharactersAreReported: which they are, and where they are looked for.
func TestControlCharactersAreReported(t *testing.T) {
	refuses := preflight.Profile{Content: provider.ContentRules{RefuseControls: true}}
	q, call := userMsg(says("q")), botMsg(calls("a"))
	result := func(parts ...preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "a", Content: parts})
	}
	runFixer(t, preflight.Fixers.StripControls, []fixerCase{
		{
			name: "from the first to the last", profile: refuses,
			in:     history(userMsg(says("a\x01b\x1fc\x7fd"))),
			want:   history(userMsg(says("abcd"))),
			report: []string{"text-repaired 0.0 preflight/control-character"},
		},
		{
			name: "their neighbours are none", profile: refuses,
			in: history(userMsg(says("\t\n\r ~\u0080é"))),
		},
		{
			name: "NUL is not concerned", profile: refuses, alone: true,
			in: history(userMsg(says("a\x00b"))),
		},
		{
			name: "in unsigned reasoning", profile: refuses,
			in:     history(q, botMsg(thinks("h\x07m", ""))),
			want:   history(q, botMsg(thinks("hm", ""))),
			report: []string{"text-repaired 1.0 preflight/control-character"},
		},
		{
			name: "in one text of a result", profile: refuses,
			in:     history(q, call, result(says("1"), says("2\x07"), says("3"))),
			want:   history(q, call, result(says("1"), says("2"), says("3"))),
			report: []string{"text-repaired 2.0 preflight/control-character of a"},
		},
		{
			name: "not in arguments, which are JSON", profile: refuses,
			in: history(q, botMsg(callsWith("a", `{"a":"\u0007"}`)),
				toolMsg(answers("a", "1"))),
		},
	})
}

func TestRepairUnicode(t *testing.T) {
	repaired := warned(codes.TextRepaired)
	var cases []fixerCase
	for _, c := range []struct {
		name     string
		in, want preflight.Part
	}{
		{"half an emoji becomes one U+FFFD", says("a\xed\xa0\xbdb"), says("a\ufffdb")},
		{"and so does every other bad byte", says("\xff\xfe"), says("\ufffd\ufffd")},
		{"NUL is removed", says("a\x00b"), says("ab")},
		{"the halves around a NUL do not become a pair", says("\xed\xa0\xbd\x00\xed\xb8\x80"),
			says("\ufffd\ufffd")},
		{"unsigned reasoning", thinks("h\x00m", ""), thinks("hm", "")},
		{"the name of a file", &preflight.Media{Kind: "document", Name: "\xffa", Data: "JVBERi0="},
			&preflight.Media{Kind: "document", Name: "\ufffda", Data: "JVBERi0="}},
		{"an escape in an output", finds("a", `{"x":"\ud83d","n":1.0}`),
			finds("a", `{"x":"\ufffd","n":1.0}`)},
		// The NUL hides from the scanner the rest of the string: found by a property of
		// preflighttest/conformance.
		{"an escape in what is JSON only without its NUL", finds("a", "\"\x00\\udfff\""),
			finds("a", `"\ufffd"`)},
		{"the text in a result",
			&preflight.ToolResult{
				CallID: "a", ProviderExecuted: true,
				Content: []preflight.Part{says("x\x00")},
			},
			&preflight.ToolResult{
				CallID: "a", ProviderExecuted: true,
				Content: []preflight.Part{says("x")},
			}},
	} {
		call := &preflight.ToolCall{
			ID:               "a",
			Name:             "f",
			Input:            json.RawMessage(`{}`),
			ProviderExecuted: true,
		}
		if r, ok := c.in.(*preflight.ToolResult); ok {
			cases = append(cases, fixerCase{
				name:  c.name,
				in:    history(botMsg(call, r)),
				want:  history(botMsg(call, c.want)),
				codes: repaired,
			})
			continue
		}
		cases = append(cases, fixerCase{
			name:  c.name,
			in:    history(botMsg(c.in)),
			want:  history(botMsg(c.want)),
			codes: repaired,
		})
	}
	cases = append(cases,
		fixerCase{name: "sound text stays", in: history(userMsg(says("naïve 👍🏽 \ufffd")))},
		fixerCase{
			name: "a pair of escapes is a character",
			in: history(botMsg(callsWith("a", `{"x":"\ud83d\ude00"}`)),
				toolMsg(answers("a", "ok"))),
		},
		fixerCase{
			name:  "signed reasoning is never edited: it is removed",
			in:    history(botMsg(thinks("h\x00m", "sig"), says("x"))),
			want:  history(botMsg(says("x"))),
			codes: warned(codes.ReasoningRemoved),
		})
	runFixer(t, preflight.Fixers.RepairUnicode, cases)
}
