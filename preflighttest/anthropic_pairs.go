package preflighttest

import (
	"slices"
	"strconv"
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

func anthropicEncrypted(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if !b.answersServer() && !b.answersMCP() {
			return
		}
		for i, result := range array(b.object["content"]) {
			o := object(result)
			_, intact := o["encrypted_content"].(string)
			fields, ours := unseal(text(o["encrypted_content"]))
			if o["encrypted_content"] == "" ||
				text(o["type"]) == "web_search_result" && (!intact || ours && fields == nil) {
				found(anthropicPath(b.path)+".content["+strconv.Itoa(i)+"].encrypted_content",
					b.fill()...)
			}
		}
	})
}

// Thinking.

// onlyResults reports whether the turn answers calls and does nothing else.
func (t anthropicTurn) onlyResults() bool {
	return t.role == "user" &&
		!slices.ContainsFunc(t.blocks,
			func(b anthropicBlock) bool { return b.kind != "tool_result" })
}

// openTurns returns the turns of the model that are not over: the last one, if
// nothing but results follows, and those from which results alone led to it.
func (a *anthropicRequest) openTurns() []anthropicTurn {
	var open []anthropicTurn
	for i := len(a.turns) - 1; i >= 0; i-- {
		switch t := a.turns[i]; {
		case t.role == "assistant":
			open = append(open, t)
		case !t.onlyResults():
			i = 0
		}
	}
	slices.Reverse(open)
	return open
}

// lastAssistant returns the last assistant turn, or nil.
func (a *anthropicRequest) lastAssistant() *anthropicTurn {
	for i := len(a.turns) - 1; i >= 0; i-- {
		if a.turns[i].role == "assistant" {
			return &a.turns[i]
		}
	}
	return nil
}

func anthropicSignatureRequired(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		signature, ok := b.object["signature"].(string)
		if b.kind == "thinking" && (!ok || signature == "" && text(b.object["thinking"]) != "") {
			found(b.at(), b.fill()...)
		}
	})
}

func anthropicRedactedData(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind != "redacted_thinking" {
			return
		}
		s, ours, intact := anthropicUnseal(b)
		if data, ok := b.object["data"].(string); ok &&
			(data == "" || ours && (!intact || s.kind != b.kind)) {
			found(b.at(), b.fill()...)
		}
	})
}

// anthropicThinkingModified looks at the latest assistant turn, whose thinking
// has to be there as it was issued: all of it, in order, unchanged.
func anthropicThinkingModified(r *request, found found) {
	t := anthropicOf(r).lastAssistant()
	if t == nil {
		return
	}
	var issued []anthropicSealed
	var at []anthropicBlock
	for _, b := range t.blocks {
		if !b.thinks() {
			continue
		}
		s, ours, intact := anthropicUnseal(b)
		if !ours || !intact {
			// what is not issued here is taken as it is; a damaged seal is the case of
			// thinking-signature-invalid
			return
		}
		if !s.genuine(b) {
			found(b.at(), b.fill()...)
			return
		}
		issued, at = append(issued, s), append(at, b)
	}
	// One turn may hold several answers, when it was paused: each has all of
	// its thinking, numbered from 0.
	want := 0
	for i, s := range issued {
		if s.nth != strconv.Itoa(want) {
			found(at[i].at(), at[i].fill()...)
			return
		}
		if want++; strconv.Itoa(want) == s.of {
			want = 0
		}
	}
	if want != 0 {
		b := at[len(at)-1]
		found(b.at(), b.fill()...)
	}
}

func anthropicSignatureInvalid(r *request, found found) {
	last := anthropicOf(r).lastAssistant()
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		s, ours, intact := anthropicUnseal(b)
		if b.kind != "thinking" || !ours || intact && s.genuine(b) {
			return
		}
		if intact && last != nil && m.index >= last.first && m.index <= last.last {
			return // the case of thinking-modified
		}
		found(b.at(), b.fill()...)
	})
}

