package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file pairs the results of a list of messages with its calls.
//
//	call a, "Stop.", result of a     late: it moves to its call
//	call a, "Stop."                  open
//	result of a, "Stop."             removed: its call is lost

// listState is where a call is while results are matched to calls.
type listState struct {
	element  int
	call     listCall
	answered bool
	content  string // of its result
	at, part int    // where that result is, 0 for none: a result comes after its call
}

// reported is why a result is removed whose finding the report has already.
const reported Code = "reported"

// matched is what is wrong with a list.
type matched struct {
	open    map[int][]listCall   // calls without a result, by element
	removed map[int]map[int]Code // results that have to go, and why, by element and part
	late    map[int]int          // results before or long after their calls: the element of these
	after   map[int][]int        // the same by the element of the calls
}

// match pairs the results of a list with the calls before them: with the last call of the same id.
// added is the text of results that an earlier repair added. removed are those that have to go
// anyway.
func match(messages []listMessage, added string, removed map[int]map[int]Code) matched {
	m := matched{map[int][]listCall{}, removed, map[int]int{}, map[int][]int{}}
	last := map[string]*listState{}
	made, given := map[string]int{}, map[string]int{} // calls and results, by their id
	var all []*listState
	between := -1 // the last element without results
	for k, message := range messages {
		if message.again {
			continue
		}
		calls := map[int]bool{} // the elements whose calls are answered here
		for _, result := range message.results {
			if m.removed[k][result.index] != "" {
				continue
			}
			given[result.id]++
			switch call := last[result.id]; {
			case call == nil:
				m.remove(k, result.index, CodeOrphanResult)
			case call.at > 0 && call.content == result.content:
				m.remove(k, result.index, CodeDoubledResult)
			default:
				if call.answered && !call.call.closed && call.content == added {
					m.remove(call.at, call.part, CodeLateResult)
				}
				call.answered, call.content = true, result.content
				call.at, call.part = k, result.index
				calls[call.element] = true
			}
		}
		if len(message.results) == 0 {
			between = k
		}
		for of := range calls {
			if between > of && len(calls) == 1 && m.removed[k] == nil {
				m.late[k] = of
				m.after[of] = append(m.after[of], k)
			}
		}
		for _, call := range message.calls {
			state := &listState{element: k, call: call, answered: call.closed}
			last[call.id] = state
			made[call.id]++
			all = append(all, state)
		}
	}
	next := nextOthers(messages)
	for k, message := range messages {
		if of := next[k]; of >= 0 && m.removed[k] != nil && message.early(of, last, made, given) {
			delete(m.removed, k)
			m.late[k] = of
			m.after[of] = append(m.after[of], k)
			for _, result := range message.results {
				last[result.id].answered = true
			}
		}
	}
	for _, state := range all {
		if !state.answered {
			m.open[state.element] = append(m.open[state.element], state.call)
		}
	}
	return m
}

// early reports whether an element is nothing but results of calls that element of makes: each the
// only call of its id and the only result, and of the same tool.
func (m *listMessage) early(of int, last map[string]*listState, made, given map[string]int) bool {
	for _, result := range m.results {
		call := last[result.id]
		if call == nil || call.element != of || call.answered || made[result.id] != 1 ||
			given[result.id] != 1 || result.name != "" && result.name != call.call.name {
			return false
		}
	}
	return m.text == "" && len(m.calls) == 0
}

// nextOthers returns, for each element, the next one without results; -1 for none, and for those
// that begin the list: there the call may have been cut off.
func nextOthers(messages []listMessage) []int {
	next, other := make([]int, len(messages)), -1
	for k := len(messages) - 1; k >= 0; k-- {
		next[k] = other
		if len(messages[k].results) == 0 && !messages[k].again {
			other = k
		}
	}
	for k := 0; k < len(messages) && len(messages[k].results) > 0; k++ {
		next[k] = -1
	}
	return next
}

func (m *matched) remove(element, part int, why Code) {
	if m.removed[element] == nil {
		m.removed[element] = map[int]Code{}
	}
	m.removed[element][part] = why
}

// onlyText returns the string that is all that a result says, Absent for one that has no string, or
// does not say that it is of the tool.
func onlyText(content jsonscan.Value, ofTool bool) jsonscan.Value {
	if ofTool && content.Kind() == jsonscan.String {
		return content
	}
	return jsonscan.Value{}
}

// given are the results of a call.
type given struct {
	first jsonscan.Value // the text of the first one
	said  []string       // different ones, in order
	seen  map[string]bool
	more  []resultAt // the others
	other bool       // one has more than a text
}

type resultAt struct{ element, part int }

// mergeResults gives the first result of a call what the others say, if they say different things:
// then they are the same result, given in parts. They have to follow each other. It returns the
// others, which are to be removed, as matched.removed has them.
func (f *listForm) mergeResults(
	data []byte, list jsonscan.Value, r *Report,
) ([]byte, jsonscan.Value, map[int]map[int]Code) {
	var edits jsonscan.Edits
	merged := matched{removed: map[int]map[int]Code{}}
	calls := map[string]*given{} // the last ones, by their id
	var made []*given
	path := pathsOf(list)
	merge := func() {
		for _, g := range made {
			if len(g.said) < 2 || g.other {
				continue
			}
			edits.Replace(g.first.Start(), g.first.End(), quote(strings.Join(g.said, "\n")))
			var rows []string
			for _, at := range g.more {
				merged.remove(at.element, at.part, reported)
				rows = append(rows, path(at.element))
			}
			r.add(Finding{
				Code: CodeDoubledResult, Rows: slices.Compact(rows),
				Problem: "a tool call has a second result, which says something else",
				Fix:     "add what it says to the first one",
			})
		}
		clear(calls)
		made = nil
	}
	for k, element := range elements(list) {
		said := f.says(element)
		for _, result := range said.results {
			g := calls[result.id]
			if g == nil || result.content == r.text { // an earlier repair has added it
				continue
			}
			g.other = g.other || !result.text.Exists()
			if g.first.Exists() {
				g.more = append(g.more, resultAt{k, result.index})
			} else {
				g.first = result.text
			}
			if !g.seen[result.content] {
				g.said, g.seen[result.content] = append(g.said, result.content), true
			}
		}
		if len(said.results) == 0 {
			merge()
		}
		for _, call := range said.calls {
			// whose results they are is not clear if another call has the id
			g := &given{seen: map[string]bool{}, other: calls[call.id] != nil}
			calls[call.id], made = g, append(made, g)
		}
	}
	merge()
	if edits.Len() == 0 {
		return data, list, merged.removed
	}
	out, err := edits.Apply(data)
	if err != nil {
		return data, list, nil
	}
	_, list = listOf(out)
	return out, list, merged.removed
}
