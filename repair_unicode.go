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

// This file repairs text that is not valid Unicode.

// characters checks that the text of a part is valid Unicode without NUL. It reports whether the
// part is a call whose arguments are an object.
func (c *checker) characters(i, j int, part Part) (object bool) {
	problem := rule.Problem("")
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

// spelling returns the unicodeProblem of a part and, where the profile wants arguments to be
// objects, whether the part is a call with an object as arguments. One scan finds both.
func (c *checker) spelling(part Part) (problem rule.Problem, object bool) {
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
// texts, arguments and outputs. Signed reasoning is removed instead, since its signature does not
// match an edited text.
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

// unicodeProblem returns what is wrong with the text of a part, "" when nothing is.
func unicodeProblem(p Part) rule.Problem {
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

func textProblem(s string) rule.Problem {
	if strings.IndexByte(s, 0) >= 0 {
		return rule.NUL
	}
	if !utf8.ValidString(s) {
		return rule.InvalidUnicode
	}
	return ""
}

// rawProblem returns the unicodeProblem of raw JSON, including its escapes.
func rawProblem(raw []byte) rule.Problem {
	if len(raw) == 0 || utf8.Valid(raw) && !mayHideEscapes(raw) {
		return ""
	}
	_, flags, err := inspectJSON(raw)
	if err != nil {
		return textProblem(string(raw))
	}
	return flaggedProblem(flags)
}

// flaggedProblem returns the rawProblem of well-formed JSON from the flags of its scan.
func flaggedProblem(flags jsonscan.Flags) rule.Problem {
	switch {
	case flags&(jsonscan.HasLoneSurrogate|jsonscan.HasInvalidUTF8) != 0:
		return rule.InvalidUnicode
	case flags&jsonscan.HasNUL != 0:
		return rule.NUL
	}
	return ""
}

// mayHideEscapes reports whether raw JSON may hold an escaped surrogate, an escaped NUL or a raw
// NUL byte. Tool output holds many backslashes, but hardly ever one before a u: searching for the
// pair, at 32 offsets at a time, takes a fifth of the time of checking every backslash.
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

// escapesU returns a value other than 0 when one of the first eight bytes of raw is a backslash
// followed by a u. raw has at least nine bytes.
func escapesU(raw []byte) uint64 {
	const ones = 0x0101010101010101
	// a byte of x is zero where a backslash and a u match
	x := (binary.LittleEndian.Uint64(raw) ^ '\\'*ones) |
		(binary.LittleEndian.Uint64(raw[1:]) ^ 'u'*ones)
	return (x - ones) &^ x & (0x80 * ones)
}

// hidesIn reports whether the escape of a surrogate or a NUL may start at one of the first n bytes
// of raw. It also counts escapes whose backslash is itself escaped.
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

// cleanText removes NULs and replaces each lone surrogate and each other invalid byte by one
// U+FFFD. It decodes with the NULs in place, so that the halves of a pair around a NUL do not join.
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
		// text that is JSON once its NULs are removed may still hold escapes
		return cleanRaw([]byte(cleanText(string(raw))))
	}
	return jsonscan.Repair(nil, doc.Root())
}
