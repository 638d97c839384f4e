package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// This file says what is the same: bodies, and messages that were sent before.

// sameJSON reports whether two documents say the same, whatever the order of their members.
func sameJSON(a, b []byte) (bool, error) {
	var values [2]any
	for k, data := range [][]byte{a, b} {
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&values[k]); err != nil {
			return false, err
		}
	}
	canonical := func(v any) []byte {
		data, err := json.Marshal(v)
		return append(data, fmt.Sprint(err)...)
	}
	return bytes.Equal(canonical(values[0]), canonical(values[1])), nil
}

// messagesOf returns the messages of a body, whatever their member is called.
func messagesOf(body []byte) []json.RawMessage {
	var members struct {
		Messages, Input, Contents []json.RawMessage
	}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil
	}
	return slices.Concat(members.Messages, members.Input, members.Contents)
}

// changedAt returns the index of the first message of before that is not in its place now, or -1.
// The last one may have grown at its end: a prompt cache reads its beginning as before. Text alone
// is the same as a block of text, as providers read both alike.
func changedAt(before, now []json.RawMessage) int {
	for k := range before {
		if k >= len(now) {
			return k
		}
		was, is := decoded(before[k]), decoded(now[k])
		if !reflect.DeepEqual(was, is) && (k+1 < len(before) || !grew(was, is)) {
			return k
		}
	}
	return -1
}

// decoded returns the value of a message, with content that is text alone as a block of text.
func decoded(message []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(message))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return inBlocks(value)
}

func inBlocks(value any) any {
	switch v := value.(type) {
	case []any:
		for k := range v {
			v[k] = inBlocks(v[k])
		}
	case map[string]any:
		for name, member := range v {
			if text, ok := member.(string); ok && name == "content" {
				v[name] = []any{map[string]any{"type": "text", "text": text}}
			} else {
				v[name] = inBlocks(member)
			}
		}
	}
	return value
}

// grew reports whether the content of a message begins with what it was, and nothing else differs.
func grew(was, is any) bool {
	before, ok := was.(map[string]any)
	now, fine := is.(map[string]any)
	if !ok || !fine {
		return false
	}
	before, now = maps.Clone(before), maps.Clone(now)
	for _, name := range []string{"content", "parts"} {
		was, _ := before[name].([]any)
		is, _ := now[name].([]any)
		if len(was) > len(is) || !reflect.DeepEqual(was, is[:len(was)]) {
			return false
		}
		delete(before, name)
		delete(now, name)
	}
	return reflect.DeepEqual(before, now)
}
