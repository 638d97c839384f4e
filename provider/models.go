package provider

// This file has the rows of models that refuse the same wherever they are served, in each format
// that can express it. What a host refuses of models is in the host's file.

// modelRows hold on every host of the formats that they name, or on a host that they name.
var modelRows = []row{
	{rule: "anthropic/cache-control-max4", at: "openai-chat", of: "claude-*", set: "Cache.Limit", to: 4},
	{rule: "anthropic/prefill-unsupported", at: "openai-chat anthropic bedrock", of: claudeUnprefilled,
		set: "Prefill.Refused", to: true},
	{rule: "anthropic/thinking-binding-prefix", is: "reasoning-bound", at: "anthropic bedrock",
		of: "claude-opus-5-5* claude-sonnet-5-5* claude-haiku-5-5* claude-fable-5-1* " +
			"claude-fable-5-2* claude-mythos-5-1* claude-mythos-5-2*",
		set: "Reasoning.Bound", to: true},
	{rule: "openai-responses/reasoning-binding-prefix", is: "reasoning-bound", at: "openai-responses",
		of: "gpt-6-2*", set: "Reasoning.Bound", to: true},
	{rule: "moonshot/empty-message", is: "empty-message", at: "openrouter", of: "kimi-k3*",
		set: "Content.NeedsText", to: []Role{"assistant"}},
}

// claudeUnprefilled are the models of Claude that do not continue an assistant turn: those from 4.6
// on.
const claudeUnprefilled = "claude-opus-4-6* claude-sonnet-4-6* claude-opus-4-7* claude-opus-4-8* " +
	"claude-opus-5* claude-sonnet-5* claude-haiku-5* claude-fable-5* claude-mythos-*"
