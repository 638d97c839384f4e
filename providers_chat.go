package preflight

import (
	"maps"
	"slices"
)

// This file is the profiles of the hosts that speak OpenAI's Chat format with rules of their own, as data: what OpenAI takes,
// and the differences. A problem without a rule of the host's own goes by OpenAI's.

// chatHost is the profile of a host that copied OpenAI's API: what every copy is known to refuse, then what change adds for
// the one host. OpenAI's limits of ids, names and media are its own: hosts were recorded to accept more, and a host's
// profile has only those that it, too, was seen to apply or documents.
func chatHost(provider string, rules map[Problem]string, change func(p *Profile)) Profile {
	p := OpenAIChat()
	p.Format, p.Provider = p.Provider, provider
	p.NamePattern = Pattern{}
	p.CallID = Pattern{Min: 1}
	p.ToolName = Pattern{Min: 1}
	p.MediaRoles, p.MediaInResult = nil, true
	p.MediaKinds = nil
	p.ReadableMedia = false
	p.FileNeedsName = false
	p.LoneKinds = []string{"audio", "function_call"}
	maps.Copy(p.Rules, rules)
	change(&p)
	return p
}

// openAINames is what OpenAI takes as a function's name, and what hosts that say so in their documentation do.
var openAINames = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

// everyRole is for rules that hold for messages of every role.
func everyRole() []Role { return []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool} }

// Azure is the profile of Azure OpenAI's Chat Completions, which answers with OpenAI's texts.
func Azure() Profile {
	p := OpenAIChat()
	p.Format, p.Provider = p.Provider, "azure"
	p.LoneKinds = []string{"audio", "function_call"}
	return p
}

// OpenRouter is the profile of OpenRouter. The rules are those of the host it chooses, which nobody knows beforehand: of
// what one of them refuses, others were recorded to accept long ids, files without a name, media of every kind and in tool
// results, and messages of empty text. The reasoning_details it wants back are opaque.
func OpenRouter() Profile {
	return chatHost("openrouter", nil, func(p *Profile) {
		p.CallID = Pattern{Optional: true}
		p.UniqueIDs = ScopeNone
	})
}

// DeepSeek is the profile of the DeepSeek API. ForModel knows the models that think: they want the reasoning of tool turns
// back, and its presence is all that is checked. Sources differ on whether later turns have to carry some as well, and
// filling all of them is safe. It also knows which models read text only, and the first reasoner generation, which took no
// reasoning.
func DeepSeek() Profile {
	return chatHost("deepseek", map[Problem]string{
		ProblemRoleUnknown:      "deepseek/role-developer",
		ProblemMediaRefused:     "deepseek/image-unsupported",
		ProblemReasoningAbsent:  "deepseek/reasoning-content-missing",
		ProblemReasoningRefused: "deepseek/reasoning-content-forbidden",
		ProblemDangling:         "deepseek/tool-result-missing",
		ProblemResultNotFirst:   "deepseek/tool-result-missing",
		ProblemOrphan:           "deepseek/tool-result-orphan",
		ProblemDuplicateResult:  "deepseek/tool-call-id-duplicate",
		ProblemIDDuplicate:      "deepseek/tool-call-id-duplicate",
		ProblemEmptyMessage:     "deepseek/assistant-empty",
		ProblemAlternation:      "deepseek/successive-roles",
	}, func(p *Profile) {
		p.Roles = slices.DeleteFunc(p.Roles, func(r Role) bool { return r == "developer" })
		p.ToolName = openAINames
	})
}

// Moonshot is the profile of the Moonshot API, where the Kimi models live. It wants the reasoning of tool turns back from
// those of them that think.
func Moonshot() Profile {
	return chatHost("moonshot", map[Problem]string{
		ProblemReasoningAbsent: "moonshot/reasoning-content-missing",
		ProblemEmptyMessage:    "moonshot/empty-message",
		ProblemSystemContent:   "moonshot/empty-message",
		ProblemResultEmpty:     "moonshot/empty-message",
		ProblemOrphan:          "moonshot/tool-call-id-not-found",
		ProblemIDPattern:       "moonshot/tool-call-id-not-found",
	}, func(p *Profile) {
		p.ToolName = openAINames
		p.Replay = ReplayOnCalls
		p.RefuseHollow = everyRole()
	})
}

// Qwen is the profile of Alibaba's DashScope in its Chat format, which wants the arguments of calls to be JSON objects.
func Qwen() Profile {
	return chatHost("qwen", map[Problem]string{
		ProblemArguments:      "qwen/arguments-json",
		ProblemDangling:       "qwen/tool-result-missing",
		ProblemResultNotFirst: "qwen/tool-result-missing",
		ProblemOrphan:         "qwen/tool-result-orphan",
		ProblemToolReserved:   "qwen/tool-name-search",
	}, func(p *Profile) {
		p.ToolName = openAINames
		p.ReservedTools = []string{"search"}
		p.ObjectArguments = true
	})
}

