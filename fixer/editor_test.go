package fixer_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
)

// TestEditorIndices: indices are those of the given history, whatever was changed before.
func TestEditorIndices(t *testing.T) {
	history := []preflight.Message{
		preflight.UserText("a"), preflight.AssistantText("b"), preflight.UserText("c"),
		preflight.AssistantText("d"),
	}
	edit := fixer.NewEditor(history)
	edit.Insert(0, preflight.SystemText("s"), "in", "inserted")
	edit.Remove(1, "out", "removed")
	edit.Replace(2, preflight.UserText("long"), "re", "replaced")
	edit.Move(3, 2, "mv", "moved")
	edit.Insert(4, preflight.UserText("z"), "in", "inserted at the end")
	got, warnings := edit.Result()
	require.Empty(t, cmp.Diff([]preflight.Message{
		preflight.SystemText("s"), preflight.UserText("a"), preflight.AssistantText("d"),
		preflight.UserText("long"), preflight.UserText("z"),
	}, got))
	require.Empty(t, cmp.Diff([]preflight.Warning{
		{Code: "in", At: preflight.At(0), Detail: "inserted",
			Added: preflight.Tally{Texts: 1, Bytes: 1}},
		{Code: "out", At: preflight.At(1), Detail: "removed",
			Removed: preflight.Tally{Texts: 1, Bytes: 1}},
		{Code: "re", At: preflight.At(2), Detail: "replaced",
			Removed: preflight.Tally{Texts: 1, Bytes: 1},
			Added:   preflight.Tally{Texts: 1, Bytes: 4}},
		{Code: "mv", At: preflight.At(3), Detail: "moved"},
		{Code: "in", At: preflight.At(3), Detail: "inserted at the end",
			Added: preflight.Tally{Texts: 1, Bytes: 1}},
	}, warnings))
	require.Equal(t, codes.Lossy, warnings[1].Class())
	require.Equal(t, codes.Lossless, warnings[3].Class())
}

// TestEditorParts: an edit of a part counts the part alone, and reports where it was.
func TestEditorParts(t *testing.T) {
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	call := &preflight.ToolCall{ID: "call_1", Name: "f", Input: []byte(`{}`)}
	history := []preflight.Message{
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{text("TODO"), text("done"), call}},
		preflight.UserText("only"),
	}
	edit := fixer.NewEditor(history)
	edit.RemovePart(0, 0, "todo", "removed")
	edit.ReplacePart(0, 1, text("all done"), "said", "replaced")
	edit.RemovePart(0, 2, "call", "removed a call")
	edit.RemovePart(1, 0, "only", "removed all")
	got, warnings := edit.Result()
	require.Empty(t, cmp.Diff([]preflight.Message{
		preflight.AssistantText("all done"), {Role: preflight.RoleUser},
	}, got))
	require.Empty(t, cmp.Diff([]preflight.Warning{
		{Code: "todo", At: preflight.At(0, 0), Detail: "removed",
			Removed: preflight.Tally{Texts: 1, Bytes: 4}},
		{Code: "said", At: preflight.At(0, 1), Detail: "replaced",
			Removed: preflight.Tally{Texts: 1, Bytes: 4},
			Added:   preflight.Tally{Texts: 1, Bytes: 8}},
		{Code: "call", At: preflight.At(0, 2), Detail: "removed a call", ToolCallID: "call_1",
			Removed: preflight.Tally{Calls: 1, Bytes: 2}},
		{Code: "only", At: preflight.At(1, 0), Detail: "removed all",
			Removed: preflight.Tally{Texts: 1, Bytes: 4}},
	}, warnings))
	require.Len(t, history[0].Parts, 3)
}

// TestEditorNilParts: a history that was not repaired yet may hold nil parts.
func TestEditorNilParts(t *testing.T) {
	history := []preflight.Message{{Role: preflight.RoleAssistant, Parts: []preflight.Part{
		nil, (*preflight.ToolCall)(nil), (*preflight.ToolResult)(nil), &preflight.Text{Text: "a"},
	}}}
	edit := fixer.NewEditor(history)
	for j := range 3 {
		edit.RemovePart(0, j, "nil", "removed a nil part")
	}
	got, warnings := edit.Result()
	require.Empty(t, cmp.Diff([]preflight.Message{preflight.AssistantText("a")}, got))
	require.Len(t, warnings, 3)
}

func TestEditorUnused(t *testing.T) {
	history := []preflight.Message{preflight.UserText("a")}
	got, warnings := fixer.NewEditor(history).Result()
	require.Same(t, &history[0], &got[0])
	require.Nil(t, warnings)
}

