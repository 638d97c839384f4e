package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestMatchExecutors: a call and a result of one id that say different things about who ran the
// tool are a pair, and no content is lost.
func TestMatchExecutors(t *testing.T) {
	q := userMsg(says("q"))
	served := func(c *preflight.ToolCall) *preflight.ToolCall { c.ProviderExecuted = true; return c }
	ours := func(c *preflight.ToolCall) *preflight.ToolCall { c.ProviderExecuted = false; return c }
	found := func(r *preflight.ToolResult) *preflight.ToolResult { r.ProviderExecuted = true; return r }
	native := func(format string, r *preflight.ToolResult) *preflight.ToolResult {
		r.Native = preflight.Native{Format: format, JSON: []byte(`{"type":"web_search_tool_result"}`)}
		return r
	}
	p := preflight.Profile{Format: "anthropic"}
	own := preflight.Profile{Format: "anthropic"}
	own.IDs.ServerCall.Prefix = "srv_"
	decodedCall := searches("s")
	decodedCall.Native = preflight.Native{Format: "anthropic", JSON: []byte(`{"type":"server_tool_use"}`)}
	merged := answers("a", "1")
	merged.Content = append(merged.Content, says("2"))
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name:  "a result of the caller's",
			in:    history(q, botMsg(served(calls("a"))), toolMsg(answers("a", "1")), q),
			want:  history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q),
			codes: warned(codes.PartChanged),
		},
		{
			name: "a result in the provider's own JSON", profile: p,
			in:    history(q, botMsg(ours(searches("s")), native("anthropic", finds("s", `[1]`)))),
			want:  history(q, botMsg(searches("s"), native("anthropic", finds("s", `[1]`)))),
			codes: warned(codes.PartChanged),
		},
		{
			name: "a result in the JSON of another format", profile: p,
			in:    history(q, botMsg(calls("a")), toolMsg(native("bedrock", found(answers("a", "1"))))),
			want:  history(q, botMsg(calls("a")), toolMsg(native("bedrock", answers("a", "1")))),
			codes: warned(codes.PartChanged),
		},
		{
			name: "of tools with other names they are two exchanges", alone: true,
			in:   history(q, botMsg(served(calls("a"))), toolMsg(namedResult("a", "g", "1")), q),
			want: history(q, q), codes: warned(codes.OrphanRemoved, codes.DanglingRemoved),
		},
		{
			name: "a call with an id of the provider's, which may still run", profile: own,
			in: history(q, botMsg(served(calls("srv_a")), calls("b")),
				toolMsg(answers("b", "1"), answers("srv_a", "no such tool"))),
			want:  history(q, botMsg(served(calls("srv_a")), calls("b")), toolMsg(answers("b", "1"))),
			codes: warned(codes.OrphanRemoved),
		},
		{
			name: "a call in the provider's own JSON, whose ids have no prefix", profile: p, alone: true,
			in:    history(q, botMsg(decodedCall), toolMsg(answers("s", "1")), q),
			want:  history(q, q),
			codes: warned(codes.OrphanRemoved, codes.DanglingRemoved),
		},
		{
			name: "before its call", alone: true,
			in:   history(q, toolMsg(answers("a", "1")), botMsg(served(calls("a"))), q),
			want: history(q, q), codes: warned(codes.OrphanRemoved, codes.DanglingRemoved),
		},
		{
			name: "several results", alone: true,
			in:    history(q, botMsg(served(calls("a"))), toolMsg(answers("a", "1"), answers("a", "2"))),
			want:  history(q, botMsg(calls("a")), toolMsg(merged)),
			codes: warned(codes.PartChanged, codes.DuplicatesMerged),
		},
	})
}

