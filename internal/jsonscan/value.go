package jsonscan

// Handles to the nodes of a tape: reading without copying.

import (
	"bytes"
	"iter"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Kind is what sort of JSON value a Value is.
type Kind uint8

// The kinds. Absent is the zero Value's: there is no such value.
const (
	Absent Kind = iota
	Object
	Array
	String
	Number
	True
	False
	Null
)

var kindNames = [...]string{
	"absent",
	"object",
	"array",
	"string",
	"number",
	"true",
	"false",
	"null",
}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "invalid"
	}
	return kindNames[k]
}

// Flags tell what is special about a string. None of them makes a document invalid.
type Flags uint8

const (
	// there is an escape, so the text differs from the source bytes
	HasEscape Flags = 1 << iota
	// there is an escaped surrogate without its partner, such as \ud83d
	HasLoneSurrogate
	HasNUL         // there is a \u0000
	HasInvalidUTF8 // there are bytes that are not UTF-8
	// there is an object that has a name twice, compared by text; see [Value.Repeated]
	HasRepeatedName
	// there is an escape of a control character other than NUL, tab and line ends, or one like
	// \u0041 of an ASCII character that encoders write as it is
	HasOddEscape

	// NeedsRepair are the flags of what [Repair] changes.
	NeedsRepair = HasLoneSurrogate | HasNUL | HasInvalidUTF8
)

// Value is a handle to one value of a Doc: small, comparable, passed by value. The zero Value is
// Absent, and every method on it is safe and answers with nothing. Methods that look for something
// that is not there, or not possible for the kind at hand, answer Absent too, so lookups can be
// chained without checks in between.
type Value struct {
	doc   *Doc
	index uint32
}

// node returns the value's node; the zero Value, and one whose Doc holds something smaller by now,
// have an empty one.
func (v Value) node() node {
	if v.doc == nil || uint64(v.index) >= uint64(len(v.doc.nodes)) {
		return node{}
	}
	return v.doc.nodes[v.index]
}

// kindOf and flagsOf read the parts of node.info.
func kindOf(n node) Kind   { return Kind(n.info & kindMask) }
func flagsOf(n node) Flags { return Flags(n.info & flagMask >> flagShift) }

// Kind returns the value's kind.
func (v Value) Kind() Kind { return kindOf(v.node()) }

// Exists reports whether there is a value; null is one.
func (v Value) Exists() bool { return v.Kind() != Absent }

// Start returns the offset of the value's first byte in the source, 0 when absent.
func (v Value) Start() int { return int(v.node().start) }

// End returns the offset after the value's last byte in the source, 0 when absent.
func (v Value) End() int { return int(v.node().end) }

// Raw returns the value's source, nil when absent. The slice shares the source's
// memory and must not be written to; its capacity ends where it does, so appending to it copies.
func (v Value) Raw() []byte {
	n := v.node()
	if n.end == 0 {
		return nil
	}
	return v.doc.src[n.start:n.end:n.end]
}

// content returns the source between the quotes of a string's node.
func (d *Doc) content(n node) []byte { return d.src[n.start+1 : n.end-1] }

// Str returns the text of a string, "" for any other kind. An escaped surrogate without its partner
// becomes the three bytes that UTF-8 would give its number if that were allowed (WTF-8; ED A0 BD
// for \ud83d), so that it stays visible as invalid UTF-8. Bytes in the source that are not UTF-8
// are kept. One allocation of the string's size; see [Doc.AliasStrings] for none.
func (v Value) Str() string {
	n := v.node()
	switch {
	case kindOf(n) != String:
		return ""
	case flagsOf(n)&HasEscape != 0 && v.doc.views:
		return v.doc.decodeView(v.doc.content(n))
	case flagsOf(n)&HasEscape != 0:
		return decode(v.doc.content(n))
	case v.doc.text != "":
		return v.doc.text[n.start+1 : n.end-1]
	}
	return string(v.doc.content(n))
}

// Bytes returns the text of a string, as by Str, nil for any other kind. Where there are no escapes
// these are the source's own bytes: they must not be written to.
func (v Value) Bytes() []byte {
	n := v.node()
	if kindOf(n) == String && flagsOf(n)&HasEscape == 0 {
		content := v.doc.content(n)
		return content[:len(content):len(content)]
	}
	text := v.Str()
	return unsafe.Slice(unsafe.StringData(text), len(text))
}

// BeginsVisibly reports whether a string begins with a character that is no white space, after a
// few that are. It may say no for one that does; a text of any length costs the same.
func (v Value) BeginsVisibly() bool {
	n := v.node()
	if kindOf(n) != String {
		return false
	}
	content := v.doc.content(n)
	for k := 0; k < min(len(content), beginRoom); {
		switch c := content[k]; {
		case isVisible(c):
			return true
		case c == ' ':
			k++
		case c != '\\':
			r, _ := utf8.DecodeRune(content[k:])
			return !unicode.IsSpace(r)
		case content[k+1] == 'n' || content[k+1] == 'r' || content[k+1] == 't':
			k += len(`\n`)
		default:
			return content[k+1] == '"' || content[k+1] == '\\' || content[k+1] == '/'
		}
	}
	return false
}

// beginRoom is the number of bytes in which BeginsVisibly looks.
const beginRoom = 64

