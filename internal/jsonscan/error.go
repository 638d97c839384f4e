package jsonscan

import (
	"bytes"
	"fmt"
)

// SyntaxError is the error for a source that is not JSON. Offset is in bytes from 0; Line and
// Column count from 1, Column in bytes; a line ends at '\n'. The position is that of the first
// invalid byte, or the end of a source that is cut off.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string // what is there and what was expected; not API
}

// Error gives the position and the message. It quotes no more of the source than one byte.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf(
		"invalid JSON at line %d, column %d (offset %d): %s",
		e.Line,
		e.Column,
		e.Offset,
		e.Msg,
	)
}

// fault is a syntax error without its line, as the scanning functions return it.
// The zero fault is success.
type fault struct {
	want string // what the grammar would have allowed, or the whole message when bare
	bare bool   // want is the whole message
}

// expected returns the fault of finding something else than want.
func expected(want string) fault { return fault{want: want} }

// refused returns a fault that msg describes completely.
func refused(msg string) fault { return fault{want: msg, bare: true} }

func (f fault) failed() bool { return f.want != "" }

// syntaxError turns a fault at an offset into the error a caller sees. Linear in offset, for the
// line count.
func syntaxError(src []byte, offset int, f fault) *SyntaxError {
	before := src[:offset]
	msg := f.want
	if !f.bare {
		msg = "unexpected " + found(src, offset) + ", expected " + f.want
	}
	return &SyntaxError{
		Offset: offset,
		Line:   1 + bytes.Count(before, []byte{'\n'}),
		Column: offset - bytes.LastIndexByte(before, '\n'),
		Msg:    msg,
	}
}

// found names the token at an offset.
func found(src []byte, offset int) string {
	if offset >= len(src) {
		return "end of input"
	}
	if bytes.HasPrefix(src[offset:], []byte("\xEF\xBB\xBF")) {
		return "byte order mark"
	}
	switch c := src[offset]; {
	case c == '\'':
		return `"'"`
	case c > ' ' && c < 0x7F:
		return "'" + string(rune(c)) + "'"
	default:
		return fmt.Sprintf("byte 0x%02X", c)
	}
}
