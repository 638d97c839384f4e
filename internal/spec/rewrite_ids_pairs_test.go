package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests that a call and its results get the same new id.

// TestRewriteIDsOfPairs: how a result finds the new id of its call, and the warnings.
func TestRewriteIDsOfPairs(t *testing.T) {
	words := preflight.Profile{
		IDs: provider.IDRules{
			Call:       provider.Pattern{Alphabet: provider.WordChars},
			ServerCall: provider.Pattern{Prefix: "srv_", Alphabet: provider.WordChars},
			Unique:     provider.ScopeHistory,
		},
	}
	anywhere, typed, byName, turns := words, words, words, words
	anywhere.Pairing.Results = provider.ResultsAnywhere
	typed.Pairing.Typed = true
	byName.Pairing.ByName = true
	turns.IDs.Unique = provider.ScopeTurn
	again := func(id string, n int) string { return id + "_" + hash8(fmt.Sprint(id, "\x00", n)) }
	custom := func(id string) (*preflight.ToolCall, *preflight.ToolResult) {
		c, r := calls(id), answers(id, "c")
		c.Variant, r.Variant = "custom", "custom"
		return c, r
	}
	named := func(id, name string) (*preflight.ToolCall, *preflight.ToolResult) {
		c, r := calls(id), answers(id, name)
		c.Name, r.Name = name, name
		return c, r
	}
	variant := func(id string) *preflight.ToolCall { c, _ := custom(id); return c }
	variantResult := func(id string) *preflight.ToolResult { _, r := custom(id); return r }
	call := func(id, name string) *preflight.ToolCall { c, _ := named(id, name); return c }
	result := func(id, name string) *preflight.ToolResult { _, r := named(id, name); return r }
	mcp := searches("x.y")
	mcp.Variant = "mcp"
	joining := turns
	joining.Turns.Neighbours = provider.NeighboursJoined
	runFixer(t, preflight.Fixers.RewriteIDs, []fixerCase{
		{
			name: "what is wrong with an id",
			profile: preflight.Profile{
				IDs: provider.IDRules{
					Call: provider.Pattern{Alphabet: provider.WordChars, Max: 20},
				},
			},
			in: history(botMsg(calls("x.y"), calls(strings.Repeat("z", 21))),
				toolMsg(answers("x.y", "1"))),
			alone: true,
			want: history(botMsg(calls("x_y_"+hash8("x.y\x000")),
				calls(strings.Repeat("z", 11)+"_"+hash8(strings.Repeat("z", 21)+"\x000"))),
				toolMsg(answers("x_y_"+hash8("x.y\x000"), "1"))),
			whole: []string{
				"id-rewritten preflight/id-pattern messages[0].parts[0] x.y -1 call -2 byte +1 " +
					"call +2 byte",
				"id-rewritten preflight/id-length messages[0].parts[1] " +
					strings.Repeat("z", 21) + " -1 call -2 byte +1 call +2 byte",
				"id-rewritten preflight/id-pattern messages[1].parts[0] x.y -1 text -1 result -1 " +
					"byte +1 text +1 result +1 byte",
			},
		},
		{
			name: "an id that occurs again", profile: words,
			in: history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))),
			want: history(botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(calls(again("a", 1))), toolMsg(answers(again("a", 1), "2"))),
			whole: []string{
				"id-rewritten preflight/id-duplicate messages[2].parts[0] a -1 call -2 byte +1 " +
					"call +2 byte",
				"id-rewritten preflight/id-duplicate messages[3].parts[0] a -1 text -1 result -1 " +
					"byte +1 text +1 result +1 byte",
			},
		},
		{
			name: "ids of the provider's tools are apart", profile: words,
			in: history(botMsg(searches("x"), finds("x", "1"), calls("b")),
				toolMsg(answers("b", "2"))),
			want: history(botMsg(searches("srv_x_"+hash8("x\x000")),
				finds("srv_x_"+hash8("x\x000"), "1"), calls("b")), toolMsg(answers("b", "2"))),
			whole: []string{
				"id-rewritten preflight/server-id messages[0].parts[0] x -1 call -13 byte +1 " +
					"call +13 byte",
				"id-rewritten preflight/id-pattern messages[0].parts[1] x -1 result -1 byte +1 " +
					"result +1 byte",
			},
		},
		{
			name: "but not twice either", profile: words,
			in: history(botMsg(searches("srv_x"), finds("srv_x", "1"), searches("srv_x"),
				finds("srv_x", "2"))),
			want: history(botMsg(searches("srv_x"), finds("srv_x", "1"),
				searches("srv_x_"+hash8("srv_x\x001")), finds("srv_x_"+hash8("srv_x\x001"), "2"))),
			whole: []string{
				"id-rewritten preflight/id-duplicate messages[0].parts[2] srv_x -1 call -13 byte " +
					"+1 call +13 byte",
				"id-rewritten preflight/id-duplicate messages[0].parts[3] srv_x -1 result -1 " +
					"byte +1 result +1 byte",
			},
		},
		{
			name: "and those of MCP are the provider's own", profile: words, alone: true,
			in: history(botMsg(mcp)),
		},
		{
			name: "a result without a call", profile: words, alone: true,
			in: history(toolMsg(answers("x.y", "1")), botMsg(calls("a")),
				toolMsg(answers("b.c", "2"))),
		},
		{
			name: "and in the turn before", profile: words, alone: true,
			in: history(botMsg(calls("x.y")), botMsg(calls("a")),
				toolMsg(answers("x.y", "1"))),
			want: history(botMsg(calls("x_y_"+hash8("x.y\x000"))), botMsg(calls("a")),
				toolMsg(answers("x_y_"+hash8("x.y\x000"), "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "unless the messages of a turn are joined", profile: joining,
			in: history(botMsg(calls("x.y")), userMsg(), botMsg(), botMsg(calls("a")),
				toolMsg(answers("x.y", "1"), answers("a", "2"))),
			want: history(botMsg(calls("x_y_"+hash8("x.y\x000"))), userMsg(), botMsg(),
				botMsg(calls("a")),
				toolMsg(answers("x_y_"+hash8("x.y\x000"), "1"), answers("a", "2"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "or results are anywhere", profile: anywhere,
			in: history(botMsg(calls("x.y")), botMsg(calls("a")),
				toolMsg(answers("x.y", "1"), answers("a", "2"))),
			want: history(botMsg(calls("x_y_"+hash8("x.y\x000"))), botMsg(calls("a")),
				toolMsg(answers("x_y_"+hash8("x.y\x000"), "1"), answers("a", "2"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "where a call that waits is not meant, if another is", profile: anywhere,
			in: history(botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1"))),
			want: history(botMsg(waits("a"), calls(again("a", 1))),
				toolMsg(answers(again("a", 1), "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "and is, if none", profile: anywhere,
			in: history(botMsg(waits("x.y")), toolMsg(answers("x.y", "1"))),
			want: history(botMsg(waits("x_y_"+hash8("x.y\x000"))),
				toolMsg(answers("x_y_"+hash8("x.y\x000"), "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "the last that waits is left out first", profile: words, alone: true,
			in: history(botMsg(waits("a"), calls("a"), waits("a")),
				toolMsg(answers("a", "1"), answers("a", "2")), userMsg(says("q"))),
			want: history(botMsg(waits("a"), calls(again("a", 1)), waits(again("a", 2))),
				toolMsg(answers("a", "1"), answers(again("a", 1), "2")), userMsg(says("q"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "results of other messages of the zone count", profile: words,
			in: history(botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2")), botMsg(says("x"))),
			want: history(botMsg(waits("a"), calls(again("a", 1))), toolMsg(answers("a", "1")),
				toolMsg(answers(again("a", 1), "2")), botMsg(says("x"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "those of other turns do not", profile: words,
			in: history(botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1")),
				botMsg(calls("a")), toolMsg(answers("a", "2"))),
			want: history(botMsg(waits("a"), calls(again("a", 1))),
				toolMsg(answers(again("a", 1), "1")), botMsg(calls(again("a", 2))),
				toolMsg(answers(again("a", 2), "2"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten, codes.IDRewritten,
				codes.IDRewritten),
		},
		{
			name: "the variant of a call is part of it", profile: typed,
			in: history(botMsg(calls("a"), variant("a")), toolMsg(variantResult("a")),
				toolMsg(answers("a", "1"))),
			want: history(botMsg(calls("a"), variant(again("a", 1))),
				toolMsg(variantResult(again("a", 1))), toolMsg(answers("a", "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "or is not", profile: words,
			in: history(botMsg(calls("a"), variant("a")), toolMsg(variantResult("a")),
				toolMsg(answers("a", "1"))),
			want: history(botMsg(calls("a"), variant(again("a", 1))),
				toolMsg(variantResult("a")), toolMsg(answers(again("a", 1), "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "its name, too", profile: byName,
			in: history(botMsg(call("a", "f"), call("a", "g")),
				toolMsg(result("a", "g"), result("a", "f"))),
			want: history(botMsg(call("a", "f"), call(again("a", 1), "g")),
				toolMsg(result(again("a", 1), "g"), result("a", "f"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "or not", profile: words,
			in: history(botMsg(call("a", "f"), call("a", "g")),
				toolMsg(result("a", "g"), result("a", "f"))),
			want: history(botMsg(call("a", "f"), call(again("a", 1), "g")),
				toolMsg(result("a", "g"), result(again("a", 1), "f"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "an id of which there is none",
			profile: preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Pairing: provider.PairingRules{ByName: true},
			},
			in: history(botMsg(call("", "f")), toolMsg(result("", "f"))),
		},
		{
			name: "ids are unique within a turn", profile: turns,
			in: history(botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2")), botMsg(calls("a")),
				toolMsg(answers("a", "3"))),
			want: history(botMsg(calls("a"), calls(again("a", 1))),
				toolMsg(answers("a", "1"), answers(again("a", 1), "2")), botMsg(calls("a")),
				toolMsg(answers("a", "3"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "or not at all",
			in: history(botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
		},
		{
			name: "a blank id is refused everywhere",
			in: history(botMsg(calls(" "), calls("\x00")),
				toolMsg(answers(" ", "1"), answers("\x00", "2"))),
			want: history(botMsg(calls("call_"+hash8(" \x000")), calls("__"+hash8("\x00\x000"))),
				toolMsg(answers("call_"+hash8(" \x000"), "1"),
					answers("__"+hash8("\x00\x000"), "2"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten, codes.IDRewritten,
				codes.IDRewritten),
		},
	})
}
