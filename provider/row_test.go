package provider

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

// everyRow visits the rows of all providers once, with where they are.
func everyRow(visit func(in string, r *parsed)) {
	of := append([]*definition{{name: "models", rows: modelRows}, &nearChat, &portable}, definitions...)
	for _, d := range of {
		for k := range d.rows {
			visit(fmt.Sprintf("%s, row %d (%s)", d.name, k+1, d.rows[k].rule), parse(&d.rows[k]))
		}
	}
}

// TestRows: a row has a rule of the catalogue, unless it restricts nothing, names problems and hosts
// that there are, and sets a field to a value of its type that nobody has by accident. A wrong field
// or value panics.
func TestRows(t *testing.T) {
	source, err := os.ReadFile("../rule/problems/problems.go")
	require.NoError(t, err)
	words := []string{""}
	for _, d := range definitions {
		words = append(words, d.name, d.group)
	}
	pattern := regexp.MustCompile(`^[a-z0-9*:/-]+$`)
	everyRow(func(in string, r *parsed) {
		given := Profile{AnyRole: true, Media: MediaRules{InResult: true}}
		r.give(&given)
		if r.rule == "" {
			require.Empty(t, r.is, "%s: a restriction has a rule", in)
			for _, s := range settings() {
				if s.holds(&given) && placed[s.field] == "" && s.field != "Media.Roles" {
					t.Errorf("%s: %s restricts, so it needs a rule", in, r.set)
				}
			}
		} else {
			known, ok := rule.ByID(r.rule)
			require.True(t, ok, "%s: there is no such rule", in)
			restricts := slices.ContainsFunc(settings(), func(s setting) bool {
				return s.holds(&given) && slices.Contains(r.is, s.problem) && unlisted[s.problem] == ""
			})
			require.False(t, restricts && (len(known.For) == 0 || known.For[0].Kind == rule.Guessed),
				"%s: the rule is inferred", in)
			require.NotEmpty(t, r.is, "%s: what is it reported as? %s has no tag", in, r.set)
		}
		for _, problem := range r.is {
			require.Contains(t, string(source), fmt.Sprintf("Problem = %q\n", problem), in)
		}
		for _, at := range strings.Fields(r.at) {
			require.Contains(t, words, at, in)
		}
		for _, p := range slices.Concat(r.of, r.not) {
			require.Regexp(t, pattern, p, in)
		}
		require.Equal(t, r.set == "", r.to == nil, "%s: a field has a value", in)
	})
}

// TestListed: every definition of the package is one of those that are found by their names.
func TestListed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	declared := regexp.MustCompile(`(?m)^\s*(?:var )?(\w+) += (?:definition\{|otherVendor\()`)
	list, err := os.ReadFile("provider.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			if m[1] != "nearChat" && m[1] != "portable" {
				require.Contains(t, string(list), "&"+m[1]+",", "%s is not in definitions", m[1])
			}
		}
	}
}

