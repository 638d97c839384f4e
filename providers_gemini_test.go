package preflight_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// A call is signed where the provider looks for it, and nowhere else.
func TestSignCalls(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	media := &preflight.Media{Kind: "image", Data: "QUJD", MediaType: "image/png"}
	h := []preflight.Message{
		turnOf(user, &preflight.Text{Text: "q"}),
		turnOf(
			model,
			named("f", ""),
		), turnOf(user, answering("f", "", `{}`), &preflight.Text{Text: "next"}),
		turnOf(
			model,
			&preflight.Text{Text: "t"},
			named("f", ""),
			named("g", ""),
		), turnOf(user, answering("f", "", `{}`), answering("g", "", `{}`), media),
		turnOf(model, named("f", "")), turnOf(user, answering("f", "", `{}`)),
	}
	h[5].Parts[0].(*preflight.ToolCall).Signature = "own"
	p := provider.Gemini("gemini-3-pro-preview")
	res, err := preflight.Sanitize(context.Background(), h, p, nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.CallSigned, res.Warnings[0].Code)
	require.Equal(t, "gemini/thought-signature-missing", res.Warnings[0].Rule)
	require.Equal(t, preflight.Position{Message: 3, Part: 1, Inner: -1}, res.Warnings[0].At)
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

// What is known of single models: who refuses a final model turn (LibreChat-AI/agents#323), who
// wants signatures (vercel/ai#15560), who takes media in function responses
// (google-gemini/gemini-cli#19436), and who takes the role "function".
func TestGeminiModels(t *testing.T) {
	for _, test := range []struct {
		model                              string
		prefill, signs, inResult, function bool
	}{
		{"", true, false, true, true},
		{"gemini-flash-latest", true, false, true, true},
		{"gemini-9", true, false, true, true},
		{"gemini-3.8-flash", false, true, true, false},
		{"gemini-3.7-flash", false, true, true, false},
		{"gemini-3.6-flash", false, true, true, false},
		{"gemini-3.5-flash-lite", false, true, true, false},
		{"gemini-3.5-flash", true, true, true, false},
		{"models/gemini-3-pro-preview", true, true, true, true},
		{"google/gemini-3.1-pro-preview", true, true, true, true},
		{"publishers/google/models/gemini-3-flash-preview", true, true, true, true},
		{"gemini-3-pro-image-preview", true, false, true, true},
		{"gemini-3.1-flash-lite-image", true, false, true, true},
		{"gemini-2.5-flash", true, false, false, true},
		{"gemini-2.0-flash-001", true, false, false, true},
		{"gemini-1.5-pro", true, false, false, true},
		{"gemini-1.0-pro", false, false, false, true},
		{"gemini-pro", false, false, false, true},
	} {
		p := provider.Gemini(test.model)
		require.Equal(t, test.prefill, !p.Prefill.Refused, test.model)
		require.Equal(t, test.signs, p.Tools.CallSignature != "", test.model)
		require.Equal(t, test.inResult, p.Media.InResult, test.model)
		require.Equal(t, test.function, slices.Contains(p.Roles, "function"), test.model)
	}
}

func TestFunctionNames(t *testing.T) {
	p := provider.Gemini("")
	for _, name := range []string{"f", "_f", "F-1.a:b_", strings.Repeat("f", 128)} {
		require.Equal(t, name, p.RepairToolName(name))
	}
	for _, name := range []string{"9f", "-f", ".f", "a b", "é", "", " ", strings.Repeat("f", 129),
		"9" + strings.Repeat("f", 127)} {
		fixed := p.RepairToolName(name)
		require.NotEqual(t, name, fixed)
		require.Equal(t, fixed, p.RepairToolName(fixed))
		require.True(t, p.Tools.Name.Matches(fixed), fixed)
	}
	require.Equal(t, "f", p.RepairToolName(" f "))
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

// A merge of two results of one call is one change, and its warning is at the result that is
// gone. The first exchange is here twice, as a client leaves it that sends a turn again (found
// by TestGuarantees): the copy of the result that took in nothing stays as it is.
func TestMergedResultIsOneWarning(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	first, copied := answering("f", "1", `{"n":1}`), answering("f", "1", `{"n":1}`)
	h := []preflight.Message{
		turnOf(user, &preflight.Text{Text: "q"}),
		turnOf(model, named("f", "1")), turnOf(user, first),
		turnOf(
			model,
			named("f", "1"),
		), turnOf(user, copied), turnOf(user, answering("f", "1", `{"n":2}`)),
	}
	p := provider.Gemini("gemini-2.5-pro")
	res, err := preflight.Sanitize(
		context.Background(),
		h,
		p,
		&preflight.Options{Duplicates: preflight.DuplicateMerge},
	)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.DuplicatesMerged, res.Warnings[0].Code)
	require.Equal(t, preflight.Position{Message: 5, Part: 0, Inner: -1}, res.Warnings[0].At)
	require.Equal(t, [][]int{{0}, {1}, {2}, {3}, {4, 5}}, res.Origins)
	require.Same(t, first, res.Messages[2].Parts[0])
	merged := res.Messages[4].Parts[0].(*preflight.ToolResult)
	require.Equal(t, `{"n":1}`, string(merged.Output))
	require.Equal(t, `{"n":2}`, merged.Content[0].(*preflight.Text).Text)
}
