package compact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/compact/internal/cut"
	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file joins what people say to what they answer: an exchange is kept or left out as a whole.

// toolWeight is what the score of a segment of a tool call or result is multiplied by: what people
// and models say counts for more, because a call can be made again.
const toolWeight = 0.25

// tellingWeight is the same for a line that tells what came out of a tool, such as an error: it
// counts as much as what people say, and an answer that a user gave to a tool counts most.
const tellingWeight = 4

const (
	// shortWords is the most words of a user's message that is kept with what the model said
	// before it even if that is no question.
	shortWords = 4
	// answerWords is the most words of an answer that is kept whole with its question. Of a longer
	// one, only the first and the last sentence are kept with it.
	answerWords = 24
	// contextBytes is the most bytes of a message of the model's that are kept with its question.
	contextBytes = 600
	// questionsKept is how many questions of a longer message are kept.
	questionsKept = 4
	// answerBytes is the most of a tool's output that may be a user's answer, given a tool whose
	// name says that it asks, and statedBytes the same if only the arguments hold a question.
	answerBytes, statedBytes = 4000, 400
)

// exchanges cuts messages, in their order, into segments, and says which of them belong to one
// exchange.
type exchanges struct {
	units int  // how many there are; each has a number, from 1
	spoke int  // the number of what the user has said since the model spoke; 0 for none
	words int  // the number of the model's last words; 0 for none
	last  int  // the number of a question that was just answered; 0 for none
	asks  bool // the model's last words hold a question
	ends  bool // they end with one
	heard heard
	calls map[string]ask // calls that ask the user, by id
}

// ask is a call that asks the user something.
type ask struct {
	unit int
	most int // bytes of the answer
}

// open returns the exchange of a question that nobody has answered yet, or 0.
func (x *exchanges) open() int {
	if x.asks {
		return x.words
	}
	return 0
}

// restart forgets what was said: the next message is of another group.
func (x *exchanges) restart() { *x = exchanges{units: x.units, heard: x.heard} }

// cut cuts an input into segments.
func (x *exchanges) cut(in Input) []segment {
	var found []segment
	skip := 0
	for _, p := range in.parts() {
		if p.skip > 0 {
			skip += p.skip
			x.heard.all(p.skip)
			continue
		}
		x.heard[p.speaker()]++
		from := len(found)
		found = append(found, p.segments()...)
		if len(found) == from {
			continue
		}
		found[from].skip, skip = skip, 0
		for k := from; k < len(found); k++ {
			found[k].heard, found[k].speaker = x.heard, p.speaker()
		}
		x.join(p, found, from)
	}
	for k := range found {
		found[k].at, found[k].left = k, len(found)-1-k
	}
	return found
}

// join joins the segments of a part, which begin at an index, to an exchange.
func (x *exchanges) join(p piece, found []segment, from int) {
	segments := found[from:]
	switch {
	case p.kind == called:
		if most := asksUser(p.text); most > 0 {
			x.units++
			if x.calls == nil {
				x.calls = make(map[string]ask)
			}
			x.calls[p.id] = ask{x.units, most}
			member(segments, x.units, false)
		}
	case p.kind == returned:
		if a, ok := x.calls[p.id]; ok {
			delete(x.calls, p.id)
			if len(p.text) <= a.most {
				member(segments, a.unit, true)
				for k := range segments {
					segments[k].answers = true
				}
			}
		}
	case p.label == assistantLabel && x.last > 0 && goesOn(p.text):
		member(segments, x.last, false) // "Of course", to a user who looks it up: it stays open
		x.words, x.asks, x.ends, x.spoke, x.last = x.last, true, true, 0, 0
	case p.label == assistantLabel:
		x.units++
		x.last = 0
		x.words, x.asks, x.ends = x.units, false, false
		x.spoke = 0
		first := len(segments) - 1
		for k := len(segments) - 1; k >= 0 && k >= len(segments)-2*questionsKept; k-- {
			if requests(segments[k].text) {
				first, x.asks, x.ends = k, true, x.ends || k == len(segments)-1
			}
		}
		size := 0
		for _, s := range segments[first:] {
			size += len(s.text)
		}
		for k := first; k < len(segments); k++ {
			if size <= contextBytes || k == len(segments)-1 || requests(segments[k].text) {
				segments[k].unit = x.units
			}
		}
	case p.label == userLabel:
		n := len(words.Of(p.text))
		answers := x.asks && (n <= answerWords || x.ends)
		if x.spoke == 0 || n > shortWords {
			if x.words > 0 && (answers || n <= shortWords) {
				x.spoke = x.words
			} else {
				x.units++
				x.spoke, answers = x.units, false
			}
			if x.last = 0; answers {
				x.last = x.spoke
			}
			x.words, x.asks, x.ends = 0, false, false
		}
		member(segments, x.spoke, true)
		for k := range segments {
			segments[k].answers = answers && n <= answerWords
			if answers && n > answerWords && k > 0 && k < len(segments)-1 {
				segments[k].unit = 0
			}
		}
	}
}

