package golden

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// width is the longest line that Layout writes on purpose; a string or number may be longer.
const width = 96

// Layout returns JSON with line breaks where a value does not fit a line, for people to read.
// Strings, numbers and the order of members stay as they are, so that escapes can be seen. What is
// not JSON is returned unchanged.
func Layout(data []byte) []byte {
	doc, err := jsonscan.Parse(data)
	if err != nil {
		return data
	}
	var b bytes.Buffer
	layout(&b, doc.Root(), 0, 0)
	b.WriteByte('\n')
	return b.Bytes()
}

// layout writes a value that starts in column at, in lines indented by depth levels.
func layout(b *bytes.Buffer, v jsonscan.Value, depth, at int) {
	var line bytes.Buffer
	oneLine(&line, v)
	if at+line.Len() <= width || !hasMembers(v) {
		b.Write(line.Bytes())
		return
	}
	start, end := byte('['), byte(']')
	if v.Kind() == jsonscan.Object {
		start, end = '{', '}'
	}
	b.WriteByte(start)
	for m := v.First(); m.Exists(); m = m.Next() {
		if m != v.First() {
			b.WriteByte(',')
		}
		newLine(b, depth+1)
		before := b.Len()
		key(b, v, m)
		layout(b, m, depth+1, 2*(depth+1)+b.Len()-before)
	}
	newLine(b, depth)
	b.WriteByte(end)
}

func newLine(b *bytes.Buffer, depth int) {
	b.WriteByte('\n')
	for range depth {
		b.WriteString("  ")
	}
}

// oneLine writes a value without line breaks.
func oneLine(b *bytes.Buffer, v jsonscan.Value) {
	switch v.Kind() {
	case jsonscan.Object, jsonscan.Array:
		start, end := byte('['), byte(']')
		if v.Kind() == jsonscan.Object {
			start, end = '{', '}'
		}
		b.WriteByte(start)
		for m := v.First(); m.Exists(); m = m.Next() {
			if m != v.First() {
				b.WriteString(", ")
			}
			key(b, v, m)
			oneLine(b, m)
		}
		b.WriteByte(end)
	default:
		b.Write(v.Raw())
	}
}

// key writes the key of a member of an object.
func key(b *bytes.Buffer, in, member jsonscan.Value) {
	if in.Kind() == jsonscan.Object {
		b.Write(member.Key().Raw())
		b.WriteString(": ")
	}
}

func hasMembers(v jsonscan.Value) bool {
	return (v.Kind() == jsonscan.Object || v.Kind() == jsonscan.Array) && v.First().Exists()
}
