package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/wire"
)

// Types are an SDK's messages of type M, and the adapter's function that repairs them. They are
// held to requests that real providers answered, whole and with a message missing or there twice.
type Types[M any] struct {
	Providers []string // of the requests
	List      string   // the member of a request that holds the messages
	// Read reads a message as the SDK does; requests that it cannot read are left out.
	Read func(json.RawMessage) (M, error)
	// Write writes what the SDK sends; nil is json.Marshal.
	Write  func(M) ([]byte, error)
	Repair func(context.Context, []M, *wire.Options) ([]M, []wire.Warning, error)
	// Same reports whether two messages are one value.
	Same func(a, b M) bool
	// Equal reports whether two pieces of JSON are the same to the SDK, and Inexact is the error of
	// a repair that its types cannot hold; nil means that there are none.
	Equal   func(a, b []byte) bool
	Inexact error
	// Least is how many histories there are at least.
	Least int
}

// Run runs the test: a message that did not change is the caller's own value, one that did is sent
// as package wire has repaired it, and nothing is written to.
func (c *Types[M]) Run(t *testing.T) {
	if testing.Short() {
		t.Skip("repairs all recorded requests")
	}
	if c.Write == nil {
		c.Write = func(m M) ([]byte, error) { return json.Marshal(m) }
	}
	tried, changed, inexact := 0, 0, 0
	for _, r := range recorded.Load(t, "../..", recorded.Accepted, recorded.FollowUp) {
		if !slices.Contains(c.Providers, r.Provider) {
			continue
		}
		messages, ok := c.read(r.Body)
		if !ok {
			continue
		}
		options := &wire.Options{Provider: r.Provider, Model: r.Model}
		for _, history := range variants(messages) {
			was, err := c.write(history)
			if err != nil {
				break // not a request that the SDK can send
			}
			want, wantErr := wire.Sanitize(context.Background(), was, options)
			out, _, err := c.Repair(context.Background(), history, options)
			switch {
			case err != nil && c.Inexact != nil && errors.Is(err, c.Inexact):
				inexact++
			case (err != nil) != (wantErr != nil):
				t.Errorf("%s: error %v, want %v", r.ID, err, wantErr)
			case err == nil:
				tried++
				if want.Changed {
					changed++
				}
				c.compare(t, r.ID, history, out, want)
			}
			if after, err := c.write(history); err != nil || string(after) != string(was) {
				t.Errorf("%s: the history was written to", r.ID)
			}
		}
	}
	t.Logf("%d histories, %d of them repaired; %d repairs did not fit", tried, changed, inexact)
	if tried < c.Least || changed == 0 {
		t.Errorf("only %d histories could be tried, and %d were repaired", tried, changed)
	}
}

func (c *Types[M]) compare(t *testing.T, id string, in, out []M, want *wire.Result) {
	t.Helper()
	if want.Elements == nil {
		for i := range in {
			if len(out) != len(in) || !c.Same(in[i], out[i]) {
				t.Errorf("%s: the history is another, though nothing changed", id)
				return
			}
		}
		return
	}
	if len(out) != len(want.Elements) {
		t.Errorf("%s: %d messages, want %d", id, len(out), len(want.Elements))
		return
	}
	for i, e := range want.Elements {
		if e.JSON == nil {
			if !c.Same(in[e.From], out[i]) {
				t.Errorf("%s: message %d is not the caller's own", id, i)
			}
			continue
		}
		if got, err := c.Write(out[i]); err != nil || !c.Equal(got, e.JSON) {
			t.Errorf("%s: message %d, %v\n got  %s\n want %s", id, i, err, got, e.JSON)
		}
	}
}

// read reads the messages of a request.
func (c *Types[M]) read(body []byte) ([]M, bool) {
	var members map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members[c.List], &list) != nil {
		return nil, false
	}
	messages := make([]M, len(list))
	for i, raw := range list {
		var err error
		if messages[i], err = c.Read(raw); err != nil {
			return nil, false
		}
	}
	return messages, len(messages) > 0
}

// write writes messages as a JSON array.
func (c *Types[M]) write(messages []M) ([]byte, error) {
	body := []byte{'['}
	for i, m := range messages {
		raw, err := c.Write(m)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, raw...)
	}
	return append(body, ']'), nil
}

// variants returns a history, and what becomes of it when each of its messages is lost or stored
// twice.
func variants[M any](history []M) [][]M {
	all := [][]M{history}
	for i := range history {
		if len(history) > 1 {
			all = append(all, slices.Concat(history[:i], history[i+1:]))
		}
		all = append(all, slices.Concat(history[:i+1], history[i:]))
	}
	return all
}
