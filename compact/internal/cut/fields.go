package cut

import "strings"

// This file cuts objects that are longer than a segment. A field says nothing without the object it
// is said of, so that what is kept of an object begins with the object's first fields.

// leadBytes is the most bytes of an object's beginning that are shown before its later fields.
const leadBytes = 80

// fieldPieces cuts a line of JSON between the objects of a list, and between the fields of an
// object that is longer than a segment.
func fieldPieces(line string) []Piece {
	var out []Piece
	for line != "" {
		part, after, cut := strings.Cut(line, OmittedMark)
		if cut {
			part += OmittedMark
		}
		f := fieldCutter{line: part, quoted: len(out) > 0 && oddQuotes(part)}
		out = append(out, f.pieces()...)
		line = after
	}
	return out
}

// oddQuotes reports whether a text, which ends outside of a string, begins inside of one.
func oddQuotes(text string) bool {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			n++
		}
	}
	return n%2 == 1
}

// fieldCutter cuts one line.
type fieldCutter struct {
	line   string
	quoted bool
	open   []bracket
	from   int    // the beginning of the piece
	lead   string // of the piece
	comma  int    // after the last comma in the piece; 0 is none
	next   string // the lead of what is after it
	out    []Piece
}

// bracket is an object or list that is not closed yet.
type bracket struct {
	at, end int // where it begins, and where its first fields end
	object  bool
}

func (f *fieldCutter) pieces() []Piece {
	for i := 0; i < len(f.line); i++ {
		switch c := f.line[i]; {
		case f.quoted:
			if c == '\\' {
				i++
			} else if c == '"' {
				f.quoted = false
			}
		case c == '"':
			f.quoted = true
		case c == '{', c == '[':
			f.open = append(f.open, bracket{at: i, end: i, object: c == '{'})
		case c == '}', c == ']':
			f.open = f.open[:max(0, len(f.open)-1)]
		case c == ',':
			f.field(i + 1)
		}
	}
	f.fill(len(f.line))
	f.add(len(f.line))
	return f.out
}

// field is the end of a field or of an item of a list.
func (f *fieldCutter) field(end int) {
	f.fill(end)
	if n := len(f.open) - 1; n >= 0 && f.open[n].object && end-f.open[n].at <= leadBytes {
		f.open[n].end = end
	}
	rest := strings.TrimLeft(f.line[end:min(len(f.line), end+8)], " ")
	f.comma, f.next = end, f.enclosing()
	if strings.HasSuffix(f.line[:end], "},") && strings.HasPrefix(rest, "{") {
		if f.objects() < 2 { // an object of the outermost list
			f.next = ""
		}
		f.cut(end, f.next)
	}
}

// objects returns how many objects are open.
func (f *fieldCutter) objects() (n int) {
	for _, b := range f.open {
		if b.object {
			n++
		}
	}
	return n
}

// enclosing returns the beginning of the innermost object that is open.
func (f *fieldCutter) enclosing() string {
	for k := len(f.open) - 1; k >= 0; k-- {
		if b := f.open[k]; b.object {
			return f.line[b.at:b.end]
		}
	}
	return ""
}

// fill cuts off what is before end until the rest is no longer than a segment.
func (f *fieldCutter) fill(end int) {
	for end-f.from > Bytes {
		if f.comma > f.from && f.comma-f.from <= Bytes {
			f.cut(f.comma, f.next)
		} else { // one value is longer
			f.cut(f.from+Point(f.line[f.from:], Bytes), f.enclosing())
		}
	}
}

// cut ends the piece, and begins the next one with a lead.
func (f *fieldCutter) cut(end int, lead string) {
	f.add(end)
	f.from, f.lead = end, lead
}

func (f *fieldCutter) add(end int) {
	if s := strings.TrimSpace(f.line[f.from:end]); s != "" {
		whole := s[0] == '{' && f.lead == "" && alone([]string{s}, s)
		f.out = append(f.out, Piece{Text: s, Lead: f.lead, Tied: !whole})
	}
}

// beginning returns the first lines of a record, which say what the others are about.
func beginning(lines []string) string {
	n, size := 0, 0
	for ; n < len(lines); n++ {
		if size += len(lines[n]) + 1; size > leadBytes {
			break
		}
	}
	return strings.Join(lines[:n], " ")
}
