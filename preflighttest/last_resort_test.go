package preflighttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file holds that the words of this project are last resorts: a turn that a repair makes up is
// one that the fake refuses to do without. It reads JSON alone.

// The words that repairs make up, in the user's and in the model's name.
const (
	goOn   = "Continue."
	bridge = "I have read the tool results."
)

// TestWordsAreLastResorts: without a turn that was made up, or with a tool's result that was last
// in its place, every fake refuses the body.
func TestWordsAreLastResorts(t *testing.T) {
	eachSubject(t, func(t *testing.T, profile preflight.Profile) {
		rapid.Check(t, func(t *rapid.T) {
			kind := rapid.SampledFrom([]string{"valid", "corrupt", "corrupt", "mutant"}).Draw(t, "kind")
			body := bodies[kind](t, profile)
			if body == nil {
				return
			}
			if rapid.Bool().Draw(t, "late") {
				body = late(t, profile.Provider, body)
			}
			proveLastResorts(t, profile.Provider, body, policies(t))
		})
	})
}

// TestWordsAreNeeded is the other side: there are bodies that the fakes refuse without such a turn.
func TestWordsAreNeeded(t *testing.T) {
	const (
		call = `{"role":"assistant","content":"","tool_calls":[{"id":"abcdefgh1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"abcdefgh1","content":"ok"}`
		converse = `{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"toolUse":` +
			`{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":` +
			`{"toolUseId":"a","content":[{"text":"r"}]}},{"text":"s"}]}`
	)
	for _, c := range []struct{ provider, body string }{
		{"nvidia", `{"model":"mistral-small-4","messages":[{"role":"user","content":"q"},` + call +
			`,{"role":"user","content":"r"}]}`},
		{"bedrock", `{"modelId":"meta.llama3-1-70b-instruct-v1:0","messages":[` + converse + `]}`},
		{"anthropic", `{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user",` +
			`"content":"q"},{"role":"assistant","content":"a"}]}`},
		{"mistral", `{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"a"}]}`},
	} {
		require.Positive(t, proveLastResorts(t, c.provider, []byte(c.body), preflight.Options{}),
			c.provider)
	}
	// nobody knows what a template makes of the old role
	require.Zero(t, proveLastResorts(t, "nvidia", []byte(`{"model":"mistral-small-4","messages":[`+
		`{"role":"user","content":"q"},`+call+`,{"role":"function","content":""}]}`),
		preflight.Options{}))
}

// tester is a test, or one of rapid's.
type tester interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// proveLastResorts returns how many turns were made up.
func proveLastResorts(
	t tester, provider string, body []byte, chosen preflight.Options,
) (made int) {
	options := &wire.Options{Provider: provider, Options: chosen}
	result, err := wire.Sanitize(context.Background(), body, options)
	if err != nil {
		return 0
	}
	for _, words := range []string{goOn, bridge} {
		for _, other := range withoutWords(t, provider, body, result.Body, words) {
			made++
			found, err := preflighttest.Violations(fakeOf(provider), other)
			if err != nil || len(found) == 0 {
				t.Fatalf("%q was made up for nothing\nin   %s\nout  %s\ndoes %s", words, body,
					result.Body, other)
			}
		}
	}
	return made
}

// late moves an element of the history to its end.
func late(t *rapid.T, provider string, body []byte) []byte {
	turns := turnsOf(t, provider, body)
	if len(turns) < 2 {
		return body
	}
	k := rapid.IntRange(0, len(turns)-1).Draw(t, "moved")
	moved := turns[k]
	return withTurns(t, provider, body, append(slices.Delete(turns, k, k+1), moved))
}

// policies draws what a caller may ask for.
func policies(t *rapid.T) preflight.Options {
	return preflight.Options{
		Dangling: rapid.SampledFrom([]preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		}).Draw(t, "dangling"),
		Orphans: rapid.SampledFrom([]preflight.Orphans{
			preflight.OrphanRemove, preflight.OrphanText,
		}).Draw(t, "orphans"),
		Duplicates: rapid.SampledFrom([]preflight.Duplicates{
			preflight.DuplicateFirst, preflight.DuplicateLast, preflight.DuplicateMerge,
		}).Draw(t, "duplicates"),
		Trailing: rapid.SampledFrom([]preflight.Trailing{
			preflight.TrailingContinue, preflight.TrailingStrip,
		}).Draw(t, "trailing"),
	}
}

// withoutWords returns the forms of out that lack a turn of the words that in has not.
func withoutWords(t tester, provider string, in, out []byte, words string) (all [][]byte) {
	quoted := []byte(`"` + words + `"`)
	if bytes.Contains(in, quoted) || !bytes.Contains(out, quoted) {
		return nil
	}
	was, is := turnsOf(t, provider, in), turnsOf(t, provider, out)
	for k, turn := range is {
		if !bytes.Contains(turn, quoted) || bytes.Count(turn, []byte(`"text"`)) > 1 {
			continue
		}
		rest := slices.Delete(slices.Clone(is), k, k+1)
		all = append(all, withTurns(t, provider, out, rest))
		if words != goOn || len(was) == 0 {
			continue
		}
		// a result that was last may be so
		id := resultID(was[len(was)-1])
		for j := 1; j < len(rest); j++ {
			if id == "" || resultID(rest[j]) != id ||
				slices.ContainsFunc(rest, func(r json.RawMessage) bool { return thinks.Match(r) }) {
				continue
			}
			moved := slices.Concat(rest[:j-1], rest[j+1:], rest[j-1:j+1])
			all = append(all, withTurns(t, provider, out, moved))
		}
	}
	return all
}

// thinks matches a turn with reasoning, which may be signed.
var thinks = regexp.MustCompile(`reason|hinking|hought`)

// ids are what a result names its call by.
var ids = regexp.MustCompile(`"(?:tool_use_id|tool_call_id|call_id|toolUseId)":"([^"]*)"`)

// resultID is the id in a result, "" for anything else.
func resultID(turn json.RawMessage) string {
	id := ids.FindSubmatch(turn)
	if id == nil || bytes.Contains(turn, []byte(`"function_call"`)) {
		return ""
	}
	return string(id[1])
}

func turnsOf(t tester, provider string, body []byte) (turns []json.RawMessage) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal(members[list(provider)], &turns) != nil {
		return nil
	}
	return turns
}

func withTurns(t tester, provider string, body []byte, turns []json.RawMessage) []byte {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	members[list(provider)], _ = json.Marshal(turns)
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
