package msgtest

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file runs a function that repairs histories, and finds things in its result.

// Step is one of the library's entry points, bound to its options.
type Step func(history []preflight.Message) (preflight.Result, error)

func Run(t testing.TB, in []preflight.Message, run Step) preflight.Result {
	t.Helper()
	before := Dump(in)
	out, err := run(in)
	require.NoError(t, err)
	require.Equal(t, before, Dump(in), "the input was written to")
	require.Equal(t, out.Changed, len(out.Warnings) > 0,
		"changes and warnings have to come together")
	again, err := run(out.Messages)
	require.NoError(t, err)
	require.False(t, again.Changed, "running again changed: %s", List(again.Warnings))
	return out
}

func MessageHook(name string, edit func(*preflight.Message)) preflight.Hook {
	return preflight.Hook{
		Name: name,
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			edit(&m)
			return m, nil
		},
	}
}

// SameArray reports whether two slices are the same messages in memory.
func SameArray(a, b []preflight.Message) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Texts returns all texts of a history, in order.
func Texts(h []preflight.Message) []string {
	var out []string
	for _, m := range h {
		for _, p := range m.Parts {
			if t, ok := p.(*preflight.Text); ok {
				out = append(out, t.Text)
			}
		}
	}
	return out
}

// Only returns the single part of type P in a history.
func Only[P preflight.Part](t testing.TB, h []preflight.Message) P {
	t.Helper()
	found := Every[P](h)
	require.Len(t, found, 1)
	return found[0]
}

// Every part of type P in a history.
func Every[P preflight.Part](h []preflight.Message) []P {
	var out []P
	for _, m := range h {
		for _, p := range m.Parts {
			if x, ok := p.(P); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

// Get returns a string or raw value inside a JSON value, by path.
func Get(t testing.TB, raw json.RawMessage, path ...string) jsonscan.Value {
	t.Helper()
	doc, err := jsonscan.Parse(raw)
	require.NoError(t, err)
	v := doc.Root()
	for _, key := range path {
		if n, err := strconv.Atoi(key); err == nil && v.Kind() == jsonscan.Array {
			v = v.At(n)
		} else {
			v = v.Get(key)
		}
	}
	return v
}

func StoredBytes(t testing.TB, m preflight.Message) int {
	t.Helper()
	body, err := m.MarshalJSON()
	require.NoError(t, err)
	return len(body)
}
