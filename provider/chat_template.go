package provider

import "github.com/go-preflight/preflight/rule/problems"

// ChatTemplate returns the profile of models with a chat template that raises on the order of
// roles, as llama.cpp, vLLM and LM Studio run them. What costs a turn that nobody said is repaired
// for models whose templates were seen to raise without it: a user turn first, an assistant turn
// after tool results, and a user turn last. Templates of some models accept less: no system role,
// no tools, one call in a message.
func ChatTemplate(model string) *Profile { return chatTemplate.forModel(model) }

var chatTemplate = definition{
	name:   "chat-template",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.Control:         "chat-template/nim-control-chars",
		problems.RoleUnknown:     "chat-template/role-developer",
		problems.NoMessages:      "chat-template/no-user-query",
		problems.FirstRole:       "chat-template/alternation",
		problems.Alternation:     "chat-template/alternation",
		problems.Bridge:          "chat-template/alternation-mistral3",
		problems.SystemLate:      "chat-template/system-first",
		problems.SystemRefused:   "chat-template/system-unsupported",
		problems.TrailingTurn:    "chat-template/llamacpp-prefill-thinking",
		problems.ToolsRefused:    "chat-template/roles-supported",
		problems.Arguments:       "chat-template/arguments-json",
		problems.ReasoningBeside: "chat-template/gpt-oss-both",
		problems.ChannelTags:     "chat-template/gpt-oss-channel-tags",
		problems.ParallelCalls:   "chat-template/single-tool-call",
		problems.Orphan:          "chat-template/tool-without-call",
		problems.ResultNotFirst:  "chat-template/tool-without-call",
		problems.EmptyMessage:    "chat-template/llamacpp-content",
		problems.SystemContent:   "chat-template/llamacpp-content",
		problems.ResultEmpty:     "chat-template/llamacpp-content",
	},
	change: func(p *Profile) {
		p.IDs.Call = Pattern{Min: 1, Max: 40}
		p.Tools.Name = openAINames
		p.Tools.ObjectArguments = true
		p.Media.Roles, p.Media.InResult = []Role{"user"}, false
		p.System.Placement = SystemLeading
		p.System.Single = true
		p.Turns.Neighbours = NeighboursMerged
		p.Content.RefuseControls = true
		p.Roles = []Role{"system", "user", "assistant", "tool"}
	},
	models: localModels,
}

// refusesTools: the template has no form for a tool exchange.
func refusesTools(p *Profile) { p.Tools.NoTools = true }

// callsOneByOne: a message holds at most one tool call.
func callsOneByOne(p *Profile) { p.Pairing.OneCallPerMessage = true }

// replaysInText: a message with tool calls holds reasoning or text, not both.
func replaysInText(p *Profile) { p.Reasoning.Replay = ReplayInText }

// refusesChannelTags: the template wants reasoning and text apart, and raises on the model's own
// tags.
func refusesChannelTags(p *Profile) { p.Content.RefuseChannelTags = true }

// vllmAnthropic is vLLM's endpoint for Anthropic's format.
var vllmAnthropic = definition{
	name:    "vllm-anthropic",
	format:  &anthropic,
	change:  otherVendor,
	models:  otherVendorModels,
	aliases: true,
}
