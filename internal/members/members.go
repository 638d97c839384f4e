// Package members holds the members that requests, messages, calls, results, items and tools are
// known to have, by format, and what a member says about the history where it says anything. What
// depends on a member that no row has, or on a value that a row does not list, is left alone: it
// may say that the provider holds a part of the history, or that a call stays open.
//
// A new member is one row, in rows.go; a new value is a word in one.
package members

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Place is where a member is.
type Place uint8

// The places. In formats whose calls and results are objects inside another one, as a part of
// Gemini's, a row of Call or Result names the inner members with a dot: "functionCall.args".
const (
	Request Place = iota
	Message       // an element of the list of messages that is no result
	Call          // a call of a tool
	Result        // the result of a call
	Item          // an element of the list of items that is neither a message, a call nor a result
	Tool          // a declared tool
)

// Places are all places.
var Places = []Place{Request, Message, Call, Result, Item, Tool}

func (p Place) String() string {
	return [...]string{"request", "message", "call", "result", "item", "tool"}[p]
}

// Meaning is what a member says about the history. The zero value is nothing.
type Meaning uint8

// The meanings.
const (
	Held     Meaning = 1 << iota // the server holds the beginning
	HeldBare                     // it does if the request has no messages of its own
	Open                         // the call stays open, or further results of it come
	NoAnswer                     // no answer is wanted, so the history may end anywhere
	Prefill                      // the request may end on the assistant's turn
	State                        // it names what the server stores
	Marker                       // it takes the place of one cache breakpoint
	Says                         // it holds what a message says, where other formats do not look
)

// Has reports whether m includes a meaning.
func (m Meaning) Has(of Meaning) bool { return m&of != 0 }

// Row is one known member.
type Row struct {
	Format string // a wire format; "" is all of them
	Place  Place
	Name   string
	Meaning
	// But is a value of the member, or of the member type in it, with which it means nothing but
	// State and Marker.
	But string
	// Ignored are the providers of the format whose servers ignore the member, separated by spaces:
	// they answer as if nothing were missing.
	Ignored string
	// Values are the known values, separated by spaces; "" where any value is. Another one is
	// treated like a member that no row has.
	Values string
}

// IgnoredBy reports whether the servers of a provider ignore the member.
func (r *Row) IgnoredBy(provider string) bool {
	return slices.Contains(strings.Fields(r.Ignored), provider)
}

// table is the rows of one place, by the names of the members.
type table struct {
	rows map[string]*Row
	// the members of members, by the outer name
	inner map[string]*table
}

type key struct {
	format string
	place  Place
}

var tables = sync.OnceValue(func() map[key]*table {
	out := make(map[key]*table)
	all := Rows()
	for k := range all {
		row := &all[k]
		formats := Formats
		if row.Format != "" {
			formats = []string{row.Format}
		}
		for _, f := range formats {
			at := out[key{f, row.Place}]
			if at == nil {
				at = newTable()
				out[key{f, row.Place}] = at
			}
			name := row.Name
			for {
				outer, rest, nested := strings.Cut(name, ".")
				if !nested {
					break
				}
				if at.inner[outer] == nil {
					at.inner[outer] = newTable()
				}
				at, name = at.inner[outer], rest
			}
			at.rows[name] = row
		}
	}
	return out
})

func newTable() *table { return &table{rows: map[string]*Row{}, inner: map[string]*table{}} }

// Of returns the row of a member, false if no row has it. The name is as in rows.
func Of(format string, place Place, name string) (Row, bool) {
	at := tables()[key{format, place}]
	for at != nil {
		outer, rest, nested := strings.Cut(name, ".")
		if !nested {
			row := at.row(format, name)
			if row == nil {
				return Row{}, false
			}
			return *row, true
		}
		at, name = at.inner[outer], rest
	}
	return Row{}, false
}

// Forget takes a member out of the rows, as if no version had known it yet, until the function that
// it returns is called. It is for tests: nothing else may run at the same time.
func Forget(format string, place Place, name string) (restore func()) {
	at := tables()[key{format, place}]
	for at != nil {
		outer, rest, nested := strings.Cut(name, ".")
		if !nested {
			row, known := at.rows[name]
			if !known {
				break
			}
			delete(at.rows, name)
			return func() { at.rows[name] = row }
		}
		at, name = at.inner[outer], rest
	}
	return func() {}
}

// row returns the row of a name. Gemini's names have two spellings.
func (t *table) row(format, name string) *Row {
	row := t.rows[name]
	if row == nil && format == "gemini" && strings.Contains(name, "_") {
		row = t.rows[camel(name)]
	}
	return row
}

