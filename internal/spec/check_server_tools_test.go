package spec

import (
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestCheckServerTools gives Check one fault at a time, under a profile that forbids nothing else:
// provider-executed calls, and items.
func TestCheckServerTools(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	empty := func(role preflight.Role) preflight.Message { return preflight.Message{Role: role} }
	anyID := map[string]provider.Pattern{"": {}}
	items := preflight.Profile{
		Pairing: provider.PairingRules{Results: provider.ResultsAnywhere},
		Items:   provider.ItemRules{IDs: anyID, Held: true, NeedReasoning: []string{"message"}},
	}
	for _, c := range []struct {
		name    string
		profile preflight.Profile
		in      []preflight.Message
		want    []string // problem and place
	}{
		// Provider-executed calls: rules server-tool-result-missing, server-tool-mixed-turn and
		// pause-turn of Anthropic.
		{"a pause", preflight.Profile{}, history(q, botMsg(searches("s"))), nil},
		{"a pause that is over", preflight.Profile{}, history(q, botMsg(searches("s")), q),
			[]string{"server-dangling messages[1].parts[0]"}},
		{"results alone after an open call and one of the caller's", preflight.Profile{},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"more than results", preflight.Profile{},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")), q),
			[]string{"server-mixed messages[1].parts[0]"}},
		{"a turn after them", preflight.Profile{},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")), a),
			[]string{"server-dangling messages[1].parts[0]"}},
		{"no results, but more", preflight.Profile{},
			history(q, botMsg(searches("s"), waits("a")), q),
			[]string{"server-dangling messages[1].parts[0]"}},
		{"a result with its call after it", preflight.Profile{},
			history(q, botMsg(finds("s", `[]`), searches("s"), finds("s", `[]`))),
			[]string{"server-orphan messages[1].parts[0]"}},

		// Provider-executed calls over several messages.
		{"a provider's result without any call", preflight.Profile{},
			history(q, botMsg(finds("s", `[]`))), []string{"server-orphan messages[1].parts[0]"}},
		{"both kinds under one id, in whatever order", preflight.Profile{},
			history(q, botMsg(searches("s"), mcp("s"), mcpFinds("s"), finds("s", `[]`), says("x")),
				q), nil},
		{"one of another kind than the MCP call of its id", preflight.Profile{},
			history(q, botMsg(mcp("m"), finds("m", `[]`), says("x")), q),
			[]string{"mcp-pairing messages[1].parts[0]", "server-orphan messages[1].parts[1]"}},
		{"one of MCP, and a call without its result", preflight.Profile{},
			history(q, botMsg(mcpFinds("m")), q, botMsg(mcp("n")), q),
			[]string{"mcp-pairing messages[1].parts[0]", "mcp-pairing messages[3].parts[0]"}},
		{"call and result in neighbours that are one turn",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}},
			history(q, botMsg(searches("s")), empty("user"), botMsg(finds("s", `[]`)), q), nil},
		{"in two turns", preflight.Profile{},
			history(q, botMsg(searches("s")), botMsg(finds("s", `[]`)), q),
			[]string{"server-dangling messages[1].parts[0]", "server-orphan messages[2].parts[0]"}},
		{"with somebody between them",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}},
			history(q, botMsg(searches("s")), q, botMsg(finds("s", `[]`)), q),
			[]string{"server-dangling messages[1].parts[0]", "server-orphan messages[3].parts[0]"}},
		{"a call that waits", preflight.Profile{}, history(q, botMsg(waitsFor(searches("s"))), q),
			nil},
		{"text that goes is no more than results",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			history(q, botMsg(searches("s"), calls("a")), toolMsg(answers("a", "1")),
				userMsg(says(""))), []string{"empty-text messages[3].parts[0]"}},
		{"results of an earlier turn's calls are not those of this one", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(searches("s")),
				toolMsg(answers("x", "1"))),
			[]string{"server-dangling messages[3].parts[0]", "orphan messages[4].parts[0]"}},
		{"results in another order, with calls between them", preflight.Profile{},
			history(botMsg(searches("a"), searches("b"), finds("b", `[]`), finds("a", `[]`),
				searches("c"), finds("c", `[]`))), nil},
		{"the first open call of an id is the one that is answered", preflight.Profile{},
			history(botMsg(searches("a"), finds("a", `[]`), searches("a"), searches("a"),
				finds("a", `[]`)), q), []string{"server-dangling messages[0].parts[3]"}},
		{"an id again once its call is answered", preflight.Profile{},
			history(botMsg(searches("x"), searches("a"), finds("a", `[]`), finds("a", `[]`),
				searches("a"), finds("a", `[]`), finds("x", `[]`))),
			[]string{"server-orphan messages[0].parts[3]"}},

		// Items.
		{"messages without content are between no items", items,
			history(thoughtItem("rs_1", ""), empty("assistant"),
				saidItem("assistant", "msg_1", "x")), nil},
		// OpenAI accepted 41 recorded requests with such ids: an item that was made without
		// reasoning lacks none.
		{"an item with its id at the very beginning", items,
			history(saidItem("assistant", "msg_1", "x")), nil},
		{"in a later turn", items,
			history(thoughtItem("rs_1", ""), saidItem("assistant", "msg_1", "x"), q,
				saidItem("assistant", "msg_2", "y")), nil},
		{"after a result in a turn without reasoning", items,
			history(calledItem("", "a", ""), answeredItem("a", "", "1"),
				saidItem("assistant", "msg_1", "x")), nil},
		{"after a result in a turn with some", items,
			history(thoughtItem("rs_1", ""), calledItem("fc_1", "a", ""),
				toolMsg(answers("a", "1")), saidItem("assistant", "msg_1", "x")), nil},
		{"an item that needs no reasoning", items,
			history(calledItem("fc_1", "a", ""), answeredItem("a", "", "1")), nil},
		{"ids of calls are not those of items",
			preflight.Profile{
				IDs:   provider.IDRules{Unique: provider.ScopeHistory},
				Items: provider.ItemRules{IDs: anyID},
			}, history(calledItem("a", "a", ""), toolMsg(answers("a", "1"))), nil},
		{"an id used before", items,
			history(saidItem("user", "msg_1", "x"), saidItem("user", "msg_1", "x")),
			[]string{"item-duplicate messages[1]"}},
		{"reasoning at the end, and before somebody else", items,
			history(thoughtItem("rs_1", ""), thoughtItem("rs_2", ""), q, thoughtItem("rs_3", "")),
			[]string{
				"reasoning-alone messages[0]", "reasoning-alone messages[1]",
				"reasoning-alone messages[3]",
			}},
		{"reasoning by its id before an item without one", items,
			history(thoughtItem("rs_1", ""), saidItem("assistant", "", "x")),
			[]string{"reasoning-split messages[0]"}},
		{"parts that are items of their own",
			preflight.Profile{Provider: "own",
				Items: provider.ItemRules{IDs: anyID, OnePartPerMessage: true}},
			history(botMsg(says("x"), says("y")), decoded("own", botMsg(says("x"), waits("a")))),
			[]string{"item-mixed messages[1]"}},
		{"parts that the encoder makes items of",
			preflight.Profile{Items: provider.ItemRules{IDs: anyID, OnePartPerMessage: true}},
			history(botMsg(says("x"), says("y")), botMsg(says("x"), calls("a")),
				toolMsg(answers("a", "1"))), nil},
		{"without a rule for items", preflight.Profile{},
			history(saidItem("assistant", "msg_1", "x"), saidItem("assistant", "msg_1", "x")), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			requireViolations(t, c.want, c.in, &c.profile, &kept)
		})
	}
}
