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

// matched is what is wrong with a list.
type matched struct {
	open    map[int][]listCall   // calls without a result, by element
	removed map[int]map[int]Code // results that have to go, and why, by element and part
	late    map[int]int          // results before or long after their calls: the element of these
	after   map[int][]int        // the same by the element of the calls
}

// match pairs the results of a list with the calls before them: with the last call of the same id.
// added is the text of results that an earlier repair added.
func match(messages []listMessage, added string) matched {
	m := matched{map[int][]listCall{}, map[int]map[int]Code{}, map[int]int{}, map[int][]int{}}
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
	said  []string         // different ones, in order
	texts []jsonscan.Value // of all
	row   string           // of the second one
	other bool             // one has more than a text, or a repair has added it; or they are too many
}

// maxMerged bounds how many results of a call are merged: each gets the text of all.
const maxMerged = 8

// mergeResults gives the results of a call that say different things the text of all of them: then
// they are the same result, given twice. They have to follow each other.
func (f *listForm) mergeResults(
	data []byte, list jsonscan.Value, r *Report,
) ([]byte, jsonscan.Value) {
	var edits jsonscan.Edits
	calls := map[string]*given{} // the last ones, by their id
	var made []*given
	path := pathsOf(list)
	merge := func() {
		for _, g := range made {
			if len(g.said) < 2 || g.other {
				continue
			}
			for _, text := range g.texts {
				edits.Replace(text.Start(), text.End(), quote(strings.Join(g.said, "\n")))
			}
			r.add(Finding{
				Code: CodeDoubledResult, Rows: []string{g.row},
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
			if g == nil {
				continue
			}
			g.other = g.other || len(g.texts) == maxMerged || !result.text.Exists() ||
				result.content == r.text
			if g.other {
				continue
			}
			g.texts = append(g.texts, result.text)
			if !slices.Contains(g.said, result.content) {
				g.said, g.row = append(g.said, result.content), path(k)
			}
		}
		if len(said.results) == 0 {
			merge()
		}
		for _, call := range said.calls {
			g := &given{other: calls[call.id] != nil} // whose results they are is not clear then
			calls[call.id], made = g, append(made, g)
		}
	}
	merge()
	if edits.Len() == 0 {
		return data, list
	}
	merged, err := edits.Apply(data)
	if err != nil {
		return data, list
	}
	_, list = listOf(merged)
	return merged, list
}
