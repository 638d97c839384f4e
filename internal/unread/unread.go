// Package unread has texts that stay in the JSON that a part was decoded from until they are read.
// Most requests are valid, and of their texts the checks only need to know that they are not blank.
// So package wire decodes few of them, and a repair those alone that it looks at or changes.
//
// The text of such a part is a mark: the place of a JSON string in the part's native JSON. A mark
// is known by its memory, in which no other text is, and a copy of the part has the same. Should one
// ever be read as a text, it is no valid Unicode. Only package wire makes such parts, and no caller
// gets one.
//
// A text may stay unread if it is valid Unicode without NUL, is not blank, and holds nothing that
// the profile refuses in a text: no control characters and no channel tags, where those are.
package unread

import (
	"strings"
	"unsafe"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/work"
)

const (
	content  = "\xFF\xFEunread"
	size     = len(content)
	farthest = 2048 // a text further inside its part is read at once
)

// marks holds the marks of all offsets, one after the other.
var marks = strings.Repeat(content, farthest)

// Mark returns the mark for the JSON string at an offset of a part's native JSON; ok is false if the
// text has to be read.
func Mark(offset int) (mark string, ok bool) {
	if offset < 0 || offset >= farthest {
		return "", false
	}
	return marks[offset*size : (offset+1)*size], true
}

// Is reports whether the text of a part with this native JSON is a mark that stands for a string in
// it. It reads neither of them: in a large body both would be far from what was read last.
func Is(text string, native []byte) bool {
	return len(text) == size && offset(text) < uint(min(farthest, len(native)))
}

// offset returns the offset of a mark; for any other text, some number that is none.
func offset(mark string) uint {
	first, at := unsafe.StringData(marks), unsafe.StringData(mark)
	return uint(uintptr(unsafe.Pointer(at))-uintptr(unsafe.Pointer(first))) / uint(size)
}

// Text returns the text that a mark stands for. Any other text is returned as it is.
func Text(text string, native []byte) string {
	if token := Token(text, native); token != nil {
		work.Done()
		return jsonscan.TextOf(token)
	}
	return text
}

// Len returns the length of the text that a mark stands for, or of any other text.
func Len(text string, native []byte) int {
	if token := Token(text, native); token != nil {
		work.Done()
		return jsonscan.TextLen(token)
	}
	return len(text)
}

// Token returns the JSON string that a mark stands for, a piece of native; nil for any other text.
func Token(text string, native []byte) []byte {
	if !Is(text, native) {
		return nil
	}
	at, last := int(offset(text)), len(native)-1
	if at == 0 && last > 0 && native[0] == '"' && native[last] == '"' {
		return native // it is the string alone
	}
	return jsonscan.StringAt(native, at)
}
