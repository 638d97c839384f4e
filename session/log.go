package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is the file format that the clients share: one JSON object to a line.

// log is a file of JSON lines while it is read and repaired.
type log struct {
	lines []*line
	// open reports that the last line has no newline at its end, so that the next line that the
	// client appends is glued to it.
	open bool
	// crlf reports that the lines end in "\r\n".
	crlf bool
	// heals reports that the client's version is at least client.heals.
	heals bool
	// asStored reports that messages are read as they are, and not shortened; whole has the indexes
	// of those that are, if the others are not.
	asStored bool
	whole    map[int]bool
	// habits are those of the version of the client that wrote it.
	habits habits
}

// line is one line of a log.
type line struct {
	raw     []byte        // without the newline
	doc     *jsonscan.Doc // see root
	number  int32         // in the file as it was, from 1; 0 for a line that a repair added
	object  bool          // the line is a JSON object
	broken  bool          // the line is no JSON at all, as when only a part of it was written
	dropped bool
	plain   bool // it was read without the "\r" that the other lines have
}

// parseLog reads a file. starts lists how records of the client begin: where a line that is cut off
// is followed by another without a newline, they show where that begins.
func parseLog(data []byte, starts []string) (*log, []Finding) {
	l := &log{open: len(data) > 0 && data[len(data)-1] != '\n'}
	if first := bytes.IndexByte(data, '\n'); first > 0 {
		l.crlf = data[first-1] == '\r'
	}
	var findings []Finding
	number := int32(0)
	for len(data) > 0 {
		raw, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		number++
		plain := l.crlf && !bytes.HasSuffix(raw, []byte("\r")) && (len(data) > 0 || !l.open)
		if l.crlf {
			raw = bytes.TrimSuffix(raw, []byte("\r"))
		}
		whole := newLine(number, raw)
		whole.plain = plain
		if !whole.broken {
			l.lines = append(l.lines, whole)
			continue
		}
		pieces := unglue(raw, starts)
		if pieces == nil {
			l.lines = append(l.lines, whole)
			continue
		}
		for _, piece := range pieces {
			l.lines = append(l.lines, newLine(number, piece))
		}
		findings = append(findings, Finding{
			Code: CodeGluedLines, Lines: []int{int(number)},
			Problem: "a line was written after another without a line break",
			Fix:     "take the lines apart",
		})
	}
	return l, findings
}

func newLine(number int32, raw []byte) *line {
	l := &line{number: number, raw: raw}
	if len(bytes.TrimSpace(raw)) == 0 {
		return l
	}
	if err := l.parse(); err != nil {
		l.broken = !json.Valid(raw) // what is only nested too deep is not for us to judge
	}
	return l
}

// parse reads the line.
func (l *line) parse() error {
	readable := l.raw
	if !utf8.Valid(readable) { // clients read such a byte as U+FFFD
		readable = bytes.Map(func(r rune) rune { return r }, readable)
	}
	doc := tapes.Get().(*jsonscan.Doc)
	defer tapes.Put(doc)
	defer doc.Release()
	err := doc.Parse(readable)
	if l.object = doc.Root().Kind() == jsonscan.Object; l.object {
		l.doc = doc.Copy()
	}
	return err
}

// root returns the object of the line, Absent when it is none.
func (l *line) root() jsonscan.Value {
	if l.object && l.doc == nil {
		_ = l.parse() // it was read before
	}
	return l.doc.Root()
}

// forget lets go of the values of all lines, which are read again when they are asked for: those of
// short lines take more memory than the file, and a request that is checked takes as much.
func (l *log) forget() {
	for _, line := range l.lines {
		line.doc = nil
	}
}

// tapes are used to parse one line after the other.
var tapes = sync.Pool{New: func() any { return new(jsonscan.Doc) }}

// maxStarts limits how many places of one line are tried as the beginning of a record.
const maxStarts = 64

