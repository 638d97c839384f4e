// Package unread has texts that stay in the JSON that a part was decoded from until they are read.
// Most requests are valid, and of their texts the checks only need to know that they are not blank.
// So package wire decodes few of them, and a repair those alone that it looks at or changes.
//
// The text of such a part is a mark: the place of a JSON string in the part's native JSON. A mark
// is no valid Unicode, so that it is never taken for a text that was decoded, and a copy of the
// part has the same text. Only package wire makes such parts, and no caller gets one. Package
// compact reads them, too: those of the command.
//
// A text may stay unread if it is valid Unicode without NUL, is not blank, and holds nothing that
// the profile refuses in a text: no control characters and no channel tags, where those are.
package unread

import (
	"encoding/binary"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

const (
	prefix   = "\xFF\xFEunread" // before the offset, in two bytes
	size     = len(prefix) + 2
	farthest = 2048 // a text further inside its part is read at once
)

// marks holds the marks of all offsets, one after the other.
var marks = func() string {
	b := make([]byte, 0, farthest*size)
	for offset := range farthest {
		b = binary.BigEndian.AppendUint16(append(b, prefix...), uint16(offset))
	}
	return string(b)
}()

// Mark returns the mark for the JSON string at an offset of a part's native JSON; ok is false if
// the text has to be read.
func Mark(offset int) (mark string, ok bool) {
	if offset < 0 || offset >= farthest {
		return "", false
	}
	return marks[offset*size : (offset+1)*size], true
}

// Is reports whether the text of a part with this native JSON is a mark that stands for a string in
// it.
func Is(text string, native []byte) bool {
	if len(text) != size || text[:len(prefix)] != prefix {
		return false
	}
	at := offset(text)
	return at < len(native) && native[at] == '"'
}

func offset(mark string) int {
	return int(mark[len(prefix)])<<8 | int(mark[len(prefix)+1])
}

// Text returns the text that a mark stands for. Any other text is returned as it is.
func Text(text string, native []byte) string {
	if token := Token(text, native); token != nil {
		return jsonscan.TextOf(token)
	}
	return text
}

// Len returns the length of the text that a mark stands for, or of any other text.
func Len(text string, native []byte) int {
	if token := Token(text, native); token != nil {
		return jsonscan.TextLen(token)
	}
	return len(text)
}

// Token returns the JSON string that a mark stands for, a piece of native; nil for any other text.
func Token(text string, native []byte) []byte {
	switch last := len(native) - 1; {
	case !Is(text, native):
		return nil
	case offset(text) == 0 && last > 0 && native[last] == '"':
		return native // it is the string alone
	}
	return jsonscan.StringAt(native, offset(text))
}
