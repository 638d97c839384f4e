package jsonscan

// The grammar: one pass over the source that writes the tape. The stack of open containers lives on
// the tape itself, in fields that get their real content only when a container closes, so depth
// costs neither memory nor call frames.

import (
	"math"
	"slices"
	"unsafe"
)

// MaxDepth is how many arrays and objects may be nested in each other. The scanner itself needs no
// limit; it is for later readers: code that walks the values recurses, and so do the servers that
// the document is sent to. It is several times what a hand-written history or a tool schema
// reaches, and small enough for any recursion to be harmless.
const MaxDepth = 512

// maxSource is the first source length that the 32-bit offsets of a node cannot express.
const maxSource = math.MaxUint32

// Doc is a parsed document: a flat tape of nodes over the source bytes. The zero value is ready;
// Parse reuses its memory.
type Doc struct {
	src   []byte
	nodes []node
	text  string // a copy of src when AliasStrings was called, src itself when it is shared or viewed
	views bool   // it was
	room  *room  // of the texts decoded since then
}

// node is one value or one key. The nodes of a container follow it in source order: the elements of
// an array; key, value, key, value… of an object. So the first child of a container is found by
// position, and the key of a member is just before its value.
type node struct {
	start, end uint32 // byte offsets; while a container is open, end counts its finished children
	// the next sibling's value node, 0 at the last; while a container is open, its parent
	next uint32
	info uint32 // Kind, member bit, Flags, number of children or tag of a key
}

const (
	kindMask   = 0b111
	memberBit  = 1 << 3 // a value in an object, so that its key is the node before it
	flagShift  = 4
	flagMask   = 0b111111 << flagShift
	countShift = 10
	// maxCount is the largest number of children that info can hold. It means that many
	// or more; such containers are counted by walking.
	maxCount = 1<<(32-countShift) - 1
	// noNode is the parent of the root.
	noNode = math.MaxUint32
)

// Parse reads src, which must be exactly one JSON value, with or without white space around it. The
// error is always a [*SyntaxError]. Linear in src. The returned Doc refers to src.
func Parse(src []byte) (*Doc, error) {
	d := new(Doc)
	if err := d.Parse(src); err != nil {
		return nil, err
	}
	return d, nil
}

// Parse is like the function [Parse], reusing the memory of d: when the tape is large enough
// nothing is allocated. All Values taken from d before are invalid afterwards. After an error d is
// empty: its Root is Absent.
func (d *Doc) Parse(src []byte) error {
	d.Release()
	if uint64(len(src)) >= maxSource {
		d.nodes = d.nodes[:0]
		return syntaxError(src, 0, refused("the source is 4 GiB or larger"))
	}
	if d.nodes == nil {
		d.nodes = make([]node, 0, firstNodes(len(src)))
	}
	nodes, at, f := scan(src, d.nodes[:0])
	if f.failed() {
		d.nodes = nodes[:0]
		return syntaxError(src, at, f)
	}
	d.src, d.nodes = src, nodes
	return nil
}

// Copy returns a Doc of its own with the same values, whose tape is as long as it has to be: for
// many small sources that are kept, parsed by one Doc.
func (d *Doc) Copy() *Doc { return &Doc{src: d.src, nodes: slices.Clip(slices.Clone(d.nodes))} }

// Release forgets the source, and keeps the memory of the tape for the next Parse. All Values of d
// are invalid afterwards.
func (d *Doc) Release() {
	d.src, d.text, d.nodes, d.views = nil, "", d.nodes[:0], false
	d.room.reset()
}

// Root returns the document's value, Absent when nothing was parsed.
func (d *Doc) Root() Value {
	if d == nil || len(d.nodes) == 0 {
		return Value{}
	}
	return Value{doc: d}
}

// AliasStrings makes [Value.Str] of every string without escapes return a piece of one common copy
// of the source, made here, in place of a copy of its own: worth it for a caller who keeps most
// strings of the document for as long as each other, because one string keeps all of the source
// alive. It holds until the next Parse.
func (d *Doc) AliasStrings() {
	d.text = string(d.src)
}

