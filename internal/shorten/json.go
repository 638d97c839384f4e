package shorten

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// The members of the marker that stands where a collection was.
const (
	markKey  = "__truncated"
	charsKey = "__truncatedChars"
)

// minShare is the least room a collection gives to each of its members; when there is less, it
// becomes a marker itself. minCollection is the size up to which a collection always stays: a
// marker would hardly be smaller.
const (
	minShare      = 20
	minCollection = 64
)

// shrink fits raw, a JSON value, into the limit: nil when it does already, or when it is no JSON.
//
// Every value has a size: a string that of its text in the cutter's unit, everything else its
// bytes, and a collection the sum of what is in it. Small members of a collection stay as they are,
// and the large ones share evenly what is left. What does not fit even so becomes a marker:
// {"__truncated":true,"__truncatedChars":N}, alone in an array where there was an array, so that an
// object stays an object and an array an array. What holds opaque data never becomes a marker.
//
// Shrinking to the same or a larger limit again changes nothing: what fits stays, and where opaque
// data keeps a value over the limit, its other members have become smaller, and so the share of
// each has grown.
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
	v      jsonscan.Value
	size   int
	frozen bool // opaque: it stays
	sealed bool // something in it is opaque
	kids   []branch
}

// measure sizes v and everything in it, once. The scanner's limit on nesting bounds the depth.
func (s *shrinker) measure(v jsonscan.Value) branch {
	b := branch{v: v}
	switch v.Kind() {
	case jsonscan.String:
		text := v.Str()
		b.size = s.Unit.length(text)
		b.frozen = IsBase64Text(text)
		b.sealed = b.frozen
	case jsonscan.Array, jsonscan.Object:
		b.kids = make([]branch, 0, v.Len())
		b.size = 2
		if v.Len() > 0 {
			b.size = 1 // one comma less than members
		}
		for m := v.First(); m.Exists(); m = m.Next() {
			kid := s.member(v, m)
			b.kids = append(b.kids, kid)
			b.size += kid.size + around(m)
			b.sealed = b.sealed || kid.sealed
		}
	default:
		b.size = v.End() - v.Start()
	}
	return b
}

func (s *shrinker) member(parent, m jsonscan.Value) branch {
	if parent.Kind() == jsonscan.Object && IsOpaqueMember(parent, m) {
		return branch{v: m, size: m.End() - m.Start(), frozen: true, sealed: true}
	}
	return s.measure(m)
}

// around is what stands around a member's value, white space aside: key, colon, comma, and a
// string's quotes.
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

// fit brings b down to budget where it can, and returns the size it has then.
func (s *shrinker) fit(b branch, budget int) int {
	switch {
	case b.size <= budget || b.frozen:
		return b.size
	case b.v.Kind() == jsonscan.String:
		return s.cut(b, budget)
	case b.size <= minCollection || b.kids == nil || IsMarker(b.v):
		return b.size
	}
	share, room := b.share(budget)
	if !room && !b.sealed {
		return s.collapse(b)
	}
	before, size := len(s.edits), b.size
	for k := range b.kids {
		size += s.fit(b.kids[k], share) - b.kids[k].size
	}
	if size > budget && !b.sealed {
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
	keep, tail, _ := c.Split(text) // it is larger than budget
	s.edits = append(
		s.edits,
		edit{b.v.Start() + Spelled(b.v.Raw(), keep), b.v.End() - 1, []byte(tail)},
	)
	return c.Unit.length(text[:keep]) + c.Unit.length(tail)
}

// share is the most each member of b may take so that together they fit into budget; room says
// whether that is enough to be worth it.
func (b *branch) share(budget int) (share int, room bool) {
	rest := budget - b.size
	sizes := make([]int, 0, len(b.kids))
	for k := range b.kids {
		rest += b.kids[k].size
		if b.kids[k].frozen {
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

// collapse puts a marker in the place of a collection, which is larger than minCollection and thus
// than any marker.
func (s *shrinker) collapse(b branch) int {
	size := s.Unit.length(string(b.v.Raw()))
	mark := `{"` + markKey + `":true,"` + charsKey + `":` + strconv.Itoa(size) + `}`
	if b.v.Kind() == jsonscan.Array {
		mark = "[" + mark + "]"
	}
	s.edits = append(s.edits, edit{b.v.Start(), b.v.End(), []byte(mark)})
	return len(mark)
}

// isMarker reports whether v is what collapse leaves.
func IsMarker(v jsonscan.Value) bool {
	if v.Kind() == jsonscan.Array && v.Len() == 1 {
		v = v.First()
	}
	return v.Kind() == jsonscan.Object && v.Len() == 2 && v.Get(markKey).Kind() == jsonscan.True &&
		v.Get(charsKey).Kind() == jsonscan.Number
}

// raw shortens the strings of a JSON value; nil when none is too long, or when it is no JSON.
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

// applied is raw with edits made to it, nil when there are none.
func Apply(edits *jsonscan.Edits, raw []byte) []byte {
	if edits.Len() == 0 {
		return nil
	}
	out, err := edits.Apply(nil, raw)
	if err != nil {
		return nil // cannot be: the edits are of this document, and apart from each other
	}
	return out
}

// value collects the edits. The scanner's limit on nesting bounds the depth.
func (c Cutter) value(v jsonscan.Value, edits *jsonscan.Edits) {
	switch v.Kind() {
	case jsonscan.String:
		c.token(v, edits)
	case jsonscan.Array:
		for e := v.First(); e.Exists(); e = e.Next() {
			c.value(e, edits)
		}
	case jsonscan.Object:
		for m := v.First(); m.Exists(); m = m.Next() {
			if !IsOpaqueMember(v, m) {
				c.value(m, edits)
			}
		}
	}
}

// token shortens one string where it stands: what stays of it keeps its spelling, escapes and all.
func (c Cutter) token(v jsonscan.Value, edits *jsonscan.Edits) {
	if v.End()-v.Start()-2 <= c.Limit {
		return // escapes never make a text longer than its spelling
	}
	s := v.Str()
	if IsBase64Text(s) {
		return
	}
	if keep, tail, cut := c.Split(s); cut {
		edits.Replace(v.Start()+Spelled(v.Raw(), keep), v.End()-1, []byte(tail))
	}
}

// spelled is the offset in token, a JSON string with its quotes, at which the first n bytes of its
// text end.
func Spelled(token []byte, n int) int {
	k := 1
	for text := 0; text < n; {
		if token[k] != '\\' {
			k, text = k+1, text+1
			continue
		}
		size, units := spelledEscape(token[k:])
		k, text = k+size, text+units
	}
	return k
}

// spelledEscape is the length of the escape that raw starts with, and of the text it stands for.
func spelledEscape(raw []byte) (size, text int) {
	const short, long = 2, 6 // \n and \u00e9
	if raw[1] != 'u' {
		return short, 1
	}
	r := hex4(raw[2:])
	if 0xD800 <= r && r < 0xDC00 && len(raw) >= 2*long && raw[long] == '\\' && raw[long+1] == 'u' {
		if low := hex4(raw[long+2:]); 0xDC00 <= low && low < 0xE000 {
			return 2 * long, 4
		}
	}
	if 0xD800 <= r && r < 0xE000 {
		return long, 3
	}
	return long, utf8.RuneLen(r)
}

// hex4 is the number that the first four characters of raw, hexadecimal digits, spell.
func hex4(raw []byte) rune {
	var r rune
	for _, c := range raw[:4] {
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
