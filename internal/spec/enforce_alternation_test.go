package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests alternation and the turns that it inserts.

func TestEnforceAlternation(t *testing.T) {
	first := preflight.Profile{Turns: provider.TurnRules{UserFirst: true}}
	speaks := preflight.Profile{Turns: provider.TurnRules{UserSpeaks: true}}
	resumed := userMsg(says("(conversation resumed)"))
	runFixer(t, preflight.Fixers.EnforceAlternation, []fixerCase{
		{
			name: "a window that starts with an answer", profile: first,
			in:    history(botMsg(says("a"))),
			want:  history(resumed, botMsg(says("a"))),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "after the system messages", profile: first,
			in:    history(sysMsg(says("s")), botMsg(says("a"))),
			want:  history(sysMsg(says("s")), resumed, botMsg(says("a"))),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "where nothing but system messages is left", profile: first,
			in:    history(sysMsg(says("s"))),
			want:  history(sysMsg(says("s")), resumed),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "in the caller's words", profile: first,
			options: preflight.Options{Placeholder: "go on"},
			in:      history(botMsg(says("a"))),
			want:    history(userMsg(says("go on")), botMsg(says("a"))),
			codes:   warned(codes.TurnInserted),
		},
		{
			name: "the user speaks first", profile: first,
			in: history(sysMsg(says("s")), userMsg(says("q"))),
		},
		{name: "anybody may", in: history(botMsg(says("a")))},
		{
			name: "the user speaks later", profile: speaks,
			in: history(sysMsg(says("s")), botMsg(says("a")), userMsg(says("q"))),
		},
		{
			name: "the user says nothing but results", profile: speaks,
			in:    history(botMsg(calls("a")), userMsg(answers("a", "1"))),
			want:  history(resumed, botMsg(calls("a")), userMsg(answers("a", "1"))),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "nobody says anything", profile: speaks,
			in:    history(sysMsg(says("s"))),
			want:  history(sysMsg(says("s")), resumed),
			codes: warned(codes.TurnInserted),
		},
	})
}

func TestBridgeResults(t *testing.T) {
	bridges := preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}}
	bridgesDocuments := preflight.Profile{Turns: provider.TurnRules{BridgeDocuments: true}}
	bridge := botMsg(says("I have read the tool results."))
	csv := &preflight.Media{Kind: "document", MediaType: "text/csv", Data: "YSxiCg=="}
	pdf := &preflight.Media{Kind: "document", MediaType: "application/pdf", Data: "JVBERi0="}
	q, call, result := userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "1"))
	runFixer(t, preflight.Fixers.BridgeResults, []fixerCase{
		{
			name: "the assistant speaks between results and the user", profile: bridges,
			in:    history(q, call, result, q),
			want:  history(q, call, result, botMsg(says("I have read the tool results.")), q),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "in the caller's words", profile: bridges,
			options: preflight.Options{Bridge: "Seen."},
			in:      history(q, call, result, q),
			want:    history(q, call, result, botMsg(says("Seen.")), q),
			codes:   warned(codes.TurnInserted),
		},
		{
			name: "a document beside results", profile: bridgesDocuments,
			in:    history(q, call, userMsg(answers("a", "1"), says("and"), csv)),
			want:  history(q, call, userMsg(answers("a", "1")), bridge, userMsg(says("and"), csv)),
			codes: warned(codes.PartMoved, codes.PartMoved, codes.TurnInserted),
		},
		{
			name: "a document after results", profile: bridgesDocuments,
			in:    history(q, call, userMsg(answers("a", "1")), userMsg(csv)),
			want:  history(q, call, userMsg(answers("a", "1")), bridge, userMsg(csv)),
			codes: warned(codes.TurnInserted),
		},
		{
			name: "a PDF file beside results", profile: bridgesDocuments,
			in: history(q, call, userMsg(answers("a", "1"), says("and"), pdf)),
		},
		{
			name: "a document in a later turn", profile: bridgesDocuments,
			in: history(q, call, userMsg(answers("a", "1")), bridge, userMsg(csv)),
		},
		{name: "the history ends on results", profile: bridges, in: history(q, call, result)},
		{name: "not asked for", in: history(q, call, result, q)},
	})
}

// TestFirstTurnWarnings: what is missing, and where.
func TestFirstTurnWarnings(t *testing.T) {
	first := preflight.Profile{
		Roles: []preflight.Role{"system", "human", "user", "assistant", "tool"},
		Turns: provider.TurnRules{UserFirst: true},
	}
	resumed := userMsg(says("(conversation resumed)"))
	runFixer(t, preflight.Fixers.EnforceAlternation, []fixerCase{
		{
			name: "the first turn is the assistant's", profile: first,
			in:     history(sysMsg(says("s")), botMsg(says("a"))),
			want:   history(sysMsg(says("s")), resumed, botMsg(says("a"))),
			report: []string{"turn-inserted 1 preflight/first-role"},
		},
		{
			name: "there is no turn", profile: first,
			in:     history(sysMsg(says("s"))),
			want:   history(sysMsg(says("s")), resumed),
			report: []string{"turn-inserted 0 preflight/no-messages"},
		},
		{name: "none is needed", in: history(sysMsg(says("s")))},
		{
			name: "whatever the user is called", profile: first,
			in: history(preflight.Message{Role: "human", Parts: []preflight.Part{says("q")}},
				botMsg(says("a"))),
		},
	})
	res, err := preflight.Sanitize(t.Context(), history(botMsg()),
		&preflight.Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "(conversation resumed)"`}, lines(res.Messages))
	require.Equal(t,
		[]string{
			"message-removed 0 preflight/empty-message",
			"turn-inserted 0 preflight/no-messages",
		}, reported(res.Warnings))
}

func TestBridgesEveryTurn(t *testing.T) {
	q, bridge := userMsg(says("q")), botMsg(says("I have read the tool results."))
	runFixer(t, preflight.Fixers.BridgeResults, []fixerCase{
		{
			name:    "between every two",
			profile: preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q,
				botMsg(calls("b")), toolMsg(answers("b", "1")), q, q),
			want: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), bridge, q,
				botMsg(calls("b")), toolMsg(answers("b", "1")), bridge, q, q),
			report: []string{
				"turn-inserted 3 preflight/user-after-result",
				"turn-inserted 6 preflight/user-after-result",
			},
		},
		{
			name:    "the assistant speaks itself",
			profile: preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(says("a")),
				q),
		},
	})
}
