package provider

import "github.com/go-preflight/preflight/rule"

// ChatTemplate is the profile of models behind a chat template that raises on the order of roles,
// as llama.cpp, vLLM and LM Studio run them, in the form that every template with tools takes.
// ForModel narrows it to templates that know less: no system role (System: SystemRefused), no tools
// (NoTools), one call at a time (OneCallPerMessage).
func ChatTemplate(model string) *Profile { return narrowed(chatTemplate(), model) }

func chatTemplate() Profile {
	const content = "chat-template/llamacpp-content"
	return chatHost("chat-template", map[rule.Problem]string{
		rule.Control:       "chat-template/nim-control-chars",
		rule.NoMessages:    "chat-template/no-user-query",
		rule.FirstRole:     "chat-template/no-user-query",
		rule.Alternation:   "chat-template/alternation",
		rule.Bridge:        "chat-template/alternation-mistral3",
		rule.SystemLate:    "chat-template/system-first",
		rule.SystemRefused: "chat-template/system-unsupported",
		rule.TrailingTurn:  "chat-template/llamacpp-prefill-thinking",
		rule.ToolsRefused:  "chat-template/roles-supported",

		rule.ProblemReasoningBeside: "chat-template/gpt-oss-both",

		rule.ParallelCalls:  "chat-template/single-tool-call",
		rule.Orphan:         "chat-template/tool-without-call",
		rule.ResultNotFirst: "chat-template/tool-without-call",
		rule.EmptyMessage:   content,
		rule.SystemContent:  content,
		rule.ResultEmpty:    content,
	}, func(p *Profile) {
		p.IDs.Call = Pattern{Min: 1, Max: 40}
		p.Tools.Name = openAINames
		p.Tools.ObjectArguments = true
		p.Media.Roles, p.Media.InResult = []Role{"user"}, false
		p.System.Placement = SystemLeading
		p.System.Single = true
		p.Turns.UserFirst = true
		p.Turns.Merge, p.Turns.Joined = true, true
		p.Turns.BridgeResults = true
		p.Prefill.Refused = true
		p.Content.RefuseControls = true
	})
}
