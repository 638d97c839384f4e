package clienttest

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight/wire"
)

// Codes are the codes of warnings.
func Codes(warnings []wire.Warning) []string {
	var codes []string
	for _, w := range warnings {
		codes = append(codes, string(w.Code))
	}
	return codes
}

// CompareBodies checks that the elements in kept, indices into the list of messages or items of a
// refused body, are byte for byte in the accepted one at the index that kept has for them, and that
// the two bodies agree in all members besides the list.
func CompareBodies(t *testing.T, refused, accepted []byte, kept map[int]int) {
	t.Helper()
	was, wasList := Members(t, refused)
	is, isList := Members(t, accepted)
	for from, to := range kept {
		if string(wasList[from]) != string(isList[to]) {
			t.Errorf("element %d did not arrive as it was\n was %s\n is  %s", from, wasList[from],
				isList[to])
		}
	}
	if len(was) != len(is) {
		t.Errorf("the request has %d members, had %d", len(is), len(was))
	}
	for key, raw := range was {
		if string(raw) != string(is[key]) {
			t.Errorf("%s did not arrive as it was\n was %s\n is  %s", key, raw, is[key])
		}
	}
}

// Members splits a body into the list of messages or items and the other members.
func Members(
	t *testing.T, body []byte,
) (members map[string]json.RawMessage, list []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"messages", "input", "contents"} {
		if raw, ok := members[key]; ok {
			if err := json.Unmarshal(raw, &list); err != nil {
				t.Fatal(err)
			}
			delete(members, key)
		}
	}
	return members, list
}
