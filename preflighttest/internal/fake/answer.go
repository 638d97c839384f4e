package fake

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// What all formats write their answers with.

// Reply is what a request is answered with: preflighttest.Reply without the fault.
type Reply struct {
	Reasoning   string
	Redacted    bool
	ServerCalls []ServerCall
	Text        string
	Calls       []Call
	StopReason  string
}

// Call is preflighttest.Call, and ServerCall preflighttest.ServerCall.
type (
	Call struct {
		ID, Name, Arguments string
		Async               bool
	}
	ServerCall struct {
		Name, Arguments, Result string
	}
)

// Called returns the calls of an answer, with an id from id for each that has none, and an empty
// object for arguments that are empty.
func (t *Turn) Called(id func(i int) string) []Call {
	calls := slices.Clone(t.Reply.Calls)
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = id(i)
		}
		calls[i].Arguments = cmp.Or(calls[i].Arguments, "{}")
	}
	return calls
}

// Stop is why an answer ends, where the reply does not say so: for its calls, or at its end.
func (r Reply) Stop(calls, end string) string {
	if len(r.Calls) > 0 {
		end = calls
	}
	return cmp.Or(r.StopReason, end)
}

// Epoch is when every answer of the fakes was created, in seconds. The
// fakes have no clock.
const Epoch = 1_750_000_000

// Arguments returns JSON for a raw value: the arguments themselves, or a
// string of them when they are not JSON.
func Arguments(raw string) json.RawMessage {
	if raw == "" {
		return json.RawMessage("{}")
	}
	if !json.Valid([]byte(raw)) {
		return Marshal(raw)
	}
	return json.RawMessage(raw)
}

// Marshal returns the JSON of a value that is known to have one, with <, >
// and & as they are.
func Marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("preflighttest: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// Pieces cuts a text as a stream delivers it: several pieces, none of which
// ends within a character. An empty text has none.
func Pieces(s string) []string {
	const size = 12
	var all []string
	for len(s) > size {
		n := size
		for n > 1 && !utf8.RuneStart(s[n]) {
			n--
		}
		all, s = append(all, s[:n]), s[n:]
	}
	if s != "" {
		all = append(all, s)
	}
	return all
}

// Tokens estimates the tokens of a text, for the usage that answers carry:
// four bytes are one, as is anything shorter.
func Tokens(bytes int) int { return bytes/4 + 1 }

// Serial returns 24 letters and digits for the i-th thing of the n-th answer.
func Serial(n, i int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d", n, i))
	const digits = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	id := make([]byte, 24)
	for k := range id {
		id[k] = digits[int(sum[k])%len(digits)]
	}
	return string(id)
}

// OrNull returns the string, or nil when it is empty.
func OrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