// ShareStrings is AliasStrings without the copy: no string may be kept for longer than the source,
// nor may that be modified.
func (d *Doc) ShareStrings() { d.text = unsafe.String(unsafe.SliceData(d.src), len(d.src)) }

// ViewStrings makes [Value.Str] allocate no string of its own: strings without escapes are the
// source's own bytes, and the texts of the others are in memory that the next Parse, Release or
// ViewStrings takes back. No string may be kept for longer than that, nor may the source be
// modified. It is for a reader who looks once and keeps nothing.
func (d *Doc) ViewStrings() {
	d.room.reset()
	d.text, d.views = unsafe.String(unsafe.SliceData(d.src), len(d.src)), true
}

// scan appends the nodes of src to nodes. On failure the fault is at offset at. It is one
// function for speed: its state stays in registers. Every turn of the loop reads one value, then
// the punctuation up to the next one.
func scan(src []byte, nodes []node) (_ []node, at int, f fault) {
	var (
		open   uint32 = noNode // the innermost container still open
		member uint32          // memberBit while that is an object
		count  uint32          // its finished children
		depth  int
		i      int
	)
nextValue:
	for {
		if cap(nodes)-len(nodes) < 2 { // a turn appends a value and the next key at most
			nodes = grown(nodes, i, len(src))
		}
		i = skipSpace(src, i)
		if i >= len(src) {
			return nodes, i, expected("a value")
		}
		last := uint32(len(nodes)) // the value that is complete once the punctuation is reached
		n := node{start: uint32(i), info: member}
		switch c := src[i]; c {
		case '"':
			n.info |= uint32(String)
			if end := shortEnd(src, i+1); end != 0 {
				i = end + 1
				break
			}
			var fl Flags
			if i, fl, f = scanString(src, i); f.failed() {
				return nodes, i, f
			}
			n.info |= uint32(fl) << flagShift
			if fl != 0 && open != noNode {
				nodes[open].info |= uint32(fl) << flagShift
			}
		case '{', '[':
			if depth == MaxDepth {
				return nodes, i, refused("nested too deeply")
			}
			n.info |= uint32(containerKind(c))
			i = skipSpace(src, i+1)
			if i < len(src) && src[i] == c+2 { // '{'+2 is '}', '['+2 is ']'
				i++
				break // an empty container is a leaf
			}
			if open != noNode {
				nodes[open].end = count
			}
			n.next = open
			nodes = append(nodes, n)
			open, count, member = last, 0, 0
			depth++
			if c == '{' {
				member = memberBit
				if end, tag := shortKey(src, i); end != 0 {
					nodes = append(nodes, node{
						start: uint32(i), end: uint32(end), info: uint32(String) | tag<<countShift,
					})
					i = end + 1
					continue nextValue
				}
				if nodes, i, f = scanKey(src, nodes, i, open); f.failed() {
					return nodes, i, f
				}
			}
			continue nextValue
		case 't':
			n.info |= uint32(True)
			i, f = scanLiteral(src, i, "true")
		case 'f':
			n.info |= uint32(False)
			i, f = scanLiteral(src, i, "false")
		case 'n':
			n.info |= uint32(Null)
			i, f = scanLiteral(src, i, "null")
		default:
			n.info |= uint32(Number)
			i, f = scanNumber(src, i)
		}
		if f.failed() {
			return nodes, i, f
		}
		n.end = uint32(i)
		nodes = append(nodes, n)

		for open != noNode {
			count++
			i = skipSpace(src, i)
			var c byte // 0 at the end of the input: as wrong as a NUL
			if i < len(src) {
				c = src[i]
			}
			o := &nodes[open]
			switch {
			case c == ',':
				i++
				if member == 0 {
					nodes[last].next = uint32(len(nodes))
					continue nextValue
				}
				nodes[last].next = uint32(len(nodes)) + 1
				if end, tag := shortKey(src, i); end != 0 {
					nodes = append(nodes, node{
						start: uint32(i), end: uint32(end), info: uint32(String) | tag<<countShift,
					})
					i = end + 1
					continue nextValue
				}
				if nodes, i, f = scanKey(src, nodes, i, open); f.failed() {
					return nodes, i, f
				}
				continue nextValue
			case c == '}' && member != 0, c == ']' && member == 0:
				i++
				if member != 0 && count > 1 && repeats(src, nodes, open, count) {
					o.info |= uint32(HasRepeatedName) << flagShift
				}
				parent := o.next
				o.end, o.next = uint32(i), 0
				o.info |= min(count, maxCount) << countShift
				last, open = open, parent
				depth--
				if parent != noNode {
					p := &nodes[parent]
					p.info |= o.info & flagMask
					count = p.end
					member = 0
					if Kind(p.info&kindMask) == Object {
						member = memberBit
					}
				}
			case member != 0:
				return nodes, i, expected(`"," or "}" after a member`)
			default:
				return nodes, i, expected(`"," or "]" after an element`)
			}
		}
		if i = skipSpace(src, i); i < len(src) {
			return nodes, i, expected("the end of the document")
		}
		return nodes, i, fault{}
	}
}

