package nearest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestName(t *testing.T) {
	names := []string{"fix", "check", "explain", "anthropic", "openai-chat", "convert"}
	for name, want := range map[string]string{
		"antropic": "anthropic", "anthropics": "anthropic", "openai_chat": "openai-chat",
		"chek": "check", "fi": "", "fxi": "fix", "fixx": "fix", "cehkc": "", "hceck": "check", "explain": "explain",
		"": "", "nothing": "", "x": "", strings.Repeat("x", 1<<20): "",
	} {
		require.Equal(t, want, Name(name, names), "%.20q", name)
	}
	require.Empty(t, Name("fix", nil))
	require.Empty(t, Name("fix", []string{strings.Repeat("fix", 100)}))
}
