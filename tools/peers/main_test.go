package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFaults: the provider refuses every fault, and preflight repairs it and keeps what is real.
func TestFaults(t *testing.T) {
	for _, p := range peers {
		if !strings.HasPrefix(p.name, "preflight") {
			continue
		}
		for _, f := range faults {
			repaired, err := p.repair(context.Background(), f.history)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, f.judge(&out, p.name, repaired))
			require.Contains(t, out.String(), "1 accepted 1 kept", "%s: %s", p.name, f.name)
		}
	}
}

// TestHistory: the clean shape is accepted, the others are refused and all sanitizers take them.
func TestHistory(t *testing.T) {
	for _, shape := range shapes {
		in := history(shape, 100)
		accepted, err := accepts(in)
		require.NoError(t, err)
		require.Equal(t, shape == "clean", accepted, shape)
		for _, p := range peers {
			given := slices.Clone(in)
			pass, err := p.prepare(context.Background(), given)
			require.NoError(t, err)
			require.NoError(t, pass(), p.name)
			require.Equal(t, in, given)
		}
	}
}

// TestReaders: all readers take a valid body, and none takes one that is cut off.
func TestReaders(t *testing.T) {
	body, err := bodyOf(history("clean", 100))
	require.NoError(t, err)
	for _, r := range readers {
		if !r.runs() {
			continue
		}
		read := r.read()
		require.NoError(t, read(body), r.name)
		require.Error(t, read(body[:len(body)-1]), r.name)
		require.NoError(t, read(body), r.name)
	}
}

// TestOnBodies: a peer that changes nothing sends the same messages, whatever they hold.
func TestOnBodies(t *testing.T) {
	body := `{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},` +
		`{"content":null,"role":"assistant","tool_calls":[{"id":"a","type":"function","x":1,` +
		`"function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"a","content":"b"}]}`
	same := func(_ context.Context, h []message) (read, repaired []message, err error) {
		return h, h, nil
	}
	out, err := onBodies(same)(t.Context(), []byte(body))
	require.NoError(t, err)
	require.Equal(t, body, string(out))

	changed := func(_ context.Context, h []message) (read, repaired []message, err error) {
		read = slices.Clone(h)
		h[0].Role = "developer"
		return read, h[:1], nil
	}
	out, err = onBodies(changed)(t.Context(), []byte(body))
	require.NoError(t, err)
	require.Equal(t, `{"messages":[{"role":"developer","content":[{"type":"text","text":"a"}]}]}`,
		string(out))
}
