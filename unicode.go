package preflight

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file keeps text sendable: no lone surrogates, no invalid UTF-8, no U+0000.
//
// A decoder keeps a lone surrogate escape (\ud83d without its partner) as the three bytes UTF-8 would need for it, which
// are not valid UTF-8: so one test finds both.

// RepairUnicode replaces lone surrogates and invalid UTF-8 by U+FFFD and removes U+0000, in texts, arguments and outputs.
// Signed reasoning is never edited: a damaged one is removed, since no edit could keep its signature true.
var RepairUnicode = Fixer{
	Name:   "repair-unicode",
	Doc:    "replaces lone surrogates and invalid UTF-8 by U+FFFD and removes NUL characters",
	repair: repairUnicode,
}

func repairUnicode(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			problem := unicodeProblem(p)
			if problem == "" {
				continue
			}
			n := note{code: CodeTextRepaired, problem: problem, detail: "replaced characters that are not valid Unicode, or removed NUL"}
			if signed(p) {
				n.code, n.detail = CodeReasoningRemoved, "removed signed reasoning with characters no provider accepts"
				d.drop(i, j, n)
				continue
			}
			d.replace(i, j, cleanPart(p), n)
		}
	}
	d.commit()
}

// unicodeProblem says what is wrong with the text of a part, "" when nothing is.
func unicodeProblem(p Part) Problem {
	switch p := p.(type) {
	case *Text:
		return textProblem(p.Text)
	case *Reasoning:
		if problem := textProblem(p.Text); problem != "" {
			return problem
		}
		return textProblem(p.Opaque)
	case *ToolCall:
		return rawProblem(p.Input)
	case *ToolResult:
		for _, c := range p.Content {
			if problem := unicodeProblem(c); problem != "" {
				return problem
			}
		}
		return rawProblem(p.Output)
	case *Media:
		return textProblem(p.Name)
	}
	return ""
}

func textProblem(s string) Problem {
	if strings.IndexByte(s, 0) >= 0 {
		return ProblemNUL
	}
	if !utf8.ValidString(s) {
		return ProblemInvalidUnicode
	}
	return ""
}

// rawProblem looks into raw JSON, where escapes can spell what bytes cannot.
func rawProblem(raw []byte) Problem {
	if len(raw) == 0 || utf8.Valid(raw) && !mayHideEscapes(raw) {
		return ""
	}
	_, flags, err := glance(raw)
	if err != nil {
		return textProblem(string(raw))
	}
	return flaggedProblem(flags)
}

// flaggedProblem is rawProblem for well-formed JSON that has been scanned.
func flaggedProblem(flags jsonscan.Flags) Problem {
	switch {
	case flags&(jsonscan.HasLoneSurrogate|jsonscan.HasInvalidUTF8) != 0:
		return ProblemInvalidUnicode
	case flags&jsonscan.HasNUL != 0:
		return ProblemNUL
	}
	return ""
}

// mayHideEscapes reports whether raw JSON holds what could be the escape of a surrogate or a NUL, or a raw NUL byte. Output of
// tools has a backslash every few words, but hardly ever one before a u: searching for the two of them, 32 places at a time,
// takes a fifth of the time of looking at every backslash.
func mayHideEscapes(raw []byte) bool {
	if bytes.IndexByte(raw, 0) >= 0 {
		return true
	}
	for len(raw) > 32 {
		if (escapesU(raw)|escapesU(raw[8:])|escapesU(raw[16:])|escapesU(raw[24:])) != 0 && hidesIn(raw, 32) {
			return true
		}
		raw = raw[32:]
	}
	return hidesIn(raw, len(raw))
}

// escapesU is not 0 when one of the first eight bytes of raw, which has nine at least, is a backslash with a u behind it.
func escapesU(raw []byte) uint64 {
	const ones = 0x0101010101010101
	x := (binary.LittleEndian.Uint64(raw) ^ '\\'*ones) | (binary.LittleEndian.Uint64(raw[1:]) ^ 'u'*ones) // zero where both are
	return (x - ones) &^ x & (0x80 * ones)
}

// hidesIn reports whether a surrogate or a NUL could be escaped at one of the first n bytes of raw. A backslash that is escaped
// itself counts as well.
func hidesIn(raw []byte, n int) bool {
	for k := range n {
		if raw[k] != '\\' || len(raw)-k < 6 || raw[k+1] != 'u' {
			continue
		}
		if d := raw[k+2 : k+6]; d[0]|0x20 == 'd' && d[1] >= '8' || string(d) == "0000" {
			return true
		}
	}
	return false
}

func cleanPart(p Part) Part {
	switch p := p.(type) {
	case *Text:
		return edited(p, func(t *Text) { t.Text = cleanText(t.Text) })
	case *Reasoning:
		return edited(p, func(r *Reasoning) { r.Text = cleanText(r.Text) })
	case *ToolCall:
		return edited(p, func(c *ToolCall) { c.Input = cleanRaw(c.Input) })
	case *ToolResult:
		return edited(p, func(r *ToolResult) {
			content := make([]Part, 0, len(r.Content))
			for _, c := range r.Content {
				if unicodeProblem(c) != "" {
					c = cleanPart(c)
				}
				content = append(content, c)
			}
			r.Content, r.Output = content, cleanRaw(r.Output)
		})
	case *Media:
		return edited(p, func(m *Media) { m.Name = cleanText(m.Name) })
	}
	return p
}

// cleanText removes NULs and replaces every lone surrogate, and every other invalid byte, by one U+FFFD. NULs go last, so
// that the halves around one cannot become a pair.
func cleanText(s string) string {
	if textProblem(s) == "" {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for k := 0; k < len(s); {
		r, size := utf8.DecodeRuneInString(s[k:])
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(utf8.RuneError)
			k += surrogateLen(s[k:])
		case r == 0:
			k++
		default:
			b.WriteString(s[k : k+size])
			k += size
		}
	}
	return b.String()
}

// surrogateLen is how many bytes of ill-formed text at the start of s stand for one character: three for a surrogate.
func surrogateLen(s string) int {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF {
		return 3
	}
	return 1
}

func cleanRaw(raw []byte) []byte {
	if rawProblem(raw) == "" {
		return raw
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return cleanRaw([]byte(cleanText(string(raw)))) // without the NUL it may be JSON, with escapes in it
	}
	return jsonscan.Repair(nil, doc.Root())
}
