package remedy

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file is what is learned from the remedy drop-named: a host does not know a member of
// messages, so that later requests are sent without it.

// dropNamedName is the name of the remedy.
const dropNamedName = "drop-named"

// like is the members that differ from one in their indices alone.
type like struct {
	steps      []string // to the object; indices are "0"
	name       string   // of the member
	kind, role string   // of the object, as its members type and role have them
}

// like returns the form of what is in the place.
func (p *place) like() like {
	l := like{
		steps: slices.Clone(p.steps), name: p.name,
		kind: p.object.Get("type").Str(), role: p.object.Get("role").Str(),
	}
	for k, step := range l.steps {
		if _, isIndex := indexOf(step); isIndex {
			l.steps[k] = "0"
		}
	}
	return l
}

// id returns what a lesson about it is called: drop-named messages[].content[].x type=text
func (l like) id() string {
	var b strings.Builder
	b.WriteString(dropNamedName + " ")
	for k, step := range l.steps {
		switch _, isIndex := indexOf(step); {
		case isIndex:
			b.WriteString("[]")
		case k > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	b.WriteString("." + l.name)
	if l.kind != "" {
		b.WriteString(" type=" + l.kind)
	}
	if l.role != "" {
		b.WriteString(" role=" + l.role)
	}
	return b.String()
}

// likeOf reads an id.
func likeOf(id string) (l like, ok bool) {
	words := strings.Split(id, " ")
	if len(words) < 2 || words[0] != dropNamedName {
		return l, false
	}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "type":
			l.kind = value
		case "role":
			l.role = value
		default:
			return l, false
		}
	}
	for step := range strings.SplitSeq(words[1], ".") {
		bare := strings.TrimRight(step, "[]")
		l.steps = append(l.steps, bare)
		for range strings.Count(step[len(bare):], "[]") {
			l.steps = append(l.steps, "0")
		}
	}
	last := len(l.steps) - 1
	l.steps, l.name = l.steps[:last], l.steps[last]
	return l, l.plain() && slices.Contains(histories, l.steps[0]) && l.id() == id
}

// plain reports whether the names are short and have no characters that an id cannot have.
func (l like) plain() bool {
	return len(l.steps) >= 2 && len(l.steps) <= maxSteps && l.name != "" && allPlain(l.steps) &&
		allPlain([]string{l.name, l.kind, l.role})
}

// allPlain reports whether names are such as formats have them. Others may be somebody's words.
func allPlain(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && r != '-' && r != '$' && (r < '0' || r > '9') &&
				(r|0x20 < 'a' || r|0x20 > 'z')
		})
	})
}

// in returns the objects of a body with a member that can go.
func (l like) in(root jsonscan.Value) []place {
	var found []place
	var walk func(v jsonscan.Value, done []string)
	walk = func(v jsonscan.Value, done []string) {
		if len(done) == len(l.steps) {
			if v.Kind() == jsonscan.Object && v.Has(l.name) && v.Get("type").Str() == l.kind &&
				v.Get("role").Str() == l.role {
				if p := (place{v, slices.Clone(done), l.name}); p.optional() {
					found = append(found, p)
				}
			}
			return
		}
		step := l.steps[len(done)]
		if _, isIndex := indexOf(step); !isIndex {
			if v.Kind() == jsonscan.Object && v.Has(step) {
				walk(v.Get(step), append(done, step))
			}
			return
		}
		if v.Kind() != jsonscan.Array {
			return
		}
		for k, e := range v.All() {
			walk(e, append(done, strconv.Itoa(k)))
		}
	}
	walk(root, nil)
	return found
}

// bare are members that hold nothing that somebody said, as plain has them.
var bare = map[string]bool{
	"cachecontrol": true, "cachepoint": true, "status": true, "index": true, "id": true,
}

// holdsContent reports whether a body has such a member with content.
func (l like) holdsContent(body []byte) bool {
	if bare[plain(l.name)] || !bytes.Contains(body, []byte(`"`+l.name+`"`)) {
		return false
	}
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(l.in(doc.Root()), func(p place) bool {
		switch v := p.object.Get(p.name); v.Kind() {
		case jsonscan.True: // is_error, thought
			return true
		case jsonscan.String:
			return v.Str() != ""
		case jsonscan.Object, jsonscan.Array:
			return v.Len() > 0
		}
		return false
	})
}

// withoutLearned returns a result without the members of lessons, and with items in the types that
// lessons say are known; ids are the lessons that changed something.
func withoutLearned(
	first *wire.Result, given []byte, all []lesson,
) (result *wire.Result, ids []string) {
	for _, s := range all {
		if named, ok := isPlainLesson(s.rule); ok {
			if plain := inPlainItems(first, given, first.Body, named, false); plain != nil {
				first, ids = plain, append(ids, s.rule)
			}
		}
	}
	edited, paths := first.Body, []string(nil)
	for _, s := range all {
		l, ok := likeOf(s.rule)
		if !ok || !bytes.Contains(edited, []byte(`"`+l.name+`"`)) {
			continue
		}
		doc, err := jsonscan.Parse(edited)
		if err != nil {
			return first, ids
		}
		if found := l.in(doc.Root()); len(found) > 0 {
			var dropped []string
			if edited, dropped, err = without(edited, found); err != nil {
				return first, nil
			}
			paths, ids = append(paths, dropped...), append(ids, s.rule)
		}
	}
	if len(paths) == 0 {
		return first, ids
	}
	return withoutMembers(first, given, edited, paths), ids
}

// breaksMember reports whether a body has a member that a lesson is about.
func breaksMember(body []byte, id string) bool {
	l, ok := likeOf(id)
	doc, err := jsonscan.Parse(body)
	return ok && err == nil && len(l.in(doc.Root())) > 0
}