func anthropicThinkingPrefix(r *request, found found) {
	a := anthropicOf(r)
	binding := object(object(r.root["thinking"])["block_binding"])
	if r.lenient && binding == nil || !a.model.binds() ||
		text(binding["prefix_mismatch_behavior"]) == "drop_block" {
		return
	}
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		s, _, intact := anthropicUnseal(b)
		if !b.thinks() || !intact {
			return
		}
		if what := s.differs(a.bound, b.path); what != "" {
			found(b.at(), "messages.1.content.0", b.path,
				"The `system` prompt differs from the one this block was created with.", what)
		}
	})
}

func anthropicThinkingEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "thinking" && text(b.object["thinking"]) == "" && b.object["signature"] == "" {
			found(b.at(), b.fill()...)
		}
	})
}

func anthropicThinkingDisabled(r *request, found found) {
	a := anthropicOf(r)
	open := a.openTurns()
	if a.thinking != "disabled" || len(open) == 0 {
		return
	}
	for _, b := range open[len(open)-1].blocks {
		if b.thinks() {
			found(b.at(), "messages.1.content.0", b.path, "cannot contain `thinking`",
				"cannot contain `"+b.kind+"`")
			return
		}
	}
}

func anthropicThinkingOrder(r *request, found found) {
	a := anthropicOf(r)
	if a.thinking != "enabled" {
		return
	}
	for _, t := range a.turns {
		if t.role == "assistant" && len(t.blocks) > 0 && !t.blocks[0].thinks() &&
			slices.ContainsFunc(t.blocks, anthropicBlock.thinks) {
			b := t.blocks[0]
			found(b.at(), "messages.1.content.0", b.path, "Found `text`", "Found `"+b.kind+"`")
		}
	}
}

// anthropicThinkingLeads checks a turn that continues after results. Its
// thinking is in front of its first calls; the provider does not think again
// before each of the later ones.
func anthropicThinkingLeads(r *request, found found) {
	a := anthropicOf(r)
	open := a.openTurns()
	if a.thinking != "enabled" || len(open) == 0 || a.turns[len(a.turns)-1].role == "assistant" {
		return
	}
	if first := open[0]; len(first.blocks) > 0 && !first.blocks[0].thinks() {
		b := first.blocks[0]
		found(b.at()+".type", "messages.1.content.0", b.path, "found `tool_use`",
			"found `"+b.kind+"`")
	}
}

// paused reports whether the turn can be one that the provider itself asked
// to continue: a tool that it runs has not answered in the last message.
func (t anthropicTurn) paused() bool {
	return slices.ContainsFunc(append(t.openServer(), t.openMCP()...),
		func(b anthropicBlock) bool { return b.msg == t.last })
}

// prefill returns the trailing assistant turn that is there for the model to
// continue, or nil.
func (a *anthropicRequest) prefill() *anthropicTurn {
	n := len(a.turns)
	if n == 0 || a.turns[n-1].role != "assistant" || a.turns[n-1].paused() {
		return nil
	}
	return &a.turns[n-1]
}

func anthropicPrefill(r *request, found found) {
	a := anthropicOf(r)
	if t := a.prefill(); t != nil && (!a.model.prefills() || a.thinking == "enabled") &&
		!has(r.root, "fallback_credit_token") {
		found(anthropicMessagePath(t.last))
	}
}

func anthropicThinkingFinal(r *request, found found) {
	a := anthropicOf(r)
	n := len(a.turns)
	if n == 0 || a.turns[n-1].role != "assistant" || len(a.turns[n-1].blocks) == 0 {
		return
	}
	t := a.turns[n-1]
	if t.paused() {
		return // it goes back as it came
	}
	if b := t.blocks[len(t.blocks)-1]; b.thinks() {
		found(anthropicMessagePath(t.last),
			append(anthropicNth(t.last), "cannot be `thinking`", "cannot be `"+b.kind+"`")...)
	}
}

func anthropicTrailingSpace(r *request, found found) {
	a := anthropicOf(r)
	t := a.prefill()
	if t == nil || !a.model.prefills() || len(t.blocks) == 0 {
		return
	}
	s := text(t.blocks[len(t.blocks)-1].object["text"])
	if s != strings.TrimRight(s, " \t\r\n") {
		found(anthropicMessagePath(t.last))
	}
}
