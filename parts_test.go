package preflight_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// The fixers that look at parts by themselves.

func TestStripControls(t *testing.T) {
	refuses := preflight.Profile{Content: provider.ContentRules{RefuseControls: true}}
	runFixer(t, preflight.StripControls, []fixerCase{
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
		{name: "nobody asked for it", in: history(userMsg(says("a\x1b")))},
	})
}

func TestRepairArguments(t *testing.T) {
	objects := preflight.Profile{Tools: provider.ToolRules{ObjectArguments: true}}
	row := func(name, in, want string) fixerCase {
		return fixerCase{
			name: name, profile: objects,
			in:    history(botMsg(callsWith("a", in)), toolMsg(answers("a", "1"))),
			want:  history(botMsg(callsWith("a", want)), toolMsg(answers("a", "1"))),
			codes: warned(codes.ArgumentsRepaired),
		}
	}
	custom := calls("a")
	custom.Input, custom.Variant = json.RawMessage("free text"), "custom"
	runFixer(t, preflight.RepairArguments, []fixerCase{
		row("an object that was encoded twice is decoded", `"{\"a\":1.0}"`, `{"a":1.0}`),
		row("and three times", `"\"{\\\"a\\\":1}\""`, `{"a":1}`),
		row("what was cut off is kept as it was", `{"path":"/etc/ho`,
			`{"_raw":"{\"path\":\"/etc/ho"}`),
		row("another value is kept as that value", `[1, 2.50]`, `{"_raw":[1, 2.50]}`),
		row("one encoded twice too", `"[1]"`, `{"_raw":[1]}`),
		row("and one cut off inside", `"{\"a\":"`, `{"_raw":"{\"a\":"}`),
		row("what was encoded more often is kept as the text it is", `"\"\\\"{}\\\"\""`,
			`{"_raw":"{}"}`),
		row("null is no arguments", `null`, `{}`),
		row("nor is the word for it", `"null"`, `{}`),
		row("and so is nothing", ``, `{}`),
		row("and white space", `"  "`, `{}`),
		{
			name: "an object stays byte for byte", profile: objects,
			in: history(botMsg(callsWith("a", `{ "n": 1.0, "s": "\u00e9" }`)),
				toolMsg(answers("a", "1"))),
		},
		{
			name: "a custom tool takes free text", profile: objects,
			in: history(botMsg(custom), toolMsg(answers("a", "1"))),
		},
		{
			name: "nobody asked for it",
			in:   history(botMsg(callsWith("a", `[1]`)), toolMsg(answers("a", "1"))),
		},
	})
}

// TestMadeIDs: a made id has what is legal of the old one, as far as there is room, and a hash of
// all of it, within every limit.
func TestMadeIDs(t *testing.T) {
	hash := func(id string, n int) string {
		sum := sha256.Sum256([]byte(id + "\x000"))
		return hex.EncodeToString(sum[:])[:n]
	}
	long := strings.Repeat("ab", 30)
	type pattern = provider.Pattern
	for _, c := range []struct {
		name     string
		p        pattern
		id, want string
	}{
		{"words", pattern{Alphabet: provider.WordChars}, "a.b/c", "a_b_c_" + hash("a.b/c", 8)},
		{"white space around it", pattern{Alphabet: provider.WordChars}, " a b\n",
			"a_b_" + hash(" a b\n", 8)},
		{"nothing legal", pattern{Alphabet: provider.WordChars}, " ", "call_" + hash(" ", 8)},
		{"none", pattern{}, "", "call_" + hash("", 8)},
		{"none, among words", pattern{Alphabet: provider.WordChars}, "", "call_" + hash("", 8)},
		{"other scripts", pattern{Alphabet: provider.WordChars}, "aé€b", "a__b_" + hash("aé€b", 8)},
		{"no more than 40", pattern{Alphabet: provider.WordChars}, long + ".",
			long[:31] + "_" + hash(long+".", 8)},
		{"even where there is more room", pattern{Alphabet: provider.WordChars, Max: 64},
			long + ".", long[:31] + "_" + hash(long+".", 8)},
		{"or the limit", pattern{Alphabet: provider.WordChars, Max: 30}, long + ".",
			long[:21] + "_" + hash(long+".", 8)},
		{"just as long as there is room for", pattern{Alphabet: provider.WordChars, Max: 20},
			"abcdefghij.", "abcdefghij__" + hash("abcdefghij.", 8)},
		{"and one more", pattern{Alphabet: provider.WordChars, Max: 20}, "abcdefghijk.",
			"abcdefghijk_" + hash("abcdefghijk.", 8)},
		{"just enough to be readable", pattern{Alphabet: provider.WordChars, Max: 16},
			"abcdefghijk.", "abcdefg_" + hash("abcdefghijk.", 8)},
		{"not enough", pattern{Alphabet: provider.WordChars, Max: 15}, "abcdefghijk.",
			hash("abcdefghijk.", 15)},
		{"a prefix", pattern{Prefix: "toolu_", Alphabet: provider.WordChars}, "toolu_a.b",
			"toolu_a_b_" + hash("toolu_a.b", 8)},
		{"which was missing", pattern{Prefix: "toolu_", Alphabet: provider.WordChars}, "a.b",
			"toolu_a_b_" + hash("a.b", 8)},
		{"and takes room", pattern{Prefix: "toolu_", Alphabet: provider.WordChars, Max: 21}, "a.b",
			"toolu_" + hash("a.b", 15)},
		{"almost all of it", pattern{Prefix: "toolu_", Alphabet: provider.WordChars, Max: 7}, "a.b",
			"toolu_" + hash("a.b", 1)},
		{"a fixed length", pattern{Alphabet: provider.AlnumChars, Min: 9, Max: 9}, "call_1",
			hash("call_1", 9)},
		{"however long", pattern{Alphabet: provider.AlnumChars, Min: 24, Max: 24}, "call_1",
			hash("call_1", 24)},
		{"nothing but letters and digits", pattern{Alphabet: provider.AlnumChars, Max: 24},
			"call_1", "call1" + hash("call_1", 8)},
		{"of which some are cut", pattern{Alphabet: provider.AlnumChars, Max: 24}, long + "_",
			long[:15] + hash(long+"_", 8)},
	} {
		t.Run(c.name, func(t *testing.T) {
			runFixer(t, preflight.RewriteIDs, []fixerCase{
				{
					name:    "call and result",
					profile: preflight.Profile{IDs: provider.IDRules{Call: c.p}},
					in:      history(botMsg(calls(c.id)), toolMsg(answers(c.id, "1"))),
					want:    history(botMsg(calls(c.want)), toolMsg(answers(c.want, "1"))),
					codes:   warned(codes.IDRewritten, codes.IDRewritten),
				},
			})
			require.True(t, c.p.Matches(c.want))
		})
	}
}

