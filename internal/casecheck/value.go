package casecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file is about JSON values that lose nothing: numbers stay literals, object
// keys stay in order, and a lone surrogate escape stays visible. encoding/json
// turns such an escape into U+FFFD, which would make the one thing the surrogate
// cases are about impossible to see.
//
// A decoded value is one of nil, bool, number, string, []any, *object. A string
// holds a lone surrogate as the three bytes UTF-8 would give it if it allowed it.

// number is a JSON number as it was written.
type number string

// object is a JSON object: its keys in order of first appearance, and for a
// repeated key the last value. A nil object has no keys.
type object struct {
	keys   []string
	values map[string]any
}

// get returns the value under key, nil when there is none.
func (o *object) get(key string) any {
	if o == nil {
		return nil
	}
	return o.values[key]
}

// has tells whether the key is there, whatever its value.
func (o *object) has(key string) bool {
	if o == nil {
		return false
	}
	_, ok := o.values[key]
	return ok
}

// str returns the string under key, "" when it is something else.
func (o *object) str(key string) string {
	s, _ := o.get(key).(string)
	return s
}

// sub returns the object under key, nil when it is something else.
func (o *object) sub(key string) *object {
	v, _ := o.get(key).(*object)
	return v
}

// list returns the array under key, nil when it is something else.
func (o *object) list(key string) []any {
	v, _ := o.get(key).([]any)
	return v
}

var (
	errSyntax = errors.New("not valid JSON")
	errUTF8   = errors.New("not valid UTF-8")
)

// decode reads one JSON text. Bytes that encode a surrogate are let through, so
// that the caller can name them; any other bad UTF-8 is an error.
func decode(text []byte) (any, error) {
	if !json.Valid(text) {
		return nil, errSyntax
	}
	if !utf8.Valid(withoutSurrogates(text)) {
		return nil, errUTF8
	}
	r := reader{rest: text}
	return r.value(), nil
}

// reader walks over a text that is known to be valid JSON.
type reader struct{ rest []byte }

func (r *reader) space() { r.rest = bytes.TrimLeft(r.rest, " \t\r\n") }

// take consumes c if it comes next.
func (r *reader) take(c byte) bool {
	r.space()
	if r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *reader) value() any {
	r.space()
	switch r.rest[0] {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		return r.string()
	}
	n := bytes.IndexAny(r.rest, " \t\r\n,]}")
	if n < 0 {
		n = len(r.rest)
	}
	word := string(r.rest[:n])
	r.rest = r.rest[n:]
	switch word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	}
	return number(word)
}

func (r *reader) object() *object {
	o := &object{values: map[string]any{}}
	r.take('{')
	if r.take('}') {
		return o
	}
	for {
		r.space()
		key := r.string()
		r.take(':')
		if !o.has(key) {
			o.keys = append(o.keys, key)
		}
		o.values[key] = r.value()
		if !r.take(',') {
			r.take('}')
			return o
		}
	}
}

func (r *reader) array() []any {
	list := []any{}
	r.take('[')
	if r.take(']') {
		return list
	}
	for {
		list = append(list, r.value())
		if !r.take(',') {
			r.take(']')
			return list
		}
	}
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (r *reader) string() string {
	var out []byte
	s := r.rest[1:]
	for s[0] != '"' {
		switch {
		case s[0] != '\\':
			out = append(out, s[0])
			s = s[1:]
		case s[1] == 'u':
			var c rune
			c, s = unit(s)
			out = appendUnit(out, c)
		default:
			out = append(out, escapes[s[1]])
			s = s[2:]
		}
	}
	r.rest = s[1:]
	return string(out)
}

// unit reads a \uXXXX escape, and the one after it when the two are a pair.
func unit(s []byte) (rune, []byte) {
	high := hex4(s[2:])
	s = s[6:]
	if utf16.IsSurrogate(high) && bytes.HasPrefix(s, []byte(`\u`)) {
		if c := utf16.DecodeRune(high, hex4(s[2:])); c != utf8.RuneError {
			return c, s[6:]
		}
	}
	return high, s
}

func hex4(s []byte) rune {
	n, _ := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(n)
}

// appendUnit is utf8.AppendRune that also encodes surrogates.
func appendUnit(out []byte, c rune) []byte {
	if !utf16.IsSurrogate(c) {
		return utf8.AppendRune(out, c)
	}
	return append(out, 0xE0|byte(c>>12), 0x80|byte(c>>6)&0x3F, 0x80|byte(c)&0x3F)
}

// surrogateAt tells whether the three bytes of an encoded surrogate start at i.
func surrogateAt[T string | []byte](s T, i int) bool {
	return i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2]&0xC0 == 0x80
}

