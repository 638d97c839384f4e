package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

func TestDropEmpty(t *testing.T) {
	blank := preflight.Profile{
		Content: provider.ContentRules{
			RefuseEmptyText: true, RefuseBlankText: true, RefuseEmptyMessage: true,
			ErrorNeedsText: true,
		},
	}
	empty := preflight.Profile{
		Content: provider.ContentRules{RefuseEmptyText: true, RefuseEmptyMessage: true},
	}
	wordy := preflight.Profile{
		Content: provider.ContentRules{RefuseEmptyText: true, ResultNeedsText: true},
	}
	apart := preflight.Profile{
		Pairing: provider.PairingRules{ResultRole: "tool", OneResultPerMessage: true},
	}
	pair := func(r *preflight.ToolResult) []preflight.Message {
		return history(userMsg(says("q")), botMsg(calls("a")), toolMsg(r))
	}
	silent := &preflight.ToolResult{CallID: "a", IsError: true}
	spoken := &preflight.ToolResult{
		CallID: "a", IsError: true,
		Content: []preflight.Part{says("(no error text)")},
	}
	runFixer(t, preflight.Fixers.DropEmpty, []fixerCase{
		{
			name: "empty text is removed, its neighbours stay", profile: empty,
			in:    history(userMsg(says(""), says("q"))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.EmptyRemoved),
		},
		{
			name: "blank text stays where only empty text is refused", profile: empty,
			in: history(userMsg(says(" "))),
		},
		{
			name: "blank text is removed where it is refused", profile: blank,
			in:    history(userMsg(says(" \n\u00a0"), says("q"))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.EmptyRemoved),
		},
		{
			name: "a message is removed with its last text", profile: blank,
			in:    history(userMsg(says("q")), botMsg(says(""))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.EmptyRemoved),
		},
		{
			name: "a message without parts is removed", profile: blank,
			in:    history(userMsg(says("q")), botMsg()),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.MessageRemoved),
		},
		{
			name: "a message without parts is between calls and their results", profile: apart,
			in: history(userMsg(says("q")), botMsg(calls("a"), calls("b")), botMsg(),
				toolMsg(answers("a", "1")), userMsg(), botMsg(), toolMsg(answers("b", "2"))),
			want: history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1")), toolMsg(answers("b", "2"))),
			codes: warned(codes.MessageRemoved, codes.MessageRemoved, codes.MessageRemoved),
		},
		{
			name: "elsewhere it may be one", profile: apart,
			in: history(userMsg(), userMsg(says("q")), botMsg(), botMsg(calls("a")),
				toolMsg(answers("a", "1")), botMsg(), userMsg(says("n")), botMsg()),
		},
		{
			name: "reasoning, media and unknown parts are content", profile: blank,
			in: history(userMsg(image()), botMsg(redacted()),
				userMsg(&preflight.Other{Kind: "new"})),
		},
		{
			name: "a result may be empty", profile: blank,
			in: pair(&preflight.ToolResult{CallID: "a"}),
		},
		{
			name: "empty text in a result is removed", profile: blank,
			in: pair(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says(" "), says("x")},
			}),
			want:  pair(answers("a", "x")),
			codes: warned(codes.EmptyRemoved),
		},
		{
			name: "an error says something", profile: blank,
			in:    pair(silent),
			want:  pair(spoken),
			codes: warned(codes.ResultFilled),
		},
		{
			name: "a result that needs a text is not given one that is refused", profile: wordy,
			in:    pair(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("")}}),
			want:  pair(answers("a", "(no output)")),
			codes: warned(codes.EmptyRemoved, codes.ResultFilled),
		},
		{name: "nothing is refused", in: history(userMsg(says("")), botMsg())},
	})
}