// TestIDsOfBothSides: what a result is known by in the table of renamed calls, and what is said of
// it.
func TestIDsOfBothSides(t *testing.T) {
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
	runFixer(t, preflight.RewriteIDs, []fixerCase{
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
			name: "a result that nobody called for", profile: words, alone: true,
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
			name: "or results stand anywhere", profile: anywhere,
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

// TestRepairedNames: what becomes of a tool's name depends on nothing but the name.
func TestRepairedNames(t *testing.T) {
	type pattern = provider.Pattern
	words := pattern{Alphabet: provider.WordChars, Min: 1, Max: 20}
	for _, c := range []struct{ name, want string }{
		{"ls", "ls"}, {" ls\n", "ls"}, {"", "unknown_tool"}, {" \t", "unknown_tool"},
		{"a.b", "a_b_" + hash8("a.b")}, {" a.b ", "a_b_" + hash8(" a.b ")},
		{strings.Repeat("n", 20), strings.Repeat("n", 20)},
		{strings.Repeat("n", 21), strings.Repeat("n", 11) + "_" + hash8(strings.Repeat("n", 21))},
		{"abcdefghij.", "abcdefghij__" + hash8("abcdefghij.")},
		{"abcdefghi.", "abcdefghi__" + hash8("abcdefghi.")},
		{"abcdefghij.k", "abcdefghij__" + hash8("abcdefghij.k")},
		{"taken", "taken_" + hash8("taken")}, {" taken ", "taken_" + hash8(" taken ")},
	} {
		p := preflight.Profile{Tools: provider.ToolRules{Name: words, Reserved: []string{"taken"}}}
		require.Equal(t, c.want, p.RepairToolName(c.name), "%q", c.name)
	}
	functions := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.FuncChars, Min: 1, Max: 64}},
	}
	require.Equal(t, "_1st_"+hash8("1st"), functions.RepairToolName("1st"))
	unlimited := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars}},
	}
	require.Equal(t, strings.Repeat("n", 99)+"__"+hash8(strings.Repeat("n", 99)+"."),
		unlimited.RepairToolName(strings.Repeat("n", 99)+"."))
	tight := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars, Max: 9}},
	}
	require.Equal(t, "_"+hash8("a.b"), tight.RepairToolName("a.b"))
	require.Equal(t, "_"+hash8("unknown_tool"), tight.RepairToolName(""))
	tighter := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars, Max: 5}},
	}
	require.Equal(t, "_"+hash8("a.b")[:4], tighter.RepairToolName("a.b"))
	tightest := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars, Max: 1}},
	}
	require.Equal(t, "_", tightest.RepairToolName("a.b"))
	plain := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.AlnumChars, Max: 12}},
	}
	require.Equal(t, "ab"+hash8("a.b"), plain.RepairToolName("a.b"))
}

// TestDropEmptyReasoning: reasoning stays for anything that it holds, if only metadata that says
// something.
func TestDropEmptyReasoning(t *testing.T) {
	thought := func(text, meta string) *preflight.Reasoning {
		r := &preflight.Reasoning{Text: text}
		if meta != "" {
			r.Meta = preflight.Metadata{"empty": json.RawMessage(`{}`), "k": json.RawMessage(meta)}
		}
		return r
	}
	var cases []fixerCase
	for name, r := range map[string]*preflight.Reasoning{
		"text": thought("hm", ""), "a signature": {Signature: "c2ln"},
		"a payload": {Opaque: "blob"}, "a member": thought("", `{"a":null}`),
		"two":    thought("", `{"a":1,"b":2}`),
		"a list": thought("", `[]`), "a number": thought("", `0`), "a text": thought("", `""`),
		"something that is not JSON": thought("", `{`), "false": thought("", `false`),
	} {
		cases = append(cases, fixerCase{name: name, in: history(botMsg(r))})
	}
	for name, r := range map[string]*preflight.Reasoning{
		"nothing":         {},
		"white space":     thought(" \n", ""),
		"null":            thought("", "null"),
		"an empty object": thought("", " { } "),
	} {
		cases = append(cases, fixerCase{
			name: name,
			in:   history(userMsg(says("q")), botMsg(r, says("a")), botMsg(r)),
			want: history(userMsg(says("q")), botMsg(says("a"))),
			whole: []string{
				"reasoning-removed preflight/reasoning-empty messages[1].parts[0] -1 reasoning" +
					counted(" -", preflight.Tally{Bytes: len(r.Text)}),
				"reasoning-removed preflight/reasoning-empty messages[2].parts[0] -1 reasoning" +
					counted(" -", preflight.Tally{Bytes: len(r.Text)}),
			},
			origins: [][]int{{0}, {1}},
		})
	}
	empty := &preflight.Reasoning{}
	empty.Meta = preflight.Metadata{"k": nil}
	cases = append(cases, fixerCase{
		name:  "an entry of no bytes",
		in:    history(botMsg(empty, says("a"))),
		want:  history(botMsg(says("a"))),
		codes: warned(codes.ReasoningRemoved),
	})
	runFixer(t, preflight.DropEmptyReasoning, cases)
}

