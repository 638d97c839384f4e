package spec

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the signatures of calls that a provider asks for.

func TestSignCallsForProfiles(t *testing.T) {
	signs := preflight.Profile{Tools: provider.ToolRules{CallSignature: "skip"}}
	signed := func(id, signature string) *preflight.ToolCall {
		c := calls(id)
		c.Signature = signature
		return c
	}
	q, result := userMsg(says("q")), toolMsg(answers("a", "1"), answers("b", "2"))
	runFixer(t, preflight.Fixers.SignCalls, []fixerCase{
		{
			name: "the first call of a step", profile: signs,
			in:    history(q, botMsg(calls("a"), calls("b")), result),
			want:  history(q, botMsg(signed("a", "skip"), calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "of every step of the open turn",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in: history(q, botMsg(calls("a"), calls("b")), result, botMsg(calls("c")),
				toolMsg(answers("c", "3"))),
			want: history(q, botMsg(signed("a", "skip"), calls("b")), result,
				botMsg(signed("c", "skip")), toolMsg(answers("c", "3"))),
			codes: warned(codes.CallSigned, codes.CallSigned),
		},
		{
			name: "messages that the provider joins are one step",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in:   history(q, botMsg(calls("a")), botMsg(calls("b")), result),
			want: history(q, botMsg(signed("a", "skip")), botMsg(calls("b")), result),
			whole: []string{
				"call-signed preflight/call-unsigned messages[1].parts[0] a -1 call -2 byte +1 " +
					"call +2 byte",
			},
		},
		{
			name: "others are two", alone: true, profile: signs,
			in:    history(q, botMsg(calls("a")), botMsg(calls("b")), result),
			want:  history(q, botMsg(signed("a", "skip")), botMsg(signed("b", "skip")), result),
			codes: warned(codes.CallSigned, codes.CallSigned),
		},
		{
			name: "an empty message ends nothing",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Tools: provider.ToolRules{CallSignature: "skip"},
			},
			in: history(q, userMsg(), botMsg(), botMsg(calls("a")), userMsg(),
				botMsg(calls("b")), result),
			want: history(q, userMsg(), botMsg(), botMsg(signed("a", "skip")), userMsg(),
				botMsg(calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "text before the call does not bear it", alone: true, profile: signs,
			in:   history(q, botMsg(says("x"), calls("a"))),
			want: history(q, botMsg(says("x"), signed("a", "skip"))),
			whole: []string{
				"call-signed preflight/call-unsigned messages[1].parts[1] a -1 call -2 byte +1 " +
					"call +2 byte",
			},
		},
		{
			name: "nor does a call of the provider's", alone: true, profile: signs,
			in:    history(q, botMsg(searches("s"), finds("s", "[]"), calls("a"))),
			want:  history(q, botMsg(searches("s"), finds("s", "[]"), signed("a", "skip"))),
			codes: warned(codes.CallSigned),
		},
		{
			name: "a history without a word of the user's is an open turn", profile: signs,
			in:    history(botMsg(calls("a"), calls("b")), result),
			want:  history(botMsg(signed("a", "skip"), calls("b")), result),
			codes: warned(codes.CallSigned),
		},
		{
			name: "media beside results belongs to them", alone: true, profile: signs,
			in:    history(q, botMsg(calls("a")), userMsg(answers("a", "1"), image())),
			want:  history(q, botMsg(signed("a", "skip")), userMsg(answers("a", "1"), image())),
			codes: warned(codes.CallSigned),
		},
		{
			name: "and so does text that is going to be removed", alone: true,
			profile: preflight.Profile{
				Tools:   provider.ToolRules{CallSignature: "skip"},
				Content: provider.ContentRules{RefuseEmptyText: true},
			},
			in:    history(q, botMsg(calls("a")), userMsg(says(""), answers("a", "1"))),
			want:  history(q, botMsg(signed("a", "skip")), userMsg(says(""), answers("a", "1"))),
			codes: warned(codes.CallSigned),
		},
		{
			name: "media alone is said", profile: signs,
			in: history(q, botMsg(calls("a"), calls("b")), result, userMsg(image())),
		},
		{
			name: "so is text beside results", alone: true, profile: signs,
			in: history(q, botMsg(calls("a")), userMsg(answers("a", "1"), says("x"))),
		},
		{
			name: "one that has its own keeps it", profile: signs,
			in: history(q, botMsg(signed("a", "EqQ="), calls("b")), result),
		},
		{
			name: "a turn that is over is not looked at", profile: signs,
			in: history(q, botMsg(calls("a"), calls("b")), result, q),
		},
		{name: "not asked for", in: history(q, botMsg(calls("a"), calls("b")), result)},
	})
}

// A call is signed where the provider looks for it, and nowhere else.
func TestSignCalls(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	media := &preflight.Media{Kind: "image", Data: "QUJD", MediaType: "image/png"}
	h := []preflight.Message{
		turnOf(user, &preflight.Text{Text: "q"}),
		turnOf(model, named("f", "")),
		turnOf(user, answering("f", "", `{}`), &preflight.Text{Text: "next"}),
		turnOf(model, &preflight.Text{Text: "t"}, named("f", ""), named("g", "")),
		turnOf(user, answering("f", "", `{}`), answering("g", "", `{}`), media),
		turnOf(model, named("f", "")), turnOf(user, answering("f", "", `{}`)),
	}
	h[5].Parts[0].(*preflight.ToolCall).Signature = "own"
	p := provider.Gemini("gemini-3-pro-preview")
	res, err := preflight.Sanitize(context.Background(), h, p, nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.CallSigned, res.Warnings[0].Code)
	require.Equal(t, "gemini/thought-signature-missing", res.Warnings[0].Rule)
	require.Equal(t, preflight.At(3, 1), res.Warnings[0].At)
	require.Equal(
		t,
		p.Tools.CallSignature,
		res.Messages[3].Parts[1].(*preflight.ToolCall).Signature,
	)
	require.Empty(t, h[3].Parts[1].(*preflight.ToolCall).Signature, "the input was written to")
	require.Empty(t, res.Messages[3].Parts[2].(*preflight.ToolCall).Signature)
	require.Same(t, h[5].Parts[0], res.Messages[5].Parts[0])

	older := provider.Gemini("models/gemini-2.5-flash")
	require.Empty(t, preflight.Check(h, older, nil))
}

// A turn with a signature of the provider's own is never cut.
func TestSignedCallsAreNotCut(t *testing.T) {
	call := named("f", "")
	h := []preflight.Message{
		turnOf(preflight.RoleUser, &preflight.Text{Text: "q"}),
		turnOf(preflight.RoleAssistant, call, named("g", "")),
	}
	p := provider.Gemini("")
	for _, test := range []struct {
		signature string
		messages  int
	}{{"", 1}, {p.Tools.CallSignature, 1}, {"own", 3}} {
		call.Signature = test.signature
		res, err := preflight.Sanitize(context.Background(), h, p, nil)
		require.NoError(t, err)
		require.Len(t, res.Messages, test.messages, test.signature)
	}
}

// The signature of a call survives being stored.
func TestCallSignatureIsStored(t *testing.T) {
	call := named("f", "")
	call.Signature = "own"
	data, err := json.Marshal(turnOf(preflight.RoleAssistant, call))
	require.NoError(t, err)
	var m preflight.Message
	require.NoError(t, json.Unmarshal(data, &m))
	require.Equal(t, call, m.Parts[0])
}
