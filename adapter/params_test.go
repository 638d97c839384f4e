package adapter_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/adapter"
)

type request struct {
	Model    string  `json:"model"`
	Messages []*turn `json:"messages"`
}

// generated is a request with a place for what its fields cannot hold.
type generated struct {
	Model    string  `json:"model"`
	Messages []*turn `json:"messages"`
	extra    map[string]any
}

func (*generated) Overrides() (any, bool) { return nil, false }

func (r *generated) ExtraFields() map[string]any { return r.extra }

func (r *generated) SetExtraFields(extra map[string]any) { r.extra = extra }

// TestFromJSON: what the types cannot hold becomes an extra member, or is an error.
func TestFromJSON(t *testing.T) {
	params := adapter.Params[*turn, request]{
		Format:   &chat,
		Messages: func(r *request) *[]*turn { return &r.Messages },
	}
	got, err := params.FromJSON([]byte(`{"model":"m","messages":[{"role":"user","content":"a"}]}`))
	require.NoError(t, err)
	require.Equal(t, request{Model: "m", Messages: []*turn{{"user", "a", 0}}}, got)

	more := []byte(`{"messages":[],"top_k":1.0}`)
	_, err = params.FromJSON(more)
	require.ErrorIs(t, err, adapter.ErrInexact)
	require.ErrorContains(t, err, "top_k")
	_, err = params.FromJSON([]byte(`{"messages":[],"alice@example.org":1}`))
	require.ErrorIs(t, err, adapter.ErrInexact)
	require.NotContains(t, err.Error(), "alice", "an error quotes nothing")
	with := adapter.Params[*turn, generated]{
		Format:   &chat,
		Messages: func(r *generated) *[]*turn { return &r.Messages },
		Omit:     "omitted",
	}
	all, err := with.FromJSON(more)
	require.NoError(t, err)
	require.Equal(t,
		map[string]any{"top_k": json.RawMessage("1.0"), "model": "omitted"}, all.extra)

	_, err = params.FromJSON([]byte(`{"messages":[{"role":"user","content":"a","more":1}]}`))
	require.ErrorIs(t, err, adapter.ErrInexact)
	_, err = params.FromJSON([]byte(`[`))
	require.Error(t, err)
}

// TestNoField: a function that returns no field is an error.
func TestNoField(t *testing.T) {
	type request struct {
		Messages []string `json:"messages"`
	}
	none := adapter.Params[string, request]{
		Format:   &adapter.Format[string]{Provider: "openai-chat", List: "messages"},
		Messages: func(*request) *[]string { return nil },
	}
	_, _, err := none.Sanitize(context.Background(), request{}, nil)
	require.Error(t, err)
	_, err = none.FromJSON([]byte(`{}`))
	require.Error(t, err)
}
