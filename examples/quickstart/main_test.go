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
		"`tool_use` ids were found without `tool_result` blocks",                   // the aborted call, in Anthropic's words
		"must be followed by tool messages",                                        // … and in OpenAI's
		`{"type":"tool_result","tool_use_id":"toolu_01A","content":"package a\n"}`, // the late result, at its call
		"sent as it is, byte for byte: true",                                       // the healthy ones
		`"content":"Stop, it is the linker. Fix the Makefile instead."`,            // no user text is lost
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "byte for byte: false")
	require.Equal(t, len(scenes)*len(providers), strings.Count(text, "   anthropic\n")+strings.Count(text, "   openai-chat\n"))
}
