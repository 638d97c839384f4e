package preflight

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds what is reported: positions, violations, warnings, and how much content a change
// removed or added.

// Position is a place in the caller's input: a message, a part of it, or a part in the content of
// a tool result. The zero value is no place: its Message is -1. Positions can be compared with ==.
//
// Its JSON form is {"message":3,"part":1,"inner":-1}.
type Position struct {
	message, part, inner int // from 1; 0 for none
}

// At returns a position: At(i) is message i as a whole, At(i, j) is its part j, and At(i, j, k) is
// part k in the content of that part, a tool result. A negative index means none, and so do those
// after it: At(i, -1) is At(i), and At(-1) is no place.
func At(message int, inside ...int) Position {
	p := Position{}
	for k, index := range []*int{&p.message, &p.part, &p.inner} {
		i := message
		if k > 0 {
			if k > len(inside) {
				break
			}
			i = inside[k-1]
		}
		if i < 0 {
			break
		}
		*index = i + 1
	}
	return p
}

// Message returns the index of the message, or -1 if the position is no place.
func (p Position) Message() int { return p.message - 1 }

// Part returns the index of the part in its message, or -1 for a whole message.
func (p Position) Part() int { return p.part - 1 }

// Inner returns the index of the part in the content of a tool result, or -1 for a whole part.
func (p Position) Inner() int { return p.inner - 1 }

// Equal reports whether two positions are the same. Package go-cmp uses it.
func (p Position) Equal(q Position) bool { return p == q }

// before reports whether p comes before q, a whole message before its parts.
func (p Position) before(q Position) bool {
	return cmp.Or(p.message-q.message, p.part-q.part, p.inner-q.inner) < 0
}

// positionJSON is the JSON form of a position.
type positionJSON struct {
	Message int `json:"message"`
	Part    int `json:"part"`
	Inner   int `json:"inner"`
}

// MarshalJSON writes the position in its JSON form.
func (p Position) MarshalJSON() ([]byte, error) {
	return json.Marshal(positionJSON{p.Message(), p.Part(), p.Inner()})
}

// UnmarshalJSON reads the JSON form that MarshalJSON writes.
func (p *Position) UnmarshalJSON(data []byte) error {
	read := positionJSON{Message: none, Part: none, Inner: none}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*p = At(read.Message, read.Part, read.Inner)
	return nil
}

// String returns the position as a path, such as messages[3].parts[1].content[0]; that of no place
// is messages.
func (p Position) String() string {
	b := make([]byte, 0, 40)
	b = append(b, "messages"...)
	if p.Message() >= 0 {
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(p.Message()), 10)
		b = append(b, ']')
	}
	if p.Part() >= 0 {
		b = append(b, ".parts["...)
		b = strconv.AppendInt(b, int64(p.Part()), 10)
		b = append(b, ']')
	}
	if p.Inner() >= 0 {
		b = append(b, ".content["...)
		b = strconv.AppendInt(b, int64(p.Inner()), 10)
		b = append(b, ']')
	}
	return string(b)
}

// Warning reports one change to a history.
type Warning struct {
	// Code is the kind of the change.
	Code codes.Code
	// Rule is the id of the provider rule that required the change, or "" (a hook, a size limit).
	Rule string
	// At is the place of the change in the caller's input; for an inserted message, the place of
	// the message after it.
	At Position
	// ToolCallID is the id of the tool call concerned, or "". It is spelled as in the input, so it
	// may be any text there; String and LogValue print it shortened, and only if it is well formed.
	ToolCallID string
	// Detail is a verb phrase for people. It is not API, and never quotes the history.
	Detail string
	// Ambiguous reports that the history could be read in another way; see Options.Strict.
	Ambiguous bool
	// Unbinds counts the parts of reasoning that may become invalid, because they are bound to all
	// that comes before them. Only the warning of the first edit has it. Each of them is removed
	// with a warning of its own, or the provider may drop it: see provider.ReasoningRules.Dropped
	// and Options.RepairedBefore.
	Unbinds int
	// Removed is the content that the change removed.
	Removed Tally
	// Added is the content that the change added.
	Added Tally
}

// Class says how much the change matters, for alarms: Ambiguous if the warning is, else the class
// of its code. A change of a hook or of a caller's fixer is Lossy if it removed more than it added,
// otherwise Lossless.
func (w Warning) Class() codes.Class {
	class, known := w.Code.Class()
	switch {
	case w.Ambiguous:
		return codes.Ambiguous
	case known:
		return class
	case w.Removed.exceeds(w.Added):
		return codes.Lossy
	}
	return codes.Lossless
}

// LogValue returns the warning as a group for slog, without message content.
func (w Warning) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("code", string(w.Code)),
		slog.String("class", w.Class().String()),
		slog.String("at", w.At.String()),
		slog.String("detail", w.Detail),
	}
	if w.Rule != "" {
		attrs = append(attrs, slog.String("rule", w.Rule))
	}
	if id := shorten.ID(w.ToolCallID); id != "" {
		attrs = append(attrs, slog.String("tool_call_id", id))
	}
	if w.Unbinds > 0 {
		attrs = append(attrs, slog.Int("unbinds", w.Unbinds))
	}
	return slog.GroupValue(attrs...)
}