// sampleModels returns names of models: each pattern of a row with its stars replaced.
func sampleModels() []string {
	seen := map[string]bool{"": true, "other-model": true}
	everyRow(func(_ string, r *parsed) {
		for _, p := range slices.Concat(r.of, r.not) {
			seen[strings.ReplaceAll(p, "*", "")] = true
			seen[strings.ReplaceAll(p, "*", "x-1")] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}

// TestRowsAgree: no two rows that are equally specific set a field to different values.
func TestRowsAgree(t *testing.T) {
	for _, d := range definitions {
		for _, model := range sampleModels() {
			last := map[string]held{}
			for _, h := range d.holding(model) {
				for _, f := range strings.Fields(h.set) {
					before, twice := last[f]
					if twice && !h.named && !before.named && h.model == before.model &&
						h.level == before.level && !reflect.DeepEqual(h.to, before.to) {
						t.Errorf("%s %q: two rows set %s, to %v and %v", d.name, model, f, before.to, h.to)
					}
					if !h.named {
						last[f] = h
					}
				}
			}
		}
	}
}

// TestProfilesAreFresh: whatever a caller does to a profile, the next one gets what the rows say.
func TestProfilesAreFresh(t *testing.T) {
	for _, d := range definitions {
		want := d.build("")
		p := d.forModel("")
		for _, index := range shared() {
			switch v := reflect.ValueOf(p).Elem().FieldByIndex(index); v.Kind() {
			case reflect.Slice:
				for k := range v.Len() {
					v.Index(k).SetZero()
				}
			case reflect.Map:
				v.Clear()
			}
		}
		require.Empty(t, cmp.Diff(want, d.forModel("")), d.name)
	}
	var lists []string
	eachField(reflect.TypeFor[Profile](), field{}, func(f field, _ reflect.StructTag) {
		kind := reflect.TypeFor[Profile]().FieldByIndex(f.path).Type.Kind()
		if (kind == reflect.Slice || kind == reflect.Map) && !slices.ContainsFunc(shared(),
			func(s []int) bool { return slices.Equal(s, f.path) }) {
			lists = append(lists, f.name)
		}
	})
	require.Empty(t, lists, "clone forgets lists")
}

// TestProfilesKept: a definition does not keep a profile for each name that a caller thinks of.
func TestProfilesKept(t *testing.T) {
	for k := range 3 * mostBuilt {
		Groq(fmt.Sprint("model-", k))
	}
	require.LessOrEqual(t, len(groq.built), mostBuilt)
}

// TestMatching: which names of models a pattern matches, and how specific it is.
func TestMatching(t *testing.T) {
	for _, c := range []struct {
		patterns, name string
		longest        int
	}{
		{"a-1", "a-1", 4},
		{"a-1", "a-12", 0},
		{"a-*", "a-", 3},
		{"a-* a-1*", "a-12", 4},
		{"*b*", "abc", 2},
		{"*", "a", 1},
		{"*/*", "house/a", 2},
		{"*/*", "a", 0},
		{"*", "house/a", 0},
	} {
		require.Equal(t, c.longest, matching(strings.Fields(c.patterns), c.name), "%v", c)
	}
}

// TestSpecific: the row of a host counts before that of its format, and that of a model before both,
// by the length of its pattern. A row names its problem for the other models, too, as long as no
// other row does.
func TestSpecific(t *testing.T) {
	format := definition{name: "format", layout: Profile{Roles: everyRole()}, rows: []row{
		{rule: "r/1", is: "alternation", set: "Cache.Limit", to: 1},
		{rule: "r/2", set: "Cache.Limit", of: "a*", to: 2},
		{rule: "r/3", set: "Cache.Limit", of: "a-b*", not: "a-b-c", to: 3},
		{rule: "r/4", at: "elsewhere", set: "Turns.Required", to: true},
	}}
	host := definition{name: "host", format: &format, rows: []row{
		{rule: "r/5", set: "Cache.Limit", to: 5}, {rule: "r/6", set: "Cache.Limit", of: "a*", to: 6},
		{rule: "r/7", is: "alternation", set: "Cache.Limit", of: "z", to: 7}, // about no model here
	}}
	for _, c := range []struct {
		of    *definition
		model string
		limit int
		rule  string
	}{
		{&format, "", 1, "r/3"}, {&format, "a", 2, "r/2"}, {&format, "a-b", 3, "r/3"},
		{&format, "a-b-c", 2, "r/2"}, {&host, "", 5, "r/5"}, {&host, "a", 6, "r/6"},
		{&host, "a-b", 3, "r/3"}, {&host, "gateway/A-B", 3, "r/3"},
	} {
		p := c.of.forModel(c.model)
		require.Equal(t, c.limit, p.Cache.Limit, "%s %s", p.Provider, c.model)
		require.Equal(t, c.rule, p.Rules["cache-limit"], "%s %s", p.Provider, c.model)
		require.Equal(t, "r/4 r/1", p.Rules["no-messages"]+" "+p.Rules["alternation"])
		require.False(t, p.Turns.Required)
	}
}
