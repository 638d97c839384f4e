package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file holds TunaCode's cases and tests: the clean-up loop, the sanitizing on resume, and the forward patch that took
// its place. A case about one function runs the fixer that does the same; one about the whole loop runs Resume.

// pairing runs the fixer that stands for remove_dangling_tool_calls.
func pairing() step { return applying(nil, preflight.PairToolCalls) }

// patching answers calls as TunaCode's forward patch does.
func patching() step {
	o := preflight.InterruptedOptions()
	o.DanglingText = "Tool execution aborted"
	return interrupting(&o)
}

// requireResumable asserts what holds for any history TunaCode cleans up: all user text is still there, in order, completed
// results too, and the history can be sent to a strict provider once it is sanitized for it, without losing more.
func requireResumable(t testing.TB, in []preflight.Message, out preflight.Result) {
	t.Helper()
	require.Equal(t, userTexts(in), userTexts(out.Messages))
	profile := preflight.Portable()
	o := preflight.ResumeOptions()
	sent := runSystem(t, in, sanitizing(preflight.ContextSanitizer(), profile, o))
	profile.RefusePrefill = false
	require.Empty(t, preflight.Check(sent.Messages, &profile))
	left := userTexts(sent.Messages)
	if len(left) > 0 && left[0] == preflight.DefaultPlaceholder {
		left = left[1:]
	}
	require.Equal(t, userTexts(in), left)
}

func userTexts(h []preflight.Message) []string {
	var users []preflight.Message
	for _, m := range h {
		if m.Role == preflight.RoleUser {
			users = append(users, m)
		}
	}
	return texts(users)
}

// results are the ids of all results and what they say.
func results(h []preflight.Message) map[string]string {
	out := make(map[string]string)
	for _, r := range every[*preflight.ToolResult](h) {
		out[r.CallID] = r.Content[0].(*preflight.Text).Text
	}
	return out
}

func callIDs(h []preflight.Message) []string {
	var out []string
	for _, c := range every[*preflight.ToolCall](h) {
		out = append(out, c.ID)
	}
	return out
}

