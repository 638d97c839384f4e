package preflight

import (
	"log/slog"
	"strings"
)

// This file is the loss accounting: how much content a history holds, counted so that
// input = output + what the warnings report as removed − what they report as added.

// Tally counts content: parts by kind, and the bytes of payload they hold. Parts inside a tool
// result count as parts of their own kind too.
type Tally struct {
	Texts      int `json:"texts,omitempty"`
	Reasonings int `json:"reasonings,omitempty"`
	Calls      int `json:"calls,omitempty"`
	Results    int `json:"results,omitempty"`
	Media      int `json:"media,omitempty"`
	Others     int `json:"others,omitempty"`
	Bytes      int `json:"bytes,omitempty"` // text, reasoning, arguments, outputs, media data and unknown payloads
}

// TallyOf counts the content of messages. The cost is linear in the number of parts; no text is
// read.
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

// Minus returns the difference of two tallies; fields may be negative.
func (t Tally) Minus(u Tally) Tally {
	return t.Plus(Tally{-u.Texts, -u.Reasonings, -u.Calls, -u.Results, -u.Media, -u.Others, -u.Bytes})
}

// IsZero reports whether nothing is counted.
func (t Tally) IsZero() bool { return t == Tally{} }

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

// LogValue lets slog print a tally as a group without its zero fields.
func (t Tally) LogValue() slog.Value { return slog.GroupValue(t.attrs()...) }

// tallyPart counts one part, and one level of parts inside a tool result: deeper nesting is not a
// shape any provider has.
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
		return Tally{Texts: 1, Bytes: len(p.Text)}
	case *Reasoning:
		return Tally{Reasonings: 1, Bytes: len(p.Text) + len(p.Opaque)}
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

// inlineBytes is the size of inline data, in its own field or in a data: URL.
func (m *Media) inlineBytes() int {
	n := len(m.Data)
	if strings.HasPrefix(m.URL, "data:") {
		_, data, _ := strings.Cut(m.URL, ";base64,")
		n += len(data)
	}
	return n
}
