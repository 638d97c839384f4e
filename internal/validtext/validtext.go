// Package validtext finds and repairs what is not valid Unicode in texts and in raw JSON: lone
// surrogates, other bytes that are not UTF-8, and NUL. The cost is linear in the text.
package validtext

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Fault is what is wrong with a text.
type Fault uint8

// The faults. A text with several has one of them.
const (
	None    Fault = iota
	NUL           // it holds U+0000
	Invalid       // it holds a lone surrogate, or is not valid UTF-8
)

// Check returns the fault of a text.
func Check(s string) Fault {
	if jsonscan.IsText(s) {
		return None
	}
	return check(s)
}

// check is Check by the standard library.
func check(s string) Fault {
	if strings.IndexByte(s, 0) >= 0 {
		return NUL
	}
	if !utf8.ValidString(s) {
		return Invalid
	}
	return None
}

// CheckJSON returns the fault of raw JSON, including its escapes. Text that is not JSON is checked
// as text.
func CheckJSON(raw []byte) Fault {
	text := unsafe.String(unsafe.SliceData(raw), len(raw))
	if jsonscan.IsText(text) && !mayHideEscapes(raw) {
		return None
	}
	_, flags, err := jsonscan.Inspect(raw)
	if err != nil {
		return Check(string(raw))
	}
	return OfFlags(flags)
}

// OfFlags returns the fault of well-formed JSON from the flags of its scan.
func OfFlags(flags jsonscan.Flags) Fault {
	switch {
	case flags&(jsonscan.HasLoneSurrogate|jsonscan.HasInvalidUTF8) != 0:
		return Invalid
	case flags&jsonscan.HasNUL != 0:
		return NUL
	}
	return None
}

// mayHideEscapes reports whether raw JSON may hold an escaped surrogate or an escaped NUL. Tool
// output holds many backslashes, but hardly ever one before a u: searching for the
// pair, at 32 offsets at a time, takes a fifth of the time of checking every backslash.
func mayHideEscapes(raw []byte) bool {
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

// Clean returns s without NULs, and with one U+FFFD for each lone surrogate and each other invalid
// byte. It decodes with the NULs in place, so that the halves of a pair around a NUL do not join.
func Clean(s string) string {
	if Check(s) == None {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for k := 0; k < len(s); {
		r, size := utf8.DecodeRuneInString(s[k:])
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(utf8.RuneError)
			k += jsonscan.IllFormed(s[k:])
		case r == 0:
			k++
		default:
			b.WriteString(s[k : k+size])
			k += size
		}
	}
	return b.String()
}

// CleanJSON is Clean for raw JSON, including its escapes. Text that is not JSON is cleaned as text.
func CleanJSON(raw []byte) []byte {
	if CheckJSON(raw) == None {
		return raw
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		// text that is JSON once its NULs are removed may still hold escapes
		return CleanJSON([]byte(Clean(string(raw))))
	}
	return jsonscan.Repair(nil, doc.Root())
}