func TestRewriteIDs(t *testing.T) {
	words := preflight.Profile{
		IDs: provider.IDRules{
			Call:   provider.Pattern{Alphabet: provider.WordChars, Max: 20},
			Unique: provider.ScopeHistory,
		},
	}
	// for the n-th time that the id is seen
	nth := func(n int) string { return "x_y_" + hash8(fmt.Sprint("x.y\x00", n)) }
	spelled, again := nth(0), "a_"+hash8("a\x001")
	runFixer(t, preflight.RewriteIDs, []fixerCase{
		{
			name: "a refused id, on both sides", profile: words,
			in:    history(botMsg(calls("x.y")), toolMsg(answers("x.y", "1"))),
			want:  history(botMsg(calls(spelled)), toolMsg(answers(spelled, "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "an id that occurs again, by occurrence", profile: words,
			in: history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))),
			want: history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls(again)),
				toolMsg(answers(again, "2"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "a call that waits has no result", profile: words,
			in:    history(botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1"))),
			want:  history(botMsg(waits("a"), calls(again)), toolMsg(answers(again, "1"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "unless there are as many results as calls", profile: words,
			in: history(botMsg(waits("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			want: history(botMsg(waits("a"), calls(again)),
				toolMsg(answers("a", "1"), answers(again, "2"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "not one that a legal id has already", profile: words,
			in: history(botMsg(calls(nth(0)), calls(nth(1)), calls("x.y")),
				toolMsg(answers(nth(0), "1"), answers(nth(1), "2"), answers("x.y", "3"))),
			want: history(botMsg(calls(nth(0)), calls(nth(1)), calls(nth(2))),
				toolMsg(answers(nth(0), "1"), answers(nth(1), "2"), answers(nth(2), "3"))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name:    "an MCP call keeps the result of its kind, in whatever order",
			profile: preflight.Profile{IDs: provider.IDRules{Unique: provider.ScopeHistory}},
			in:      history(botMsg(searches("s"), mcp("s"), mcpFinds("s"), finds("s", `[2]`))),
			want: history(botMsg(searches("s"), mcp("s_"+hash8("s\x001")),
				mcpFinds("s_"+hash8("s\x001")), finds("s", `[2]`))),
			codes: warned(codes.IDRewritten, codes.IDRewritten),
		},
		{
			name: "ids that are fine", profile: words,
			in: history(botMsg(calls("a"), calls("b")),
				toolMsg(answers("b", "2"), answers("a", "1"))),
		},
		{
			name:    "ids may come again in another turn",
			profile: preflight.Profile{IDs: provider.IDRules{Unique: provider.ScopeTurn}},
			in: history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))),
		},
	})
}

func TestRewriteNames(t *testing.T) {
	words := preflight.Profile{
		Tools: provider.ToolRules{
			Name: provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 64},
		},
	}
	named := func(name string) []preflight.Message {
		c, r := calls("a"), answers("a", "1")
		c.Name, r.Name = name, name
		return history(botMsg(c), toolMsg(r))
	}
	both := warned(codes.NameRepaired, codes.NameRepaired)
	runFixer(t, preflight.RewriteNames, []fixerCase{
		{
			name: "white space around a name goes", profile: words,
			in:    named(" ls "),
			want:  named("ls"),
			codes: both,
		},
		{
			name: "refused characters, told apart by a hash of the old name", profile: words,
			in:    named("a.b"),
			want:  named("a_b_" + hash8("a.b")),
			codes: both,
		},
		{name: "a name that is fine", profile: words, in: named("a_b")},
		{
			name: "no room for a whole hash",
			profile: preflight.Profile{
				Tools: provider.ToolRules{
					Name: provider.Pattern{Alphabet: provider.WordChars, Max: 5},
				},
			},
			in:    named("abcdef"),
			want:  named("_" + hash8("abcdef")[:4]),
			codes: both,
		},
	})
}

func TestRepairReasoning(t *testing.T) {
	signs := preflight.Profile{
		Reasoning: provider.ReasoningRules{Signed: true, SignatureAlphabet: provider.Base64},
	}
	runFixer(t, preflight.RepairReasoning, []fixerCase{
		{
			name: "unsigned", profile: signs,
			in:    history(botMsg(thinks("hm", ""), says("a"))),
			want:  history(botMsg(says("a"))),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "empty", profile: signs,
			in:    history(botMsg(thinks("", ""), says("a"))),
			want:  history(botMsg(says("a"))),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "signed in a foreign alphabet", profile: signs,
			in:    history(botMsg(thinks("hm", "rs_1:x"), says("a"))),
			want:  history(botMsg(says("a"))),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "signed and redacted reasoning stay", profile: signs,
			in: history(botMsg(thinks("hm", "EqQ+/="), redacted(), says("a"))),
		},
		{
			name:    "refused, signed or not",
			profile: preflight.Profile{Reasoning: provider.ReasoningRules{Refused: true}},
			in:      history(botMsg(thinks("hm", "EqQ="), says("a"))),
			want:    history(botMsg(says("a"))),
			codes:   warned(codes.ReasoningRemoved),
		},
		{name: "nobody minds", in: history(botMsg(thinks("hm", ""), says("a")))},
	})
}

// thinkingMode returns options for a request in a thinking mode.
func thinkingMode(mode provider.Thinking) preflight.Options {
	return preflight.Options{Request: preflight.Request{Thinking: mode}}
}

func TestSettleReasoning(t *testing.T) {
	off, budget := thinkingMode(provider.ThinkingOff), thinkingMode(provider.ThinkingBudget)
	q, think, result := userMsg(says("q")), thinks("hm", "sig"), toolMsg(answers("a", "1"))
	runFixer(t, preflight.NormalizeReasoning, []fixerCase{
		{
			name: "off: none in the open turn", options: off,
			in:    history(q, botMsg(think, calls("a")), result),
			want:  history(q, botMsg(calls("a")), result),
			codes: warned(codes.ReasoningRemoved),
		},
		{
			name: "off: turns that are over keep theirs", options: off,
			in: history(q, botMsg(think, says("a")), q),
		},
		{
			name: "a budget: reasoning leads its message", options: budget,
			in:    history(q, botMsg(says("a"), think, redacted(), says("b")), q),
			want:  history(q, botMsg(think, redacted(), says("a"), says("b")), q),
			codes: warned(codes.ReasoningMoved, codes.ReasoningMoved),
		},
		{
			name: "a message without any is none of its business", options: budget,
			in: history(q, botMsg(says("a")), q),
		},
		{
			name: "nobody said how the request thinks",
			in:   history(q, botMsg(says("a"), think, calls("a")), result),
		},
	})
}

func TestFillReasoning(t *testing.T) {
	none := &preflight.Reasoning{}
	q := userMsg(says("q"))
	call := botMsg(calls("a"))
	result := toolMsg(answers("a", "1"))
	a := botMsg(says("a"))
	runFixer(t, preflight.FillReasoning, []fixerCase{
		{
			name: "on messages with calls",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls},
			},
			in:    history(q, a, q, call, result, a),
			want:  history(q, a, q, botMsg(none, calls("a")), result, a),
			codes: warned(codes.ReasoningAdded),
		},
		{
			name: "from the first call on",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Replay: provider.ReplayFromCalls},
			},
			in:    history(q, a, q, call, result, a),
			want:  history(q, a, q, botMsg(none, calls("a")), result, botMsg(none, says("a"))),
			codes: warned(codes.ReasoningAdded, codes.ReasoningAdded),
		},
		{
			name: "where there is some already",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls},
			},
			in: history(q, botMsg(thinks("hm", ""), calls("a")), result),
		},
		{name: "nobody wants any", in: history(q, call, result)},
	})
}

func TestSignCallsAlone(t *testing.T) {
	signs := preflight.Profile{Tools: provider.ToolRules{CallSignature: "skip"}}
	signed := func(id, signature string) *preflight.ToolCall {
		c := calls(id)
		c.Signature = signature
		return c
	}
	q, result := userMsg(says("q")), toolMsg(answers("a", "1"), answers("b", "2"))
	runFixer(t, preflight.SignCalls, []fixerCase{
		{
			name: "the first call of a step", profile: signs,
			in:    history(q, botMsg(calls("a"), calls("b")), result),
			want:  history(q, botMsg(signed("a", "skip"), calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "of every step of the open turn",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in: history(q, botMsg(calls("a"), calls("b")), result, botMsg(calls("c")),
				toolMsg(answers("c", "3"))),
			want: history(q, botMsg(signed("a", "skip"), calls("b")), result,
				botMsg(signed("c", "skip")), toolMsg(answers("c", "3"))),
			codes: warned(codes.CallSigned, codes.CallSigned),
		},
		{
			name: "messages that the provider joins are one step",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in:   history(q, botMsg(calls("a")), botMsg(calls("b")), result),
			want: history(q, botMsg(signed("a", "skip")), botMsg(calls("b")), result),
			whole: []string{
				"call-signed preflight/call-unsigned messages[1].parts[0] a -1 call -2 byte +1 " +
					"call +2 byte",
			},
		},
		{
			name: "others are two", alone: true, profile: signs,
			in:    history(q, botMsg(calls("a")), botMsg(calls("b")), result),
			want:  history(q, botMsg(signed("a", "skip")), botMsg(signed("b", "skip")), result),
			codes: warned(codes.CallSigned, codes.CallSigned),
		},
		{
			name: "an empty message ends nothing",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in: history(q, userMsg(), botMsg(), botMsg(calls("a")), userMsg(),
				botMsg(calls("b")), result),
			want: history(q, userMsg(), botMsg(), botMsg(signed("a", "skip")), userMsg(),
				botMsg(calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "text before the call does not bear it", alone: true, profile: signs,
			in:   history(q, botMsg(says("x"), calls("a"))),
			want: history(q, botMsg(says("x"), signed("a", "skip"))),
			whole: []string{
				"call-signed preflight/call-unsigned messages[1].parts[1] a -1 call -2 byte +1 " +
					"call +2 byte",
			},
		},
		{
			name: "nor does a call of the provider's", alone: true, profile: signs,
			in:    history(q, botMsg(searches("s"), finds("s", "[]"), calls("a"))),
			want:  history(q, botMsg(searches("s"), finds("s", "[]"), signed("a", "skip"))),
			codes: warned(codes.CallSigned),
		},
		{
			name: "a history without a word of the user's is an open turn", profile: signs,
			in:    history(botMsg(calls("a"), calls("b")), result),
			want:  history(botMsg(signed("a", "skip"), calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "media beside results belongs to them", alone: true, profile: signs,
			in:    history(q, botMsg(calls("a")), userMsg(answers("a", "1"), image())),
			want:  history(q, botMsg(signed("a", "skip")), userMsg(answers("a", "1"), image())),
			codes: warned(codes.CallSigned),
		},
		{
			name: "and so does text that is going to be removed", alone: true,
			profile: preflight.Profile{
				Tools:   provider.ToolRules{CallSignature: "skip"},
				Content: provider.ContentRules{RefuseEmptyText: true},
			},
			in:    history(q, botMsg(calls("a")), userMsg(says(""), answers("a", "1"))),
			want:  history(q, botMsg(signed("a", "skip")), userMsg(says(""), answers("a", "1"))),
			codes: warned(codes.CallSigned),
		},
		{
			name: "media alone is said", profile: signs,
			in: history(q, botMsg(calls("a"), calls("b")), result, userMsg(image())),
		},
		{
			name: "so is text beside results", alone: true, profile: signs,
			in: history(q, botMsg(calls("a")), userMsg(answers("a", "1"), says("x"))),
		},
		{
			name: "one that has its own keeps it", profile: signs,
			in: history(q, botMsg(signed("a", "EqQ="), calls("b")), result),
		},
		{
			name: "a turn that is over is not looked at", profile: signs,
			in: history(q, botMsg(calls("a"), calls("b")), result, q),
		},
		{name: "nobody wants any", in: history(q, botMsg(calls("a"), calls("b")), result)},
	})
}

func TestFlattenTools(t *testing.T) {
	q := userMsg(says("q"))
	marked := func(p preflight.Part) preflight.Part {
		carriedOf(p).Meta = preflight.Metadata{"mine": json.RawMessage(`1`)}
		return p
	}
	runFixer(t, preflight.FlattenTools, []fixerCase{
		{
			name:    "calls and results become text, the assistant's and the user's",
			profile: preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			in: history(q, botMsg(says("x"), callsWith("a", `{"n":1}`)),
				toolMsg(answers("a", "done"))),
			want: history(q, botMsg(says("x"), says(`Called the tool f with {"n":1}`)),
				userMsg(says("Result of an earlier tool call:\ndone"))),
			codes: warned(codes.PartToText, codes.PartToText),
		},
		{
			name:    "a result without a word says so",
			profile: preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			in:      history(q, botMsg(calls("a")), toolMsg(&preflight.ToolResult{CallID: "a"})),
			want: history(q, botMsg(says("Called the tool f with {}")),
				userMsg(says("(no output)"))),
			codes: warned(codes.PartToText, codes.PartToText),
		},
		{
			name:    "metadata stays on what a call and its result became",
			profile: preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			in:      history(q, botMsg(marked(calls("a"))), toolMsg(marked(answers("a", "done")))),
			want: history(q, botMsg(marked(says("Called the tool f with {}"))),
				userMsg(marked(says("Result of an earlier tool call:\ndone")))),
			codes: warned(codes.PartToText, codes.PartToText),
		},
		{
			name: "the model knows tools",
			in:   history(q, botMsg(calls("a")), toolMsg(answers("a", "done"))),
		},
	})
}

func TestRepairMedia(t *testing.T) {
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
	picture := func(mediaType, data string) *preflight.Media {
		return &preflight.Media{Kind: "image", MediaType: mediaType, Data: data}
	}
	users := preflight.Profile{
		Media: provider.MediaRules{Roles: []preflight.Role{preflight.RoleUser}, InResult: true},
	}
	result := func(content ...preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "a", Content: content})
	}
	runFixer(t, preflight.RepairMedia, []fixerCase{
		{
			name:    "the type is what the bytes say",
			profile: preflight.Profile{Media: provider.MediaRules{MatchType: true}},
			in:      history(userMsg(picture("image/jpeg", png))),
			want:    history(userMsg(picture("image/png", png))),
			codes:   warned(codes.MediaRepaired),
		},
		{
			name:    "a WebP file is known by its twelfth byte",
			profile: preflight.Profile{Media: provider.MediaRules{MatchType: true}},
			in:      history(userMsg(picture("image/png", "UklGRiQAAABXRUJQVlA4IA=="))),
			want:    history(userMsg(picture("image/webp", "UklGRiQAAABXRUJQVlA4IA=="))),
			codes:   warned(codes.MediaRepaired),
		},
		{
			name:    "another RIFF file is no WebP",
			profile: preflight.Profile{Media: provider.MediaRules{MatchType: true}},
			in:      history(userMsg(picture("image/png", "UklGRiQAAABXQVZFZm10IA=="))),
		},
		{
			name:  "media without data or address goes",
			in:    history(userMsg(says("q"), picture("image/png", ""))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.MediaRemoved),
		},
		{
			name: "the assistant's goes to a user turn behind it", profile: users,
			in:    history(userMsg(says("q")), botMsg(says("a"), image())),
			want:  history(userMsg(says("q")), botMsg(says("a")), userMsg(image())),
			codes: warned(codes.MediaMoved),
		},
		{
			name: "out of a result, behind the results, which says so",
			in:   history(userMsg(says("q")), botMsg(calls("a")), result(says("see"), image())),
			want: history(userMsg(says("q")), botMsg(calls("a")),
				result(says("see"), says("(see the media in the next user message)")),
				userMsg(image())),
			codes: warned(codes.MediaMoved),
		},
		{
			name: "a title in letters the provider takes",
			profile: preflight.Profile{
				Media: provider.MediaRules{Title: provider.Pattern{Alphabet: provider.NameChars}},
			},
			in: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "a_b.pdf",
			})),
			want: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "a b pdf",
			})),
			codes: warned(codes.MediaRepaired),
		},
		{
			name: "of which nothing is left",
			profile: preflight.Profile{
				Media: provider.MediaRules{
					Title: provider.Pattern{Alphabet: provider.NameChars, Min: 1},
				},
			},
			in: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "_/_",
			})),
			want: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "document",
			})),
			codes: warned(codes.MediaRepaired),
		},
		{
			name: "media where it may stand", profile: users,
			in: history(userMsg(image()), botMsg(calls("a")), result(image())),
		},
	})
}

