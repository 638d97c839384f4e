package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuickstart(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, play(&out))
	text := out.String()
	for _, want := range []string{
		// the aborted call, in Anthropic's words
		"`tool_use` ids were found without `tool_result` blocks",
		// … and in OpenAI's
		"must be followed by tool messages",
		// the late result, at its call
		`{"type":"tool_result","tool_use_id":"toolu_01A","content":"package a\n"}`,
		// before and after, and why the rest is right as it is
		"       - {\"role\":\"tool\",\"tool_call_id\":\"call_0\"",
		"       + {\"role\":\"assistant\",\"content\":\"Let me look.\"}\n",
		"Why: it starts with the assistant, and both providers accept that",
		// the healthy ones
		"sent as it is, byte for byte: true",
		// no user text is lost
		`"content":"Stop, it is the linker. Fix the Makefile instead."`,
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "byte for byte: false")
	require.Equal(t, len(scenes)*len(providers),
		strings.Count(text, "   anthropic\n")+strings.Count(text, "   openai-chat\n"))
}