var tunacodeCases = map[string]func(*testing.T, string){
	"tuna-01-dangling-single": func(t *testing.T, name string) {
		for _, run := range []step{pairing(), resuming(nil)} {
			_, out := runCase(t, name, run)
			require.True(t, out.Changed)
			require.Empty(t, out.Messages)
			require.Equal(t, []string{"call_timeout123"}, out.Pruned(), "what the registry has to forget")
		}
	},
	"tuna-02-dangling-two-messages": func(t *testing.T, name string) {
		for _, run := range []step{pairing(), resuming(nil)} {
			_, out := runCase(t, name, run)
			require.True(t, out.Changed)
			require.Empty(t, out.Messages)
		}
	},
	"tuna-04-empty-list": func(t *testing.T, name string) {
		profile := preflight.Portable()
		for _, run := range []step{pairing(), resuming(nil), resuming(&profile)} {
			_, out := runCase(t, name, run)
			require.False(t, out.Changed)
			require.Empty(t, out.Messages)
		}
	},
	"tuna-05-trailing-many": func(t *testing.T, name string) {
		in, out := runCase(t, name, pairing())
		require.True(t, out.Changed)
		require.Empty(t, cmp.Diff(in[:1], out.Messages), "only the leading message is left")
	},
	"tuna-07-only-unmatched-removed": func(t *testing.T, name string) {
		for _, run := range []step{pairing(), resuming(nil)} {
			in, out := runCase(t, name, run)
			require.Empty(t, cmp.Diff(in[:2], out.Messages))
			require.Equal(t, []string{"call_unmatched"}, out.Pruned())
		}
	},
	"tuna-08-retry-prompt-pruned-with-call": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireUntouched(t, in, out) // an error result answers its call
	},
	"tuna-10-find-dangling-none": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireUntouched(t, in, out)
		require.Empty(t, out.Pruned())
	},
	"tuna-20-dangling-then-user": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Len(t, out.Messages, 1)
		require.Equal(t, []string{"a", "b"}, texts(out.Messages))
	},
	"tuna-22-return-then-user-collapses-whole-turn": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Equal(t, map[string]string{"1": "ok"}, results(out.Messages))
		require.Len(t, out.Messages, 3)
		require.Len(t, out.Messages[2].Parts, 2, "the result and the next prompt are one turn")
	},
	"tuna-23-retry-answered-call-in-healthy-history-erased": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireUntouched(t, in, out)
	},
	"tuna-25-orphan-return-not-repaired": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Empty(t, results(out.Messages))
		require.Equal(t, []string{"9"}, out.Pruned())
	},
	"tuna-26-empty-response": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Equal(t, []string{"a", "b", "x"}, texts(out.Messages))
	},
	"tuna-28-partial-parallel-then-user": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Equal(t, []string{"1"}, callIDs(out.Messages), "call 2 goes alone")
		require.Equal(t, map[string]string{"1": "ok"}, results(out.Messages))
	},
	"tuna-29-consecutive-requests-keep-last": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Len(t, out.Messages, 2)
	},
	"tuna-31-starts-with-response": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireUntouched(t, in, out)
		profile := preflight.Portable()
		_, out = runCase(t, name, resuming(&profile))
		require.Equal(t, preflight.RoleUser, out.Messages[0].Role)
		require.Equal(t, []string{preflight.DefaultPlaceholder, "x", "a"}, texts(out.Messages))
	},
	"tuna-32-duplicate-call-id-masks-dangling": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Equal(t, []string{"1"}, out.Pruned())
		require.Len(t, every[*preflight.ToolCall](out.Messages), 1, "the second call has no answer, whatever its id")
	},
	"tuna-34-empty-text-response-kept": func(t *testing.T, name string) {
		in, out := runCase(t, name, resuming(nil))
		requireResumable(t, in, out)
		require.Equal(t, []string{"a", "b"}, texts(out.Messages), "blank text says nothing")
	},
	"tuna-40-resume-strips-system-and-run-id": func(t *testing.T, name string) {
		o := preflight.ResumeOptions()
		_, out := runCase(t, name, applying(&o, preflight.StripSystem, preflight.ClearBindings))
		require.Len(t, out.Messages, 4)
		require.Equal(t, []string{"a", "x", "k"}, texts(out.Messages))
		require.Empty(t, out.Messages[2].Parts, "a message that was empty already stays")
		for _, m := range out.Messages {
			require.Nil(t, m.Meta)
		}
		_, out = runCase(t, name, resuming(nil))
		require.Equal(t, []string{"a", "x", "k"}, texts(out.Messages))
		require.Len(t, out.Messages, 3, "the whole of Resume drops it too")
	},
	"tuna-50-forward-patch-multiple-missing": func(t *testing.T, name string) {
		in, out := runCase(t, name, patching())
		require.Equal(t, map[string]string{"t1": "done", "t2": "Tool execution aborted", "t3": "Tool execution aborted"}, results(out.Messages))
		require.Equal(t, 2, out.Count(preflight.CodeDanglingAnswered))
		require.True(t, out.Removed.IsZero(), "nothing is removed")
		require.Len(t, out.Messages, len(in), "results stand where this history keeps them")
		require.Same(t, in[2].Parts[0], out.Messages[2].Parts[0], "the result that came stays")
	},
	"tuna-52-forward-patch-noop-no-calls": func(t *testing.T, name string) {
		in, out := runCase(t, name, patching())
		requireUntouched(t, in, out)
	},
	"tuna-53-forward-patch-keeps-completed-result": func(t *testing.T, name string) {
		_, out := runCase(t, name, patching())
		require.Equal(t, map[string]string{"tool-a": "file contents here", "tool-b": "Tool execution aborted"}, results(out.Messages))
		for _, r := range every[*preflight.ToolResult](out.Messages) {
			require.Equal(t, r.CallID == "tool-b", r.IsError)
		}
	},
}

