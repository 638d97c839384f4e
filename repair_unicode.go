package preflight

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/rule"
)

// This file makes valid Unicode of text.

// characters checks that the text of a part is Unicode without NUL. It reports whether the part is a
// call with an object as arguments.
func (c *checker) characters(i, j int, part Part) (object bool) {
	problem := Problem("")
	if _, ok := part.(*ToolCall); ok {
		problem, object = c.spelling(part)
	} else {
		problem = unicodeProblem(part)
	}
	if problem != "" {
		c.report(problem, i, j, partID(part),
			"the text holds NUL, a lone surrogate or invalid UTF-8")
	}
	return object
}

// spelling returns what is wrong with the text of a part, as unicodeProblem does, and whether the
// part is a call with an object as arguments, where the profile wants that: one scan tells both.
func (c *checker) spelling(part Part) (problem Problem, object bool) {
	call, ok := part.(*ToolCall)
	if !ok || !c.profile.Tools.ObjectArguments || !takesObject(call) {
		return unicodeProblem(part), false
	}
	kind, flags, err := inspectJSONWith(&c.doc, call.Input)
	if err != nil {
		return rawProblem(call.Input), false
	}
	return flaggedProblem(flags), kind == jsonscan.Object
}

// repairUnicodeFixer replaces lone surrogates and invalid UTF-8 by U+FFFD and removes U+0000, in
// texts, arguments and outputs. Signed reasoning is never edited: a damaged one is removed, since
// no edit could keep its signature true.
var repairUnicodeFixer = Fixer{
	Name:   "repair-unicode",
	Doc:    "replaces lone surrogates and invalid UTF-8 by U+FFFD and removes NUL characters",
	repair: repairUnicode,
	cures:  problems(rule.InvalidUnicode, rule.NUL),
	single: true,
}

func repairUnicode(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			problem := unicodeProblem(p)
			if problem == "" {
				continue
			}
			n := note{
				code: codes.TextRepaired, problem: problem,
				detail: "replaced characters that are not valid Unicode, or removed NUL",
			}
			if signed(p) {
				n.code, n.detail = codes.ReasoningRemoved,
					"removed signed reasoning with characters no provider accepts"
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
		return rule.NUL
	}
	if !utf8.ValidString(s) {
		return rule.InvalidUnicode
	}
	return ""
}

// rawProblem looks into raw JSON, where escapes can spell what bytes cannot.
func rawProblem(raw []byte) Problem {
	if len(raw) == 0 || utf8.Valid(raw) && !mayHideEscapes(raw) {
		return ""
	}
	_, flags, err := inspectJSON(raw)
	if err != nil {
		return textProblem(string(raw))
	}
	return flaggedProblem(flags)
}

// flaggedProblem is rawProblem for well-formed JSON that has been scanned.
func flaggedProblem(flags jsonscan.Flags) Problem {
	switch {
	case flags&(jsonscan.HasLoneSurrogate|jsonscan.HasInvalidUTF8) != 0:
		return rule.InvalidUnicode
	case flags&jsonscan.HasNUL != 0:
		return rule.NUL
	}
	return ""
}

// mayHideEscapes reports whether raw JSON holds what could be the escape of a surrogate or a NUL,
// or a raw NUL byte. Output of tools has a backslash every few words, but hardly ever one before a
// u: searching for the two of them, 32 places at a time, takes a fifth of the time of looking at
// every backslash.
func mayHideEscapes(raw []byte) bool {
	if bytes.IndexByte(raw, 0) >= 0 {
		return true
	}
	for len(raw) > 32 {
		if (escapesU(raw)|escapesU(raw[8:])|escapesU(raw[16:])|escapesU(raw[24:])) != 0 &&
			hidesIn(raw, 32) {
			return true
		}
		raw = raw[32:]
	}
	return hidesIn(raw, len(raw))
}

// escapesU is not 0 when one of the first eight bytes of raw, which has nine at least, is a
// backslash with a u behind it.
func escapesU(raw []byte) uint64 {
	const ones = 0x0101010101010101
	// zero where both are
	x := (binary.LittleEndian.Uint64(raw) ^ '\\'*ones) |
		(binary.LittleEndian.Uint64(raw[1:]) ^ 'u'*ones)
	return (x - ones) &^ x & (0x80 * ones)
}

// hidesIn reports whether a surrogate or a NUL could be escaped at one of the first n bytes of raw.
// A backslash that is escaped itself counts as well.
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

// cleanText removes NULs and replaces every lone surrogate, and every other invalid byte, by one
// U+FFFD. NULs go last, so that the halves around one cannot become a pair.
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
			k += shorten.SurrogateLen(s[k:])
		case r == 0:
			k++
		default:
			b.WriteString(s[k : k+size])
			k += size
		}
	}
	return b.String()
}

func cleanRaw(raw []byte) []byte {
	if rawProblem(raw) == "" {
		return raw
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		// without the NUL it may be JSON, with escapes in it
		return cleanRaw([]byte(cleanText(string(raw))))
	}
	return jsonscan.Repair(nil, doc.Root())
}
