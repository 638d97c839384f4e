package preflighttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
)

// A mutant is a body in which a few JSON values were changed, without regard
// for what they mean.

// spot is a place in a decoded body.
type spot struct {
	path string
	get  func() any
	set  func(any)
	del  func() // nil for an element of a list
}

// spots visits every place in v, in a fixed order.
func spots(v any, path string, visit func(spot)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visit(spot{
				path: path + "." + name,
				get:  func() any { return v[name] },
				set:  func(x any) { v[name] = x },
				del:  func() { delete(v, name) },
			})
			spots(v[name], path+"."+name, visit)
		}
	case []any:
		for i := range v {
			visit(spot{
				path: fmt.Sprintf("%s[%d]", path, i),
				get:  func() any { return v[i] },
				set:  func(x any) { v[i] = x },
			})
			spots(v[i], fmt.Sprintf("%s[%d]", path, i), visit)
		}
	}
}

// mutations are the ways in which one place changes. Each reports whether it
// applies to the place.
var mutations = []struct {
	name  string
	apply func(t *rapid.T, s spot, all []spot) bool
}{
	{"remove", func(t *rapid.T, s spot, _ []spot) bool {
		if s.del == nil {
			return false
		}
		s.del()
		return true
	}},
	{"replace", func(t *rapid.T, s spot, _ []spot) bool {
		s.set(rapid.SampledFrom([]any{
			nil,
			7.0,
			true,
			false,
			"x",
			"",
			" ",
			array{},
			object{},
			array{"x"},
			object{"x": 1.0},
		}).
			Draw(t, "value"))
		return true
	}},
	{"empty", func(t *rapid.T, s spot, _ []spot) bool {
		switch s.get().(type) {
		case string:
			s.set("")
		case []any:
			s.set(array{})
		case map[string]any:
			s.set(object{})
		default:
			return false
		}
		return true
	}},
	{"borrow", func(t *rapid.T, s spot, all []spot) bool { // what is under this name elsewhere
		name := s.path[strings.LastIndexByte(s.path, '.')+1:]
		var others []spot
		for _, o := range all {
			if o.path[strings.LastIndexByte(o.path, '.')+1:] == name {
				others = append(others, o)
			}
		}
		s.set(cloned(rapid.SampledFrom(others).Draw(t, "from").get())) // it may hold this place
		return true
	}},
	{"rename", func(t *rapid.T, s spot, all []spot) bool { // one name for another
		o, ok := s.get().(map[string]any)
		if !ok || len(o) == 0 {
			return false
		}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(o))).Draw(t, "name")
		other := all[rapid.IntRange(0, len(all)-1).Draw(t, "other")].path
		other = other[strings.LastIndexByte(other, '.')+1:]
		if _, there := o[other]; there || strings.HasSuffix(other, "]") {
			return false
		}
		o[other] = o[name]
		delete(o, name)
		return true
	}},
	{"add", func(t *rapid.T, s spot, _ []spot) bool { // a member that the object may not have
		o, ok := s.get().(map[string]any)
		if !ok {
			return false
		}
		name := rapid.SampledFrom([]string{"id", "name", "type", "call_id", "status", "text", "x"})
		o[name.Draw(t, "name")] = rapid.SampledFrom([]any{"a b", "a", "", nil, "call_1", "new"}).
			Draw(t, "value")
		return true
	}},
	{"merge", inList(func(t *rapid.T, l []any, i, j int) []any { // two objects become one
		a, ok := l[i].(map[string]any)
		b, both := l[j].(map[string]any)
		if !ok || !both || i == j {
			return l
		}
		for name, value := range b {
			if _, there := a[name]; !there {
				a[name] = value
			}
		}
		return slices.Delete(l, j, j+1)
	})},
	{"repeat", inList(func(t *rapid.T, l []any, i, j int) []any {
		return slices.Insert(l, j, cloned(l[i]))
	})},
	{"drop", inList(func(t *rapid.T, l []any, i, _ int) []any { return slices.Delete(l, i, i+1) })},
	{"swap",
		inList(func(t *rapid.T, l []any, i, j int) []any { l[i], l[j] = l[j], l[i]; return l })},
}

// cloned returns a value that shares nothing with v.
func cloned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		o := make(object, len(v))
		for name, x := range v {
			o[name] = cloned(x)
		}
		return o
	case []any:
		l := make(array, len(v))
		for i, x := range v {
			l[i] = cloned(x)
		}
		return l
	}
	return v
}

// inList is a mutation of a list that has elements.
func inList(f func(t *rapid.T, l []any, i, j int) []any) func(t *rapid.T, s spot, all []spot) bool {
	return func(t *rapid.T, s spot, _ []spot) bool {
		l, ok := s.get().([]any)
		if !ok || len(l) == 0 {
			return false
		}
		s.set(f(t, slices.Clone(l), rapid.IntRange(0, len(l)-1).Draw(t, "i"),
			rapid.IntRange(0, len(l)-1).Draw(t, "j")))
		return true
	}
}

// mutant draws a body in which up to three values of the history were changed,
// with items that no history in memory has.
func mutant(t *rapid.T, profile preflight.Profile, body []byte) []byte {
	var root object
	require.NoError(t, json.Unmarshal(body, &root))
	name := list(profile.Provider)
	if strays := subjects[profile.Provider].strays; rapid.Bool().Draw(t, "stray") {
		for range min(len(strays), rapid.IntRange(1, 3).Draw(t, "strays")) {
			var stray any
			require.NoError(t, json.Unmarshal(
				[]byte(rapid.SampledFrom(strays).Draw(t, "item")), &stray))
			l := root[name].([]any)
			root[name] = slices.Insert(l, rapid.IntRange(0, len(l)).Draw(t, "at"), stray)
		}
	}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		var all []spot
		spots(root[name], name, func(s spot) { all = append(all, s) })
		if len(all) == 0 {
			break
		}
		s := rapid.SampledFrom(all).Draw(t, "spot")
		m := rapid.SampledFrom(mutations).Draw(t, "mutation")
		m.apply(t, s, all)
	}
	return []byte(compact(root))
}
