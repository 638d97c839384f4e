package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes JSON, and Anthropic messages.

// object writes a JSON object, given names and values in turn. A value is a text, true or false,
// or JSON: bytes or a value that was read. A member whose JSON is missing is left out.
//
//	object("role", "user", "content", content) // {"role":"user","content":[…]}
func object(members ...any) []byte {
	raw := []byte{'{'}
	for k := 0; k < len(members); k += 2 {
		var value []byte
		switch v := members[k+1].(type) {
		case string:
			value = quote(v)
		case bool:
			value = strconv.AppendBool(nil, v)
		case jsonscan.Value:
			value = v.Raw()
		case []byte:
			value = v
		}
		if len(value) == 0 {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(append(raw, quote(members[k].(string))...), ':')
		raw = append(raw, value...)
	}
	return append(raw, '}')
}

// array writes a JSON array.
func array(elements ...[]byte) []byte { return listed("[", elements, "]") }

// listed writes elements with commas between them, and what is before and after them.
func listed(before string, elements [][]byte, after string) []byte {
	size := len(before) + len(after)
	for _, e := range elements {
		size += len(e) + len(",")
	}
	raw := append(make([]byte, 0, size), before...)
	for k, e := range elements {
		if k > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, e...)
	}
	return append(raw, after...)
}

func callBlock(id, name string, input jsonscan.Value) []byte {
	arguments := input.Raw()
	if input.Kind() != jsonscan.Object {
		arguments = []byte("{}")
	}
	return object("type", "tool_use", "id", id, "name", name, "input", arguments)
}

// resultBlock returns a result whose content is a JSON string or a list of blocks.
func resultBlock(id string, content []byte, failed bool) []byte {
	members := []any{"type", "tool_result", "tool_use_id", id, "content", content}
	if failed {
		members = append(members, "is_error", true)
	}
	return object(members...)
}

// blockMessage joins the blocks of one message.
func blockMessage(role string, blocks [][]byte, from []origin) message {
	start := `{"role":` + string(quote(role)) + `,"content":[`
	return messageOfRecords(listed(start, blocks, "]}"), from)
}

// messageOfRecords returns a message whose blocks are from records.
func messageOfRecords(json []byte, from []origin) message {
	var records []*line
	for _, o := range from {
		if o.record != nil {
			records = append(records, o.record)
		}
	}
	records = slices.Compact(records)
	return message{json, slices.Compact(numbered(records...)), records, from}
}

// wellFormed returns a value as it is sent by clients that write U+FFFD for a lone surrogate.
func wellFormed(v jsonscan.Value) []byte {
	if v.SubtreeFlags()&jsonscan.NeedsRepair == 0 {
		return v.Raw()
	}
	if v.Kind() == jsonscan.String { // NUL stays
		return quote(strings.ToValidUTF8(v.Str(), "\uFFFD"))
	}
	return jsonscan.Repair(nil, v)
}
