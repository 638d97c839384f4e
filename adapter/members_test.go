package adapter

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSetMembers(t *testing.T) {
	type params struct {
		System string         `json:"system,omitempty"`
		Tools  []any          `json:"tools"`
		Meta   map[string]any `json:"meta,omitempty"`
		Size   float64        `json:"size,omitempty"`
		hidden int            //nolint:unused // what setMembers must leave alone
	}
	tools := []any{"old"}
	p := params{System: "old", Tools: tools, Meta: map[string]any{"n": 1}}
	rest := setMembers(&p, map[string]json.RawMessage{
		"system": json.RawMessage(`"new"`), "tools": nil,
		"meta": json.RawMessage(`{"n":12345678901234567890}`), "size": json.RawMessage(`1.0`),
		"hidden": json.RawMessage(`1`), "other": nil})
	require.Equal(t,
		map[string]json.RawMessage{
			"size":   json.RawMessage(`1.0`),
			"hidden": json.RawMessage(`1`),
			"other":  nil,
		}, rest)
	require.Equal(t, params{
		System: "new", Meta: map[string]any{"n": json.Number("12345678901234567890")},
	}, p)
	require.Equal(t, []any{"old"}, tools)
	require.Nil(t, setMembers(&p, nil))
}