func TestEditorOutOfRange(t *testing.T) {
	for name, call := range map[string]func(*fixer.Editor){
		"remove": func(e *fixer.Editor) { e.Remove(1, "x", "x") },
		"insert": func(e *fixer.Editor) { e.Insert(2, preflight.UserText("b"), "x", "x") },
		"move":   func(e *fixer.Editor) { e.Move(0, 2, "x", "x") },
		"part":   func(e *fixer.Editor) { e.RemovePart(0, 1, "x", "x") },
		"part of none": func(e *fixer.Editor) {
			e.Remove(0, "x", "x")
			e.ReplacePart(0, 0, &preflight.Text{}, "x", "x")
		},
	} {
		roomy := make([]preflight.Message, 1, 4)
		edit := fixer.NewEditor(roomy)
		require.Panics(t, func() { call(edit) }, name)

		pipeline, err := preflight.NewPipeline(preflight.Fixer{Name: "mine", Fix: func(
			history []preflight.Message, _ *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			edit := fixer.NewEditor(history)
			call(edit)
			return edit.Result()
		}})
		require.NoError(t, err)
		_, err = pipeline.Sanitize(t.Context(), []preflight.Message{preflight.UserText("a")},
			provider.Anthropic(""), nil)
		require.ErrorContains(t, err, "mine", name)
	}
}

// TestEditorCounts: whatever is edited, the output holds what the input held, less what the
// warnings say was removed, and what they say was added; and the input is not written to.
func TestEditorCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "messages")
		history := make([]preflight.Message, n)
		for i := range history {
			history[i] = preflight.UserText(rapid.StringN(0, 5, 20).Draw(t, "text"))
			history[i].Parts = append(history[i].Parts, &preflight.Text{Text: "second"})
		}
		before := append([]preflight.Message(nil), history...)
		edit := fixer.NewEditor(history)
		for range rapid.IntRange(0, 12).Draw(t, "edits of parts") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, 1).Draw(t, "j")
			if rapid.Bool().Draw(t, "remove") {
				edit.RemovePart(i, j, "c", "d")
			} else {
				edit.ReplacePart(i, j, preflight.AssistantText("new").Parts[0], "c", "d")
			}
		}
		_, sofar := edit.Result()
		steps := len(sofar) + rapid.IntRange(0, 12).Draw(t, "steps")
		for range steps - len(sofar) {
			i := rapid.IntRange(0, n-1).Draw(t, "i")
			m := preflight.AssistantText(rapid.StringN(0, 5, 20).Draw(t, "new"))
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				edit.Remove(i, "c", "d")
			case 1:
				edit.Replace(i, m, "c", "d")
			case 2:
				edit.Insert(rapid.IntRange(0, n).Draw(t, "before"), m, "c", "d")
			case 3:
				edit.Move(i, rapid.IntRange(0, n).Draw(t, "before"), "c", "d")
			}
		}
		got, warnings := edit.Result()
		require.Len(t, warnings, steps)
		have, want := preflight.TallyOf(got...), preflight.TallyOf(history...)
		for _, w := range warnings {
			have, want = have.Plus(w.Removed), want.Plus(w.Added)
		}
		require.Equal(t, want, have)
		require.Empty(t, cmp.Diff(before, history))
	})
}

// TestResultOf: a call and its result, made by the short constructors, need no repair, and the
// result of a failed tool has its output and its error.
func TestResultOf(t *testing.T) {
	call := &preflight.ToolCall{ID: "call_1", Name: "read", Input: []byte(`{}`)}
	history := []preflight.Message{
		preflight.UserText("Read it."),
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{call}},
		preflight.ResultOf(call, "text", nil),
	}
	result, err := preflight.Sanitize(t.Context(), history, provider.OpenAIChat(""), nil)
	require.NoError(t, err)
	require.False(t, result.Changed)

	for _, test := range []struct {
		output string
		err    error
		want   string
	}{
		{"text", nil, "text"},
		{"", nil, ""},
		{"", errors.New("exit status 1"), "exit status 1"},
		{"no such file", errors.New("exit status 1"), "no such file\nexit status 1"},
	} {
		m := preflight.ResultOf(call, test.output, test.err)
		require.Equal(t, []preflight.Part{&preflight.ToolResult{
			CallID: "call_1", Name: "read", IsError: test.err != nil,
			Content: []preflight.Part{&preflight.Text{Text: test.want}},
		}}, m.Parts)
	}
}

// TestHookFunc: a plain function is a hook.
func TestHookFunc(t *testing.T) {
	hook := preflight.HookFunc("shorten", func(m preflight.Message) preflight.Message {
		m.Parts = m.Parts[:1]
		return m
	})
	history := []preflight.Message{{Role: preflight.RoleUser, Parts: []preflight.Part{
		&preflight.Text{Text: "a"}, &preflight.Text{Text: "b"},
	}}}
	result, err := preflight.Sanitize(t.Context(), history, provider.Anthropic(""),
		&preflight.Options{Hooks: []preflight.Hook{hook}})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]preflight.Message{preflight.UserText("a")}, result.Messages))
	require.Len(t, result.Warnings, 1)
	require.Equal(t, codes.Hook, result.Warnings[0].Code)
}
