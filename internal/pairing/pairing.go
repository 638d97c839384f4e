// Package pairing decides which tool result answers which tool call, in one assignment over a whole
// history. It works on records of calls and results, and changes no message.
//
// Assign matches in steps, the strongest evidence first: matchTurn in the zone of each turn, then
// the steps of ladder. A step matches only what the steps before it have left:
//
//	evidence                                step                    reason
//	the id, in the zone of the call's turn  matchTurn               id
//	a copy of an answer next to it          attachCopies            id
//	the id, anywhere after the call         matchAnywhere           id
//	the id, in another spelling             matchAnywhere           normalized-id
//	the id, before the call                 matchAhead              id, normalized-id
//	another of the call's ids               matchAliases            normalized-id
//	the call has no id                      matchReusedIDs          position
//	the id of a call with an answer         attachToEarlierCalls    id, normalized-id
//	the call or the result has no id        matchPositions          name, position
//	the tool of the only open call          matchSoleNames          name
//	the id, with another variant            matchTypes              id, normalized-id
//	further results of calls                attachFurther           as above
//	the id of a result of a call without    attachLearned           position
//
// If the provider matches by name in addition to ids, matchByName and the steps of nameLadder take
// the place of ladder.
//
// In these examples, "call a" is a turn of the assistant that calls a tool with the id a, and
// "result a" a message with a result of that id:
//
//	call a, result a                                  matchTurn: the id, in the zone
//	call a, user, call b, result b, result a          matchAnywhere: late
//	call "call_1|fc_2", result call_1                 matchAnywhere: another spelling of the id
//	result a, call a                                  matchAhead: recorded before its call
//	calls without ids, result x "1", result x "2"     matchPositions: x names none of them
//	calls a and b, result x "1", result x "2"         none: ids that differ
//	call a, result without an id                      matchPositions: right after the call
//	call a, user, result without an id or a name      none: a user has spoken in between
//	call a of f, user, result of f without an id      matchSoleNames: no other call of f is open
//	calls a and b of f, user, result of f without id  none: it may be the result of either
//	call a, result b                                  none: both have ids
//	call a, result a, words, user, result a           attachFurther: a second result of call a
//
// Ids that are there on both sides, and differ in every spelling, are evidence against a match, and
// so are different tools. Position decides only right after the calls of a turn, where a call or a
// result has no id. A name alone decides where no user has spoken in between, and across words
// where only one call of that name is open.
//
// Of several results of one call, weigh chooses the answer: a real result before an error, an error
// before a placeholder.
package pairing

import (
	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/pairs"
)

// Matching holds the calls and results of a history, and their assignment. The caller sets Source
// and Rules and appends to Turns, Calls and Results, in the order of the history, with Answer and
// Call None; then it calls Assign. The buffers are reused after Reset.
type Matching struct {
	Source  Source
	Rules   Rules
	Turns   []Turn
	Calls   []Call
	Results []Result

	rest   rest
	groups callGroups     // see group
	latest idtable.Table  // see seek
	second map[string]int // the second call with an id, or None; see isOnlyOfID
	// id -> first turn with a call with it that has no answer but a placeholder; see wanted
	wanting    map[string]int
	named      map[string]int // name -> first call of it; see called
	incomplete int            // see matchByName
}

// Reset clears the records and what Assign found.
func (m *Matching) Reset() {
	clear(m.Calls)
	clear(m.Results)
	m.Turns, m.Calls, m.Results = m.Turns[:0], m.Calls[:0], m.Results[:0]
	m.rest.reset()
	m.groups.reset()
	m.latest.Reset()
	m.second, m.wanting, m.named = nil, nil, nil
}

// Assign matches calls and results. It reports whether every call has its result and every result
// its call, in its zone.
func (m *Matching) Assign() (inPlace bool) {
	if len(m.Results) == 0 {
		return m.complete()
	}
	for t := range m.Turns {
		m.matchTurn(&m.Turns[t])
	}
	if m.complete() {
		return true
	}
	m.collectRest()
	switch {
	case m.Rules.Server:
		m.matchServer()
	case m.Rules.ByName:
		if m.matchByName() {
			return true
		}
		m.climb(nameLadder)
	default:
		m.climb(ladder)
	}
	m.attachFurther()
	if !m.Rules.Server {
		m.attachLearned()
	}
	m.weigh()
	return false
}

// step is one kind of evidence. It matches what no earlier step has matched.
type step func(m *Matching)

// by returns a step that matches by a key.
func by(match func(*Matching, key), k key) step { return func(m *Matching) { match(m, k) } }

// ladder has the steps after the first, the strongest evidence first.
var ladder = []step{
	(*Matching).attachCopies,
	by((*Matching).matchAnywhere, sameID),
	by((*Matching).matchAnywhere, respelled),
	by((*Matching).matchAhead, sameID),
	(*Matching).matchAliases,
	by((*Matching).matchAhead, respelled),
	(*Matching).matchReusedIDs,
	(*Matching).attachToEarlierCalls,
	(*Matching).matchPositions,
	(*Matching).matchSoleNames,
	by((*Matching).matchTypes, sameID),
	by((*Matching).matchTypes, respelled),
}

// climb runs the steps in order.
func (m *Matching) climb(steps []step) {
	for _, match := range steps {
		match(m)
	}
}

// matchServer matches provider-executed calls. Each result is matched with an open call with its
// id: first one before it in its turn, then any before it, then one after it in its turn.
func (m *Matching) matchServer() {
	m.match(m.openCalls(), m.freeResults(), sameID, nil)
	for _, t := range m.rest.turns {
		m.matchAnyOrder(m.openCallsOf(t), m.freeResultsIn(t))
	}
}

// complete reports whether every call has its result and every result its call, in its zone.
func (m *Matching) complete() bool { return m.firstIncomplete() == len(m.Turns) }

// firstIncomplete returns the first turn with a call without a result, or with a result in or after
// it that has no call or has to change. It returns None for such a result before the first turn,
// and len(Turns) if all turns are complete.
func (m *Matching) firstIncomplete() int {
	first := len(m.Turns)
	for c := range m.Calls {
		if call := &m.Calls[c]; call.Answer == None && !m.staysOpen(c) {
			first = call.Turn
			break
		}
	}
	for r := range m.Results {
		if result := &m.Results[r]; result.Changes || result.Call == None {
			return min(first, result.LastTurn)
		}
	}
	return first
}

// staysOpen reports whether a call may stay without a result.
func (m *Matching) staysOpen(c int) bool { return m.Rules.KeepWaiting && m.Source.Waits(c) }

// Precedes reports whether call c is before result r, in an earlier message or in the same one.
func (m *Matching) Precedes(c, r int) bool {
	call, result := &m.Calls[c], &m.Results[r]
	return call.Message < result.Message ||
		call.Message == result.Message && call.Part < result.Part
}

// Bind matches call c and result r.
func (m *Matching) Bind(c, r int, why pairs.Reason) {
	call, result := &m.Calls[c], &m.Results[r]
	call.Answer, result.Call, result.Reason, result.Further = r, c, why, false
	result.Changes, result.late = m.changes(c, r), m.rest.collected
	if m.anywhere() && call.Message < result.Message {
		result.Zone = call.Turn // it is in its place wherever it is
	}
}

// attach makes r a further result of call c.
func (m *Matching) attach(c, r int, why pairs.Reason) {
	result := &m.Results[r]
	result.Call, result.Reason, result.Further, result.Changes = c, why, true, false
}