// String returns place, code and detail of the warning, without message content.
func (w Warning) String() string {
	return fmt.Sprintf("%s: %s: %s", w.At, w.Code, w.Detail)
}

// Violation is one breach of a profile's rules, found by Check.
type Violation struct {
	// Problem is the kind of the violation.
	Problem problems.Problem
	// Rule is the id of the provider rule that is broken.
	Rule string
	// At is the place of the violation in the history.
	At Position
	// ToolCallID is the id of the tool call concerned, as in the input, or "".
	ToolCallID string
	// Detail says what is wrong, for people. It is not API, and never quotes the history.
	Detail string
	// Member is for a problem in Result.Left: the JSON member for which it is not repaired, of the
	// request, of what is at At, or of its counterpart. It is "" elsewhere.
	Member string
}

// LogValue returns the violation as a group for slog, without message content.
func (v Violation) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("rule", v.Rule), slog.String("at", v.At.String()),
		slog.String("detail", v.Detail),
	}
	if v.Member != "" {
		attrs = append(attrs, slog.String("member", shorten.Name(v.Member)))
	}
	return slog.GroupValue(attrs...)
}

// String returns place, rule and detail of the violation, without message content.
func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s", v.At, v.Rule, v.Detail)
}

// Tally counts content: parts by kind, and the bytes of payload in them. Parts inside a tool result
// are counted in addition to the result. For every repair, input = output + removed − added.
type Tally struct {
	Texts      int `json:"texts,omitempty"`
	Reasonings int `json:"reasonings,omitempty"`
	Calls      int `json:"calls,omitempty"`
	Results    int `json:"results,omitempty"`
	Media      int `json:"media,omitempty"`
	Others     int `json:"others,omitempty"`
	// of text, reasoning, arguments, outputs, inline media and unknown payloads
	Bytes int `json:"bytes,omitempty"`
}

// TallyOf counts the content of messages. Nil parts are not counted. The cost is linear in the
// number of parts, not in the length of texts.
func TallyOf(messages ...Message) Tally {
	var t Tally
	for i := range messages {
		for _, p := range messages[i].Parts {
			t = t.Plus(tallyPart(p))
		}
	}
	return t
}

// Plus returns the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	t.Texts += u.Texts
	t.Reasonings += u.Reasonings
	t.Calls += u.Calls
	t.Results += u.Results
	t.Media += u.Media
	t.Others += u.Others
	t.Bytes += u.Bytes
	return t
}

// minus returns the difference of two tallies; fields may be negative.
func (t Tally) minus(u Tally) Tally {
	return t.Plus(Tally{
		-u.Texts, -u.Reasonings, -u.Calls, -u.Results, -u.Media, -u.Others, -u.Bytes,
	})
}

// exceeds reports whether t is greater than u in any field.
func (t Tally) exceeds(u Tally) bool {
	return t.Texts > u.Texts || t.Reasonings > u.Reasonings || t.Calls > u.Calls ||
		t.Results > u.Results || t.Media > u.Media || t.Others > u.Others || t.Bytes > u.Bytes
}

func (t Tally) attrs() []slog.Attr {
	var attrs []slog.Attr
	for _, c := range []struct {
		name string
		n    int
	}{
		{"texts", t.Texts},
		{"reasonings", t.Reasonings},
		{"calls", t.Calls},
		{"results", t.Results},
		{"media", t.Media},
		{"others", t.Others},
		{"bytes", t.Bytes},
	} {
		if c.n != 0 {
			attrs = append(attrs, slog.Int(c.name, c.n))
		}
	}
	return attrs
}

// tallyPart counts one part, and one level of parts inside a tool result: no provider nests deeper.
func tallyPart(p Part) Tally {
	if r, ok := p.(*ToolResult); ok && r != nil {
		t := Tally{Results: 1, Bytes: len(r.Output)}
		for _, c := range r.Content {
			t = t.Plus(tallyLeaf(c))
		}
		return t
	}
	return tallyLeaf(p)
}

func tallyLeaf(p Part) Tally {
	if isNil(p) {
		return Tally{}
	}
	switch p := p.(type) {
	case *Text:
		return Tally{Texts: 1, Bytes: p.size()}
	case *Reasoning:
		return Tally{Reasonings: 1, Bytes: p.size() + len(p.Opaque)}
	case *ToolCall:
		return Tally{Calls: 1, Bytes: len(p.Input)}
	case *ToolResult:
		return Tally{Results: 1, Bytes: len(p.Output)}
	case *Media:
		return Tally{Media: 1, Bytes: p.inlineBytes()}
	default:
		return Tally{Others: 1, Bytes: len(p.carried().Native.JSON)}
	}
}

// inlineBytes returns the size of inline data, in its own field or in a data: URL.
func (m *Media) inlineBytes() int {
	n := len(m.Data)
	if strings.HasPrefix(m.URL, "data:") {
		_, data, _ := strings.Cut(m.URL, ";base64,")
		n += len(data)
	}
	return n
}