// trusted is how many bytes of a source tell how many nodes the others have.
const trusted = 1 << 20

// firstNodes returns how many nodes to make room for at first: a guess for texts of a few hundred
// bytes per string, an eighth of the source. Of a large source it is for the beginning, and grown
// does the rest.
func firstNodes(size int) int { return 16 + min(size, 2*trusted)/128 }

// grown returns nodes, those of the first bytes of a source of a size, with room for as many as the
// whole source has if it goes on in the same way. The beginning may have many more of them than the
// texts after it, so a short one does not count for much.
func grown(nodes []node, bytes, size int) []node {
	most := 4
	if bytes >= trusted {
		most = 16
	}
	n := len(nodes)
	expected := int(float64(n) / float64(max(bytes, 1)) * float64(size) * 1.06)
	larger := make([]node, n, max(n+n/4, min(expected, most*n))+16)
	copy(larger, nodes)
	return larger
}

// scanKey appends the node of the key that must come next in the object open, and moves after its
// colon.
func scanKey(src []byte, nodes []node, i int, open uint32) (_ []node, at int, f fault) {
	i = skipSpace(src, i)
	if i >= len(src) || src[i] != '"' {
		if uint32(len(nodes)) == open+1 {
			return nodes, i, expected(`a key or "}"`)
		}
		return nodes, i, expected(`a key`)
	}
	end, fl, f := scanString(src, i)
	if f.failed() {
		return nodes, end, f
	}
	nodes = append(nodes, node{
		start: uint32(i), end: uint32(end),
		info: uint32(String) | uint32(fl)<<flagShift | tagOf(src[i+1:end-1])<<countShift,
	})
	nodes[open].info |= uint32(fl) << flagShift
	i = skipSpace(src, end)
	if i >= len(src) || src[i] != ':' {
		return nodes, i, expected(`":" after a key`)
	}
	return nodes, i + 1, fault{}
}

// shortKey returns the end and the tag of the key at i if shortEnd finds its end and the colon is
// next to it; otherwise 0.
func shortKey(src []byte, i int) (end int, tag uint32) {
	if i >= len(src) || src[i] != '"' {
		return 0, 0
	}
	end = shortEnd(src, i+1)
	if end == 0 || src[end+1] != ':' {
		return 0, 0
	}
	return end + 1, tagOf(src[i+1 : end])
}

// tagOf is a small number that tells most keys apart without reading them: length, first and last
// byte (of which two bits have no room). It is 0 for "".
func tagOf[T string | []byte](key T) uint32 {
	if len(key) == 0 {
		return 0
	}
	tag := uint32(uint8(len(key))) | uint32(key[0])<<8 | uint32(key[len(key)-1])<<16
	return tag & maxCount
}

// containerKind returns the kind that an opening bracket begins.
func containerKind(c byte) Kind {
	if c == '{' {
		return Object
	}
	return Array
}

// skipSpace returns the offset of the first byte from i on that is not white space.
func skipSpace(src []byte, i int) int {
	for i < len(src) && src[i] <= ' ' &&
		(src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}
