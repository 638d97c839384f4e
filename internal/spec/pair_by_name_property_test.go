package spec

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// namedHistory draws a history in which calls and results may lack ids, or names, in an order that
// may be anything.
func namedHistory(t *rapid.T) []preflight.Message {
	id := rapid.SampledFrom([]string{"", "", "", "1", "2", " ", "\x00"})
	name := rapid.SampledFrom([]string{"f", "f", "g", "h", "", " f"})
	part := func(role preflight.Role) preflight.Part {
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind == 0:
			return &preflight.Text{Text: rapid.SampledFrom([]string{"t", ""}).Draw(t, "text")}
		case kind == 1 || (role == preflight.RoleAssistant) == (kind > 2):
			return &preflight.ToolCall{
				ID:    id.Draw(t, "id"),
				Name:  name.Draw(t, "name"),
				Input: json.RawMessage(`{}`),
			}
		}
		return &preflight.ToolResult{
			CallID: id.Draw(t, "id"),
			Name:   name.Draw(t, "name"),
			Output: json.RawMessage(`{"a":1}`),
		}
	}
	var h []preflight.Message
	for range rapid.IntRange(1, 5).Draw(t, "messages") {
		if rapid.IntRange(0, 2).Draw(t, "exchange") > 0 {
			h = append(h, namedExchange(t, id, name)...)
			continue
		}
		m := preflight.Message{
			Role: rapid.SampledFrom([]preflight.Role{preflight.RoleUser, preflight.RoleAssistant}).
				Draw(t, "role"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			m.Parts = append(m.Parts, part(m.Role))
		}
		h = append(h, m)
	}
	return h
}

// namedExchange is a turn of calls and the results after it, of which some may lack something or
// be gone.
func namedExchange(t *rapid.T, id, name *rapid.Generator[string]) []preflight.Message {
	calls, results := preflight.Message{
		Role: preflight.RoleAssistant,
	}, preflight.Message{
		Role: preflight.RoleUser,
	}
	for range rapid.IntRange(1, 4).Draw(t, "calls") {
		c := &preflight.ToolCall{
			ID:    id.Draw(t, "id"),
			Name:  name.Draw(t, "name"),
			Input: json.RawMessage(`{}`),
		}
		r := &preflight.ToolResult{CallID: c.ID, Name: c.Name, Output: json.RawMessage(`{"a":1}`)}
		calls.Parts, results.Parts = append(calls.Parts, c), append(results.Parts, r)
		switch rapid.IntRange(0, 9).Draw(t, "loss") {
		case 0:
			c.ID = ""
		case 1:
			r.CallID = ""
		case 2:
			r.Name = name.Draw(t, "other name")
		case 3:
			r.CallID = id.Draw(t, "other id")
		}
	}
	results.Parts = rapid.Permutation(results.Parts).Draw(t, "order")
	if rapid.IntRange(0, 9).Draw(t, "gone") == 0 {
		results.Parts = results.Parts[1:]
	}
	return []preflight.Message{calls, results}
}

var pairingProblems = []problems.Problem{problems.Dangling, problems.Orphan, problems.DuplicateResult,
	problems.ResultNotFirst, problems.ResultName}

// Check and the fixer read pairs apart from each other, and have to agree on which are sound.
func TestPairingByNameAgrees(t *testing.T) {
	p := provider.Gemini("")
	rapid.Check(t, func(t *rapid.T) {
		h := namedHistory(t)
		if slices.ContainsFunc(preflight.Check(h, p, nil), func(v preflight.Violation) bool {
			return v.Problem == problems.CallMisplaced || v.Problem == problems.ResultMisplaced ||
				v.Problem == problems.IDPattern
		}) {
			return // another fixer's business first
		}
		broken := slices.ContainsFunc(
			preflight.Check(h, p, nil),
			func(v preflight.Violation) bool { return slices.Contains(pairingProblems, v.Problem) },
		)
		_, warnings := preflight.Fixers.PairToolCalls.Apply(h, p, nil)
		if broken != (len(warnings) > 0) {
			t.Fatalf(
				"Check says %v, the fixer did %v\n%s",
				preflight.Check(h, p, nil),
				warnings,
				shownJSON(h),
			)
		}
	})
}

func shownJSON(h []preflight.Message) string {
	data, err := json.Marshal(h)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// Whatever comes in, each turn of calls is followed by one message that holds as many results, each
// with a name or with the id of a call, which tells the encoder the name.
func TestPairingByName(t *testing.T) {
	p := provider.Gemini("")
	rapid.Check(t, func(t *rapid.T) {
		options := &preflight.Options{
			Dangling: rapid.SampledFrom([]preflight.Dangling{preflight.DanglingRemove,
				preflight.DanglingAnswer}).
				Draw(t, "dangling"),
			Orphans: rapid.SampledFrom([]preflight.Orphans{preflight.OrphanRemove,
				preflight.OrphanText}).
				Draw(t, "orphans"),
			Duplicates: rapid.SampledFrom([]preflight.Duplicates{preflight.DuplicateFirst,
				preflight.DuplicateLast, preflight.DuplicateMerge}).
				Draw(t, "duplicates"),
		}
		h := namedHistory(t)
		res, err := preflight.Sanitize(context.Background(), h, p, options)
		require.NoError(t, err)
		require.Empty(t, preflight.Check(res.Messages, p, nil), shownJSON(res.Messages))
		again, err := preflight.Sanitize(context.Background(), res.Messages, p, options)
		require.NoError(t, err)
		require.False(
			t,
			again.Changed,
			"%s\n%s\n%s",
			shownJSON(h),
			shownJSON(res.Messages),
			shownJSON(again.Messages),
		)
		for i := 0; i < len(res.Messages); i++ {
			called, answered := 0, 0
			ids := map[string]bool{}
			for ; i < len(res.Messages) && res.Messages[i].Role == preflight.RoleAssistant; i++ {
				for _, part := range res.Messages[i].Parts {
					if c, ok := part.(*preflight.ToolCall); ok {
						called++
						ids[c.ID] = strings.TrimSpace(c.ID) != ""
					}
				}
			}
			for _, m := range res.Messages[min(i, len(res.Messages)):min(i+1, len(res.Messages))] {
				for _, part := range m.Parts {
					if r, ok := part.(*preflight.ToolResult); ok {
						require.True(t, r.Name != "" || ids[r.CallID], shownJSON(res.Messages))
						answered++
					}
				}
			}
			require.Equal(t, called, answered, shownJSON(res.Messages))
		}
	})
}