// pydantic decodes pydantic-ai messages.
func pydantic(t testing.TB, messages ...string) []preflight.Message {
	t.Helper()
	doc, err := jsonscan.Parse([]byte("[" + strings.Join(messages, ",") + "]"))
	require.NoError(t, err)
	return fromPydantic(doc.Root())
}

const (
	tunaPrompt = `{"kind":"request","parts":[{"part_kind":"user-prompt","content":"go"}]}`
	tunaReply  = `{"kind":"response","parts":[{"part_kind":"text","content":"done"}]}`
)

func tunaCall(id string) string {
	return `{"kind":"response","parts":[{"part_kind":"tool-call","tool_call_id":"` + id + `","tool_name":"bash","args":{"command":"ls"}}]}`
}

func tunaReturn(id string) string {
	return `{"kind":"request","parts":[{"part_kind":"tool-return","tool_call_id":"` + id + `","tool_name":"bash","content":"ok"}]}`
}

// The tests of test_tool_call_lifecycle.py and test_sanitize_canonicalization.py.

func TestTunaCodeRemovesTrailingCalls(t *testing.T) {
	for calls := range 6 {
		t.Run(fmt.Sprint(calls), func(t *testing.T) {
			list := []string{`{"kind":"request","parts":[]}`}
			for k := range calls {
				list = append(list, tunaCall(fmt.Sprint("call_", k)))
			}
			in := pydantic(t, list...)
			out := runSystem(t, in, pairing())
			require.Equal(t, calls > 0, out.Changed)
			require.Empty(t, cmp.Diff(in[:1], out.Messages))
			require.Len(t, out.Pruned(), calls)
		})
	}
}

func TestTunaCodeRemovesACallAndKeepsTheMessageBehindIt(t *testing.T) {
	in := pydantic(t, tunaCall("c1"), tunaPrompt)
	out := runSystem(t, in, pairing())
	require.Len(t, out.Messages, 1)
	require.Same(t, in[1].Parts[0], out.Messages[0].Parts[0])
}

func TestTunaCodeKeepsAnsweredCalls(t *testing.T) {
	in := pydantic(t, tunaCall("c1"), tunaReturn("c1"))
	out := runSystem(t, in, resuming(nil))
	requireUntouched(t, in, out)
}

// TestTunaCodeReadsACleanHistoryOnce: a clean history comes back as it is, in no rounds.
func TestTunaCodeReadsACleanHistoryOnce(t *testing.T) {
	in := pydantic(t, tunaPrompt, tunaReply)
	out := runSystem(t, in, resuming(nil))
	requireUntouched(t, in, out)
	require.Zero(t, out.Rounds)
}

// The tests of the forward patch.

func TestTunaCodePatchLeavesMatchedCallsAlone(t *testing.T) {
	in := pydantic(t, tunaPrompt, tunaCall("c1"), tunaReturn("c1"))
	out := runSystem(t, in, patching())
	requireUntouched(t, in, out)
}

// TestTunaCodeAbortOrder: the call, its patched result, the partial answer.
func TestTunaCodeAbortOrder(t *testing.T) {
	in := pydantic(t, tunaPrompt, tunaCall("c1"))
	out := runSystem(t, in, func(h []preflight.Message) (preflight.Result, error) {
		return preflight.Abort(h, "I was about to", nil)
	})
	require.Len(t, out.Messages, 4)
	require.Same(t, in[1].Parts[0], out.Messages[1].Parts[0])
	require.Equal(t, map[string]string{"c1": preflight.DefaultDanglingText}, results(out.Messages[2:3]))
	require.Equal(t, preflight.RoleAssistant, out.Messages[3].Role)
	require.Equal(t, []string{"[INTERRUPTED]\n\nI was about to"}, texts(out.Messages[3:]))
}
