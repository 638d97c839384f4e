package session

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file gives calls the ids and the names of tools that the provider takes: an id in all records
// that have it, and a name in the records of its message.

// isID reports whether a member is the id of something: "id", "call_id", "toolCallId".
func isID(member string) bool {
	return strings.HasSuffix(member, "id") || strings.HasSuffix(member, "Id") ||
		strings.HasSuffix(member, "ID")
}

// isName reports whether a member is the name of a tool.
func isName(member string) bool { return member == "name" || member == "toolName" }

// renameIDs writes the ids that a repair of the request gives to the calls of a message.
func (m *mender) renameIDs(_ wire.Warning, k int) bool {
	changed := m.renamed(k, isID)
	if m.lines = m.messages[k].records; len(m.lines) == 0 {
		return false
	}
	for was, is := range changed {
		if was == "" || m.owns(was) || m.ids[was] != "" && m.ids[was] != is {
			return false
		}
	}
	maps.Copy(m.ids, changed)
	return len(changed) > 0
}

// owns reports whether a text is the id of a record, by which others name it.
func (m *mender) owns(id string) bool {
	return m.client.id != "" && slices.ContainsFunc(m.log.objects(), func(l *line) bool {
		return l.str(m.client.id) == id
	})
}

// renameTools writes the names of tools that a repair of the request gives to the calls of a message.
func (m *mender) renameTools(_ wire.Warning, k int) bool {
	changed := m.renamed(k, isName)
	for _, record := range m.messages[k].records {
		if rename(record, changed, isName) {
			m.lines = append(m.lines, record)
		}
	}
	return len(m.lines) > 0
}

// renamed returns the texts of some members of a message that a repair of the request changes, with
// what it makes of them.
func (m *mender) renamed(k int, of func(member string) bool) map[string]string {
	changed := map[string]string{}
	for _, element := range m.repaired {
		if element.From == k+m.first && element.JSON != nil {
			compare(valueOf(m.messages[k].json), valueOf(element.JSON), of, changed)
		}
	}
	return changed
}

// compare gathers the differences between the texts of some members, where two values are alike.
func compare(a, b jsonscan.Value, of func(string) bool, changed map[string]string) {
	switch {
	case a.Kind() != b.Kind():
	case a.Kind() == jsonscan.Object:
		for was := a.First(); was.Exists(); was = was.Next() {
			name := was.Key().Str()
			is := b.Get(name)
			if was.Kind() != jsonscan.String || is.Kind() != jsonscan.String {
				compare(was, is, of, changed)
			} else if of(name) && was.Str() != is.Str() {
				changed[was.Str()] = is.Str()
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
		if changed[text.Str()] != "" && of(name) {
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
