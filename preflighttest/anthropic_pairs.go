package preflighttest

import (
	"slices"
	"strings"
)

// Which calls are answered, and where: the checks of anthropic_checks.go that
// look from one block to another.

// anthropicUses are the ids of the calls of a turn, in order.
func (t anthropicTurn) uses() []string {
	var ids []string
	for _, b := range t.blocks {
		if b.kind == "tool_use" {
			ids = append(ids, text(b.object["id"]))
		}
	}
	return ids
}

// results splits the results of a turn into those that come before anything
// else, where they count, and the later ones.
func (t anthropicTurn) results() (leading, later []anthropicBlock) {
	open := true
	for _, b := range t.blocks {
		switch {
		case b.kind != "tool_result":
			open = false
		case open:
			leading = append(leading, b)
		default:
			later = append(later, b)
		}
	}
	return leading, later
}

// anthropicPairs calls f for each turn that calls tools or answers calls, with
// the turn that follows. An orphan result comes with an empty turn.
func anthropicPairs(r *request, f func(calls, answers anthropicTurn)) {
	turns := anthropicOf(r).turns
	for i, t := range turns {
		switch t.role {
		case "assistant":
			var next anthropicTurn
			if i+1 < len(turns) && turns[i+1].role == "user" {
				next = turns[i+1]
			}
			f(t, next)
		case "user":
			if i == 0 || turns[i-1].role != "assistant" {
				f(anthropicTurn{}, t)
			}
		}
	}
}

func anthropicUseDuplicate(r *request, found found) {
	seen, last := map[string]bool{}, ""
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if m.role != last && anthropicOf(r).foreign() {
			seen = map[string]bool{} // elsewhere an id may come again in another turn
		}
		last = m.role
		id, ok := b.object["id"].(string)
		if !ok || b.kind != "tool_use" && b.kind != "server_tool_use" && b.kind != "mcp_tool_use" {
			return
		}
		if seen[id] {
			found(b.at())
		}
		seen[id] = true
	})
}

func anthropicResultOrphan(r *request, found found) {
	anthropicPairs(r, func(calls, answers anthropicTurn) {
		ids := anthropicSet(calls.uses())
		for _, b := range answers.blocks {
			if id, ok := b.object["tool_use_id"].(string); ok && b.kind == "tool_result" &&
				!ids[id] {
				found(b.at(), b.fill("toolu_XXXX", id)...)
			}
		}
	})
}

func anthropicResultDuplicate(r *request, found found) {
	anthropicPairs(r, func(calls, answers anthropicTurn) {
		ids, seen := anthropicSet(calls.uses()), map[string]bool{}
		for _, b := range answers.blocks {
			id := text(b.object["tool_use_id"])
			if b.kind != "tool_result" || !ids[id] {
				continue
			}
			if seen[id] {
				found(b.at(), "toolu_XXXX", id)
			}
			seen[id] = true
		}
	})
}

func anthropicSet(ids []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}

func anthropicIDsOf(results []anthropicBlock) map[string]bool {
	set := map[string]bool{}
	for _, b := range results {
		set[text(b.object["tool_use_id"])] = true
	}
	return set
}

func anthropicResultMissing(r *request, found found) {
	anthropicUnanswered(r, found, func(missing, late bool) bool { return missing && !late })
}

func anthropicResultFirst(r *request, found found) {
	anthropicUnanswered(r, found, func(missing, late bool) bool { return missing && late })
}

// anthropicUnanswered reports the calls of each turn that report selects, by
// whether the result is missing at the head of the next turn, and whether it
// comes later in that turn.
func anthropicUnanswered(r *request, found found, report func(missing, late bool) bool) {
	anthropicPairs(r, func(calls, answers anthropicTurn) {
		leading, late := answers.results()
		first, later := anthropicIDsOf(leading), anthropicIDsOf(late)
		var ids []string
		named := map[string]bool{}
		for _, id := range calls.uses() {
			if report(!first[id], later[id]) && !named[id] {
				ids = append(ids, id)
			}
			named[id] = true
		}
		if len(ids) > 0 {
			found(anthropicMessagePath(calls.last),
				append(anthropicNth(calls.last), "toolu_XXXX", strings.Join(ids, ", "))...)
		}
	})
}

// Tools of the provider.

// open returns the calls of the turn of the given type that no later block of
// the turn answers.
func (t anthropicTurn) open(kind string, answers func(b anthropicBlock) bool) []anthropicBlock {
	last := map[string]int{} // the last answer to each id
	for i, b := range t.blocks {
		if answers(b) {
			last[text(b.object["tool_use_id"])] = i
		}
	}
	var open []anthropicBlock
	for i, b := range t.blocks {
		if b.kind == kind && last[text(b.object["id"])] <= i {
			open = append(open, b)
		}
	}
	return open
}

