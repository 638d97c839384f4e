package session

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file finds out what has to change in a session of the Gemini CLI.

// geminiCall is a call in the list, and what it has got so far.
type geminiCall struct {
	id, name string
	record   int    // its record's index in the list
	part     bool   // it is a part of the content, which is sent without a result too
	answered bool   // a result of it is sent
	unsent   bool   // it is in toolCalls without a result, so the client does not send it
	result   []byte // the part of a result that it gets, for one that is unsent
	late     []byte // the parts of results that come after other turns, for one that is a part
}

// geminiFate is what becomes of one part of a record of the user's: it stays if all is zero.
type geminiFate struct {
	doubled, orphan bool        // the part is removed
	late            bool        // the part is a result of ours, and the tool's own arrived
	moved           bool        // the part goes to its call
	restored        *geminiCall // the part is a result that an earlier repair turned into text
}

// geminiPlan is what becomes of one record.
type geminiPlan struct {
	parts []geminiFate
	open  []*geminiCall // calls that are to be answered after the record
	late  []*geminiCall // calls whose results are moved after the record
	given []*geminiCall // calls in toolCalls that get their result
	again bool          // toolCalls has results of a call more than once
}

// planGemini returns what becomes of the records that have to change. Ids may be in both spellings.
// Results without an id are left alone.
func planGemini(list []geminiRecord, report *Report) map[string]*geminiPlan {
	calls, byRecord := geminiCallsOf(list)
	ours, own := geminiAnswers(list)
	plans := map[string]*geminiPlan{}
	turn := 0 // the model's last record
	for k, r := range list {
		if r.value.Get("type").Str() == "gemini" {
			turn = k
			if _, again := geminiOnce(r.value.Get("toolCalls")); again > 0 {
				plans[geminiKey(r.value)] = &geminiPlan{again: true}
			}
			continue
		}
		parts := elements(r.value.Get("content"))
		plan, changes := &geminiPlan{parts: make([]geminiFate, len(parts))}, false
		for n, part := range parts {
			fate := &plan.parts[n]
			if response := part.Get("functionResponse"); response.Exists() {
				id := geminiID(response)
				switch call := calls[id]; {
				case id == "":
				case call == nil || call.record > k:
					fate.orphan = true
				case ours[r.value.Get("id").Str()] && own[id]:
					fate.late = true
				case call.unsent && call.result == nil:
					call.result, fate.moved = part.Raw(), true
				case call.answered || call.unsent:
					fate.doubled = true
				default:
					call.answered = true
					if call.part && call.record != turn {
						call.late, fate.moved = part.Raw(), true
					}
				}
			} else if name, _, ours := cutOrphanText(part.Get("text").Str()); ours {
				for _, call := range byRecord[turn] {
					if call.part && !call.answered && call.name == name {
						call.answered, fate.restored = true, call
						break
					}
				}
			}
			changes = changes || *fate != geminiFate{}
		}
		if changes {
			plans[geminiKey(r.value)] = plan
		}
	}
	for k, r := range list {
		var open, late, given []*geminiCall
		for _, call := range byRecord[k] {
			switch {
			case call.result != nil:
				given = append(given, call)
			case call.late != nil:
				late = append(late, call)
			case call.part && !call.answered && call.id != "" && k < len(list)-1:
				open = append(open, call)
			}
		}
		if open != nil && report.waits(stampOf(r.value.Get("timestamp")), Finding{
			Code: CodeDanglingCall, Lines: numbered(r.line),
		}) {
			open = nil
		}
		if (open != nil || late != nil || given != nil) && plans[geminiKey(r.value)] == nil {
			plans[geminiKey(r.value)] = &geminiPlan{open: open, late: late, given: given}
		}
	}
	return plans
}

// geminiCallsOf returns the calls of a list by their id, and by the index of their record.
func geminiCallsOf(list []geminiRecord) (calls map[string]*geminiCall, of map[int][]*geminiCall) {
	calls, of = map[string]*geminiCall{}, map[int][]*geminiCall{}
	for k, r := range list {
		for _, part := range elements(r.value.Get("content")) {
			if call := part.Get("functionCall"); call.Exists() {
				c := &geminiCall{
					id: geminiID(call), name: call.Get("name").Str(), record: k, part: true,
				}
				calls[c.id], of[k] = c, append(of[k], c)
			}
		}
		for _, call := range elements(r.value.Get("toolCalls")) {
			id := geminiID(call)
			none := len(elements(call.Get("result"))) == 0
			if calls[id] == nil {
				calls[id] = &geminiCall{
					id: id, name: call.Get("name").Str(), record: k, unsent: none,
				}
				of[k] = append(of[k], calls[id])
			}
			calls[id].answered = calls[id].answered || !none
			calls[id].unsent = calls[id].unsent && none
		}
	}
	return calls, of
}

// geminiAnswers returns the ids that the records of added results have, and the ids of the calls
// that have a result of their own.
func geminiAnswers(list []geminiRecord) (ours, own map[string]bool) {
	ours, own = map[string]bool{}, map[string]bool{}
	for _, r := range list {
		if r.value.Get("type").Str() == "gemini" {
			ours[derivedID(r.value.Get("id").Str(), "result")] = true
		}
	}
	for _, r := range list {
		if r.value.Get("type").Str() == "gemini" || ours[r.value.Get("id").Str()] {
			continue
		}
		for _, part := range elements(r.value.Get("content")) {
			if response := part.Get("functionResponse"); response.Exists() {
				own[geminiID(response)] = true
			}
		}
	}
	return ours, own
}

// cutOrphanText takes a text apart that an older repair made of a result whose call it did not
// find. The response is a JSON object.
func cutOrphanText(text string) (name, response string, ours bool) {
	rest, ours := strings.CutPrefix(text, "Result of tool ")
	name, response, found := strings.Cut(rest, ", whose call is missing:\n")
	return name, response, ours && found && valueOf([]byte(response)).Kind() == jsonscan.Object
}
