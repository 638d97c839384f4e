package preflight_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the presets where a golden file cannot: with functions of the caller's, with
// errors, and with inputs that no JSON holds. Its helpers run a preset and look into its result.

// step is one of the library's entry points, bound to its options.
type step func(history []preflight.Message) (preflight.Result, error)

func runSystem(t testing.TB, in []preflight.Message, run step) preflight.Result {
	t.Helper()
	before := dump(in)
	out, err := run(in)
	require.NoError(t, err)
	require.Equal(t, before, dump(in), "the input was written to")
	require.Equal(t, out.Changed, len(out.Warnings) > 0,
		"changes and warnings have to come together")
	again, err := run(out.Messages)
	require.NoError(t, err)
	require.False(t, again.Changed, "running again changed: %s", list(again.Warnings))
	return out
}

func persisting(options *preflight.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return preflight.Persist(context.Background(), h, options)
	}
}

func interrupting(options *preflight.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return preflight.RepairInterrupted(context.Background(), h, options)
	}
}

// applying runs single fixers, for cases that test one function of a system alone.
func applying(options *preflight.Options, fixers ...preflight.Fixer) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		var res preflight.Result
		res.Messages = h
		for _, f := range fixers {
			var warnings []preflight.Warning
			res.Messages, warnings = f.Apply(res.Messages, nil, options)
			res.Warnings = append(res.Warnings, warnings...)
		}
		res.Changed = len(res.Warnings) > 0
		return res, nil
	}
}

func sanitizing(
	pipeline *preflight.Pipeline,
	profile preflight.Profile,
	options preflight.Options,
) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return pipeline.Run(context.Background(), h, &profile, &options)
	}
}