func hasSurrogate(s string) bool {
	for i := range len(s) {
		if surrogateAt(s, i) {
			return true
		}
	}
	return false
}

func withoutSurrogates(text []byte) []byte {
	if bytes.IndexByte(text, 0xED) < 0 {
		return text
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if surrogateAt(text, i) {
			i += 2
			continue
		}
		out = append(out, text[i])
	}
	return out
}

// equal is semantic equality: key order does not count, numbers are compared by
// value and exactly.
func equal(a, b any) bool {
	switch a := a.(type) {
	case number:
		b, ok := b.(number)
		return ok && sameNumber(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case *object:
		b, ok := b.(*object)
		return ok && sameObject(a, b)
	}
	switch b.(type) {
	case []any, *object:
		return false
	}
	return a == b
}

func sameObject(a, b *object) bool {
	if len(a.keys) != len(b.keys) {
		return false
	}
	for _, k := range a.keys {
		if !b.has(k) || !equal(a.values[k], b.values[k]) {
			return false
		}
	}
	return true
}

// sameText is equality of everything but white space and the way strings are
// escaped: key order and number literals count too.
func sameText(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameText)
	case *object:
		b, ok := b.(*object)
		return ok && slices.Equal(a.keys, b.keys) && !slices.ContainsFunc(a.keys, func(k string) bool {
			return !sameText(a.values[k], b.values[k])
		})
	}
	return equal(a, b) && (!isNumber(a) || a == b)
}

func isNumber(v any) bool {
	_, ok := v.(number)
	return ok
}

func sameNumber(a, b number) bool {
	if a == b {
		return true
	}
	an, ad, ae := a.parts()
	bn, bd, be := b.parts()
	return ad == bd && (ad == "" || an == bn && ae.Cmp(be) == 0)
}

// parts splits a number into sign, significant digits without zeros at either end,
// and the exponent that goes with them. Zero has no digits.
func (n number) parts() (negative bool, digits string, exp *big.Int) {
	s, negative := strings.CutPrefix(string(n), "-")
	exp = new(big.Int)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp.SetString(strings.TrimPrefix(s[i+1:], "+"), 10)
		s = s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	exp.Sub(exp, big.NewInt(int64(len(frac))))
	digits = strings.TrimRight(whole+frac, "0")
	exp.Add(exp, big.NewInt(int64(len(whole+frac)-len(digits))))
	return negative, strings.TrimLeft(digits, "0"), exp
}

// isInteger tells whether the literal has neither fraction nor exponent.
func (n number) isInteger() bool { return !strings.ContainsAny(string(n), ".eE") }

// allStrings lists every string in a value, object keys included.
func allStrings(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, allStrings(x)...)
		}
		return out
	case *object:
		var out []string
		for _, k := range v.keys {
			out = append(append(out, k), allStrings(v.values[k])...)
		}
		return out
	}
	return nil
}

// isEmpty tells whether a value carries nothing: null, "", [] or {}.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case *object:
		return len(v.keys) == 0
	}
	return false
}

// isSet is isEmpty turned round, with false and 0 counted as nothing too.
func isSet(v any) bool {
	if n, ok := v.(number); ok {
		_, digits, _ := n.parts()
		return digits != ""
	}
	return v != false && !isEmpty(v)
}

// textOf is the text inside a tool result payload, whatever it is wrapped in.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, x := range v {
			b.WriteString(textOf(x))
		}
		return b.String()
	case *object:
		for _, k := range []string{"text", "content", "output", "result", "error", "response"} {
			switch inner := v.get(k).(type) {
			case string, []any, *object:
				return textOf(inner)
			}
		}
	}
	return ""
}
