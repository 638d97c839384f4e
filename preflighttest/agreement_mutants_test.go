package preflighttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

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
// with items that no history in memory has. It is nil if a call or a result is left alone.
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
	changed := []byte(compact(root))
	if suspends(changed) != "" {
		return nil // what is left alone may be refused, and has tests of its own
	}
	return changed
}

// toolMembers are the members that the documentation of the formats with tool_calls has for a call,
// for what is in it, and for a result. A call or a result with another one is left alone, since the
// member may say that it stays open; see package members. The table is
// this test's own.
var toolMembers = map[string][]string{
	"call":     {"id", "type", "function", "custom", "index"},
	"function": {"name", "arguments"},
	"custom":   {"name", "input"},
	"result":   {"role", "content", "tool_call_id", "name", "tool_name"},
}

// suspends names a call or a result of a body with a member that is not documented, by what it is
// and by the member: "" for none. Numbers, null and false say nothing.
func suspends(body []byte) string {
	var root object
	if json.Unmarshal(body, &root) != nil {
		return ""
	}
	messages, _ := root["messages"].(array)
	for _, m := range messages {
		m, _ := m.(object)
		if m["role"] == "tool" {
			if name := undocumented("result", m); name != "" {
				return name
			}
		}
		calls, _ := m["tool_calls"].(array)
		for _, c := range calls {
			c, _ := c.(object)
			for kind, o := range map[string]any{
				"call": c, "function": c["function"], "custom": c["custom"],
			} {
				o, _ := o.(object)
				if name := undocumented(kind, o); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

func undocumented(kind string, o object) string {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		switch o[name].(type) {
		case string, array, object, bool:
			if o[name] != false && !slices.Contains(toolMembers[kind], name) {
				return kind + " " + name
			}
		}
	}
	return ""
}

// TestSuspends: what the mutants leave out, and no more.
func TestSuspends(t *testing.T) {
	for body, want := range map[string]string{
		`{"messages":[{"role":"tool","content":"x","tool_call_id":"c"}]}`:                 "",
		`{"messages":[{"role":"tool","content":"x","tool_call_id":"c","mode":"later"}]}`:  "result mode",
		`{"messages":[{"role":"user","content":"x","mode":"later"}],"x":"y"}`:             "",
		`{"messages":[{"tool_calls":[{"id":"c","function":{"name":"f","id":"a b"}}]}]}`:   "function id",
		`{"messages":[{"tool_calls":[{"id":"c","x":1,"y":null,"z":false}]}]}`:             "",
		`{"messages":[{"tool_calls":[{"id":"c","async":true}]}]}`:                         "call async",
		`{"messages":[{"tool_calls":[{"content":{},"type":"function"},7]},7],"more":"x"}`: "call content",
	} {
		require.Equal(t, want, suspends([]byte(body)), body)
	}
}
