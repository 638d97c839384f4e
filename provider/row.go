package provider

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/internal/modelname"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file makes profiles of rows. A row is one restriction, and says where it holds:
//
//	{rule: "xai/arguments-json", of: "grok-2*", set: "Tools.ObjectArguments", to: true},
//
// Evidence, the provider's words and the cost of the repair are in the rule, in package rule. If
// two rows give one field different values, the longer model pattern wins; of equal ones, a host's
// row beats its format's, and that beats modelRows.

// row is one thing that some hosts accept or refuse of some models. Its lists are separated by
// spaces.
type row struct {
	rule string // its evidence; "" for a row that permits, or says how something is laid out
	is   string // the problems of a history that breaks it; "" for those in the field's tag
	at   string // the hosts, by their names, groups or formats; "" for all that have the row
	of   string // the models, as patterns of names; "" for all
	not  string // the models among them that accept it
	set  string // the fields; "" for what holds in any case, such as the pairing of calls
	to   any    // their value
}

// definition describes one provider: a wire format, or a host that speaks one.
type definition struct {
	name   string      // Profile.Provider
	format *definition // the provider whose wire format it uses; nil for its own format
	like   *definition // the provider whose rows it shares, where it has its own format
	group  string      // a name that rows have for it and its like
	layout Profile     // the profile before any row; a host takes its format's
	rows   []row       // what it has besides the rows of its format

	family  string // the model of a request that names none: a name that patterns match
	only    bool   // all models are of the family
	aliases bool   // names of other vendors' models are aliases of the family

	once  sync.Once
	all   []*compiled
	lock  sync.Mutex
	built map[string]*Profile // by model
}

// mostBuilt is how many profiles of a definition are kept: callers name models as they like.
const mostBuilt = 100

// forModel returns a fresh profile of the provider, narrowed to a model; "" narrows nothing.
func (d *definition) forModel(model string) *Profile {
	d.lock.Lock()
	built := d.built[model]
	if built == nil {
		built = d.build(model)
		if d.built == nil || len(d.built) >= mostBuilt {
			d.built = map[string]*Profile{}
		}
		d.built[model] = built
	}
	d.lock.Unlock()
	return built.clone()
}

// build computes the profile for a model.
func (d *definition) build(model string) *Profile {
	p := d.inherited(func(d *definition) bool { return len(d.layout.Roles) > 0 }).layout.clone()
	p.Provider, p.Model = d.name, model
	if d.format != nil {
		p.Format = d.format.name
	}
	p.Rules = map[problems.Problem]string{}
	for _, h := range d.holding(model) {
		h.apply(p)
	}
	return p
}

// inherited returns the first definition that has something: d, what it is like, or its format.
func (d *definition) inherited(has func(d *definition) bool) *definition {
	for !has(d) {
		d = cmp.Or(d.format, d.like)
	}
	return d
}

// holding returns the rows for a model, the most specific last.
func (d *definition) holding(model string) []held {
	d.once.Do(d.compile)
	var out []held
	names, anywhere := d.names(model), d.names(modelname.Vendorless(model))
	for _, r := range d.all {
		of := names
		if r.level == 0 { // of models, by the names that clouds give them, too
			of = anywhere
		}
		if h, ok := r.holds(of); ok {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.level, b.level))
	})
	return out
}

// compile prepares the rows: those of models, of the format, and of the provider.
func (d *definition) compile() {
	words := []string{d.name, d.group, d.name}
	var chain []*definition
	for at := d; at != nil; at = cmp.Or(at.format, at.like) {
		chain = append(chain, at)
		if at.format != nil {
			words[2] = at.format.name
		}
	}
	level := 0
	add := func(rows []row) {
		for k := range rows {
			r := &compiled{parsed: parse(&rows[k]), level: level}
			r.names = len(r.fields) == 0 && level < len(chain)
			r.elsewhere = rows[k].at != "" && !slices.ContainsFunc(strings.Fields(rows[k].at),
				func(w string) bool { return slices.Contains(words, w) })
			if !r.elsewhere || level > 0 && d.like == nil {
				d.all = append(d.all, r)
			}
		}
		level++
	}
	add(modelRows)
	slices.Reverse(chain)
	for _, at := range chain {
		add(at.rows)
	}
}

// names returns what patterns may match of the name of a model.
func (d *definition) names(model string) []string {
	bare := modelname.Bare(model)
	switch {
	case bare == "" && d.family == "":
		return nil
	case bare == "", d.aliases:
		return []string{d.family + ":" + bare}
	}
	if d.only {
		return []string{bare, d.family + ":" + bare}
	}
	return []string{bare, strings.ToLower(strings.TrimSpace(model))}
}

// compiled is a row of a definition that is ready to be applied.
type compiled struct {
	*parsed
	level     int  // of models, of the format, or of the host
	elsewhere bool // it is about other hosts
	names     bool // it only names problems: it is of models or of a format, and sets no field
}

// parsed is a row whose lists are read.
type parsed struct {
	*row
	is      []problems.Problem
	of, not []string
	fields  []reflect.StructField
}

