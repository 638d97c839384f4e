// Package arguments makes a JSON object of the arguments of a tool call if they are not one.
package arguments

import (
	"bytes"
	"encoding/json"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/validtext"
)

// rawKey is the key under which arguments that are not an object are kept.
const rawKey = "_raw"

// maxEncodings is the number of nested string encodings of arguments that are undone.
const maxEncodings = 3

// IsObject reports whether raw is one well-formed JSON object in which no object has a name twice.
func IsObject(raw []byte) bool {
	kind, flags, err := jsonscan.Inspect(raw)
	return err == nil && kind == jsonscan.Object && flags&jsonscan.HasRepeatedName == 0
}

// Object returns the arguments raw as a JSON object: an object as it is, without the members that a
// later one of the same name replaces, an object encoded as a string decoded, empty arguments,
// null and an empty list as {}, and anything else under the key _raw of a new object. An empty list
// is how PHP writes an empty object. Text that is not JSON is made valid Unicode first. It does not
// write to raw; the result may share its bytes.
func Object(raw []byte) json.RawMessage {
	text := raw
	for range maxEncodings {
		doc, err := jsonscan.Parse(text)
		if err != nil {
			break
		}
		switch v := doc.Root(); {
		case v.Kind() == jsonscan.Object:
			return json.RawMessage(jsonscan.Unrepeated(v))
		case v.Kind() == jsonscan.Null, v.Kind() == jsonscan.Array && v.Len() == 0:
			return json.RawMessage("{}")
		case v.Kind() == jsonscan.String:
			text = []byte(v.Str())
		default:
			return wrapRaw(jsonscan.Unrepeated(v))
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return json.RawMessage("{}")
	}
	return wrapRaw(jsonscan.AppendString(nil, validtext.Clean(string(text))))
}

func wrapRaw(value []byte) json.RawMessage {
	out := append([]byte(`{"`+rawKey+`":`), value...)
	return append(out, '}')
}