func TestSettleCache(t *testing.T) {
	hour := func(s string) *preflight.Text {
		return &preflight.Text{
			Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)},
			Text:    s,
		}
	}
	short := func(s string) *preflight.Text { return cached(&preflight.Text{Text: s}) }
	thought := func(cache string) preflight.Part {
		r := &preflight.Reasoning{Text: "hm", Signature: "sig"}
		if cache != "" {
			r.Cache = json.RawMessage(cache)
		}
		return r
	}
	holds := func(marked bool, content ...preflight.Part) *preflight.ToolResult {
		r := &preflight.ToolResult{CallID: "a", Content: content}
		if marked {
			r.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return r
	}
	document := func(mediaType string, marked bool) preflight.Part {
		m := &preflight.Media{Kind: "document", MediaType: mediaType, Data: "JVBERi0="}
		if marked {
			m.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return m
	}
	runFixer(t, preflight.NormalizeCache, []fixerCase{
		{
			name:    "off reasoning, to its neighbour",
			profile: preflight.Profile{Cache: provider.CacheRules{NoReasoning: true}},
			in:      history(botMsg(says("a"), thought(`{"type":"ephemeral"}`))),
			want:    history(botMsg(short("a"), thought(""))),
			codes:   warned(codes.CacheMoved),
		},
		{
			name:    "the earliest ones over the limit go, those of the system last",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 2}},
			in:      history(sysMsg(short("s")), userMsg(short("a"), short("b"))),
			want:    history(sysMsg(short("s")), userMsg(says("a"), short("b"))),
			codes:   warned(codes.CacheRemoved),
		},
		{
			name:    "one that moved to the message before it counts",
			profile: preflight.Profile{Cache: provider.CacheRules{NoReasoning: true, Limit: 1}},
			in: history(userMsg(says("a")), botMsg(thought(`{"type":"ephemeral"}`)),
				userMsg(short("b"))),
			want:  history(userMsg(says("a")), botMsg(thought("")), userMsg(short("b"))),
			codes: warned(codes.CacheMoved, codes.CacheRemoved),
		},
		{
			name:    "none at all",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: provider.NoCache}},
			in:      history(userMsg(short("a"))),
			want:    history(userMsg(says("a"))),
			codes:   warned(codes.CacheRemoved),
		},
		{
			name:    "none at all, and no part is mistaken for another",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: provider.NoCache}},
			in:      history(userMsg(short("a"), says("b"), short("c")), userMsg(short("d"))),
			want:    history(userMsg(says("a"), says("b"), says("c")), userMsg(says("d"))),
			codes:   warned(codes.CacheRemoved, codes.CacheRemoved, codes.CacheRemoved),
		},
		{
			name:    "those in a result count before the result's own",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 2}},
			in: history(botMsg(calls("a")),
				toolMsg(holds(true, short("x"), says("y"), short("z")))),
			want: history(botMsg(calls("a")),
				toolMsg(holds(true, says("x"), says("y"), short("z")))),
			codes: warned(codes.CacheRemoved),
		},
		{
			name:    "several of one result",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 1}},
			in: history(botMsg(calls("a")),
				toolMsg(holds(true, short("x"), says("y"), short("z")))),
			want: history(botMsg(calls("a")),
				toolMsg(holds(true, says("x"), says("y"), says("z")))),
			codes: warned(codes.CacheRemoved, codes.CacheRemoved),
		},
		{
			name:    "as many as the provider takes",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 2}},
			in:      history(userMsg(short("a")), userMsg(short("b"))),
		},
		{
			name:    "those of the system go when there are no others",
			profile: preflight.Profile{Cache: provider.CacheRules{Limit: 1}},
			in:      history(sysMsg(short("s")), sysMsg(short("t")), userMsg(short("a"))),
			want:    history(sysMsg(says("s")), sysMsg(short("t")), userMsg(says("a"))),
			codes:   warned(codes.CacheRemoved, codes.CacheRemoved),
		},
		{
			name:    "off a document that is no PDF file",
			profile: preflight.Profile{Cache: provider.CacheRules{NoDocument: true}},
			in: history(userMsg(says("a"), document("text/plain", true),
				document("application/pdf", true))),
			want: history(userMsg(short("a"), document("text/plain", false),
				document("application/pdf", true))),
			codes: warned(codes.CacheMoved),
		},
		{
			name: "a document may carry one, and one in a result is not asked",
			profile: preflight.Profile{
				Media: provider.MediaRules{InResult: true},
				Cache: provider.CacheRules{NoReasoning: true},
			},
			in: history(userMsg(document("text/plain", true)), botMsg(calls("a")),
				toolMsg(holds(false, document("text/plain", true)))),
		},
		{
			name:    "long-lived ones behind a short-lived one, wherever they stand",
			profile: preflight.Profile{Cache: provider.CacheRules{LongFirst: true}},
			in: history(userMsg(short("a")), botMsg(calls("a")),
				toolMsg(holds(false, hour("x"), hour("y"))), userMsg(hour("b"), hour("c"))),
			want: history(userMsg(short("a")), botMsg(calls("a")),
				toolMsg(holds(false, short("x"), short("y"))), userMsg(short("b"), short("c"))),
			codes: warned(codes.CacheChanged, codes.CacheChanged, codes.CacheChanged,
				codes.CacheChanged),
		},
		{
			name:    "nothing to order",
			profile: preflight.Profile{Cache: provider.CacheRules{LongFirst: true, Limit: 4}},
			in:      history(userMsg(says("a"))),
		},
		{
			name:    "a long-lived one behind a short-lived one is shortened",
			profile: preflight.Profile{Cache: provider.CacheRules{LongFirst: true}},
			in:      history(userMsg(hour("a"), short("b"), hour("c"))),
			want:    history(userMsg(hour("a"), short("b"), short("c"))),
			codes:   warned(codes.CacheChanged),
		},
		{name: "no rule", in: history(userMsg(short("a"), hour("b")))},
	})
}

