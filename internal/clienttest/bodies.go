package clienttest

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/go-preflight/preflight/wire"
)

// Codes returns the codes of warnings.
func Codes(warnings []wire.Warning) []string {
	var codes []string
	for _, w := range warnings {
		codes = append(codes, string(w.Code))
	}
	return codes
}

// JSON returns what an SDK sends for v, by which tests also see whether v was written to.
func JSON(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
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

// Params is a function that repairs an SDK's parameters of type P as package wire repairs a body.
type Params[P any] struct {
	Provider string
	Sanitize func(context.Context, P, *wire.Options) (P, []wire.Warning, error)
	// Equal reports whether two pieces of JSON are the same to the SDK.
	Equal func(a, b []byte) bool
}

// Compare checks that the function makes of params what package wire makes of their JSON, and that
// it does not write to them. It reports whether the SDK can send params at all.
func (p *Params[P]) Compare(t *testing.T, name string, params P) bool {
	t.Helper()
	before, err := json.Marshal(params)
	if err != nil {
		return false
	}
	want, wantErr := wire.Sanitize(context.Background(), before,
		&wire.Options{Provider: p.Provider})
	out, warnings, err := p.Sanitize(context.Background(), params, nil)
	if (err != nil) != (wantErr != nil) {
		t.Errorf("%s: error %v, want %v", name, err, wantErr)
		return true
	}
	if got, err := json.Marshal(out); err != nil || !p.Equal(got, want.Body) {
		t.Errorf("%s: %v\n got  %s\n want %s", name, err, got, want.Body)
	}
	if !reflect.DeepEqual(warnings, want.Warnings) {
		t.Errorf("%s: warnings\n got  %v\n want %v", name, warnings, want.Warnings)
	}
	if after, err := json.Marshal(params); err != nil || string(after) != string(before) {
		t.Errorf("%s: the params were written to", name)
	}
	return true
}