// unglue takes a line apart that holds complete records after something else, which comes first
// and may be cut off. It returns nil when there is no complete record in it.
func unglue(raw []byte, starts []string) [][]byte {
	for from, tries := 0, 0; from < len(raw) && tries < maxStarts; tries++ {
		at := nextStart(raw[from:], starts)
		if at < 0 {
			return nil
		}
		at += from
		if records := records(raw[at:]); records != nil {
			if at > 0 {
				records = append([][]byte{raw[:at]}, records...)
			}
			return records
		}
		from = at + 1
	}
	return nil
}

// nextStart returns the first place where a record may begin, or -1.
func nextStart(raw []byte, starts []string) int {
	first := -1
	for _, s := range starts {
		if at := bytes.Index(raw, []byte(s)); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// records splits JSON objects that follow each other without anything between them. It returns nil
// unless there is nothing else.
func records(raw []byte) [][]byte {
	var all [][]byte
	for rest := raw; len(bytes.TrimSpace(rest)) > 0; {
		decoder := json.NewDecoder(bytes.NewReader(rest))
		var record json.RawMessage
		if err := decoder.Decode(&record); err != nil || record[0] != '{' {
			return nil
		}
		end := int(decoder.InputOffset())
		all = append(all, bytes.TrimSpace(rest[:end]))
		rest = rest[end:]
	}
	return all
}

// bytes returns the file after the edits. Every line ends in a line break.
func (l *log) bytes() []byte {
	size := 0
	for _, line := range l.lines {
		size += len(line.raw) + len("\r\n")
	}
	out := make([]byte, 0, size)
	for _, line := range l.lines {
		if !line.dropped {
			out = append(out, line.raw...)
			if l.crlf && !line.plain {
				out = append(out, '\r')
			}
			out = append(out, '\n')
		}
	}
	return out
}

// writeTo writes what bytes returns.
func (l *log) writeTo(w io.Writer) error {
	for _, line := range l.lines {
		if line.dropped {
			continue
		}
		end := "\n"
		if l.crlf && !line.plain {
			end = "\r\n"
		}
		for _, piece := range [][]byte{line.raw, []byte(end)} {
			if _, err := w.Write(piece); err != nil {
				return err
			}
		}
	}
	return nil
}

// is reports whether the log is a file, byte for byte.
func (l *log) is(data []byte) bool {
	for _, line := range l.lines {
		if line.dropped {
			continue
		}
		end := "\n"
		if l.crlf && !line.plain {
			end = "\r\n"
		}
		rest, same := bytes.CutPrefix(data, line.raw)
		if same {
			rest, same = bytes.CutPrefix(rest, []byte(end))
		}
		if !same {
			return false
		}
		data = rest
	}
	return len(data) == 0
}

// renumber makes the log what would be read from its bytes.
func (l *log) renumber() {
	l.open = false
	l.lines = slices.DeleteFunc(l.lines, func(line *line) bool { return line.dropped })
	for k, line := range l.lines {
		line.number = int32(k + 1)
	}
}

// objects returns the lines that are objects and still there, in order.
func (l *log) objects() []*line {
	var kept []*line
	for _, line := range l.lines {
		if !line.dropped && line.object {
			kept = append(kept, line)
		}
	}
	return kept
}

// set gives a member of the line's object, or of an object in it, another value.
func (l *line) set(value []byte, path ...string) {
	raw := value
	for n := len(path); n > 0; n-- {
		o := jsonscan.EditObject(l.at(path[:n-1]...))
		o.SetMember(path[n-1], raw)
		raw = o.Bytes()
	}
	*l = *newLine(l.number, raw)
}

// at follows member names from the line's object.
func (l *line) at(path ...string) jsonscan.Value {
	v := l.root()
	for _, name := range path {
		v = v.Get(name)
	}
	return v
}

// valueOf parses JSON that this package wrote.
func valueOf(raw []byte) jsonscan.Value {
	doc, err := jsonscan.Parse(raw)
	return docRoot(doc, err)
}

// str returns the text of a member, "" where there is none.
func (l *line) str(path ...string) string { return l.at(path...).Str() }

// insertAfter puts new lines after each line of the map.
func (l *log) insertAfter(added map[*line][]*line) {
	if len(added) == 0 {
		return
	}
	var lines []*line
	for _, line := range l.lines {
		lines = append(append(lines, line), added[line]...)
	}
	l.lines = lines
}

// moveAfter takes the lines of the map's lists to the places after its keys.
func (l *log) moveAfter(after map[*line][]*line) {
	moved := map[*line]bool{}
	for _, lines := range after {
		for _, line := range lines {
			moved[line] = true
		}
	}
	l.lines = slices.DeleteFunc(l.lines, func(line *line) bool { return moved[line] })
	l.insertAfter(after)
}

// reorder puts records, which are some of the lines, into another order: each takes the place of
// the one with the same index. It returns those that are in another place then.
func (l *log) reorder(records, order []*line) (moved []*line) {
	instead := make(map[*line]*line, len(order))
	for k, record := range records {
		instead[record] = order[k]
		if order[k] != record {
			moved = append(moved, record)
		}
	}
	for k, line := range l.lines {
		if to := instead[line]; to != nil {
			l.lines[k] = to
		}
	}
	return moved
}

// dropBroken drops the lines that are no JSON.
func (l *log) dropBroken(r *Report) {
	for _, line := range l.lines {
		if line.broken {
			line.dropped = true
			r.add(Finding{
				Code: CodeUnreadableLine, Lines: numbered(line),
				Problem: "the line is cut off or no JSON",
				Fix:     "remove the line",
			})
		}
	}
	if l.open {
		r.add(Finding{
			Code: CodeNoLineBreak, Lines: []int{l.last()},
			Problem: "the last line has no line break, so the next one may be glued to it",
			Fix:     "end the last line",
		})
	}
}

// digest stands for a record where copies of it are looked for, which takes less memory.
type digest [sha256.Size]byte

// firstCopies returns, for lines of a file that are there again, the number of the first copy.
func firstCopies(data []byte) map[int]int {
	first, seen := map[int]int{}, map[digest]int{}
	for number := 1; len(data) > 0; number++ {
		raw, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		sum := sha256.Sum256(bytes.TrimSuffix(raw, []byte("\r")))
		if n, again := seen[sum]; again {
			first[number] = n
		} else {
			seen[sum] = number
		}
	}
	return first
}

func (l *log) last() int {
	if len(l.lines) == 0 {
		return 0
	}
	return int(l.lines[len(l.lines)-1].number)
}

// derivedID makes a UUID out of texts: the same texts always give the same id.
func derivedID(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	sum := h.Sum(nil)
	sum[6] = sum[6]&0x0f | 0x80 // version 8: made by the application
	sum[8] = sum[8]&0x3f | 0x80
	s := hex.EncodeToString(sum[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// quote returns s as a JSON string that reads as s again, also where s is not valid UTF-8: a result
// must have the id of its call. A surrogate is escaped, and other bytes stay.
func quote(s string) []byte {
	if utf8.ValidString(s) {
		return jsonscan.AppendString(nil, s)
	}
	out := []byte{'"'}
	for len(s) > 0 {
		n := 0
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		valid := jsonscan.AppendString(nil, s[:n])
		out = append(out, valid[1:len(valid)-1]...)
		switch s = s[n:]; {
		case s == "":
		case len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] < 0xC0 && s[2]&0xC0 == 0x80:
			out = fmt.Appendf(out, `\u%04x`, 0xD000|int(s[1]&0x3F)<<6|int(s[2]&0x3F))
			s = s[3:]
		default:
			out = append(out, s[0])
			s = s[1:]
		}
	}
	return append(out, '"')
}