// TestRescueCache: the breakpoint of a part that goes is moved to the nearest part before it that
// may carry one, else behind it, else to the end of the message before.
func TestRescueCache(t *testing.T) {
	short := func(s string) preflight.Part { return cached(&preflight.Text{Text: s}) }
	goes := func(marked bool) preflight.Part { // unsigned reasoning
		r := &preflight.Reasoning{Text: "hm"}
		if marked {
			r.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		}
		return r
	}
	stays := func() preflight.Part { return &preflight.Reasoning{Text: "hm", Signature: "s"} }
	p := &preflight.Profile{
		Content:   provider.ContentRules{RefuseEmptyText: true},
		Reasoning: provider.ReasoningRules{Signed: true},
		Cache:     provider.CacheRules{NoReasoning: true},
	}
	q := userMsg(says("q"))
	const moved, removed, gone = codes.CacheMoved, codes.CacheRemoved, codes.ReasoningRemoved
	for _, c := range []struct {
		name     string
		in, want []preflight.Message
		codes    []preflight.Code
	}{
		{"before it", history(botMsg(says("a"), says("b"), goes(true), says("c"))),
			history(botMsg(says("a"), short("b"), says("c"))), warned(gone, moved)},
		{"past what may carry none",
			history(botMsg(says("a"), says(""), stays(), goes(true), says("c"))),
			history(botMsg(short("a"), says(""), stays(), says("c"))), warned(gone, moved)},
		{"the first part will do", history(botMsg(calls("a"), goes(true))),
			history(botMsg(markedCall("a"))), warned(gone, moved)},
		{"behind it", history(q, botMsg(goes(true), stays(), says("b"), says("c"))),
			history(q, botMsg(stays(), short("b"), says("c"))), warned(gone, moved)},
		{"the last part will do", history(q, botMsg(stays(), goes(true), says("b"))),
			history(q, botMsg(stays(), short("b"))), warned(gone, moved)},
		{"to the message before",
			history(userMsg(says("p"), says("q")), botMsg(stays(), goes(true), stays())),
			history(userMsg(says("p"), short("q")), botMsg(stays(), stays())), warned(gone, moved)},
		{"past what may carry none there",
			history(userMsg(says("p"), says("")), botMsg(stays(), goes(true))),
			history(userMsg(short("p"), says("")), botMsg(stays())), warned(gone, moved)},
		{"there is none", history(botMsg(stays(), goes(true))), history(botMsg(stays())),
			warned(gone, removed)},
		{"nor in the message before", history(botMsg(stays()), botMsg(stays(), goes(true))),
			history(botMsg(stays()), botMsg(stays())), warned(gone, removed)},
		{"one that is there stays", history(botMsg(says("a"), hourly("b"), goes(true))),
			history(botMsg(says("a"), hourly("b"))), warned(gone, moved)},
		{"without a breakpoint nothing moves", history(botMsg(says("a"), goes(false))),
			history(botMsg(says("a"))), warned(gone)},
		{"several in a row",
			history(botMsg(says("a"), goes(true), goes(true), goes(true), says("b"))),
			history(botMsg(short("a"), says("b"))), warned(gone, moved, gone, moved, gone, moved)},
		{"several in a row without anything before them",
			history(botMsg(goes(true), goes(true), says("b"))), history(botMsg(short("b"))),
			warned(gone, moved, gone, moved)},
		{"several with nobody to take them", history(botMsg(stays(), goes(true), goes(true))),
			history(botMsg(stays())), warned(gone, removed, gone, removed)},
		{"each to its own neighbour",
			history(botMsg(says("a"), goes(true), says("b"), goes(false), goes(true))),
			history(botMsg(short("a"), short("b"))), warned(gone, moved, gone, gone, moved)},
		{"in its own message",
			history(botMsg(says("a"), goes(true)), botMsg(says("b"), goes(false), goes(true))),
			history(botMsg(short("a")), botMsg(short("b"))),
			warned(gone, moved, gone, gone, moved)},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, warnings := preflight.RepairReasoning.Apply(c.in, p, nil)
			require.Empty(t, cmp.Diff(c.want, out))
			var codes []preflight.Code
			for _, w := range warnings {
				codes = append(codes, w.Code)
			}
			require.Equal(t, c.codes, codes)
		})
	}
}

