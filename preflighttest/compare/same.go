package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
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
// The last one may have grown at its end: a prompt cache reads its beginning as before.
func changedAt(before, now []json.RawMessage) int {
	for k := range before {
		if k >= len(now) {
			return k
		}
		same, err := sameJSON(now[k], before[k])
		if err != nil || !same && (k+1 < len(before) || !grew(before[k], now[k])) {
			return k
		}
	}
	return -1
}

// grew reports whether the content of a message begins with what it was, and nothing else differs.
func grew(before, now []byte) bool {
	var members [2]map[string]any
	if json.Unmarshal(before, &members[0]) != nil || json.Unmarshal(now, &members[1]) != nil {
		return false
	}
	for _, name := range []string{"content", "parts"} {
		was, is := blocksOf(members[0][name]), blocksOf(members[1][name])
		if len(was) > len(is) || !reflect.DeepEqual(was, is[:len(was)]) {
			return false
		}
		delete(members[0], name)
		delete(members[1], name)
	}
	return reflect.DeepEqual(members[0], members[1])
}

// blocksOf returns content as a list of blocks: text alone is a block of text.
func blocksOf(content any) []any {
	if text, ok := content.(string); ok {
		return []any{map[string]any{"type": "text", "text": text}}
	}
	blocks, _ := content.([]any)
	return blocks
}
