package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests which id replaces one that a provider refuses.

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
			runFixer(t, preflight.Fixers.RewriteIDs, []fixerCase{
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
	runFixer(t, preflight.Fixers.RewriteIDs, []fixerCase{
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

// TestFewerIDsThanCalls: where a profile allows fewer ids than there are calls, the repair ends
// with an error.
func TestFewerIDsThanCalls(t *testing.T) {
	profile := *provider.Anthropic("")
	profile.IDs.Call = provider.Pattern{Alphabet: provider.AlnumChars, Max: 1}
	history := []preflight.Message{{
		Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "go on"}},
	}}
	for k := range 100 {
		id := fmt.Sprint("call_", k)
		history = append(history,
			preflight.Message{Role: preflight.RoleAssistant, Parts: []preflight.Part{
				&preflight.ToolCall{ID: id, Name: "ls", Input: []byte(`{}`)},
			}},
			preflight.Message{Role: preflight.RoleUser, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: id, Content: []preflight.Part{
					&preflight.Text{Text: id},
				}},
			}})
	}
	_, err := preflight.Sanitize(t.Context(), history, &profile, nil)
	require.ErrorIs(t, err, preflight.ErrUnfixable)
}
