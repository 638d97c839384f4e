package session

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file gives calls the ids and the names of tools that the provider takes: an id in all
// records that have it, and a name in the records of its message.

// isID reports whether a member is the id of something: "id", "call_id", "toolCallId".
func isID(member string) bool {
	return strings.HasSuffix(member, "id") || strings.HasSuffix(member, "Id") ||
		strings.HasSuffix(member, "ID")
}

// isName reports whether a member is the name of a tool.
func isName(member string) bool { return member == "name" || member == "toolName" }

// renameIDs writes the ids that a repair of the request gives to the calls of a message. A message
// with many such calls is looked at once, and all its records are named once.
//
// An id that calls of several messages have is written in the records of each message alone:
//
//	call x, its result x, … call x, its result x
//	call x, its result x, … call x_2, its result x_2
func (m *mender) renameIDs(_ wire.Warning, k int) bool {
	if m.lines = m.messages[k].records; len(m.lines) == 0 {
		return false
	}
	done, known := m.renumbered[k]
	if known {
		m.lines = m.lines[:1]
		return done
	}
	if m.newIDs == nil {
		m.gatherIDs()
	}
	changed := map[string]string{}
	m.renamed(k, isID, changed)
	for was, is := range changed {
		if was != is && was != "" && m.newIDs[was] == is && is != "" && !m.owns(was) {
			m.ids[was], done = is, true
		}
	}
	done = m.renameApart(k, changed) || done
	m.renumbered[k] = done
	return done
}

// gatherIDs gathers what a repair of the request makes of all ids, "" for one that becomes
// different ones, and how many messages have an id that becomes another: none where a record has it
// in several places that become different ones.
func (m *mender) gatherIDs() {
	m.newIDs, m.pairs = map[string]string{}, map[[2]string]int{}
	m.counts = map[*line]map[string]int{}
	type use struct {
		record *line
		id     string
	}
	made := map[use]string{}
	var torn [][2]string
	for k := range m.messages {
		changed := map[string]string{}
		m.renamed(k, isID, changed)
		for was, is := range changed {
			m.pairs[[2]string{was, is}]++
			if before, again := m.newIDs[was]; again && before != is {
				is = ""
			}
			m.newIDs[was] = is
		}
		for _, record := range m.recordsOf(k) {
			if m.counts[record] == nil {
				m.counts[record] = countIDs(record)
			}
			counts := m.counts[record]
			inBoth(counts, changed, func(id string) {
				is := changed[id]
				if was, again := made[use{record, id}]; again && was != is && counts[id] > 1 {
					torn = append(torn, [2]string{id, was}, [2]string{id, is})
				}
				made[use{record, id}] = is
			})
		}
	}
	for _, pair := range torn {
		m.pairs[pair] = 0
	}
}

// recordsOf returns the records of a message, each once.
func (m *mender) recordsOf(k int) []*line {
	seen := map[*line]bool{}
	return slices.DeleteFunc(slices.Clone(m.messages[k].records), func(record *line) bool {
		again := seen[record]
		seen[record] = true
		return again
	})
}

// countIDs counts the ids in a record.
func countIDs(record *line) map[string]int {
	counts := map[string]int{}
	textsIn(record.root(), "", func(name string, text jsonscan.Value) {
		if isID(name) {
			counts[text.Str()]++
		}
	})
	return counts
}

// inBoth visits the keys that two maps have, in the time that the smaller one takes.
func inBoth(counts map[string]int, changed map[string]string, visit func(string)) {
	if len(counts) < len(changed) {
		for id := range counts {
			if _, is := changed[id]; is {
				visit(id)
			}
		}
		return
	}
	for id := range changed {
		if counts[id] > 0 {
			visit(id)
		}
	}
}

// renameApart notes, for the records of a message alone, the new ids of calls whose old ones calls
// of other messages have, too. A call gets one only where its result does.
func (m *mender) renameApart(k int, changed map[string]string) bool {
	apart := map[string]string{}
	for was, is := range changed {
		if was != is && was != "" && is != "" && m.newIDs[was] == "" && !m.owns(was) &&
			m.pairs[[2]string{was, is}] > 1 {
			apart[was] = is
		}
	}
	if len(apart) == 0 {
		return false
	}
	for _, record := range m.recordsOf(k) {
		if m.apart[record] == nil {
			m.apart[record] = map[string]string{}
		}
		inBoth(m.counts[record], apart, func(id string) { m.apart[record][id] = apart[id] })
	}
	return true
}