// TestRestoreServed: a result of the provider's that was stored as the caller's, next to its call,
// is the provider's again: only the provider writes such an output. Nothing else becomes its
// result.
func TestRestoreServed(t *testing.T) {
	const found = `[{"type":"web_search_result","url":"u","encrypted_content":"eA=="}]`
	q := userMsg(says("q"))
	own := preflight.Profile{
		Format: "anthropic", Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
	}
	own.IDs.ServerCall.Prefix = "srv_"
	search := func() *preflight.ToolCall {
		c := searches("srv_a")
		c.Name = "web_search"
		return c
	}
	served := finds("srv_a", found)
	served.Name = "web_search"
	moved := func(r *preflight.ToolResult) []preflight.Message {
		return history(q, botMsg(search()), userMsg(r), botMsg(says("x")), q)
	}
	marked, restored := answers("srv_a", found), finds("srv_a", found)
	restored.Name, restored.Cache = "web_search", []byte(`{"type":"ephemeral"}`)
	marked.Cache = restored.Cache
	output := answers("srv_a", "")
	output.Content, output.Output = nil, []byte(found)
	failed, shown := answers("srv_a", found), answers("srv_a", found)
	failed.IsError, shown.Content = true, append(shown.Content, image())
	runFixer(t, preflight.Fixers.PlaceRoles, []fixerCase{
		{
			name: "in the text of a result", profile: own,
			in:    history(q, botMsg(search(), answers("srv_a", found), says("x")), q),
			want:  history(q, botMsg(search(), served, says("x")), q),
			codes: warned(codes.PartChanged),
		},
		{
			name: "as its output", profile: own,
			in:    history(q, botMsg(search(), output, says("x")), q),
			want:  history(q, botMsg(search(), served, says("x")), q),
			codes: warned(codes.PartChanged),
		},
		{
			name: "with a breakpoint", profile: own,
			in:    history(q, botMsg(search(), marked, says("x")), q),
			want:  history(q, botMsg(search(), restored, says("x")), q),
			codes: warned(codes.PartChanged),
		},
		{
			name: "words that anybody may write", profile: own,
			in:    history(q, botMsg(search(), answers("srv_a", "found"), says("x")), q),
			want:  moved(answers("srv_a", "found")),
			codes: warned(codes.PartMoved, codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {1}, {2}},
		},
		{
			name: "an error", profile: own,
			in:    history(q, botMsg(search(), failed, says("x")), q),
			want:  moved(failed),
			codes: warned(codes.PartMoved, codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {1}, {2}},
		},
		{
			name: "a picture beside it", profile: own,
			in:    history(q, botMsg(search(), shown, says("x")), q),
			want:  moved(shown),
			codes: warned(codes.PartMoved, codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {1}, {2}},
		},
		{
			name: "a copy before the provider's own", profile: own,
			in: history(q, botMsg(search(), answers("srv_a", found), served, says("x")), q),
			want: history(q, botMsg(search()), userMsg(answers("srv_a", found)),
				botMsg(served, says("x")), q),
			codes: warned(codes.PartMoved, codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {1}, {2}},
		},
		{
			name: "an id that is not the provider's", profile: preflight.Profile{
				Format: "anthropic", Pairing: own.Pairing,
			},
			in:    history(q, botMsg(search(), answers("srv_a", found), says("x")), q),
			want:  moved(answers("srv_a", found)),
			codes: warned(codes.PartMoved, codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {1}, {2}},
		},
		{
			name: "in a message of the user's", profile: own,
			in: history(q, botMsg(search()), userMsg(answers("srv_a", found)), q),
		},
		{
			name: "before its call", profile: own,
			in:    history(q, botMsg(answers("srv_a", found), search()), q),
			want:  history(q, userMsg(answers("srv_a", found)), botMsg(search()), q),
			codes: warned(codes.PartMoved, codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {2}},
		},
		{
			name: "of a call that has a result", profile: own,
			in:    history(q, botMsg(search(), served, answers("srv_a", found)), q),
			want:  history(q, botMsg(search(), served), userMsg(answers("srv_a", found)), q),
			codes: warned(codes.PartMoved), origins: [][]int{{0}, {1}, {1}, {2}},
		},
	})
}