// texts are all texts of a history, in order.
func texts(h []preflight.Message) []string {
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

// only is the single part of type P in a history.
func only[P preflight.Part](t testing.TB, h []preflight.Message) P {
	t.Helper()
	found := every[P](h)
	require.Len(t, found, 1)
	return found[0]
}

// every part of type P in a history.
func every[P preflight.Part](h []preflight.Message) []P {
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

// get is a string or raw value inside a JSON value, by path.
func get(t testing.TB, raw json.RawMessage, path ...string) jsonscan.Value {
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

func asInterrupted() *preflight.Options {
	o := preflight.Options{Dangling: preflight.DanglingAnswer}
	o.DanglingText = "The tool call was interrupted before a result was recorded."
	return &o
}

func metaOfPart(p preflight.Part) preflight.Metadata {
	switch p := p.(type) {
	case *preflight.Text:
		return p.Meta
	case *preflight.Reasoning:
		return p.Meta
	case *preflight.ToolCall:
		return p.Meta
	case *preflight.ToolResult:
		return p.Meta
	}
	return nil
}

func storedBytes(t testing.TB, m preflight.Message) int {
	t.Helper()
	body, err := m.MarshalJSON()
	require.NoError(t, err)
	return len(body)
}

func quotedRun(char string, n int) string { return `"` + strings.Repeat(char, n) + `"` }

func TestCloudflareRunsTheHookBehindTheBuiltInSteps(t *testing.T) {
	meta := preflight.Metadata{"openai": json.RawMessage(`{"itemId":"i"}`)}
	in := []preflight.Message{
		botMsg(&preflight.ToolCall{
			ID:      "c1",
			Name:    "myTool",
			Input:   json.RawMessage(`{}`),
			Carried: preflight.Carried{Meta: meta},
		}),
		toolMsg(&preflight.ToolResult{
			CallID: "c1",
			Output: json.RawMessage(`{"content":"sensitive"}`),
		}),
	}
	o := preflight.PersistOptions()
	seen, stripped := 0, true
	redact := redactContent()
	o.Hooks = []preflight.Hook{
		{
			Name: "count",
			Message: func(ctx context.Context, m preflight.Message) (preflight.Message, error) {
				seen++
				for _, p := range m.Parts {
					stripped = stripped && metaOfPart(p) == nil
				}
				return redact.Message(ctx, m)
			},
		},
	}
	out, err := preflight.Persist(context.Background(), in, &o)
	require.NoError(t, err)
	require.True(t, stripped, "the hook sees what the built-in steps left")
	require.Equal(t, len(in), seen, "once per message per run")
	require.Equal(t, "[custom-redacted]",
		get(t, only[*preflight.ToolResult](t, out.Messages).Output, "content").Str())
}

// TestCloudflareNormalizesInputs has the twelve values of the reference's normalizeToolInput. Where
// the reference empties what it cannot read, we keep it under _raw.
func TestCloudflareNormalizesInputs(t *testing.T) {
	for _, c := range []struct{ reason, input, want string }{
		{"an object stays", `{"q":"cats"}`, `{"q":"cats"}`},
		{"an empty object stays", `{}`, `{}`},
		{"a nested object stays", `{"a":{"b":[1.0]}}`, `{"a":{"b":[1.0]}}`},
		{"an encoded object is decoded", `"{\"q\":\"cats\"}"`, `{"q":"cats"}`},
		{"null is nothing", `null`, `{}`},
		{"nothing is nothing", ``, `{}`},
		{"an empty string is nothing", `""`, `{}`},
		{"an array is kept", `[1,2]`, `{"_raw":[1,2]}`},
		{"a number is kept", `42`, `{"_raw":42}`},
		{"a boolean is kept", `true`, `{"_raw":true}`},
		{"a string that is no object is kept", `"cats"`, `{"_raw":"cats"}`},
		{"a cut-off object is kept", `"{\"q\":\"ca"`, `{"_raw":"{\"q\":\"ca"}`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			in := []preflight.Message{
				botMsg(&preflight.ToolCall{
					ID:    "c",
					Name:  "search",
					Input: json.RawMessage(c.input),
				}),
				toolMsg(&preflight.ToolResult{CallID: "c", Output: json.RawMessage(`1`)}),
			}
			out := runSystem(t, in, interrupting(nil))
			require.Equal(t, c.want, string(only[*preflight.ToolCall](t, out.Messages).Input))
			require.Equal(t, c.input != c.want, out.Changed)
		})
	}
}

// results are the ids of all results and what they say.
func results(h []preflight.Message) map[string]string {
	out := make(map[string]string)
	for _, r := range every[*preflight.ToolResult](h) {
		out[r.CallID] = r.Content[0].(*preflight.Text).Text
	}
	return out
}

// TestTunaCodeAbortOrder: the call, its patched result, the partial answer.
func TestTunaCodeAbortOrder(t *testing.T) {
	in := []preflight.Message{user("go"), call("c1")}
	out := runSystem(t, in, func(h []preflight.Message) (preflight.Result, error) {
		return preflight.Abort(h, "I was about to", nil)
	})
	require.Len(t, out.Messages, 4)
	require.Same(t, in[1].Parts[0], out.Messages[1].Parts[0])
	require.Equal(t, map[string]string{"c1": preflight.DefaultDanglingText},
		results(out.Messages[2:3]))
	require.Equal(t, preflight.RoleAssistant, out.Messages[3].Role)
	require.Equal(t, []string{"[INTERRUPTED]\n\nI was about to"}, texts(out.Messages[3:]))
}

// articlePipeline returns the article's pipeline without its options.
func articlePipeline() *preflight.Pipeline {
	p, _ := preflight.ContextSanitizer()
	return p
}

func TestArticleNamesItsSteps(t *testing.T) {
	var names []string
	for _, f := range preflight.FixersOf(articlePipeline()) {
		names = append(names, f.Name)
	}
	last := -1
	for _, step := range []string{
		preflight.StepPair, preflight.StepEmpties, preflight.StepMerge, preflight.StepAlternate,
		preflight.StepTrailing,
	} {
		at := slices.Index(names, step)
		require.Greater(t, at, last, step)
		last = at
	}
	require.Len(t, names, len(preflight.DefaultFixers()))
}

// TestArticleStrictModeAndFallback: two different answers to one call are ambiguous.
func TestArticleStrictModeAndFallback(t *testing.T) {
	answer := func(text string) preflight.Part {
		return &preflight.ToolResult{CallID: "c1", Content: []preflight.Part{says(text)}}
	}
	in := []preflight.Message{
		user("first"),
		call("c1"),
		userMsg(answer("yes"), answer("no"), says("last")),
	}
	pipeline, options := preflight.ContextSanitizer()
	options.Strict = true
	out := runSystem(t, in, sanitizing(pipeline, *provider.Portable(), options))
	require.Equal(t, codes.Fallback, out.Warnings[0].Code)
	require.Equal(t, []string{"last"}, texts(out.Messages))

	options.FallbackToLastUser = false
	profile := provider.Portable()
	out, err := pipeline.Run(context.Background(), in, profile, &options)
	require.ErrorIs(t, err, preflight.ErrAmbiguous)
	var ambiguous *preflight.Error
	require.True(t, errors.As(err, &ambiguous))
	require.Len(t, ambiguous.Choices, 1)
	require.Empty(t, cmp.Diff(in, out.Messages), "on error the input comes back")
}

func callIDs(h []preflight.Message) []string {
	var out []string
	for _, c := range every[*preflight.ToolCall](h) {
		out = append(out, c.ID)
	}
	return out
}

// requireAnswered asserts that a call has the error result of the reference after it.
func requireAnswered(t testing.TB, h []preflight.Message, id string) {
	t.Helper()
	for _, r := range every[*preflight.ToolResult](h) {
		if r.CallID == id {
			require.True(t, r.IsError)
			require.Equal(t, "The tool call was interrupted before a result was recorded.",
				r.Content[0].(*preflight.Text).Text)
			return
		}
	}
	t.Fatalf("call %s has no result", id)
}