func (t anthropicTurn) openServer() []anthropicBlock {
	return t.open("server_tool_use", anthropicBlock.answersServer)
}

// openMCP is openServer for the tools of MCP servers that the provider calls.
func (t anthropicTurn) openMCP() []anthropicBlock {
	return t.open("mcp_tool_use", anthropicBlock.answersMCP)
}

func (b anthropicBlock) answersMCP() bool { return b.kind == "mcp_tool_result" }

// anthropicServerTurns calls f for each assistant turn with calls that should
// have a result in the turn and, by open, do not. after holds the turns that
// follow.
func anthropicServerTurns(
	r *request,
	open func(t anthropicTurn) []anthropicBlock,
	f func(t anthropicTurn, open []anthropicBlock, after []anthropicTurn),
) {
	turns := anthropicOf(r).turns
	for i, t := range turns {
		if t.role != "assistant" {
			continue
		}
		if open := open(t); len(open) > 0 {
			f(t, open, turns[i+1:])
		}
	}
}

// anthropicMixed reports whether a turn that has an open server tool also
// calls tools of the client, whose answers are the last turn but for system
// messages; alone says that nothing but the answers follows.
func anthropicMixed(t anthropicTurn, after []anthropicTurn) (mixed, alone bool) {
	if len(t.uses()) == 0 || len(after) == 0 || after[0].role != "user" ||
		slices.ContainsFunc(after, func(t anthropicTurn) bool { return t.role == "assistant" }) {
		return false, false
	}
	return true, len(after) == 1 && after[0].onlyResults()
}

func anthropicServerMixed(r *request, found found) {
	anthropicServerTurns(r, anthropicTurn.openServer,
		func(t anthropicTurn, open []anthropicBlock, after []anthropicTurn) {
			if mixed, alone := anthropicMixed(t, after); !mixed || alone {
				return
			}
			for _, b := range open {
				found(b.at(), anthropicServerFill(b)...)
			}
		})
}

func anthropicServerMissing(r *request, found found) {
	anthropicServerTurns(r, anthropicTurn.openServer,
		func(t anthropicTurn, open []anthropicBlock, after []anthropicTurn) {
			if mixed, _ := anthropicMixed(t, after); mixed || len(after) == 0 {
				return
			}
			for _, b := range open {
				found(b.at(), append(anthropicNth(b.msg), anthropicServerFill(b)...)...)
			}
		})
}

func anthropicServerFill(b anthropicBlock) []string {
	name := text(b.object["name"])
	return []string{
		"`web_search` ", "`" + name + "` ", "`web_search_tool_result`",
		"`" + anthropicResultKind(name) + "`",
		"srvtoolu_XXXX", text(b.object["id"]), "srvtoolu_01HxbWnMRmbWyMfUtJKC45rA",
		text(b.object["id"]),
	}
}

func anthropicServerOrphan(r *request, found found) {
	for _, t := range anthropicOf(r).turns {
		called := map[string]bool{}
		for _, b := range t.blocks {
			if b.kind == "server_tool_use" {
				called[text(b.object["id"])] = true
			}
			if id, ok := b.object["tool_use_id"].(string); ok && b.answersServer() {
				if !called[id] || t.role != "assistant" {
					found(b.at(), "messages.7.content.0", b.path, "advisor_tool_result", b.kind,
						"srvtoolu_XXXX", id)
				}
				delete(called, id) // a second result has no call of its own
			}
		}
	}
}

func anthropicMCP(r *request, found found) {
	anthropicServerTurns(r, anthropicTurn.openMCP,
		func(t anthropicTurn, open []anthropicBlock, after []anthropicTurn) {
			if _, alone := anthropicMixed(t, after); alone || len(after) == 0 {
				return
			}
			for _, b := range open {
				found(b.at(), "mcptoolu_XXXX", text(b.object["id"]))
			}
		})
}

func anthropicMCPOrphan(r *request, found found) {
	for _, t := range anthropicOf(r).turns {
		called := map[string]bool{}
		for _, b := range t.blocks {
			if b.kind == "mcp_tool_use" {
				called[text(b.object["id"])] = true
			}
			if id, ok := b.object["tool_use_id"].(string); ok && b.answersMCP() {
				if !called[id] || t.role != "assistant" {
					found(b.at(), "mcptoolu_XXXX", id)
				}
				delete(called, id)
			}
		}
	}
}

func anthropicContainerRequired(r *request, found found) {
	turns := anthropicOf(r).turns
	if has(r.root, "container") || len(turns) == 0 {
		return
	}
	pending := turns[len(turns)-1]
	if pending.role == "user" && len(turns) > 1 {
		pending = turns[len(turns)-2]
	}
	for _, b := range pending.openServer() {
		if strings.Contains(text(b.object["name"]), "code_execution") {
			found("container")
			return
		}
	}
}