// owns reports whether a text is the id of a record, by which others name it.
func (m *mender) owns(id string) bool {
	if m.owned == nil {
		m.owned = map[string]bool{}
		for _, l := range m.log.objects() {
			if m.client.id != "" {
				m.owned[l.str(m.client.id)] = true
			}
		}
	}
	return m.owned[id]
}

// renameTools writes the names of tools that a repair of the request gives to the calls of a
// message, all of them at the first warning.
func (m *mender) renameTools(_ wire.Warning, k int) bool {
	if m.named[k] {
		return false
	}
	m.named[k] = true
	changed := map[string]string{}
	m.renamed(k, isName, changed)
	for _, record := range m.messages[k].records {
		if rename(record, changed, isName) {
			m.lines = append(m.lines, record)
		}
	}
	return len(m.lines) > 0
}

// renamed gathers what a repair of the request makes of the texts of some members of a message.
func (m *mender) renamed(k int, of func(member string) bool, changed map[string]string) {
	was := valueOf(m.messages[k].json)
	for _, element := range m.madeOf(k) {
		is := was
		if element.JSON != nil {
			is = valueOf(element.JSON)
		}
		compare(was, is, of, changed)
	}
}

// madeOf returns what a repair of the request makes of a message.
func (m *mender) madeOf(k int) []wire.Element {
	if m.made == nil {
		m.made = map[int][]wire.Element{}
		for _, element := range m.repaired {
			m.made[element.From] = append(m.made[element.From], element)
		}
	}
	return m.made[k+m.first]
}

// compare gathers what becomes of the texts of some members, where two values are alike: "" for a
// text that becomes different ones.
func compare(a, b jsonscan.Value, of func(string) bool, changed map[string]string) {
	switch {
	case a.Kind() != b.Kind():
	case a.Kind() == jsonscan.Object:
		next := b.First() // a repair keeps the order, so that it is mostly the one that is looked for
		for was := a.First(); was.Exists(); was = was.Next() {
			name := was.Key().Str()
			is := next
			if !is.Key().StrIs(name) {
				is = b.Get(name)
			}
			next = is.Next()
			if was.Kind() != jsonscan.String || is.Kind() != jsonscan.String {
				compare(was, is, of, changed)
			} else if of(name) {
				text := is.Str()
				if before, again := changed[was.Str()]; again && before != text {
					text = ""
				}
				changed[was.Str()] = text
			}
		}
	case a.Kind() == jsonscan.Array && a.Len() == b.Len():
		is := b.First()
		for was := a.First(); was.Exists(); was = was.Next() {
			compare(was, is, of, changed)
			is = is.Next()
		}
	}
}

// rename writes other texts into some members of a record, and reports whether it has any.
func rename(record *line, changed map[string]string, of func(member string) bool) bool {
	if len(changed) == 0 {
		return false
	}
	var edited []byte
	from, start := record.root().Raw(), record.root().Start()
	done := 0 // bytes of the record that are in edited
	textsIn(record.root(), "", func(name string, text jsonscan.Value) {
		is := changed[text.Str()]
		if is != "" && is != text.Str() && of(name) {
			edited = append(edited, from[done:text.Start()-start]...)
			edited = append(edited, quote(is)...)
			done = text.End() - start
		}
	})
	if done == 0 {
		return false
	}
	*record = *newLine(record.number, append(edited, from[done:]...))
	return true
}

// textsIn visits the texts in a value that is the member name, in order, each with the name of its
// member, "" for an element of a list.
func textsIn(v jsonscan.Value, name string, visit func(string, jsonscan.Value)) {
	if v.Kind() == jsonscan.String {
		visit(name, v)
	}
	for element := v.First(); element.Exists(); element = element.Next() {
		textsIn(element, element.Key().Str(), visit)
	}
}