// parsedRows are the rows that are parsed, by their *row: those of a format are many hosts'.
var parsedRows sync.Map

// parse reads the lists of a row.
func parse(r *row) *parsed {
	if p, ok := parsedRows.Load(r); ok {
		return p.(*parsed)
	}
	p := &parsed{row: r, of: strings.Fields(r.of), not: strings.Fields(r.not)}
	for _, name := range strings.Fields(r.set) {
		f := fieldNamed(name)
		p.fields = append(p.fields, f)
		if r.rule != "" && r.is == "" {
			p.is = append(p.is, taggedProblems(f.Tag, r.to)...)
		}
	}
	for _, name := range strings.Fields(r.is) {
		p.is = append(p.is, problems.Problem(name))
	}
	parsedRows.Store(r, p)
	return p
}

// fieldNamed returns a field of a profile, with its index from the profile.
func fieldNamed(name string) (f reflect.StructField) {
	of, index := reflect.TypeFor[Profile](), []int(nil)
	for part := range strings.SplitSeq(name, ".") {
		found, ok := of.FieldByName(part)
		if !ok {
			panic("provider: a profile has no field " + name)
		}
		f, of, index = found, found.Type, append(index, found.Index...)
	}
	f.Index = index
	return f
}

// taggedProblems returns the problems that a field's tag has for a value.
func taggedProblems(tag reflect.StructTag, value any) (out []problems.Problem) {
	for _, key := range []string{"refuses", "accepts", "letters", "length"} {
		for word := range strings.FieldsSeq(tag.Get(key)) {
			name, values, some := strings.Cut(word, "=")
			if !some || slices.Contains(strings.Split(values, "|"), fmt.Sprint(value)) {
				out = append(out, problems.Problem(name))
			}
		}
	}
	return out
}

// held is a row with its place among those that hold.
type held struct {
	*compiled
	model int  // the characters of the longest pattern that matches, 0 for all models; -1 if named
	named bool // it only names the problem; one that is about other models or hosts does
}

// holds returns the place of a row for a model of some names, and whether it has one. A row about
// other models or hosts sets no field, and names its rule for problems that no other row names.
func (c *compiled) holds(names []string) (held, bool) {
	h, excepted := held{compiled: c}, func(name string) bool { return matching(c.not, name) > 0 }
	about := !c.elsewhere && !slices.ContainsFunc(names, excepted)
	if about && len(c.of) > 0 {
		for _, n := range names {
			h.model = max(h.model, matching(c.of, n))
		}
		about = h.model > 0
	}
	if c.names || !about {
		h.model, h.named = -1, true
	}
	return h, about || len(c.fields) > 0 && c.level > 0
}

// matching returns the length of the longest pattern that matches a name, 0 if none does. Patterns
// with a slash are of names as they were given.
func matching(patterns []string, name string) (longest int) {
	for _, p := range patterns {
		if strings.Contains(p, "/") == strings.Contains(name, "/") && glob.Match(p, name) {
			longest = max(longest, 1+len(p)-strings.Count(p, "*"))
		}
	}
	return longest
}

// apply sets the fields of a row, and names its problems.
func (h held) apply(p *Profile) {
	for _, problem := range h.is {
		p.Rules[problem] = h.rule
	}
	if !h.named {
		h.give(p)
	}
}

// give sets the fields of a row.
func (c *parsed) give(p *Profile) {
	for _, f := range c.fields {
		reflect.ValueOf(p).Elem().FieldByIndex(f.Index).Set(reflect.ValueOf(c.to))
	}
}

// shared are the fields that are lists and maps.
var shared = sync.OnceValue(func() [][]int { return listsIn(reflect.TypeFor[Profile](), nil) })

// listsIn returns the lists and maps in a struct type that is at some place of a profile.
func listsIn(of reflect.Type, at []int) (out [][]int) {
	for k := range of.NumField() {
		index := append(slices.Clone(at), k)
		switch f := of.Field(k); f.Type.Kind() {
		case reflect.Slice, reflect.Map:
			out = append(out, index)
		case reflect.Struct:
			out = append(out, listsIn(f.Type, index)...)
		}
	}
	return out
}

// clone returns a copy that shares no list and no map.
func (p *Profile) clone() *Profile {
	q := *p
	for _, index := range shared() {
		switch v := reflect.ValueOf(&q).Elem().FieldByIndex(index); list := v.Addr().Interface().(type) {
		case *[]Role:
			*list = slices.Clone(*list)
		case *[]string:
			*list = slices.Clone(*list)
		case *[]BareContent:
			*list = slices.Clone(*list)
		case *[]RefKind:
			*list = slices.Clone(*list)
		case *[]MediaLimit:
			*list = slices.Clone(*list)
		case *map[string]Pattern:
			*list = maps.Clone(*list)
		case *map[problems.Problem]string:
			*list = maps.Clone(*list)
		default:
			panic(fmt.Sprintf("provider: %T is not copied", list))
		}
	}
	return &q
}
