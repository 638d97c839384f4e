// Package partial reads JSON that was only written in part.
package partial

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// WhiteSpace is what may be around a JSON value.
const WhiteSpace = " \t\r\n"

// Whole returns the JSON object or array that data is the beginning of, up to its last member or
// element that is there whole. It cuts between those that are at most depth levels deep, and keeps
// what is deeper whole or not at all. It returns nil when data begins with another value. cut
// reports that data ends before the value does, and that nothing is wrong with it up to there.
func Whole[T string | []byte](data T, depth int) (value json.RawMessage, cut bool) {
	for len(data) > 0 && strings.IndexByte(WhiteSpace, data[0]) >= 0 {
		data = data[1:]
	}
	var open, needed []byte // closing brackets of what is open at the end, and at the cut
	end := 0
	inString, escaped := false, false
	at := func(k int) {
		if len(open) <= depth {
			end, needed = k, append(needed[:0], open...)
		}
	}
scan:
	for k := range len(data) {
		switch c := data[k]; {
		case escaped:
			escaped = false
		case inString:
			escaped, inString = c == '\\', c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			open = append(open, c+2) // in ASCII the closing bracket comes two after the opening one
			at(k + 1)
		case c == '}' || c == ']':
			if len(open) == 0 || open[len(open)-1] != c {
				break scan
			}
			open = open[:len(open)-1]
			at(k + 1)
			if len(open) == 0 {
				break scan
			}
		case c == ',':
			at(k)
		}
	}
	value = append(json.RawMessage(nil), data[:end]...)
	slices.Reverse(needed)
	value = append(value, needed...)
	if !json.Valid(value) || data[0] != '{' && data[0] != '[' {
		return nil, false
	}
	var read json.RawMessage
	err := json.NewDecoder(bytes.NewReader([]byte(data))).Decode(&read)
	return value, errors.Is(err, io.ErrUnexpectedEOF)
}