// StringAt returns the JSON string that begins at an offset of src, nil if there is none.
func StringAt(src []byte, offset int) []byte {
	if offset < 0 || offset >= len(src) || src[offset] != '"' {
		return nil
	}
	end, _, f := scanString(src, offset)
	if f.failed() {
		return nil
	}
	return src[offset:end:end]
}

// TokenIs reports whether s is the text of a JSON string, without allocating.
func TokenIs(token []byte, s string) bool { return decodesTo(token[1:len(token)-1], s) }

// TextOf returns the text of a JSON string, as Value.Str does, in memory of its own.
func TextOf(token []byte) string {
	content := token[1 : len(token)-1]
	if bytes.IndexByte(content, '\\') < 0 {
		return string(content)
	}
	return decode(content)
}

// TextLen returns the length of the text of a JSON string, without allocating.
func TextLen(token []byte) int { return decodedLen(token[1 : len(token)-1]) }

// isVisible reports whether c is a visible ASCII character and no backslash.
func isVisible(c byte) bool { return c > ' ' && c < 0x7F && c != '\\' }

// StrIs reports whether the value is a string whose text is s, as by Str, without allocating.
func (v Value) StrIs(s string) bool {
	n := v.node()
	return kindOf(n) == String && v.doc.textIs(n, s)
}

// textIs reports whether s is the text of a string's node.
func (d *Doc) textIs(n node, s string) bool {
	if flagsOf(n)&HasEscape != 0 {
		return decodesTo(d.content(n), s)
	}
	return int(n.end-n.start) == len(s)+2 && string(d.content(n)) == s
}

// Bool returns the value of true or false; ok is false for any other kind.
func (v Value) Bool() (value, ok bool) {
	k := v.Kind()
	return k == True, k == True || k == False
}

// Len returns the number of elements of an array or members of an object, duplicate keys included;
// 0 for any other kind. O(1) up to 4 million children, linear in their number above.
func (v Value) Len() int {
	n := v.node()
	if kindOf(n) == String {
		return 0
	}
	if c := n.info >> countShift; c < maxCount {
		return int(c)
	}
	count := 0
	for c := v.First(); c.Exists(); c = c.Next() {
		count++
	}
	return count
}

// First returns the first element of an array or the first member's value of an object. O(1).
func (v Value) First() Value {
	n := v.node()
	switch {
	case n.info>>countShift == 0, kindOf(n) == String:
		return Value{}
	case kindOf(n) == Object:
		return Value{v.doc, v.index + 2}
	}
	return Value{v.doc, v.index + 1}
}

// All ranges over the elements of an array, or the members of an object, with their indices.
func (v Value) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		k := 0
		for e := v.First(); e.Exists() && yield(k, e); e = e.Next() {
			k++
		}
	}
}

// Next returns the element or the member's value that follows v in its array or object. Absent at
// the end, at the root, and for keys. O(1).
func (v Value) Next() Value {
	if next := v.node().next; next != 0 {
		return Value{v.doc, next}
	}
	return Value{}
}

// Key returns the key of a member as a String, given the member's value; Absent for anything that
// is not a member's value.
func (v Value) Key() Value {
	if v.node().info&memberBit == 0 {
		return Value{}
	}
	return Value{v.doc, v.index - 1}
}

// Get returns the value of the member with the given key, compared by text whatever the spelling:
// the last one when there are several, as in encoding/json, Python and JavaScript. Linear in the
// number of members, no allocation.
func (v Value) Get(key string) Value {
	n := v.node()
	if kindOf(n) != Object || n.info>>countShift == 0 {
		return Value{}
	}
	var found Value
	nodes, tag := v.doc.nodes, tagOf(key)
	for i := v.index + 2; i != 0; i = nodes[i].next {
		k := &nodes[i-1]
		mayBe := k.info>>countShift == tag || flagsOf(*k)&HasEscape != 0
		if mayBe && v.doc.textIs(*k, key) {
			if found = (Value{v.doc, i}); flagsOf(n)&HasRepeatedName == 0 {
				break // there is no other
			}
		}
	}
	return found
}

// Has reports whether the value is an object with such a member. Cost as Get.
func (v Value) Has(key string) bool { return v.Get(key).Exists() }

// At returns the i-th element of an array or the i-th member's value of an object, from 0; Absent
// out of range. Linear in i.
func (v Value) At(i int) Value {
	if i < 0 || i >= v.Len() {
		return Value{}
	}
	c := v.First()
	for ; i > 0; i-- {
		c = c.Next()
	}
	return c
}

// Flags returns the flags of a string, 0 for any other kind.
func (v Value) Flags() Flags {
	n := v.node()
	if kindOf(n) != String {
		return 0
	}
	return flagsOf(n)
}

// SubtreeFlags returns the flags of all strings in the value together, the keys inside it too.
// O(1).
func (v Value) SubtreeFlags() Flags { return flagsOf(v.node()) }

// OffsetIn returns the offset in src of raw, a slice of the same memory. ok is false for other
// memory and for an empty slice.
func OffsetIn(src, raw []byte) (offset int, ok bool) {
	if len(raw) == 0 {
		return 0, false
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(src)))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(raw)))
	if at < first || at-first > uintptr(len(src)) || len(src)-int(at-first) < len(raw) {
		return 0, false
	}
	return int(at - first), true
}