func markedCall(id string) preflight.Part {
	c := calls(id)
	c.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	return c
}

func hourly(s string) preflight.Part {
	return &preflight.Text{
		Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)},
		Text:    s,
	}
}

// TestFlattenEmptied: a search whose encrypted payload was emptied becomes text that says what it
// found.
func TestFlattenEmptied(t *testing.T) {
	encrypts := preflight.Profile{Tools: provider.ToolRules{EncryptedResults: true}}
	const emptied = ` [{"type":"web_search_result","title":"T","url":"https://t",` +
		`"encrypted_content":""},{"title":"only a title"},{"url":"https://only"},` +
		`{"encrypted_content":"x"},{"title":"U","url":"https://u"}]`
	text := says("Search results:\nT (https://t)\nonly a title\nhttps://only\nU (https://u)")
	both := warned(codes.OrphanToText, codes.DanglingRemoved)
	found := func(output string) []preflight.Message {
		return history(botMsg(searches("s"), finds("s", output)))
	}
	runFixer(t, preflight.FlattenEmptied, []fixerCase{
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
			name: "what is no list is no search", profile: encrypts,
			in: found(`{"type":"web_search_result","encrypted_content":""}`),
		},
		{
			name: "nor what is no JSON", profile: encrypts,
			in: found(`[{"type":"web_search_result"}`),
		},
		{name: "nobody asked for it", in: found(emptied)},
	})
}

func waitsFor(c *preflight.ToolCall) *preflight.ToolCall {
	c.Awaiting = preflight.AwaitingApproval
	return c
}

// TestWellFormed: whatever else a fixer does, parts that are nil go first, and what may not stand
// in a tool result becomes its text.
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
	runFixer(t, preflight.StripSystem, []fixerCase{
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
			name: "what may stand there", profile: takes,
			in: within(says("0"), image(), &preflight.Other{Kind: "x"}),
		},
	})
}