// camel returns a name of the form previous_id as previousId.
func camel(name string) string {
	var b strings.Builder
	upper := false
	for _, r := range name {
		switch {
		case r == '_':
			upper = true
		case upper:
			b.WriteString(strings.ToUpper(string(r)))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Said is what the members of one object say.
type Said struct {
	Meaning
	// By has the first member with each meaning, in the order of the object.
	By []Row
	// Unknown names the first member that is in no row and may say something.
	Unknown string
}

// Naming returns the name of the first member with a meaning, "" for none.
func (s *Said) Naming(m Meaning) string {
	k := slices.IndexFunc(s.By, func(r Row) bool { return r.Has(m) })
	if k < 0 {
		return ""
	}
	return s.By[k].Name
}

// OfRequest returns what the members of a request say. A number, a boolean or null names nothing
// that a server could hold, so that a setting of a new server is no unknown member.
func OfRequest(format string, request jsonscan.Value) Said {
	var said Said
	at := tables()[key{format, Request}]
	if at == nil || request.Kind() != jsonscan.Object {
		return said
	}
	for m := request.First(); m.Exists(); m = m.Next() {
		row := at.row(format, m.Key().Str())
		if row == nil {
			if said.Unknown == "" && namesState(m) {
				said.Unknown = m.Key().Str()
			}
			continue
		}
		if means := row.in(m); means != 0 {
			said.Meaning |= means
			one := *row
			one.Name, one.Meaning = m.Key().Str(), means
			said.By = append(said.By, one)
		}
	}
	return said
}

// namesState reports whether a value may name something that a server holds.
func namesState(v jsonscan.Value) bool {
	switch v.Kind() {
	case jsonscan.Object, jsonscan.Array, jsonscan.String:
		return true
	}
	return false
}

// in returns what the member says with a value.
func (r *Row) in(v jsonscan.Value) Meaning {
	if r.Meaning == 0 {
		return 0
	}
	switch v.Kind() {
	case jsonscan.Null, jsonscan.False, jsonscan.Absent:
		return 0
	case jsonscan.String:
		if v.StrIs("") {
			return 0
		}
	}
	if !namesState(v) {
		return r.Meaning &^ (Held | HeldBare | State)
	}
	if r.But != "" && (v.StrIs(r.But) || v.Get("type").StrIs(r.But)) {
		return r.Meaning & (State | Marker)
	}
	return r.Meaning
}

// knows reports whether a value is one that is known.
func (r *Row) knows(v jsonscan.Value) bool {
	return r.Values == "" || v.Kind() != jsonscan.String || v.StrIs("") ||
		slices.Contains(strings.Fields(r.Values), v.Str())
}

// Nesting are the members of a request that hold further members of it: those of the model's own
// body, or what a gateway passes on. With true, their members are those of a request; with false,
// they are objects by vendor.
var Nesting = map[string]bool{
	"additionalModelRequestFields": true, "extra_body": true, "custom_params": false,
	"providerOptions": false, "gateway": false, "litellm_params": false,
}

// OfNested returns the row of a member of one of Nesting: its own one, or that of the request of
// any format, since the host may pass it on to another; first of those that name what a server
// stores.
func OfNested(format, outer, name string) (Row, bool) {
	row, known := Of(format, Request, outer+"."+name)
	for _, f := range Formats {
		for _, spelled := range []string{name, Snake(name)} {
			if r, ok := Of(f, Request, spelled); ok && (!known || r.Has(State)) {
				row, known = r, true
			}
		}
	}
	return row, known
}

// Snake returns a name of the form previousId as previous_id.
func Snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// LeftFor returns the member for which a call, a result or an item is left alone: one that says
// that the call stays open, or one that is in no row. It returns "" for none, and for formats
// without rows. A number, false and null say nothing.
func LeftFor(format string, place Place, object jsonscan.Value) string {
	return tables()[key{format, place}].leftFor(format, object)
}

// MayHold returns the first member of a message that may hold what the message says: a list or an
// object that is not empty and in no row of a message, or what stored messages have there for it.
// It returns "" for none, for what has no role, and for formats without rows.
func MayHold(format string, message jsonscan.Value) string {
	if tables()[key{format, Message}] == nil || !message.Has("role") {
		return ""
	}
	for m := message.First(); m.Exists(); m = m.Next() {
		name := m.Key().Str()
		if m.Len() > 0 && !isKnown(name) || name == storedText && strings.TrimSpace(m.Str()) != "" {
			return name
		}
	}
	return ""
}

// storedText is the member in which stored messages of Dify, LibreChat and Spring AI have their
// text.
const storedText = "text"

// SaysElsewhere reports whether a message has a member in which another format has what a message
// says.
func SaysElsewhere(format string, message jsonscan.Value) bool {
	for _, other := range Formats {
		for m := message.First(); m.Exists() && other != format; m = m.Next() {
			row := tables()[key{other, Message}].row(other, m.Key().Str())
			said := m.Len() > 0 || strings.TrimSpace(m.Str()) != ""
			if said && row != nil && row.Has(Says) {
				return true
			}
		}
	}
	return false
}

// isKnown reports whether messages of any format have a member of this name.
func isKnown(name string) bool {
	return slices.ContainsFunc(Formats, func(format string) bool {
		t := tables()[key{format, Message}]
		return t != nil && t.row(format, name) != nil
	})
}

func (t *table) leftFor(format string, object jsonscan.Value) string {
	if t == nil || object.Kind() != jsonscan.Object {
		return ""
	}
	for m := object.First(); m.Exists(); m = m.Next() {
		switch m.Kind() {
		case jsonscan.Null, jsonscan.Number, jsonscan.False:
			continue
		}
		name := m.Key().Str()
		row := t.row(format, name)
		inner := t.inner[name]
		if inner == nil && format == "gemini" {
			inner = t.inner[camel(name)]
		}
		switch {
		case row == nil && inner == nil, row != nil && (row.in(m).Has(Open) || !row.knows(m)):
			return name
		case inner != nil:
			if at := inner.leftFor(format, m); at != "" {
				return name + "." + at
			}
		}
	}
	return ""
}
