package anthropic

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Calls and results of the caller's tools: which calls are answered, and where.

// uses returns the ids of the calls of a turn, in order.
func (t turn) uses() []string {
	var ids []string
	for _, b := range t.blocks {
		if b.kind == "tool_use" {
			ids = append(ids, read.Text(b.object["id"]))
		}
	}
	return ids
}

func (b block) known() bool {
	_, known := fields[b.kind]
	return known
}

// results splits the results of a turn into those that come before anything
// else, where they count, and the later ones. A block that nothing is known of may
// be a result, if it names one of the calls.
func (t turn) results(calls map[string]bool) (leading, later []block) {
	open := true
	for _, b := range t.blocks {
		switch {
		case !b.known() && calls[read.Text(b.object["tool_use_id"])]:
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

// pairs calls f for each turn that calls tools or answers calls, with
// the turn that follows. An orphan result comes with an empty turn.
func pairs(r *fake.Request, f func(calls, answers turn)) {
	turns := opened(r).turns
	for i, t := range turns {
		switch t.role {
		case "assistant":
			var next turn
			if i+1 < len(turns) && turns[i+1].role == "user" {
				next = turns[i+1]
			}
			f(t, next)
		case "user":
			if i == 0 || turns[i-1].role != "assistant" {
				f(turn{}, t)
			}
		}
	}
}

func useDuplicate(r *fake.Request, found fake.Found) {
	seen, last := map[string]bool{}, ""
	each(r, func(m message, b block) {
		if m.role != last && opened(r).foreign() {
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

func resultOrphan(r *fake.Request, found fake.Found) {
	pairs(r, func(calls, answers turn) {
		ids := set(calls.uses())
		for _, b := range answers.blocks {
			if id, ok := b.object["tool_use_id"].(string); ok && b.kind == "tool_result" &&
				!ids[id] && !opened(r).unknown.To(b.msg, id) {
				found(b.at(), b.fill("toolu_XXXX", id)...)
			}
		}
	})
}

func resultDuplicate(r *fake.Request, found fake.Found) {
	pairs(r, func(calls, answers turn) {
		ids, seen := set(calls.uses()), map[string]bool{}
		for _, b := range answers.blocks {
			id := read.Text(b.object["tool_use_id"])
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

func set(ids []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}

func idsOf(results []block) map[string]bool {
	set := map[string]bool{}
	for _, b := range results {
		set[read.Text(b.object["tool_use_id"])] = true
	}
	return set
}

func resultMissing(r *fake.Request, found fake.Found) {
	unanswered(r, found, func(missing, late bool) bool { return missing && !late })
}

func resultFirst(r *fake.Request, found fake.Found) {
	unanswered(r, found, func(missing, late bool) bool { return missing && late })
}

// unanswered reports the calls of each turn that report selects, by
// whether the result is missing at the head of the next turn, and whether it
// comes later in that turn.
func unanswered(r *fake.Request, found fake.Found, report func(missing, late bool) bool) {
	pairs(r, func(calls, answers turn) {
		leading, late := answers.results(set(calls.uses()))
		first, later := idsOf(leading), idsOf(late)
		var ids []string
		named := map[string]bool{}
		for _, id := range calls.uses() {
			if report(!first[id], later[id]) && !named[id] &&
				!opened(r).unknown.From(calls.first, id) {
				ids = append(ids, id)
			}
			named[id] = true
		}
		if len(ids) > 0 {
			found(messagePath(calls.last),
				append(claude.Nth(calls.last), "toolu_XXXX", strings.Join(ids, ", "))...)
		}
	})
}

// open returns the calls of the turn of the given type that no later block of the turn answers. A
// result answers one call; a block that nothing is known of may answer all that it names.
func (t turn) open(kind string, answers func(b block) bool) []block {
	var open []block
	results := map[string]int{} // after the block, by id
	for _, b := range slices.Backward(t.blocks) {
		if answers(b) {
			results[read.Text(b.object["tool_use_id"])]++
		}
		if id := read.Text(b.object["id"]); b.kind == kind && results[id] > 0 {
			results[id]--
		} else if b.kind == kind && !t.unknown.From(b.msg, id) {
			open = append(open, b)
		}
	}
	slices.Reverse(open)
	return open
}

// useInUser looks into system messages, too, where no other rule about
// their blocks holds.
func useInUser(r *fake.Request, found fake.Found) {
	foreign := opened(r).foreign()
	each(r, func(m message, b block) {
		if (m.role == "user" || m.role == "system" && foreign) &&
			(b.kind == "tool_use" || b.kind == "server_tool_use" || b.kind == "mcp_tool_use") {
			found(b.at(), append(claude.Nth(m.index), "`tool_use`", "`"+b.kind+"`")...)
		}
	})
}

func resultInAssistant(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if b.kind == "tool_result" && m.role == "assistant" {
			found(b.at(), claude.Nth(m.index)...)
		}
	})
}