// TestDropEmptyWarnings: the problem of what is removed, and of what is given a text.
func TestDropEmptyWarnings(t *testing.T) {
	q, call := userMsg(says("q")), botMsg(calls("a"))
	empty := preflight.Profile{
		Content: provider.ContentRules{
			RefuseEmptyText: true, RefuseEmptyMessage: true, ErrorNeedsText: true,
		},
	}
	needs := preflight.Profile{Content: provider.ContentRules{ResultNeedsText: true}}
	errors := preflight.Profile{Content: provider.ContentRules{ErrorNeedsText: true}}
	hollow := preflight.Profile{
		Content: provider.ContentRules{
			NeedsText: []preflight.Role{
				preflight.RoleAssistant, preflight.RoleSystem, preflight.RoleTool,
			},
		},
	}
	pair := func(r *preflight.ToolResult) []preflight.Message {
		return history(q, call, toolMsg(r))
	}
	of := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: parts}
	}
	output := &preflight.ToolResult{CallID: "a", IsError: true, Output: []byte(`{"n":1}`)}
	silent := &preflight.ToolResult{
		CallID: "a", IsError: true,
		Content: []preflight.Part{says(""), says("")},
	}
	spoken := &preflight.ToolResult{
		CallID: "a", IsError: true,
		Content: []preflight.Part{says("(no error text)")},
	}
	const filled = "result-filled 2.0 preflight/result-empty of a"
	runFixer(t, preflight.Fixers.DropEmpty, []fixerCase{
		{
			name: "a breakpoint on empty text", profile: empty,
			in:   history(userMsg(cached(&preflight.Text{}), says("q"))),
			want: history(userMsg(cached(&preflight.Text{Text: "q"}))),
			report: []string{
				"empty-part-removed 0.0 preflight/cache-empty-text",
				"cache-moved 0.0 preflight/cache-empty-text",
			},
		},
		{
			name: "empty text", profile: empty,
			in:     history(userMsg(says("q"), says(""))),
			want:   history(q),
			report: []string{"empty-part-removed 0.1 preflight/empty-text"},
		},
		{
			name:    "blank text",
			profile: preflight.Profile{Content: provider.ContentRules{RefuseBlankText: true}},
			in:      history(userMsg(says("q"), says("\t"))),
			want:    history(q),
			report:  []string{"empty-part-removed 0.1 preflight/blank-text"},
		},
		{
			name: "messages of nothing", profile: empty,
			in:   history(sysMsg(), q, userMsg()),
			want: history(q),
			report: []string{
				"message-removed 0 preflight/system-content",
				"message-removed 2 preflight/empty-message",
			},
		},
		{
			name: "empty text in an error", profile: empty,
			in:   pair(silent),
			want: pair(spoken),
			report: []string{
				"empty-part-removed 2.0 preflight/empty-text of a",
				"result-filled 2.0 preflight/error-empty of a",
			},
		},
		{name: "an error with an output says something", profile: empty, in: pair(output)},
		{name: "a result that is no error may be empty", profile: errors, in: pair(of())},
		{
			name: "a result needs content, which may be empty", profile: needs,
			in:     pair(of()),
			want:   pair(of(says(""))),
			report: []string{filled},
		},
		{name: "an output is content", profile: needs, in: pair(output)},
		{name: "so is empty text", profile: needs, in: pair(of(says("")))},
		{
			name: "and an error that says nothing needs no more", profile: needs,
			in: pair(&preflight.ToolResult{CallID: "a", IsError: true}),
			want: pair(&preflight.ToolResult{
				CallID: "a", IsError: true,
				Content: []preflight.Part{says("")},
			}),
			report: []string{filled},
		},
		{
			name: "a message of nothing but empty text and reasoning", profile: hollow,
			in:   history(q, botMsg(says(""), &preflight.Reasoning{})),
			want: history(q),
			report: []string{
				"message-removed 1.0 preflight/empty-message",
				"message-removed 1.1 preflight/empty-message",
			},
		},
		{
			name: "of the system's", profile: hollow,
			in:     history(sysMsg(says("")), q),
			want:   history(q),
			report: []string{"message-removed 0.0 preflight/system-content"},
		},
		{
			name: "of the user, from whom no content is required", profile: hollow,
			in: history(userMsg(says(""))),
		},
		{
			name: "reasoning that says something", profile: hollow,
			in: history(q, botMsg(says(""), thinks("hm", ""))),
		},
		{
			name: "reasoning that is signed", profile: hollow,
			in: history(q, botMsg(says(""), redacted())),
		},
		{
			name: "anything else", profile: hollow,
			in: history(q, botMsg(says(""), image()), botMsg(says(""), waits("w"))),
		},
		{name: "no parts are not concerned", profile: hollow, in: history(q, botMsg())},
		{
			name: "a result without text", profile: hollow,
			in:     pair(of(says(""))),
			want:   pair(of(says("(no output)"))),
			report: []string{filled},
		},
		{
			name: "an empty result", profile: hollow,
			in:     pair(of()),
			want:   pair(of(says("(no output)"))),
			report: []string{filled},
		},
		{name: "a result with an output", profile: hollow, in: pair(output)},
		{
			name: "a result with media",
			profile: preflight.Profile{
				Content: provider.ContentRules{NeedsText: hollow.Content.NeedsText},
				Media:   provider.MediaRules{InResult: true},
			},
			in: pair(of(says(""), image())),
		},
		{
			name: "the result of the provider's own tool",
			profile: preflight.Profile{
				Content: provider.ContentRules{
					NeedsText: hollow.Content.NeedsText, ResultNeedsText: true,
					RefuseEmptyText: true, ErrorNeedsText: true,
				},
			},
			in: history(q,
				botMsg(searches("s"),
					&preflight.ToolResult{
						CallID: "s", ProviderExecuted: true, IsError: true,
						Content: []preflight.Part{says("")},
					}, says("a"))),
		},
	})
}

// TestEmptyTextBesideResults: where results become messages of their own, empty text beside them
// would be a message without text.
func TestEmptyTextBesideResults(t *testing.T) {
	profile := provider.Moonshot("kimi-k2")
	h := history(userMsg(says("q")), botMsg(&preflight.Reasoning{Text: "r"}, calls("f_1")),
		userMsg(answers("f_1", "ok"), says("")))
	require.Len(t, preflight.Check(h, profile, nil), 1)
	res, err := preflight.Sanitize(context.Background(), h, profile, nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, h[2].Parts[:1], res.Messages[2].Parts, "the result stays")
	require.Empty(t, preflight.Check(res.Messages, profile, nil))
}
