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

// renameIDs writes the ids that a repair of the request gives to the calls of a message: not one
// that several calls have, which get one each.
func (m *mender) renameIDs(_ wire.Warning, k int) bool {
	if m.lines = m.messages[k].records; len(m.lines) == 0 {
		return false
	}
	if m.newIDs == nil {
		m.newIDs = map[string]string{}
		for k := range m.messages {
			m.renamed(k, isID, m.newIDs)
		}
	}
	changed := map[string]string{}
	m.renamed(k, isID, changed)
	done := false
	for was, is := range changed {
		if was != is && was != "" && m.newIDs[was] == is && is != "" && !m.owns(was) {
			m.ids[was], done = is, true
		}
	}
	return done
}

// owns reports whether a text is the id of a record, by which others name it.
func (m *mender) owns(id string) bool {
	return m.client.id != "" && slices.ContainsFunc(m.log.objects(), func(l *line) bool {
		return l.str(m.client.id) == id
	})
}

// renameTools writes the names of tools that a repair of the request gives to the calls of a
// message.
func (m *mender) renameTools(_ wire.Warning, k int) bool {
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
	for _, element := range m.repaired {
		if element.From == k+m.first {
			is := was
			if element.JSON != nil {
				is = valueOf(element.JSON)
			}
			compare(was, is, of, changed)
		}
	}
}

// compare gathers what becomes of the texts of some members, where two values are alike: "" for a
// text that becomes different ones.
func compare(a, b jsonscan.Value, of func(string) bool, changed map[string]string) {
	switch {
	case a.Kind() != b.Kind():
	case a.Kind() == jsonscan.Object:
		for was := a.First(); was.Exists(); was = was.Next() {
			name := was.Key().Str()
			is := b.Get(name)
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
	var paths [][]any
	textsIn(record.root, nil, func(path []any, text jsonscan.Value) {
		name, _ := path[len(path)-1].(string)
		is := changed[text.Str()]
		if is != "" && is != text.Str() && of(name) {
			paths = append(paths, slices.Clone(path))
		}
	})
	for _, path := range paths {
		is := changed[follow(record.root, path).Str()]
		*record = *newLine(record.number, replaced(record.root, path, quote(is)))
	}
	return len(paths) > 0
}

// textsIn visits the texts in a value, each with its path.
func textsIn(v jsonscan.Value, path []any, visit func([]any, jsonscan.Value)) {
	k := 0
	for element := v.First(); element.Exists(); element = element.Next() {
		step := any(k)
		if v.Kind() == jsonscan.Object {
			step = element.Key().Str()
		}
		k++
		at := append(path[:len(path):len(path)], step)
		if element.Kind() == jsonscan.String {
			visit(at, element)
		} else {
			textsIn(element, at, visit)
		}
	}
}
