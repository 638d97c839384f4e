package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

func mcp(id string) *preflight.ToolCall {
	c := searches(id)
	c.Variant = "mcp"
	return c
}

func mcpFinds(id string) *preflight.ToolResult {
	r := finds(id, `[]`)
	r.Variant = "mcp"
	return r
}

// TestPairServerTools: both halves of a provider-executed call are in one turn, the call first;
// a half without the other is removed, and takes the signed reasoning of its message along.
func TestPairServerTools(t *testing.T) {
	q := userMsg(says("q"))
	joins := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}}
	const (
		moved    = "result-moved preflight/server-orphan "
		dangling = "dangling-removed preflight/server-dangling "
		orphan   = "orphan-removed preflight/server-orphan "
	)
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name:    "a result before its call",
			in:      history(q, botMsg(finds("s", `[1]`), says("x"), searches("s"), says("y"))),
			want:    history(q, botMsg(says("x"), searches("s"), finds("s", `[1]`), says("y"))),
			whole:   []string{moved + "messages[1].parts[0] s"},
			origins: [][]int{{0}, {1}},
		},
		{
			name: "of two in its turn, the one before it",
			in: history(q,
				botMsg(searches("s"), finds("s", `[1]`), searches("s"), finds("s", `[2]`))),
		},
		{
			name: "rather than one of an earlier turn",
			in: history(q, botMsg(searches("s"), says("x")), q,
				botMsg(searches("s"), finds("s", `[1]`))),
			want:  history(q, botMsg(says("x")), q, botMsg(searches("s"), finds("s", `[1]`))),
			whole: []string{dangling + "messages[1].parts[0] s -1 call -13 byte"},
		},
		{
			name: "but rather an earlier turn's than one after it", alone: true,
			in: history(q, botMsg(searches("s"), says("x")), q,
				botMsg(finds("s", `[1]`), says("y"), searches("s"))),
			want: history(q, botMsg(searches("s"), finds("s", `[1]`), says("x")), q,
				botMsg(says("y"), searches("s"))),
			whole: []string{moved + "messages[3].parts[0] s"},
		},
		{
			name: "not one of a later turn",
			in: history(q, botMsg(finds("s", `[1]`), says("x")), q,
				botMsg(says("y"), searches("s"))),
			want:  history(q, botMsg(says("x")), q, botMsg(says("y"), searches("s"))),
			whole: []string{orphan + "messages[1].parts[0] s -1 result -3 byte"},
		},
		{
			name:    "results after their calls may be apart, and in another message of the turn",
			profile: joins,
			in: history(q, botMsg(searches("s"), searches("t")), botMsg(),
				botMsg(finds("t", `[2]`), says("x"), finds("s", `[1]`))),
		},
		{
			name: "several that move to one message",
			in: history(q, botMsg(searches("s"), searches("t"), says("x")), q,
				botMsg(finds("t", `[2]`), finds("s", `[1]`), says("y")), q),
			want: history(q,
				botMsg(searches("s"), finds("s", `[1]`), searches("t"), finds("t", `[2]`),
					says("x")), q, botMsg(says("y")), q),
			whole:   []string{moved + "messages[3].parts[1] s", moved + "messages[3].parts[0] t"},
			origins: [][]int{{0}, {1, 3}, {2}, {3}, {4}},
		},
		{
			name: "beside what has no other half, before and after",
			in: history(q,
				botMsg(finds("o", `[0]`), searches("s"), searches("d"), finds("p", `[9]`),
					says("x")), q, botMsg(finds("s", `[1]`), searches("e"), says("y")), q),
			want: history(q, botMsg(searches("s"), finds("s", `[1]`), says("x")), q,
				botMsg(says("y")), q),
			whole: []string{
				moved + "messages[3].parts[0] s",
				orphan + "messages[1].parts[0] o -1 result -3 byte",
				orphan + "messages[1].parts[3] p -1 result -3 byte",
				dangling + "messages[1].parts[2] d -1 call -13 byte",
				dangling + "messages[3].parts[1] e -1 call -13 byte",
			},
		},
		{
			name: "of both kinds under one id, in whatever order",
			in: history(q,
				botMsg(searches("s"), mcp("s"), mcpFinds("s"), finds("s", `[2]`), says("x")), q),
		},
		{
			name: "of which one is an MCP server's, though the ids agree",
			in:   history(q, botMsg(mcp("m"), finds("m", `[]`), says("x")), q),
			want: history(q, botMsg(says("x")), q),
			whole: []string{
				"orphan-removed preflight/server-orphan messages[1].parts[1] m -1 result -2 byte",
				"dangling-removed preflight/mcp-pairing messages[1].parts[0] m -1 call -13 byte",
			},
		},
		{
			name: "of MCP servers, which have their own rule",
			in:   history(q, botMsg(mcp("m"), mcpFinds("n"), says("x")), q),
			want: history(q, botMsg(says("x")), q),
			whole: []string{
				"orphan-removed preflight/mcp-pairing messages[1].parts[1] n -1 result -2 byte",
				"dangling-removed preflight/mcp-pairing messages[1].parts[0] m -1 call -13 byte",
			},
		},
		{
			name: "signed reasoning is removed with it, once, and nothing else",
			in: history(q,
				botMsg(thinks("hm", "c2ln"), says("w"), searches("s"), redacted(), searches("t"),
					thinks("so", ""), says("x")), q, botMsg(thinks("ha", "c2ln"), says("y")), q),
			want: history(q, botMsg(says("w"), thinks("so", ""), says("x")), q,
				botMsg(thinks("ha", "c2ln"), says("y")), q),
			whole: []string{
				dangling + "messages[1].parts[2] s -1 call -13 byte",
				"reasoning-removed preflight/server-dangling messages[1].parts[0] -1 reasoning " +
					"-2 byte",
				"reasoning-removed preflight/server-dangling messages[1].parts[3] -1 reasoning " +
					"-4 byte",
				dangling + "messages[1].parts[4] t -1 call -13 byte",
			},
		},
		{
			name: "of every message that is cut",
			in: history(q, botMsg(thinks("hm", "c2ln"), searches("s"), says("x")), q,
				botMsg(thinks("hm", "c2ln"), searches("s"), says("x")), q),
			want: history(q, botMsg(says("x")), q, botMsg(says("x")), q),
			whole: []string{
				dangling + "messages[1].parts[1] s -1 call -13 byte",
				"reasoning-removed preflight/server-dangling messages[1].parts[0] -1 reasoning " +
					"-2 byte",
				dangling + "messages[3].parts[1] s -1 call -13 byte",
				"reasoning-removed preflight/server-dangling messages[3].parts[0] -1 reasoning " +
					"-2 byte",
			},
		},
		{
			name: "a call that waits is open on purpose",
			in:   history(q, botMsg(searches("s"), says("x")), q),
			options: preflight.Options{
				OpenCall: waitsIf(func(c *preflight.ToolCall) bool { return c.ID == "s" }),
			},
			alone: true,
		},
		{
			name: "an open one of an earlier message of the last turn", profile: joins,
			in: history(q, botMsg(searches("s")), botMsg(says("x"))),
		},
		{
			name:  "which is no turn of its own where messages are not joined",
			in:    history(q, botMsg(searches("s"), says("w")), botMsg(says("x"))),
			want:  history(q, botMsg(says("w")), botMsg(says("x"))),
			codes: warned(codes.DanglingRemoved),
		},
		{
			name: "text after a result without a call ends the turn", alone: true,
			in: history(q, botMsg(says("x"), searches("s")), toolMsg(answers("a", "1")),
				userMsg(says("r"))),
			want:  history(q, botMsg(says("x")), userMsg(says("r"))),
			codes: warned(codes.OrphanRemoved, codes.DanglingRemoved),
		},
		{
			name:  "results alone do not: the provider goes on with its call",
			in:    history(q, botMsg(says("x"), searches("s")), toolMsg(answers("a", "1"))),
			want:  history(q, botMsg(says("x"), searches("s"))),
			codes: warned(codes.OrphanRemoved),
		},
		{
			name:    "unless the provider holds the call",
			options: preflight.Options{Request: preflight.Request{ServerHoldsHistory: true}},
			in: history(toolMsg(answers("a", "1")), botMsg(says("x"), searches("s")),
				toolMsg(answers("a", "1"))),
			alone: true,
		},
		{
			name: "before text beside the results of its own turn, too",
			in: history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")),
				userMsg(says("r"))),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), userMsg(says("r"))),
			codes: warned(codes.DanglingRemoved),
		},
		{
			name:    "but for text that is going to be removed",
			profile: preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			alone:   true,
			in: history(q, botMsg(searches("s"), calls("a")),
				toolMsg(answers("a", "1"), says(""))),
		},
		{
			name: "results in a user message have no call before them", alone: true,
			in: history(userMsg(finds("s", `[1]`), says("q"))),
		},
	})
}