// MiniMax is the profile of the MiniMax API, which wants arguments to be JSON. Sources say that instructions alone are
// refused; the first turn is the user's here, since a turn put in front of others later would rewrite what was sent.
func MiniMax() Profile {
	return chatHost("minimax", map[Problem]string{
		ProblemNoMessages:     "minimax/content-empty",
		ProblemFirstRole:      "minimax/content-empty",
		ProblemSystemLate:     "minimax/system-role",
		ProblemEmptyMessage:   "minimax/content-empty",
		ProblemSystemContent:  "minimax/content-empty",
		ProblemResultEmpty:    "minimax/content-empty",
		ProblemDangling:       "minimax/tool-result-order",
		ProblemResultNotFirst: "minimax/tool-result-order",
		ProblemOrphan:         "minimax/tool-result-order",
	}, func(p *Profile) {
		p.System = SystemLeading
		p.FirstUser = true
		p.RefuseHollow = everyRole()
		p.ObjectArguments = true
	})
}

// GLM is the profile of Zhipu's API, which has one error for every defect of structure: all of them are repaired.
func GLM() Profile {
	const invalid = "glm/messages-invalid"
	return chatHost("glm", map[Problem]string{
		ProblemNoMessages:     invalid,
		ProblemFirstRole:      invalid,
		ProblemAlternation:    invalid,
		ProblemEmptyMessage:   invalid,
		ProblemSystemContent:  invalid,
		ProblemResultEmpty:    invalid,
		ProblemDangling:       invalid,
		ProblemResultNotFirst: invalid,
		ProblemOrphan:         invalid,
	}, func(p *Profile) {
		p.ToolName = openAINames
		p.FirstUser = true
		p.Merge, p.JoinTurns = true, true
		p.RefuseHollow = everyRole()
	})
}

// XAI is the profile of the xAI API, where every message has content. Empty text is some.
func XAI() Profile {
	return chatHost("xai", map[Problem]string{
		ProblemEmptyMessage:  "xai/content-element",
		ProblemSystemContent: "xai/content-element",
		ProblemResultEmpty:   "xai/content-element",
	}, func(*Profile) {})
}

// Groq is the profile of the Groq API, which takes few fields. ForModel knows the models that take no reasoning.
func Groq() Profile {
	return chatHost("groq", map[Problem]string{
		ProblemReasoningRefused: "groq/unknown-property",
		ProblemIDPattern:        "groq/tool-fields",
		ProblemResultEmpty:      "groq/tool-fields",
		ProblemMediaInResult:    "groq/tool-fields",
	}, func(p *Profile) {
		p.MediaInResult = false
	})
}

// OpenAICompatible is the profile for a host that copied OpenAI's API and is not known further: the little that is refused
// wherever tools are known at all. Its ids, names and fields are its own.
func OpenAICompatible() Profile {
	return chatHost("openai-compatible", nil, func(p *Profile) {
		p.CallID = Pattern{Optional: true} // the endpoint of Gemini makes empty ones
		p.UniqueIDs = ScopeNone
	})
}

// geminiChat is the profile of the Gemini API's endpoint for OpenAI's Chat format. It takes what an unknown host takes; ForModel
// knows the models whose calls bear signatures, in extra_content.
func geminiChat() Profile {
	p := OpenAICompatible()
	p.Provider = "gemini-chat"
	p.Rules[ProblemCallUnsigned] = "gemini/thought-signature-missing"
	return p
}

// ChatTemplate is the profile of models behind a chat template that raises on the order of roles, as llama.cpp, vLLM and LM
// Studio run them, in the form that every template with tools takes. ForModel narrows it to templates that know less: no
// system role (System: SystemRefused), no tools (NoTools), one call at a time (OneCallPerMessage).
func ChatTemplate() Profile {
	const content = "chat-template/llamacpp-content"
	return chatHost("chat-template", map[Problem]string{
		ProblemControl:       "chat-template/nim-control-chars",
		ProblemNoMessages:    "chat-template/no-user-query",
		ProblemFirstRole:     "chat-template/no-user-query",
		ProblemAlternation:   "chat-template/alternation",
		ProblemBridge:        "chat-template/alternation-mistral3",
		ProblemSystemLate:    "chat-template/system-first",
		ProblemSystemRefused: "chat-template/system-unsupported",
		ProblemTrailingTurn:  "chat-template/llamacpp-prefill-thinking",
		ProblemToolsRefused:  "chat-template/roles-supported",

		ProblemReasoningBeside: "chat-template/gpt-oss-both",

		ProblemParallelCalls:  "chat-template/single-tool-call",
		ProblemOrphan:         "chat-template/tool-without-call",
		ProblemResultNotFirst: "chat-template/tool-without-call",
		ProblemEmptyMessage:   content,
		ProblemSystemContent:  content,
		ProblemResultEmpty:    content,
	}, func(p *Profile) {
		p.CallID = Pattern{Min: 1, Max: 40}
		p.ToolName = openAINames
		p.ObjectArguments = true
		p.MediaRoles, p.MediaInResult = []Role{RoleUser}, false
		p.System = SystemLeading
		p.OneSystem = true
		p.FirstUser = true
		p.Merge, p.JoinTurns = true, true
		p.BridgeResults = true
		p.RefusePrefill = true
		p.RefuseControls = true
	})
}
