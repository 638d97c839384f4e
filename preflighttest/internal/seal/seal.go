// Package seal is how the fakes sign and encrypt: the opaque string holds what it vouches
// for, so that it can be verified without any memory of what was issued, and by another
// server.
package seal

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

// mark opens every sealed string. Its length is a multiple of three, so
// that it can be told in base64 too.
const mark = "preflighttest\x00\x01"

var mark64 = base64.StdEncoding.EncodeToString([]byte(mark))

// Of returns an opaque string in base64 that vouches for the fields.
func Of(fields ...string) string {
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	sum := sha256.Sum256(data)
	return base64.StdEncoding.EncodeToString([]byte(mark + string(sum[:6]) + string(data)))
}

// Open returns the fields of a sealed string. A string that the fakes have
// not issued is not ours; one that was damaged since has no fields.
func Open(s string) (fields []string, ours bool) {
	if !strings.HasPrefix(s, mark64[:12]) {
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(raw) < len(mark)+6 || string(raw[:len(mark)]) != mark {
		return nil, true
	}
	sum, data := raw[len(mark):len(mark)+6], raw[len(mark)+6:]
	if want := sha256.Sum256(data); !slices.Equal(want[:6], sum) ||
		json.Unmarshal(data, &fields) != nil {
		return nil, true
	}
	return fields, true
}
