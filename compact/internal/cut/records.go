package cut

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file cuts tool output into segments. A line that says nothing without its neighbours, such
// as a field or a status, is never a segment without them.

// plainWords is the most words of a line that says nothing alone, and valueWords of the value of a
// field that does not.
const (
	plainWords = 2
	valueWords = 5
)

// record is lines of a tool's output that are kept or dropped together.
type record struct {
	lines []string
	size  int
	// tied: it says something of what is around it, so that the same record in a later output is
	// not a repetition.
	tied bool
	lead string // the beginning of the record that it goes on with

	item, element, field int    // indentation of the first list item, array element and field, or -1
	key                  string // of the first field
	block                bool   // the first field has its value on the next lines
}

// Head cuts off what the text of a call or result begins with.
func Head(text string) (head, rest string) {
	if strings.HasPrefix(text, "[tool ") {
		if n := strings.Index(text, "] "); n >= 0 {
			return text[:n+2], text[n+2:]
		}
	}
	return "", text
}

// records are the segments of a tool call or result. None is longer than Bytes.
func Records(text string) []Piece {
	head, text := Head(text)
	c := cutter{now: newRecord()}
	for _, line := range strings.Split(text, "\n") {
		if len(line) <= Bytes-len(head) {
			c.add(head, line)
		} else {
			c.long(head + line)
		}
		head = ""
	}
	c.end("")
	if len(c.done) > 0 { // a call, or the beginning of a result, which says whose it is
		c.done[0].Tied = true
	}
	return c.done
}

func newRecord() record { return record{item: -1, element: -1, field: -1} }

// cutter collects records.
type cutter struct {
	done  []Piece
	now   record
	first bool   // whether the paragraph began with a line that says nothing alone
	last  string // the line before
}

// long adds a line that is longer than a segment.
func (c *cutter) long(line string) {
	if fieldKey(strings.TrimSpace(line)) != "" && len(c.now.lines) > 0 {
		c.goOn("")
		for _, s := range Sentences(line) {
			c.done = append(c.done, Piece{Text: s, Lead: c.now.lead, Tied: true})
		}
		return
	}
	c.end("")
	if strings.ContainsAny(line, "{[") && strings.Contains(line, `":`) {
		c.done = append(c.done, fieldPieces(line)...)
		return
	}
	field := fieldKey(line) != ""
	for _, s := range Sentences(line) {
		c.done = append(c.done, Piece{Text: s, Tied: field || !alone([]string{s}, s)})
	}
}

// add adds a line, with what is before the first line of a result.
func (c *cutter) add(head, line string) {
	said := strings.TrimSpace(line)
	if head+said == "" {
		c.end("")
		return
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	key := fieldKey(said)
	r, isWeak := &c.now, weak(said)
	if strings.Contains(line, OmittedMark) { // what is after it is of another record
		c.end("")
	}
	if len(r.lines) == 0 {
		c.first = status(said)
	}
	element := strings.HasPrefix(said, "{") && (strings.HasSuffix(c.last, "[") ||
		strings.HasSuffix(c.last, "},"))
	item := strings.HasPrefix(said, "- ") || strings.HasPrefix(said, "* ")
	again := key != "" && indent == r.field && (key == r.key || r.block && opens(said))
	switch {
	case len(r.lines) == 0:
	case element && (r.element < 0 || indent <= r.element),
		item && r.item >= 0 && indent <= r.item,
		again:
		c.end(said)
	case !isWeak && !weak(c.last) && !opens(c.last):
		c.end("")
	case r.size+1+len(said) > Bytes:
		c.goOn(said)
	}
	for len(r.lines) > 0 && r.size+1+len(said) > Bytes { // what went on with it is too long
		c.goOn("")
	}
	if element && r.element < 0 {
		r.element = indent
	}
	if item && r.item < 0 {
		r.item = indent
	}
	if key != "" && r.field < 0 {
		r.field, r.key, r.block = indent, key, opens(said)
	}
	r.lines = append(r.lines, strings.TrimSpace(head+said))
	r.size += len(head+said) + 1
	c.last = said
}

// goOn ends a record that is too long before a line, which goes on with it.
func (c *cutter) goOn(next string) {
	was := c.now
	was.tied = true
	if was.lead == "" && was.field >= 0 {
		was.lead = beginning(was.lines)
	}
	c.now.tied = true
	c.end(next)
	was.lines, was.size = c.now.lines, c.now.size
	c.now = was
}

// end ends a record before a line, if there is one. What labels the line goes on with it, and so
// does what the line labels.
func (c *cutter) end(next string) {
	r := c.now
	n := len(r.lines)
	if next != "" {
		for n > 0 && (opens(r.lines[n-1]) || c.first && status(r.lines[n-1])) {
			n--
		}
		if n == len(r.lines) && n > 1 && !c.first &&
			(status(next) || weak(next) && !weak(r.lines[n-1])) {
			n--
		}
		if n == 0 {
			n = len(r.lines)
		}
	}
	if n > 0 {
		text := strings.Join(r.lines[:n], "\n")
		c.done = append(c.done, Piece{
			Text: text, Lead: r.lead, Tied: r.tied || !alone(r.lines[:n], text),
		})
	}
	c.now = newRecord()
	for _, line := range r.lines[n:] {
		c.now.lines = append(c.now.lines, line)
		c.now.size += len(line) + 1
	}
	if len(c.now.lines) == 0 {
		c.last = ""
	}
}

// alone reports whether lines say something without their neighbours: a sentence, or an object.
func alone(lines []string, text string) bool {
	if strings.HasPrefix(text, "{") {
		return len(strings.Fields(text)) > plainWords &&
			strings.Count(text, "{") == strings.Count(text, "}") &&
			strings.Count(text, "[") == strings.Count(text, "]")
	}
	return len(lines) == 1 && !weak(lines[0]) && !opens(lines[0])
}

// opens reports whether a line says what the next one is.
func opens(line string) bool {
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "{") ||
		strings.HasSuffix(line, "[")
}

// status reports whether a line is one word.
func status(line string) bool { return HasWord(line) && oneWord(line) }

// weak reports whether a line says nothing without its neighbours.
func weak(line string) bool {
	if !HasWord(line) {
		return len(line) <= shortLine
	}
	fields := strings.Fields(line)
	if len(fields) <= plainWords {
		return true
	}
	if strings.HasPrefix(line, "{") {
		return false
	}
	if key := fieldKey(line); key != "" {
		return strings.HasPrefix(key, `"`) || len(fields)-1 <= valueWords
	}
	return false
}

// fieldKey returns the key of a line of the form "key: value", with its quotation marks, or "".
func fieldKey(line string) string {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "- "), "* ")
	if strings.HasPrefix(line, `"`) {
		if end := strings.Index(line[1:], `":`); end >= 0 {
			return line[:end+2]
		}
		return ""
	}
	key, value, ok := strings.Cut(line, ":")
	most := plainWords
	if !ok || value != "" && value[0] != ' ' {
		key, value, ok = strings.Cut(line, "=")
		ok, most = ok && !strings.Contains(value, "="), 1 // a line with several is a row of a log
	}
	key = strings.TrimSpace(key)
	first, _ := utf8.DecodeRuneInString(key)
	if n := len(strings.Fields(key)); !ok || n == 0 || n > most ||
		!unicode.IsLetter(first) && !strings.ContainsRune("_$.'", first) {
		return ""
	}
	return key
}