// goesOn reports whether the model says hardly anything, and asks nothing.
func goesOn(text string) bool { return len(words.Of(text)) <= shortWords && !asks(text) }

// member makes segments those of an exchange.
func member(segments []segment, unit int, said bool) {
	for k := range segments {
		segments[k].unit, segments[k].said = unit, said
		segments[k].weight = 1
	}
}

// asks reports whether a text ends with a question.
func asks(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \"')]*_”»」"))
	return strings.ContainsRune("?？؟", r)
}

// requesting is how the model asks where it puts no question mark.
var requesting = []string{
	"please confirm", "please approve", "please decide", "let me know", "tell me",
	"your approval", "your confirmation", "your decision", "your go-ahead", "your permission",
}

// requests reports whether a text asks for an answer, with a question mark or without.
func requests(text string) bool {
	said := strings.ToLower(text)
	return asks(text) ||
		slices.ContainsFunc(requesting, func(s string) bool { return strings.Contains(said, s) })
}

// asking are what the names of tools contain that ask the user.
var asking = []string{
	"ask", "confirm", "approv", "clarif", "elicit", "human", "question", "user_input", "permission",
}

// asksUser returns the most bytes of the answer if the text of a call asks the user, and 0 if not:
// the name of the tool says so, or its arguments hold a question of several words.
func asksUser(text string) int {
	name, arguments, _ := strings.Cut(strings.TrimPrefix(text, callHead+" "), " ")
	name = strings.ToLower(name)
	if slices.ContainsFunc(asking, func(s string) bool { return strings.Contains(name, s) }) &&
		!strings.Contains(name, "task") && !strings.Contains(name, "mask") {
		return answerBytes
	}
	for _, mark := range []string{`?"`, `？"`, `؟"`} {
		if before, _, ok := strings.Cut(arguments, mark); ok {
			value := before[strings.LastIndexByte(before, '"')+1:]
			if len(strings.Fields(value)) > 2 {
				return statedBytes
			}
		}
	}
	return 0
}

// kind is what a piece of a message is.
type kind int

const (
	plain kind = iota
	called
	returned
)

// segments returns the segments of a piece.
func (p piece) segments() []segment {
	var out []segment
	text := inLines(p.text)
	if p.kind != plain {
		out = p.records(text)
	} else {
		found := cut.Sentences(text)
		out = make([]segment, len(found))
		for k, s := range found {
			out[k] = segment{text: s}
		}
	}
	for k := range out {
		out[k].label, out[k].weight = p.label, 1
		if p.kind != plain {
			out[k].weight = toolWeight
			out[k].text = strings.ReplaceAll(out[k].text, "\n", "  ") // one line, one label
		}
	}
	return out
}

