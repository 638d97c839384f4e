package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/explain"
)

// TestTypes: an error about a block of another provider says whose it is.
func TestTypes(t *testing.T) {
	for _, c := range []struct{ text, rule, format string }{
		{"messages.0.content.2: Input tag 'image_url' found using 'type' does not match any of " +
			"the expected tags: 'document', 'image'", "anthropic/output-only-blocks",
			"openai-chat"}, // AstrBotDevs/AstrBot#4444
		{"Invalid value: 'tool_use'. Supported values are: 'text', 'refusal', 'image_url', and " +
			"'input_audio'.", "openai-chat/part-type", "anthropic"},
		{"Invalid value: 'input_text'. Supported values are: 'text', 'image_url', 'input_audio', " +
			"'refusal', 'audio', and 'file'.", "openai-chat/part-type", "openai-responses"},
		// linanwx/nagobot#27
		{"Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', " +
			"'input_file', and 'scoped_content'.", "openai-responses/assistant-input-text", ""},
		{"Invalid value: ''. Supported values are: 'message', 'function_call', " +
			"'function_call_output', and 'reasoning'.", "openai-responses/item-type-missing", ""},
		{"Invalid value: ''. Supported values are: 'text', 'image_url', 'input_audio', " +
			"'refusal', 'audio', and 'file'.", "openai-chat/part-type", ""},
		// QwenLM/qwen-code#1888
		{"Invalid value: file. Supported values are: 'text','image_url','video_url' and 'video'.",
			"openai-chat/part-type", ""},
	} {
		e, ok := explain.Text(c.text)
		require.True(t, ok, c.text)
		require.Equal(t, c.rule, e.Rule.ID)
		if c.format == "" {
			require.Empty(t, e.Types)
			continue
		}
		require.NotEmpty(t, e.Types, c.text)
		require.Equal(t, c.format, e.Types[0].Format)
	}
	for _, text := range []string{ // the values of settings
		"Invalid value: ''. Supported values are: 'none', 'auto', and 'required'.",
		"Invalid value: ''. Supported values are: 'none', 'minimal', 'low', 'medium', and 'high'.",
		"Invalid value: ''. Supported values are: 'text', 'json_object', and 'json_schema'.",
		// can1357/oh-my-pi#814
		"'ClaudeContentBlockToolResult' object has no attribute 'id'",
	} {
		e, ok := explain.Text(text)
		require.False(t, ok, "%s is no %s", text, e.Rule.ID)
	}
}
