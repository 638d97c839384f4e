package session

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file repairs sessions of the Gemini CLI.

// geminiKey names a record by its content. Copies of it are alike, so that what is found out about
// one holds for all.
func geminiKey(m jsonscan.Value) string { return string(m.Raw()) }

// repairGemini removes second copies of results and results without a call, and answers the calls
// that would be sent without a result. What an earlier line has and a later one replaces is
// not sent, and stays.
func repairGemini(l *log, r *Report) {
	dropOlderVersions(l, r)
	list := geminiList(l)
	plans := planGemini(list, r)
	if len(plans) == 0 {
		return
	}
	live := map[*line]bool{}
	for _, record := range list {
		if plans[geminiKey(record.value)] != nil {
			live[record.line] = true
		}
	}
	added := map[*line][]*line{}
	for _, record := range l.objects() {
		if !live[record] {
			continue
		}
		did := geminiDone{text: r.text}
		if set := record.at("$set", "messages"); set.Kind() == jsonscan.Array {
			var pieces [][]byte
			for _, m := range elements(set) {
				pieces = append(pieces, did.rewrite(m, plans[geminiKey(m)])...)
			}
			record.set(array(pieces...), "$set", "messages")
		} else if pieces := did.rewrite(record.root(), plans[geminiKey(record.root())]); pieces == nil {
			record.dropped = true
		} else {
			*record = *newLine(record.number, pieces[0])
			for _, piece := range pieces[1:] {
				added[record] = append(added[record], newLine(0, piece))
			}
		}
		did.report(record, r)
	}
	l.insertAfter(added)
}

// dropOlderVersions drops records that replace a record of the same id by what it was before it got
// its calls: two processes wrote, or a line was written twice.
func dropOlderVersions(l *log, r *Report) {
	newer := map[string]*geminiMembers{} // of records with calls, by their ids
	for _, record := range l.objects() {
		id := record.str("id")
		switch set := record.at("$set", "messages"); {
		case set.Kind() == jsonscan.Array || record.at("$rewindTo").Exists():
			clear(newer)
			for _, m := range elements(set) {
				if len(elements(m.Get("toolCalls"))) > 0 {
					newer[m.Get("id").Str()] = &geminiMembers{of: m}
				}
			}
		case id == "":
		case len(elements(record.at("toolCalls"))) > 0:
			newer[id] = &geminiMembers{of: record.root()}
		case newer[id] != nil && newer[id].include(record.root()):
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: "an older version of a record comes after the newer one, so the client " +
					r.does("forget") + " its tool calls",
				Fix: "remove the older one",
			})
		default:
			delete(newer, id)
		}
	}
}

// geminiMembers are the members of a record, which are read once.
type geminiMembers struct {
	of     jsonscan.Value
	values map[string][]byte
}

// include reports whether an object is the record without some of its members.
func (m *geminiMembers) include(object jsonscan.Value) bool {
	if m.values == nil {
		m.values = map[string][]byte{}
		for member := m.of.First(); member.Exists(); member = member.Next() {
			m.values[member.Key().Str()] = member.Raw()
		}
	}
	for member := object.First(); member.Exists(); member = member.Next() {
		value, has := m.values[member.Key().Str()]
		if !has || !bytes.Equal(value, member.Raw()) {
			return false
		}
	}
	return true
}

// geminiDone counts what was done to a line.
type geminiDone struct {
	text                                string // of added results
	doubled, orphans, restored, answers int
	moved, given, late                  int
}

// rewrite returns a record as it is to be, if anything is left of it, and what follows it.
func (d *geminiDone) rewrite(m jsonscan.Value, plan *geminiPlan) [][]byte {
	if plan == nil {
		return [][]byte{m.Raw()}
	}
	if plan.again {
		calls, again := geminiOnce(m.Get("toolCalls"))
		d.doubled += again
		return [][]byte{setMember(m, calls, "toolCalls")}
	}
	if plan.given != nil {
		return [][]byte{d.give(m, plan.given)}
	}
	if plan.open != nil || plan.late != nil {
		pieces := [][]byte{m.Raw()}
		if plan.late != nil {
			pieces = append(pieces, geminiMoved(m, plan.late))
		}
		if plan.open != nil {
			pieces = append(pieces, d.answer(m, plan.open))
		}
		return pieces
	}
	var kept [][]byte
	for n, part := range elements(m.Get("content")) {
		piece := part.Raw()
		switch fate := plan.parts[n]; {
		case fate.doubled:
			d.doubled++
			continue
		case fate.orphan:
			d.orphans++
			continue
		case fate.moved:
			d.moved++
			continue
		case fate.late:
			d.late++
			continue
		case fate.restored != nil:
			d.restored++
			_, response, _ := cutOrphanText(part.Get("text").Str())
			piece = fate.restored.response([]byte(response))
		}
		kept = append(kept, piece)
	}
	if kept == nil {
		return nil
	}
	return [][]byte{setMember(m, array(kept...), "content")}
}