// records returns the segments of a call or of the output of a tool. A line that is unlike the
// others is a segment of its own, unless it goes on with what is before it. In code, a line that
// names an error tells nothing unless it is most of its segment.
func (p piece) records(text string) []segment {
	var out []segment
	var tells map[string]bool
	alike := true
	add := func(text string) {
		for _, s := range cut.Records(collapse(text)) {
			of := segment{text: s.Text, lead: s.Lead, tied: s.Tied}
			if len(tells) > 0 {
				for line := range strings.SplitSeq(s.Text, "\n") {
					of.tells = of.tells || tells[line] && (alike || 2*len(line) > len(s.Text))
				}
			}
			out = append(out, of)
		}
	}
	if p.kind != returned {
		add(text)
		return out
	}
	tells = make(map[string]bool)
	head, rest := cut.Head(text)
	lines := strings.Split(rest, "\n")
	errors, unlike, ok := cut.Telling(lines)
	alike = ok
	from, at := 0, len(head) // in text
	for k, line := range lines {
		if errors[k] || unlike[k] {
			tells[strings.TrimSpace(line)] = true
			if k == 0 {
				tells[strings.TrimSpace(head+line)] = true
			}
		}
		if unlike[k] && k > 0 && len(line) <= cut.Bytes && !strings.ContainsAny(line[:1], " \t{[\"-*") {
			add(text[from:at])
			out = append(out, segment{text: line, tells: true})
			from = min(len(text), at+len(line)+1)
		}
		at += len(line) + 1
	}
	add(text[from:])
	return out
}

// collapse keeps one of the lines of a text that repeat one after the other, with a mark.
func collapse(text string) string {
	lines := strings.Split(text, "\n")
	out := lines[:0]
	for k := 0; k < len(lines); {
		line, end := lines[k], k+1
		for end < len(lines) && lines[end] == line {
			end++
		}
		if end > k+1 && strings.TrimSpace(line) != "" {
			line += " " + gap(end-k-1)
		}
		out, k = append(out, line), end
	}
	return strings.Join(out, "\n")
}

// parts returns the pieces of an input.
func (in Input) parts() []piece {
	switch {
	case in.Summary:
		return recordPieces(labelled(in.Text))
	case in.pieces != nil:
		return in.pieces
	case in.Role == "" && leftOut(in.Text) > 0:
		return []piece{{skip: leftOut(in.Text)}}
	}
	return []piece{{text: in.Text, label: roleLabel(in.Role)}}
}

// recordPieces returns the pieces of a record: lines under one label, and the marks between them.
func recordPieces(record string) []piece {
	var out []piece
	var lines []string // of the last piece
	end := func() {
		if len(lines) > 0 {
			out[len(out)-1].text = strings.Join(lines, "\n")
		}
		lines = nil
	}
	for _, line := range strings.Split(record, "\n") {
		if n := leftOut(line); n > 0 {
			end()
			out = append(out, piece{skip: n})
			continue
		}
		label, text, ok := cutLabel(line)
		if rest, on := strings.CutPrefix(line, goesOnMark); on && len(lines) > 0 {
			lines = append(lines, rest)
			continue
		}
		if !ok {
			continue
		}
		p := piece{label: label}
		switch {
		case label == assistantLabel && strings.HasPrefix(text, callHead):
			p.kind = called
		case label == toolLabel:
			p.kind = returned
		}
		if last := len(out) - 1; len(lines) == 0 || out[last].label != label ||
			p.kind != out[last].kind || p.kind == called || strings.HasPrefix(text, "[tool ") {
			end()
			out = append(out, p)
		}
		lines = append(lines, text)
	}
	end()
	return out
}

// whole returns all of an input, each line under its label.
func (in Input) whole() string {
	var lines []string
	for _, p := range in.parts() {
		text := ""
		if p.skip > 0 {
			text = leftOutMark(p.skip)
		} else if strings.TrimSpace(p.text) != "" {
			text = attributed(p.label, p.text, false)
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}
