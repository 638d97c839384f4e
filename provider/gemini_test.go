package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
)

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

func TestProfileForUnknown(t *testing.T) {
	_, ok := provider.ByName("nobody", "")
	require.False(t, ok)
}
