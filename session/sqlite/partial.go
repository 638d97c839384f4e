package sqlite

import (
	"encoding/json"
	"slices"
	"strings"
)

// This file reads JSON objects that were only written in part.

// cutDepth is how deep the members are that whole cuts between. Values below are kept whole or not
// at all.
const cutDepth = 2

// whiteSpace is what may be around a JSON value.
const whiteSpace = " \t\r\n"

// whole returns the JSON object that data is the beginning of, up to its last member, or member of
// a member, that is there whole. It returns nil when data does not begin with an object.
func whole(data string) json.RawMessage {
	data = strings.TrimLeft(data, whiteSpace)
	var open, needed []byte // closing brackets of what is open at the end, and at the cut
	cut := 0
	inString, escaped := false, false
	at := func(end int) {
		if len(open) <= cutDepth {
			cut, needed = end, append(needed[:0], open...)
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
	value := []byte(data[:cut])
	slices.Reverse(needed)
	value = append(value, needed...)
	if !json.Valid(value) || len(value) == 0 || value[0] != '{' {
		return nil
	}
	return value
}