// give returns a record whose calls in toolCalls have got results.
func (d *geminiDone) give(m jsonscan.Value, calls []*geminiCall) []byte {
	results := map[string][]byte{}
	for _, call := range calls {
		results[call.id] = call.result
	}
	instead := map[int][]byte{}
	for k, call := range elements(m.Get("toolCalls")) {
		result := results[geminiID(call)]
		if result == nil {
			continue
		}
		delete(results, geminiID(call))
		d.given++
		instead[k] = setMember(call, array(result), "result")
	}
	return setMember(m, withoutElements(m.Get("toolCalls"), nil, instead), "toolCalls")
}

// geminiOnce returns toolCalls with each result once, and how many it left out. Resumed sessions
// have the results of all calls of a turn with every one of them.
func geminiOnce(calls jsonscan.Value) (once []byte, again int) {
	left := map[string]int{} // how many results of an id are still to come
	own := map[string]bool{}
	for _, call := range elements(calls) {
		for _, part := range elements(call.Get("result")) {
			id := geminiID(part.Get("functionResponse"))
			left[id]++
			own[id] = own[id] || id == geminiID(call)
		}
	}
	seen := map[string]bool{}
	var list [][]byte
	for _, call := range elements(calls) {
		var results [][]byte
		before := again
		for _, part := range elements(call.Get("result")) {
			id := geminiID(part.Get("functionResponse"))
			elsewhere := own[id] && id != geminiID(call) && left[id] > 1 // it is with its call
			if id != "" && (seen[id] || elsewhere) {
				again++
				left[id]--
				continue
			}
			seen[id] = true
			results = append(results, part.Raw())
		}
		one := call.Raw()
		if again > before {
			one = setMember(call, array(results...), "result")
		}
		list = append(list, one)
	}
	return array(list...), again
}

// response returns the part of a result of the call.
func (c *geminiCall) response(response []byte) []byte {
	return object("functionResponse", object("id", c.id, "name", c.name, "response", response))
}

// geminiMoved returns a record of results that came after other turns than that of their calls.
func geminiMoved(m jsonscan.Value, late []*geminiCall) []byte {
	var parts [][]byte
	for _, call := range late {
		parts = append(parts, call.late)
	}
	return geminiUser(m, "moved", parts)
}

// geminiUser returns a record of the user's that follows a record.
func geminiUser(m jsonscan.Value, what string, parts [][]byte) []byte {
	return object("id", derivedID(m.Get("id").Str(), what), "timestamp", m.Get("timestamp"),
		"type", "user", "content", array(parts...))
}

// answer returns a record of error results for calls of a record.
func (d *geminiDone) answer(m jsonscan.Value, open []*geminiCall) []byte {
	var parts [][]byte
	for _, call := range open {
		parts = append(parts, call.response(object("error", d.text)))
		d.answers++
	}
	return geminiUser(m, "result", parts)
}

func (d *geminiDone) report(record *line, r *Report) {
	for _, f := range []struct {
		count        int
		code         Code
		problem, fix string
	}{
		{
			d.doubled, CodeDoubledResult,
			"a tool result is kept twice, and the client " + r.does("send") + " it twice",
			"remove the second copy",
		},
		{
			d.orphans, CodeOrphanResult, "the result's tool call is not in the file",
			"remove the result",
		},
		{
			d.restored, CodeOrphanResult, "an earlier repair turned the result of a call into text",
			"make the text the result again",
		},
		{d.answers, CodeDanglingCall, "a tool call has no result", "add an error result"},
		{
			d.moved, CodeOutOfOrder, "a tool result is not kept with its call",
			"move the result to its call",
		},
		{d.late, lateResult.Code, lateResult.Problem, lateResult.Fix},
		{
			d.given, CodeDanglingCall, "a tool call is kept without its result",
			"put the result with the call",
		},
	} {
		if f.count > 0 {
			r.add(Finding{Code: f.code, Lines: numbered(record), Count: f.count,
				Problem: f.problem, Fix: f.fix})
		}
	}
}
