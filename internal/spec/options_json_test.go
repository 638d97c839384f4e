package spec

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// Functions cannot be written as JSON: that they would be lost is an error which names the field.
func TestOptionsWithFunctionsHaveNoJSON(t *testing.T) {
	for field, o := range map[string]preflight.Options{
		"OpenCall": {OpenCall: func(*preflight.ToolCall) preflight.Part { return nil }},
		"Fixers":   {Fixers: []preflight.Fixer{preflight.Fixers.StripSystem}},
		"Hooks": {Hooks: []preflight.Hook{{
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return m, nil
			},
		}}},
	} {
		_, err := json.Marshal(o)
		require.ErrorContains(t, err, "Options."+field+" holds functions")
		_, err = json.Marshal(map[string]any{"options": &o})
		require.Error(t, err)
	}
}

func TestOptionsFromJSON(t *testing.T) {
	o := preflight.Options{Placeholder: "kept"}
	require.NoError(t, json.Unmarshal([]byte(`{"dangling":"remove","orphans":"remove",
		"duplicates":"merge","trailing":"continue","bridge":"b"}`), &o))
	require.Equal(t, preflight.Options{
		Dangling: preflight.DanglingRemove, Orphans: preflight.OrphanRemove,
		Duplicates: preflight.DuplicateMerge, Trailing: preflight.TrailingContinue,
		Placeholder: "kept", Bridge: "b",
	}, o)

	for _, c := range []struct{ json, want string }{
		{`{"danglin":"answer"}`, `unknown field "danglin"`},
		{`{"request":{"thinkin":"on"}}`, `unknown field "thinkin"`},
		{`{"Hooks":[]}`, `unknown field "Hooks"`},
		{`{"dangling":"anwser"}`, `dangling is one of ["remove" "answer"], not "anwser"`},
		{`{"orphans":"merge"}`, "orphans"},
		{`{"duplicates":"none"}`, "duplicates"},
		{`{"trailing":"x"}`, "trailing"},
		{`{"max_string":3}`, `unknown field "max_string"`},
		{`{"bridge":7}`, "cannot unmarshal"},
		{`[]`, "cannot unmarshal"},
	} {
		given := preflight.Options{Bridge: "b"}
		require.ErrorContains(t, json.Unmarshal([]byte(c.json), &given), c.want)
		require.Equal(t, preflight.Options{Bridge: "b"}, given, "unchanged after an error")
	}
}

// A choice that there is not is an error in Go, too, also for a history that needs none.
func TestMisspelledOptions(t *testing.T) {
	for name, o := range map[string]preflight.Options{
		"dangling":   {Dangling: "anwser"},
		"orphans":    {Orphans: "keep", FallbackToLastUser: true},
		"duplicates": {Duplicates: "all"},
		"trailing":   {Trailing: "Strip"},
	} {
		in := history(userMsg(says("q")))
		res, err := preflight.Sanitize(t.Context(), in, nil, &o)
		require.ErrorIs(t, err, preflight.ErrPipeline)
		require.ErrorContains(t, err, name)
		require.Equal(t, in, res.Messages)
	}
}