func TestStripEphemeral(t *testing.T) {
	with := func(meta string, parts ...preflight.Part) preflight.Message {
		m := botMsg(parts...)
		if meta != "" {
			m.Meta = preflight.Metadata{"openai": json.RawMessage(meta)}
		}
		return m
	}
	asked := preflight.Options{StripEphemeral: true}
	runFixer(t, preflight.StripEphemeral, []fixerCase{
		{
			name: "ids and encrypted reasoning go, the rest stays byte for byte", options: asked,
			in: history(with(`{"itemId":"m","k": 1.0,"reasoningEncryptedContent":"x"}`,
				says("a"))),
			want:  history(with(`{"k": 1.0}`, says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{
			name: "what this empties disappears", options: asked,
			in:    history(with(`{"itemId":"m"}`, says("a"))),
			want:  history(with("", says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{
			name:    "the payload stays when asked",
			options: preflight.Options{StripEphemeral: true, KeepEncrypted: true},
			in:      history(with(`{"itemId":"m","reasoningEncryptedContent":"x"}`, says("a"))),
			want:    history(with(`{"reasoningEncryptedContent":"x"}`, says("a"))),
			codes:   warned(codes.MetadataStripped),
		},
		{
			name: "so does what was empty before", options: asked,
			in:    history(with(`{}`, says("a"))),
			want:  history(with("", says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{name: "nobody asked for it", in: history(with(`{"itemId":"m"}`, says("a")))},
	})
}

func TestClearBindings(t *testing.T) {
	with := func(meta preflight.Metadata) []preflight.Message {
		m := userMsg(says("q"))
		m.Meta = meta
		return history(m)
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	runFixer(t, preflight.ClearBindings, []fixerCase{
		{
			name:    "an entry, and one field of another",
			options: preflight.Options{ClearMeta: []string{"run", "app.turn"}},
			in: with(preflight.Metadata{
				"run": raw(`"r1"`),
				"app": raw(`{"turn":3,"keep":1.0}`),
			}),
			want:  with(preflight.Metadata{"app": raw(`{"keep":1.0}`)}),
			codes: warned(codes.BindingCleared),
		},
		{name: "nobody asked for it", in: with(preflight.Metadata{"run": raw(`"r1"`)})},
	})
}

// TestStripEphemeralKeepsContent: the metadata of a result, or of what stands in it, goes without
// the result's content.
func TestStripEphemeralKeepsContent(t *testing.T) {
	strip := preflight.Options{StripEphemeral: true}
	item := func(p preflight.Part) preflight.Part {
		carriedOf(p).Meta = preflight.Metadata{"openai": json.RawMessage(`{"itemId":"i"}`)}
		return p
	}
	call := botMsg(calls("a"))
	stripped := warned(codes.MetadataStripped)
	runFixer(t, preflight.StripEphemeral, []fixerCase{
		{
			name: "of a result", options: strip,
			in:    history(call, toolMsg(item(answers("a", "1")))),
			want:  history(call, toolMsg(answers("a", "1"))),
			codes: stripped,
		},
		{
			name: "of a part in it", options: strip,
			in: history(call,
				toolMsg(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{says("1"), item(says("2"))},
				})),
			want: history(call,
				toolMsg(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{says("1"), says("2")},
				})),
			codes: stripped,
		},
		{
			name: "of both", options: strip,
			in: history(call,
				toolMsg(item(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{item(says("1"))},
				}))),
			want:  history(call, toolMsg(answers("a", "1"))),
			codes: stripped,
		},
		{name: "nobody asked for it", in: history(call, toolMsg(item(answers("a", "1"))))},
	})
}

// TestControlCharacters: which they are, and where they are looked for.
func TestControlCharacters(t *testing.T) {
	refuses := preflight.Profile{Content: provider.ContentRules{RefuseControls: true}}
	q, call := userMsg(says("q")), botMsg(calls("a"))
	result := func(parts ...preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "a", Content: parts})
	}
	runFixer(t, preflight.StripControls, []fixerCase{
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
			name: "NUL is another matter", profile: refuses, alone: true,
			in: history(userMsg(says("a\x00b"))),
		},
		{
			name: "in reasoning nobody signed", profile: refuses,
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

// TestFillsReasoning: which messages lack reasoning that the provider wants back.
func TestFillsReasoning(t *testing.T) {
	none := &preflight.Reasoning{}
	onCalls := preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls}}
	fromCalls := preflight.Profile{
		Reasoning: provider.ReasoningRules{Replay: provider.ReplayFromCalls},
	}
	q := userMsg(says("q"))
	call := botMsg(calls("a"))
	result := toolMsg(answers("a", "1"))
	a := botMsg(says("a"))
	runFixer(t, preflight.FillReasoning, []fixerCase{
		{
			name: "a message with a call", profile: onCalls,
			in:     history(q, call, result, a),
			want:   history(q, botMsg(none, calls("a")), result, a),
			report: []string{"reasoning-added 1 preflight/reasoning-absent"},
		},
		{
			name: "the messages behind it, too, even in later turns", profile: fromCalls,
			in:   history(q, call, result, q, a),
			want: history(q, botMsg(none, calls("a")), result, q, botMsg(none, says("a"))),
			report: []string{
				"reasoning-added 1 preflight/reasoning-absent",
				"reasoning-added 4 preflight/reasoning-absent",
			},
		},
		{
			name: "behind one that has some itself", profile: fromCalls,
			in: history(q, botMsg(thinks("hm", ""), calls("a")), result, a),
			want: history(q, botMsg(thinks("hm", ""), calls("a")), result,
				botMsg(none, says("a"))),
			report: []string{"reasoning-added 3 preflight/reasoning-absent"},
		},
		{
			name: "some, wherever it stands", profile: onCalls,
			in: history(q, botMsg(calls("a"), thinks("hm", "")), result),
		},
		{
			name: "a message of nothing", profile: fromCalls,
			in: history(q, botMsg(thinks("hm", ""), calls("a")), result, botMsg()),
		},
		{
			name: "the provider's own calls do not count", profile: onCalls,
			in: history(q, botMsg(searches("s"), finds("s", `{}`), says("a"))),
		},
	})
}

// TestThinkingModes: what each mode demands of the turn that is still open, and of the others.
func TestThinkingModes(t *testing.T) {
	off, budget := thinkingMode(provider.ThinkingOff), thinkingMode(provider.ThinkingBudget)
	joined := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}}
	q, result := userMsg(says("q")), toolMsg(answers("a", "1"))
	think := func() preflight.Part { return thinks("hm", "sig") }
	removed := func(at ...string) (out []string) {
		for _, p := range at {
			out = append(out, "reasoning-removed "+p+" preflight/reasoning-off")
		}
		return out
	}
	moved := "reasoning-moved 1.1 preflight/reasoning-order"
	runFixer(t, preflight.NormalizeReasoning, []fixerCase{
		{
			name: "off: all of the open turn's", options: off,
			in:     history(q, botMsg(think(), says("a"), think(), calls("a")), result),
			want:   history(q, botMsg(says("a"), calls("a")), result),
			report: removed("1.0", "1.2"),
		},
		{
			name: "off: a turn that ends the history", options: off,
			in:     history(q, botMsg(think(), says("a"))),
			want:   history(q, botMsg(says("a"))),
			report: removed("1.0"),
		},
		{
			name: "off: behind results of several messages", options: off,
			in: history(q, botMsg(think(), calls("a"), calls("b")), result,
				toolMsg(answers("b", "2"))),
			want:   history(q, botMsg(calls("a"), calls("b")), result, toolMsg(answers("b", "2"))),
			report: removed("1.0"),
		},
		{
			name: "off: the message before it is another turn", options: off,
			in:     history(q, botMsg(think(), says("a")), botMsg(think(), says("b"))),
			want:   history(q, botMsg(think(), says("a")), botMsg(says("b"))),
			report: removed("2.0"),
		},
		{
			name: "off: where neighbours are one turn, all of it", profile: joined, options: off,
			in:     history(q, botMsg(think(), says("a")), botMsg(think(), says("b"))),
			want:   history(q, botMsg(says("a")), botMsg(says("b"))),
			report: removed("1.0", "2.0"),
		},
		{
			name: "off: text behind results begins another turn",
			profile: preflight.Profile{
				Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
			},
			options: off,
			in: history(q, botMsg(think(), calls("a")),
				userMsg(answers("a", "1"), says("next"))),
		},
		{
			name: "off: a turn that is over, before one that is not", options: off,
			in:     history(q, botMsg(think(), says("a")), q, botMsg(think(), says("b"))),
			want:   history(q, botMsg(think(), says("a")), q, botMsg(says("b"))),
			report: removed("3.0"),
		},
		{
			name: "off: nobody has answered yet", options: off,
			in: history(q, botMsg(think(), says("a")), sysMsg(says("s"))),
		},
		{
			name: "a budget: the first run of reasoning leads", options: budget,
			in:     history(q, botMsg(says("a"), think(), says("b"), think(), says("c")), q),
			want:   history(q, botMsg(think(), says("a"), says("b"), think(), says("c")), q),
			report: []string{moved},
		},
		{
			name: "a budget: reasoning at the end", options: budget,
			in:     history(q, botMsg(says("a"), think()), q),
			want:   history(q, botMsg(think(), says("a")), q),
			report: []string{moved},
		},
		{
			name: "a budget: reasoning that leads", options: budget,
			in: history(q, botMsg(think(), says("a"), think()), q, botMsg(), q),
		},
	})
	for _, c := range []struct {
		reason string
		in     []preflight.Message
		at     int // -1 where nothing is wrong
	}{
		{"a tool loop that does not start with reasoning", history(q, botMsg(calls("a")), result),
			1},
		{"its first message counts",
			history(q, botMsg(calls("a")), result, botMsg(think(), calls("b")),
				toolMsg(answers("b", "2"))), 1},
		{"and no other",
			history(q, botMsg(think(), calls("a")), result, botMsg(calls("b")),
				toolMsg(answers("b", "2"))), -1},
		{"an earlier loop is over",
			history(q, botMsg(calls("a")), result, q, botMsg(think(), calls("b")),
				toolMsg(answers("b", "2"))), -1},
		{"the user has spoken since", history(q, botMsg(calls("a")), result, q), -1},
		{"the assistant has spoken since",
			history(q, botMsg(calls("a")), result, botMsg(says("a"))), -1},
	} {
		found := preflight.CheckWith(c.in, &preflight.Profile{}, &budget)
		if c.at < 0 {
			require.Empty(t, found, c.reason)
			continue
		}
		require.Len(t, found, 1, c.reason)
		require.Equal(t, rule.ReasoningMissing, found[0].Problem, c.reason)
		require.Equal(t, c.at, found[0].At.Message, c.reason)
	}
}

// TestReasoningProblems: what of reasoning the provider cannot verify, and says so by a rule of its
// own.
func TestReasoningProblems(t *testing.T) {
	signs := preflight.Profile{
		Reasoning: provider.ReasoningRules{Signed: true, SignatureAlphabet: provider.Base64},
	}
	q := userMsg(says("q"))
	with := func(p preflight.Part) []preflight.Message { return history(q, botMsg(p, says("a"))) }
	bare := history(q, botMsg(says("a")))
	gone := func(rule string) []string {
		return []string{"reasoning-removed 1.0 preflight/" + rule}
	}
	runFixer(t, preflight.RepairReasoning, []fixerCase{
		{
			name: "nothing in it", profile: signs,
			in:     with(&preflight.Reasoning{}),
			want:   bare,
			report: gone("reasoning-empty"),
		},
		{
			name: "nobody signed it", profile: signs,
			in:     with(thinks("hm", "")),
			want:   bare,
			report: gone("reasoning-unsigned"),
		},
		{
			name: "somebody else signed it", profile: signs,
			in:     with(thinks("hm", "rs_1:x")),
			want:   bare,
			report: gone("reasoning-foreign"),
		},
		{name: "a signature without text", profile: signs, in: with(thinks("", "QUJD"))},
		{
			name: "any at all",
			profile: preflight.Profile{
				Reasoning: provider.ReasoningRules{Refused: true, Signed: true},
			},
			in:     with(thinks("hm", "QUJD")),
			want:   bare,
			report: gone("reasoning-refused"),
		},
		{
			name: "the user's is another matter", profile: signs, alone: true,
			in: history(userMsg(thinks("hm", ""), says("q"))),
		},
	})
}

// TestFlattenToolsInPlace: what stands beside calls and results stays where it is.
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
		"part-to-text 2.0 preflight/tools-refused of a",
	}
	called := botMsg(says("Called the tool f with {}"))
	runFixer(t, preflight.FlattenTools, []fixerCase{
		{
			name: "a call without a name or arguments", profile: plain,
			in: history(q, botMsg(nothing), toolMsg(answers("a", "1"))),
			want: history(q, botMsg(says("Called the tool unknown_tool with {}")),
				userMsg(says("Result of an earlier tool call:\n1"))),
			report: both,
		},
		{
			name: "media of a result stays media", profile: plain,
			in: history(q, botMsg(calls("a")), toolMsg(result(says("1"), image()))),
			want: history(q, called,
				userMsg(says("Result of an earlier tool call:\n1"), image())),
			report: both,
		},
		{
			name: "of media alone", profile: plain,
			in:     history(q, botMsg(calls("a")), toolMsg(result(image()))),
			want:   history(q, called, userMsg(says("Result of an earlier tool call:"), image())),
			report: both,
		},
		{
			name: "text beside results", profile: users,
			in: history(q, botMsg(calls("a"), calls("b")),
				userMsg(answers("a", "1"), answers("b", "2"), says("next"))),
			want: history(q,
				botMsg(says("Called the tool f with {}"), says("Called the tool f with {}")),
				userMsg(says("Result of an earlier tool call:\n1"),
					says("Result of an earlier tool call:\n2"), says("next"))),
			report: []string{
				"part-to-text 1.0 preflight/tools-refused of a",
				"part-to-text 1.1 preflight/tools-refused of b",
				"part-to-text 2.0 preflight/tools-refused of a",
				"part-to-text 2.1 preflight/tools-refused of b",
			},
		},
	})
}

// TestStripsEphemeralEverywhere: of messages, parts and the parts of results, under both names, and
// nothing beside it.
func TestStripsEphemeralEverywhere(t *testing.T) {
	asked := preflight.Options{StripEphemeral: true}
	meta := func(pairs ...string) preflight.Metadata {
		m := preflight.Metadata{}
		for k := 0; k < len(pairs); k += 2 {
			m[pairs[k]] = json.RawMessage(pairs[k+1])
		}
		return m
	}
	with := func(m preflight.Metadata) []preflight.Message {
		p := says("q")
		carriedOf(p).Meta = m
		return history(userMsg(says("r"), p))
	}
	plain := with(nil)
	gone := []string{"metadata-stripped 0.1"}
	runFixer(t, preflight.StripEphemeral, []fixerCase{
		{
			name: "under both names", options: asked,
			in:     with(meta("openai", `{"itemId":"i"}`, "azure", `{"itemId":"i","k":1}`)),
			want:   with(meta("azure", `{"k":1}`)),
			report: gone,
		},
		{name: "under no other", options: asked, in: with(meta("anthropic", `{"itemId":"i"}`))},
		{
			name: "beside others", options: asked,
			in:     with(meta("openai", `{"itemId":"i"}`, "mine", `{"itemId":"i"}`)),
			want:   with(meta("mine", `{"itemId":"i"}`)),
			report: gone,
		},
		{
			name: "a name twice", options: asked,
			in:     with(meta("openai", `{"itemId":"i","k":1,"itemId":"j"}`)),
			want:   with(meta("openai", `{"k":1}`)),
			report: gone,
		},
		{
			name: "fields of other names", options: asked,
			in: with(meta("openai", `{"itemID":"i","id":1}`)),
		},
		{
			name: "what is no object", options: asked,
			in: with(meta("openai", `"itemId"`, "azure", `{"itemId":`)),
		},
		{
			name:    "the payload stays, its id goes",
			options: preflight.Options{StripEphemeral: true, KeepEncrypted: true},
			in:      with(meta("openai", `{"reasoningEncryptedContent":"e"}`)),
		},
		{name: "nothing was there", options: asked, in: plain},
	})
	clear := func(names ...string) preflight.Options { return preflight.Options{ClearMeta: names} }
	cleared := []string{"binding-cleared 0.1"}
	runFixer(t, preflight.ClearBindings, []fixerCase{
		{
			name:    "an entry, of a part",
			options: clear("run"),
			in:      with(meta("run", `1`, "k", `2`)),
			want:    with(meta("k", `2`)),
			report:  cleared,
		},
		{
			name:    "an entry whose name has a dot, and a field",
			options: clear("run.id"),
			in:      with(meta("run.id", `1`, "run", `{"id":2,"k":3}`)),
			want:    with(meta("run", `{"k":3}`)),
			report:  cleared,
		},
		{
			name:    "the field of an entry, and the rest of it",
			options: clear("run.id", "run.at"),
			in:      with(meta("run", `{"id":2,"at":3}`)),
			want:    plain,
			report:  cleared,
		},
		{
			name:    "an entry that is empty already",
			options: clear("run.id"),
			in:      with(meta("run", `{}`)),
			want:    plain,
			report:  cleared,
		},
		{
			name:    "names that are not there",
			options: clear("run", "app.id", "k.id", "k.n.o"),
			in:      with(meta("k", `{"n":{"o":1}}`, "app", `[1]`)),
		},
	})
}
