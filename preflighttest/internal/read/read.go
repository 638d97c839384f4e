// Package read reads JSON values for the fakes. A body that decoders disagree about is
// refused; the other functions take a value of any shape.
package read

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError says why a body is not a JSON object that all readers would
// read alike.
type SyntaxError struct {
	Reason    string // such as "no low surrogate in string"
	Offset    int    // in bytes, from 0
	Line, Col int    // from 1; the column counts bytes
	Surrogate bool   // half of a surrogate pair is escaped
}

func syntaxErrorAt(body []byte, offset int, reason string) *SyntaxError {
	offset = min(max(offset, 0), len(body))
	line := 1 + bytes.Count(body[:offset], []byte{'\n'})
	col := offset - bytes.LastIndexByte(body[:offset], '\n')
	return &SyntaxError{Reason: reason, Offset: offset, Line: line, Col: col}
}

// Decode reads a JSON object. Numbers stay json.Number. What decoders
// disagree about is refused: names that occur twice in one object, in the
// request itself or in what a model or a tool has written (a field of a
// structure and a key of a protocol buffer's map may occur only once), halves
// of surrogate pairs, bytes that are not UTF-8.
func Decode(body []byte) (map[string]any, *SyntaxError) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		offset := int(decoder.InputOffset())
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			offset = int(syntax.Offset) - 1
		}
		return nil, syntaxErrorAt(body, offset, strings.TrimPrefix(err.Error(), "json: "))
	}
	if rest := decoder.InputOffset(); len(bytes.TrimLeft(body[rest:], " \t\r\n")) > 0 {
		return nil, syntaxErrorAt(body, int(rest), "extra data after the value")
	}
	if err := ambiguous(body); err != nil {
		return nil, err
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, syntaxErrorAt(body, 0, "the body is not an object")
	}
	return root, nil
}

// ambiguous looks through valid JSON for what decoders disagree about.
func ambiguous(body []byte) *SyntaxError {
	if !utf8.Valid(body) {
		for i := 0; i < len(body); {
			r, n := utf8.DecodeRune(body[i:])
			if r == utf8.RuneError && n == 1 {
				return syntaxErrorAt(body, i, "invalid UTF-8")
			}
			i += n
		}
	}
	var names []map[string]bool // one of each open object, nil for arrays
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{':
			names = append(names, map[string]bool{})
		case '[':
			names = append(names, nil)
		case '}', ']':
			names = names[:len(names)-1]
		case '"':
			end, bad := stringEnd(body, i)
			if bad >= 0 {
				err := syntaxErrorAt(body, bad, "no low surrogate in string")
				err.Surrogate = true
				return err
			}
			var name string
			if len(names) > 0 && names[len(names)-1] != nil && isName(body, end) &&
				json.Unmarshal(body[i:end], &name) == nil {
				if names[len(names)-1][name] {
					return syntaxErrorAt(body, i, fmt.Sprintf("duplicate name %q in object", name))
				}
				names[len(names)-1][name] = true
			}
			i = end - 1
		}
	}
	return nil
}

// isName reports whether the string that ends at end is followed by a colon.
func isName(body []byte, end int) bool {
	for end < len(body) && strings.IndexByte(" \t\r\n", body[end]) >= 0 {
		end++
	}
	return end < len(body) && body[end] == ':'
}

// stringEnd returns the offset after the string that starts at start, and
// that of the first half of a surrogate pair in it, or -1.
func stringEnd(body []byte, start int) (end, half int) {
	half = -1
	for i := start + 1; i < len(body); i++ {
		switch body[i] {
		case '"':
			return i + 1, half
		case '\\':
			unit, ok := escaped(body, i)
			switch {
			case ok && unit >= 0xd800 && unit < 0xdc00:
				if low, ok := escaped(body, i+6); ok && low >= 0xdc00 && low < 0xe000 {
					i += 6
				} else if half < 0 {
					half = i
				}
			case ok && unit >= 0xdc00 && unit < 0xe000 && half < 0:
				half = i
			}
			i++
		}
	}
	return len(body), half
}

// escaped reads the \uXXXX at i.
func escaped(body []byte, i int) (unit uint64, ok bool) {
	if i+6 > len(body) || body[i] != '\\' || body[i+1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(body[i+2:i+6]), 16, 32)
	return unit, err == nil
}

// The readers below return the zero value for anything else, so that a check
// can look at a body of any shape.

func Object(v any) map[string]any { o, _ := v.(map[string]any); return o }
func Array(v any) []any           { a, _ := v.([]any); return a }
func Text(v any) string           { s, _ := v.(string); return s }
func Truth(v any) bool            { b, _ := v.(bool); return b }

// Has reports whether the object has the name with a value other than null.
func Has(o map[string]any, name string) bool { return o[name] != nil }

// BlankID reports whether an id is none: it has no visible character, or a NUL,
// which hosts take for the end of the string.
func BlankID(id string) bool {
	return strings.TrimSpace(id) == "" || strings.ContainsRune(id, 0)
}

// Kind names the JSON type of a value as JSON Schema does.
func Kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	}
	return "object"
}

// Digest returns a short hash of a value that does not depend on the order of
// names, on how numbers are spelled, on names that hold null, or on what the
// ignored names hold.
func Digest(v any, ignore ...string) string {
	h := sha256.New()
	canonical(h, v, ignore)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func canonical(w io.Writer, v any, ignore []string) {
	switch v := v.(type) {
	case map[string]any:
		io.WriteString(w, "{")
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if v[name] != nil && !slices.Contains(ignore, name) {
				fmt.Fprintf(w, "%q:", name)
				canonical(w, v[name], ignore)
			}
		}
		io.WriteString(w, "}")
	case []any:
		io.WriteString(w, "[")
		for _, e := range v {
			canonical(w, e, ignore)
			io.WriteString(w, ",")
		}
		io.WriteString(w, "]")
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(string(v), ".eE") {
			v = json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
		io.WriteString(w, string(v))
	case string:
		fmt.Fprintf(w, "%d:", len(v))
		io.WriteString(w, v)
	default:
		fmt.Fprint(w, v)
	}
}

// Mentions are the first and the last place in a list where a word is.
type Mentions struct{ first, last map[string]int }

// Add notes a word at a place that is not before those of the words so far.
func (m *Mentions) Add(word string, at int) {
	if BlankID(word) {
		return
	}
	if m.first == nil {
		m.first, m.last = map[string]int{}, map[string]int{}
	}
	if _, known := m.first[word]; !known {
		m.first[word] = at
	}
	m.last[word] = at
}

// AddIDs notes the ids in an object and in the objects right in it: the values of members that are
// named so, and of those with the other names.
func (m *Mentions) AddIDs(o map[string]any, at int, others ...string) {
	note := func(o map[string]any) {
		for name, v := range o {
			if name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") ||
				slices.Contains(others, name) {
				m.Add(Text(v), at)
			}
		}
	}
	note(o)
	for _, v := range o {
		note(Object(v))
	}
}

// To reports whether a word is at a place or before it.
func (m *Mentions) To(at int, word string) bool {
	first, ok := m.first[word]
	return ok && first <= at
}

// From reports whether a word is at a place or after it.
func (m *Mentions) From(at int, word string) bool {
	last, ok := m.last[word]
	return ok && last >= at
}

// UnknownNames returns the names in o that are not among the known ones, sorted.
func UnknownNames(o map[string]any, known []string) []string {
	var unknown []string
	for name := range o {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}
