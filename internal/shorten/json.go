package shorten

import (
	"slices"
	"strconv"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// The members of the marker that replaces a collection.
const (
	markKey  = "__truncated"
	charsKey = "__truncatedChars"
)

// minShare is the smallest room per member of a collection; with less, the collection becomes a
// marker. A collection of at most minCollection is always kept, since a marker is hardly smaller.
const (
	minShare      = 20
	minCollection = 64
)

// Fit returns raw, a JSON value, shortened to the limit, or nil if raw fits already or is not JSON.
//
// The size of a string is that of its text in UTF-16 units, that of any other value its length
// in bytes, and that of a collection the sum of its content. Small members of a collection stay as
// they are, and the large ones share the remaining room evenly. A collection that still does not
// fit becomes the marker {"__truncated":true,"__truncatedChars":N}, which is put into an array
// where it replaces an array: an object stays an object, and an array an array. A collection that
// holds opaque data never becomes a marker.
//
// Fit with the same or a larger limit does not change the result again: values that fit are kept,
// and where opaque data keeps a value over the limit, its other members are smaller than before, so
// that the share of each is larger.
//
// The cost is that of sorting the members of each collection by size.
func (c Cutter) Fit(raw []byte) []byte {
	if c.Limit <= 0 || len(raw) <= c.Limit {
		return nil
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return nil
	}
	s := shrinker{Cutter: c}
	s.fit(s.measure(doc.Root()), c.Limit)
	var edits jsonscan.Edits
	for _, e := range s.edits {
		edits.Replace(e.start, e.end, e.with)
	}
	return Apply(&edits, raw)
}

type shrinker struct {
	Cutter
	edits []edit
}

type edit struct {
	start, end int
	with       []byte
}

// branch is a value with its size.
type branch struct {
	v           jsonscan.Value
	size        int
	opaque      bool // kept as it is
	holdsOpaque bool // it is opaque, or one of its members is
	kids        []branch
}

// measure returns v with its size and those of its members. The scanner's nesting limit bounds the
// depth.
func (s *shrinker) measure(v jsonscan.Value) branch {
	b := branch{v: v}
	switch v.Kind() {
	case jsonscan.String:
		text := v.Str()
		b.size = length(text)
		b.opaque = IsBase64Text(text)
		b.holdsOpaque = b.opaque
	case jsonscan.Array, jsonscan.Object:
		b.kids = make([]branch, 0, v.Len())
		b.size = 2
		if v.Len() > 0 {
			b.size = 1 // two brackets, and one comma less than members
		}
		members := Members{Of: v}
		for m := v.First(); m.Exists(); m = m.Next() {
			kid := s.member(&members, m)
			b.kids = append(b.kids, kid)
			b.size += kid.size + around(m)
			b.holdsOpaque = b.holdsOpaque || kid.holdsOpaque
		}
	default:
		b.size = v.End() - v.Start()
	}
	return b
}

func (s *shrinker) member(of *Members, m jsonscan.Value) branch {
	if of.Of.Kind() == jsonscan.Object && of.Opaque(m) {
		return branch{v: m, size: m.End() - m.Start(), opaque: true, holdsOpaque: true}
	}
	return s.measure(m)
}

// around returns the bytes around the value of a member, without white space: key, colon, comma,
// and the quotes of a string.
func around(m jsonscan.Value) int {
	n := 1
	if key := m.Key(); key.Exists() {
		n += key.End() - key.Start() + 1
	}
	if m.Kind() == jsonscan.String {
		n += 2
	}
	return n
}

// fit shortens b to budget where it can, and returns its new size.
func (s *shrinker) fit(b branch, budget int) int {
	switch {
	case b.size <= budget || b.opaque:
		return b.size
	case b.v.Kind() == jsonscan.String:
		return s.cut(b, budget)
	case b.size <= minCollection || b.kids == nil || isMarker(b.v):
		return b.size
	}
	share, room := b.share(budget)
	if !room && !b.holdsOpaque {
		return s.collapse(b)
	}
	before, size := len(s.edits), b.size
	for k := range b.kids {
		size += s.fit(b.kids[k], share) - b.kids[k].size
	}
	if size > budget && !b.holdsOpaque {
		s.edits = s.edits[:before]
		return s.collapse(b)
	}
	return size
}

// cut shortens a string to budget units.
func (s *shrinker) cut(b branch, budget int) int {
	c := s.Cutter
	c.Limit = budget
	text := b.v.Str()
	at, _ := c.Split(text) // always cuts, since the text is larger than budget
	start, end := spelledCut(b.v, text, at)
	s.edits = append(s.edits, edit{start, end, []byte(at.Marker)})
	return length(text[:at.Head]) + length(at.Marker) + length(text[at.Tail:])
}

// share returns the size up to which each member of b fits when they share budget. room reports
// whether that is at least minShare.
func (b *branch) share(budget int) (share int, room bool) {
	rest := budget - b.size
	sizes := make([]int, 0, len(b.kids))
	for k := range b.kids {
		rest += b.kids[k].size
		if b.kids[k].opaque {
			rest -= b.kids[k].size
		} else {
			sizes = append(sizes, b.kids[k].size)
		}
	}
	slices.Sort(sizes)
	for k, size := range sizes {
		if left := len(sizes) - k; size > rest/left {
			share = rest / left
			break
		}
		rest -= size
		share = size
	}
	if share < minShare {
		return minShare, false
	}
	return share, true
}

// collapse replaces a collection by a marker. The marker is smaller, since the collection is larger
// than minCollection.
func (s *shrinker) collapse(b branch) int {
	size := length(string(b.v.Raw()))
	mark := `{"` + markKey + `":true,"` + charsKey + `":` + strconv.Itoa(size) + `}`
	if b.v.Kind() == jsonscan.Array {
		mark = "[" + mark + "]"
	}
	s.edits = append(s.edits, edit{b.v.Start(), b.v.End(), []byte(mark)})
	return len(mark)
}

// isMarker reports whether v is a marker made by collapse.
func isMarker(v jsonscan.Value) bool {
	if v.Kind() == jsonscan.Array && v.Len() == 1 {
		v = v.First()
	}
	return v.Kind() == jsonscan.Object && v.Len() == 2 && v.Get(markKey).Kind() == jsonscan.True &&
		v.Get(charsKey).Kind() == jsonscan.Number
}

// Strings returns raw, a JSON value, with its long strings shortened, or nil if no string is too
// long or raw is not JSON.
func (c Cutter) Strings(raw []byte) []byte {
	if c.Limit <= 0 || len(raw) <= c.Limit {
		return nil
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return nil
	}
	var edits jsonscan.Edits
	c.value(doc.Root(), &edits)
	return Apply(&edits, raw)
}

// Apply returns raw with edits made to it, or nil if there are none.
func Apply(edits *jsonscan.Edits, raw []byte) []byte {
	if edits.Len() == 0 {
		return nil
	}
	out, err := edits.Apply(raw)
	if err != nil {
		return nil // cannot happen: the edits are within raw and do not overlap
	}
	return out
}

// value collects the edits of v. The scanner's nesting limit bounds the depth.
func (c Cutter) value(v jsonscan.Value, edits *jsonscan.Edits) {
	switch v.Kind() {
	case jsonscan.String:
		c.token(v, edits)
	case jsonscan.Array:
		for e := v.First(); e.Exists(); e = e.Next() {
			c.value(e, edits)
		}
	case jsonscan.Object:
		members := Members{Of: v}
		for m := v.First(); m.Exists(); m = m.Next() {
			if !members.Opaque(m) {
				c.value(m, edits)
			}
		}
	}
}

// token shortens one string. The kept parts keep their spelling, including escapes.
func (c Cutter) token(v jsonscan.Value, edits *jsonscan.Edits) {
	if v.End()-v.Start()-2 <= c.Limit {
		return // escapes never make a text longer than its spelling
	}
	s := v.Str()
	if IsBase64Text(s) {
		return
	}
	if at, cut := c.Split(s); cut {
		start, end := spelledCut(v, s, at)
		edits.Replace(start, end, []byte(at.Marker))
	}
}

// spelledCut returns the offsets in the document of what a cut leaves out of text, the string v.
func spelledCut(v jsonscan.Value, text string, at Cut) (start, end int) {
	token := v.Raw()
	head := jsonscan.Spelled(token, at.Head)
	if at.Tail == len(text) {
		return v.Start() + head, v.End() - 1
	}
	// what follows the head is read as a string of its own, one byte before it as its quote
	tail := head - 1 + jsonscan.Spelled(token[head-1:], at.Tail-at.Head)
	return v.Start() + head, v.Start() + tail
}
