package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
)

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
