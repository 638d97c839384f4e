package preflighttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

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
			visit(spot{path: path + "." + name, get: func() any { return v[name] }, set: func(x any) { v[name] = x }, del: func() { delete(v, name) }})
			spots(v[name], path+"."+name, visit)
		}
	case []any:
		for i := range v {
			visit(spot{path: fmt.Sprintf("%s[%d]", path, i), get: func() any { return v[i] }, set: func(x any) { v[i] = x }})
			spots(v[i], fmt.Sprintf("%s[%d]", path, i), visit)
		}
	}
}

// unmutated are places where check and fake differ on purpose: types that
// nobody knows, which preflight leaves to a later version of the API.
var unmutated = regexp.MustCompile(`\.type$`)

// mutate makes one change somewhere in the list of a decoded body, if the
// draws come to one.
func mutate(t *rapid.T, body object, list string) {
	var all []spot
	spots(body[list], list, func(s spot) {
		if !unmutated.MatchString(s.path) {
			all = append(all, s)
		}
	})
	if len(all) == 0 {
		return
	}
	s := rapid.SampledFrom(all).Draw(t, "spot")
	switch how := rapid.SampledFrom([]string{"delete", "replace", "empty", "repeat", "drop", "swap"}).Draw(t, "how"); how {
	case "delete":
		if s.del != nil {
			s.del()
		}
	case "replace":
		s.set(rapid.SampledFrom([]any{nil, 7.0, true, "x", "", " ", array{}, object{}}).Draw(t, "value"))
	case "empty":
		switch s.get().(type) {
		case string:
			s.set("")
		case []any:
			s.set(array{})
		case map[string]any:
			s.set(object{})
		}
	default:
		l, ok := s.get().([]any)
		if !ok || len(l) == 0 {
			return
		}
		i, j := rapid.IntRange(0, len(l)-1).Draw(t, "i"), rapid.IntRange(0, len(l)-1).Draw(t, "j")
		l = slices.Clone(l)
		switch how {
		case "repeat":
			l = slices.Insert(l, i, l[i])
		case "drop":
			l = slices.Delete(l, i, i+1)
		case "swap":
			l[i], l[j] = l[j], l[i]
		}
		s.set(l)
	}
}

// TestMutants: check and fake agree about sound bodies in which one value was
// changed, wherever it stands in the history.
func TestMutants(t *testing.T) {
	eachSubject(t, func(t *testing.T, profile preflight.Profile) {
		rapid.Check(t, func(t *rapid.T) {
			sound := drawBody(t, profile, histgen.Valid)
			if sound == nil {
				return // it has no form in this format
			}
			var body object
			require.NoError(t, json.Unmarshal(sound, &body))
			mutate(t, body, list(profile.Provider))
			agree(t, profile.Provider, []byte(compact(body)))
		})
	})
}
