package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file is what the tables of the formats are run by.

// edit changes messages.
type edit = func([]preflight.Message) []preflight.Message

// edits is a row about Encode of messages that were read and then changed: what did not change
// keeps its bytes.
type edits struct {
	reason, in string
	change     edit
	want       string
}

// repairs is a row about Sanitize: a body, what comes out, and each warning as path, code and rule.
type repairs struct {
	reason, in, want string
	said             []string
}

func runEdits(t *testing.T, provider string, rows []edits) {
	for _, c := range rows {
		t.Run("edits "+c.reason, func(t *testing.T) {
			require.Equal(t, `[`+c.want+`]`, encode(t, provider, `[`+c.in+`]`, c.change))
		})
	}
}

func runRepairs(t *testing.T, provider string, rows []repairs) {
	for _, c := range rows {
		t.Run("repairs "+c.reason, func(t *testing.T) {
			options := &wire.Options{Provider: provider}
			result, err := wire.Sanitize(context.Background(), []byte(c.in), options)
			require.NoError(t, err)
			var said []string
			for _, w := range result.Warnings {
				said = append(said, fmt.Sprint(w.Path, " ", w.Code, " ", w.Rule))
			}
			require.Equal(t, c.want, string(result.Body))
			require.Equal(t, c.said, said)
			requireGuarantees(t, []byte(c.in), options)
		})
	}
}

// listMember is the member of a body that holds the messages.
func listMember(provider string) string {
	switch provider {
	case "gemini":
		return "contents"
	case "openai-responses", "gemini-interactions":
		return "input"
	}
	return "messages"
}

// neutral is messages in their JSON form, one a line, without the JSON they were read from.
func neutral(t *testing.T, messages []preflight.Message) string {
	t.Helper()
	var lines [][]byte
	for _, m := range messages {
		form, err := m.MarshalJSON()
		require.NoError(t, err)
		line, err := withoutNative(form)
		require.NoError(t, err)
		lines = append(lines, line)
	}
	return string(bytes.Join(lines, []byte("\n")))
}

// withoutNative is a JSON text without the members "native". Numbers keep their spelling, and the
// members are sorted.
func withoutNative(form []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(form))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	dropNative(v)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

func dropNative(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "native")
		for _, held := range v {
			dropNative(held)
		}
	case []any:
		for _, held := range v {
			dropNative(held)
		}
	}
}

func same(m []preflight.Message) []preflight.Message { return m }

// first changes the first message.
func first(change func(*preflight.Message)) edit {
	return func(m []preflight.Message) []preflight.Message {
		change(&m[0])
		return m
	}
}

// part changes a copy of part j of message i.
func part[T any, P interface {
	*T
	preflight.Part
}](i, j int, change func(*T)) edit {
	return func(m []preflight.Message) []preflight.Message {
		edited := *m[i].Parts[j].(P)
		change(&edited)
		m[i].Parts = slices.Clone(m[i].Parts)
		m[i].Parts[j] = P(&edited)
		return m
	}
}

// parts changes the list of parts of the first message.
func parts(change func([]preflight.Part) []preflight.Part) edit {
	return func(m []preflight.Message) []preflight.Message {
		m[0].Parts = change(slices.Clone(m[0].Parts))
		return m
	}
}
