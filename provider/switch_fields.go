package provider

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/rule/problems"
)

// This file is what switch.go switches: the fields of a profile that restrict something, as their
// tags say. A field without a tag restricts nothing, or is in switch_special.go.
//
//	Trim   bool    `refuses:"trailing-space"` // set, it makes histories refused for that problem
//	Roles  []Role  `accepts:"media-role"`     // what it does not list is refused; nil lists all
//	Call   Pattern `letters:"id-pattern" length:"id-length"`
//	Replay Replay  `refuses:"reasoning-beside=in-text"` // with this value alone

// setting is what one problem depends on. A problem may have several.
type setting struct {
	field   string // its name, "" for a special one
	problem problems.Problem
	on      func(p *Profile)        // restricts; nil where the restriction needs a value
	take    func(p, donor *Profile) // restricts as donor does
	free    func(p *Profile)        // restricts no longer
	holds   func(p *Profile) bool   // p restricts
	list    bool                    // the field is a list, which one profile may have more of
}

// settings are those of all fields, in the order of the fields.
var settings = sync.OnceValue(func() []setting {
	var out []setting
	eachField(reflect.TypeFor[Profile](), field{}, func(f field, tag reflect.StructTag) {
		out = append(out, f.settings(tag)...)
	})
	return append(out, special...)
})

// eachField visits the fields of a struct type, and those of its structs. A struct that has a tag
// is visited itself, because the tag is about all of it.
func eachField(of reflect.Type, in field, visit func(field, reflect.StructTag)) {
	for k := range of.NumField() {
		f := of.Field(k)
		at := field{append(slices.Clone(in.path), k), strings.TrimPrefix(in.name+"."+f.Name, ".")}
		if f.Tag == "" && f.Type.Kind() == reflect.Struct {
			eachField(f.Type, at, visit)
		} else {
			visit(at, f.Tag)
		}
	}
}

// field is a field of a profile.
type field struct {
	path []int
	name string // as in Go: "Media.Kinds"
}

func (f field) of(p *Profile) reflect.Value { return reflect.ValueOf(p).Elem().FieldByIndex(f.path) }
func (f field) isSet(p *Profile) bool       { return !f.of(p).IsZero() }
func (f field) clear(p *Profile)            { f.of(p).SetZero() }

// settings returns what a field's tag says. A tag names problems, each with the values for which it
// holds, if not for all.
func (f field) settings(tag reflect.StructTag) []setting {
	var out []setting
	each := func(key string, make func(values []string) setting) {
		for _, word := range strings.Fields(tag.Get(key)) {
			name, list, _ := strings.Cut(word, "=")
			s := make(strings.FieldsFunc(list, func(r rune) bool { return r == '|' }))
			s.field, s.problem = f.name, problems.Problem(name)
			out = append(out, s)
		}
	}
	each("refuses", f.refuses)
	each("accepts", func([]string) setting { return f.accepts() })
	each("letters", func([]string) setting { return letters(f.pattern) })
	each("length", func([]string) setting { return length(f.pattern) })
	return out
}

func (f field) pattern(p *Profile) *Pattern { return f.of(p).Addr().Interface().(*Pattern) }

// refuses returns the setting of a field that restricts when it is set, or has one of the values: a
// list restricts what it lists.
func (f field) refuses(values []string) setting {
	s := setting{
		take:  func(p, donor *Profile) { f.of(p).Set(f.of(donor)) },
		free:  f.clear,
		holds: f.isSet,
	}
	var example Profile
	switch kind := f.of(&example).Kind(); {
	case kind == reflect.Bool:
		s.on = func(p *Profile) { f.of(p).SetBool(true) }
	case kind == reflect.Slice:
		s.list = true
		s.take = func(p, donor *Profile) {
			has := f.of(p)
			f.of(p).Set(reflect.AppendSlice(elements(has, has, true), elements(f.of(donor), has, false)))
		}
	case len(values) > 0:
		s.holds = func(p *Profile) bool { return slices.Contains(values, f.of(p).String()) }
		s.free = func(p *Profile) {
			if s.holds(p) {
				f.clear(p)
			}
		}
	}
	return s
}

// accepts returns the setting of a field that lists what is accepted, where an empty list is
// anything, or that accepts when it is true.
func (f field) accepts() setting {
	var example Profile
	if f.of(&example).Kind() == reflect.Bool {
		return setting{
			take:  func(p, donor *Profile) { f.of(p).SetBool(f.of(p).Bool() && f.of(donor).Bool()) },
			free:  func(p *Profile) { f.of(p).SetBool(true) },
			holds: func(p *Profile) bool { return !f.of(p).Bool() },
		}
	}
	return setting{
		list: true,
		take: func(p, donor *Profile) {
			both := f.of(donor)
			if f.isSet(p) {
				both = elements(both, f.of(p), true)
			}
			if both.Len() > 0 {
				f.of(p).Set(both)
			}
		},
		free:  f.clear,
		holds: f.isSet,
	}
}

// elements returns a fresh list of the elements of a list that another one has, or has not.
func elements(of, other reflect.Value, had bool) reflect.Value {
	out := reflect.MakeSlice(of.Type(), 0, of.Len())
	for k := range of.Len() {
		has := false
		for j := range other.Len() {
			has = has || other.Index(j).Equal(of.Index(k))
		}
		if has == had {
			out = reflect.Append(out, of.Index(k))
		}
	}
	return out
}

// letters returns the setting of the alphabet and the prefix of a pattern.
func letters(of func(p *Profile) *Pattern) setting {
	return setting{
		take: func(p, donor *Profile) {
			f, d := of(p), *of(donor)
			f.Prefix = d.Prefix
			if f.Alphabet == AnyChars || f.Alphabet.covers(d.Alphabet) {
				f.Alphabet = d.Alphabet
			}
		},
		free:  func(p *Profile) { f := of(p); f.Prefix, f.Alphabet = "", AnyChars },
		holds: func(p *Profile) bool { f := of(p); return f.Prefix != "" || f.Alphabet != AnyChars },
	}
}

// length returns the setting of the length of a pattern. Whether there is one at all is not about
// its length.
func length(of func(p *Profile) *Pattern) setting {
	return setting{
		take: func(p, donor *Profile) {
			f, d := of(p), *of(donor)
			f.Min, f.Max = max(f.Min, d.Min), least(f.Max, d.Max)
			if f.Min > f.Max && f.Max > 0 {
				f.Min = d.Min
			}
		},
		free:  func(p *Profile) { f := of(p); f.Min, f.Max = min(f.Min, 1), 0 },
		holds: func(p *Profile) bool { return of(p).Max > 0 },
	}
}

// least returns the smaller of two limits, where 0 is none.
func least(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// covers reports whether an alphabet has all ASCII characters of another.
func (a Alphabet) covers(b Alphabet) bool {
	for r := rune(0); r < 128; r++ {
		if b.Has(r) && !a.Has(r) {
			return false
		}
	}
	return true
}
