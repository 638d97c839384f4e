package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file lists the dialects: hosts that use a provider's format with rules of their own.

// dialects are the hosts, in the order of provider.All, which is that of Providers. A host that
// this file does not name reads and writes its format like an unknown one.
var dialects = func() []*format {
	listed := slices.Concat(chatDialects, otherDialects)
	var all []*format
	for name, of := range provider.Names() {
		if of == "" {
			continue
		}
		named := func(f *format) bool { return f.dialect == name }
		if k := slices.IndexFunc(listed, named); k >= 0 {
			all = append(all, listed[k])
		} else {
			all = append(all, plainDialect(name, of))
		}
	}
	return all
}()

// plainDialect returns a dialect that differs from its format in its profile alone.
func plainDialect(name, of string) *format {
	switch of {
	case openAIChat:
		return unknownChatHost.dialect(name, profileOf(name), nil)
	case openAIResponses:
		return dialect(name, openAIResponsesFormat())
	case gemini:
		return dialect(name, geminiFormat())
	}
	return dialect(name, anthropicFormat())
}

// otherDialects use a format other than OpenAI's Chat and differ from it in more than the profile.
var otherDialects = []*format{
	refusingNullCaller(requiringTools(requiringLimit(dialect("bedrock-anthropic",
		anthropicFormat())))),
	withOthers(dialect("openrouter-anthropic", anthropicFormat())),
	lenient(dialect("deepseek-anthropic", anthropicFormat())),
	lenient(dialect("moonshot-anthropic", anthropicFormat())),
	lenient(dialect("minimax-anthropic", anthropicFormat())),
	lenient(dialect("glm-anthropic", anthropicFormat())),
	lenient(dialect("vllm-anthropic", anthropicFormat())),
	dialect("vertex-gemini", vertexGeminiFormat()),
}

// dialect makes a format the dialect of a name, with the profile of that name. It is never
// detected, since other hosts take the same bodies.
func dialect(name string, f *format) *format {
	f.dialect, f.signs = name, signs{}
	f.profile = profileOf(name)
	return f
}

// profileOf returns the function that narrows the profile of a provider to a model.
func profileOf(name string) func(model string) *preflight.Profile {
	return func(model string) *preflight.Profile {
		p, _ := provider.ByName(name, model)
		return p
	}
}

// requiringTools makes a dialect one whose host refuses tool blocks where the request declares no
// tools.
func requiringTools(f *format) *format {
	f.toolsRequired = true
	return f
}

// requiringLimit makes a format one whose requests have to limit the output.
func requiringLimit(f *format) *format {
	f.limitRequired = true
	return f
}

// refusingNullCaller makes a dialect of Anthropic's format one whose host refuses the caller of a
// call where it is null, as SDKs write it back: anthropics/anthropic-sdk-python#1566.
func refusingNullCaller(f *format) *format {
	encode := f.encode
	f.noNullCaller = true
	f.encode = func(w *writer, m *preflight.Message) ([][]byte, error) {
		return encode(w, &withParts([]preflight.Message{*m}, withoutNullCaller)[0])
	}
	return f
}

// refusingAnswers makes Anthropic's format that of its own host, which refuses members of its
// answers, and OpenRouter's reasoning_details. Other hosts were not seen to.
func refusingAnswers(f *format) *format {
	f.noAnswers = true
	extras := jsonscan.NewNames(append(slices.Clip(anthropicMessageExtras.List()), detailsKey)...)
	f.encode = func(w *writer, m *preflight.Message) ([][]byte, error) {
		own := withParts([]preflight.Message{*m}, withoutCitations)
		return encodeAnthropic(w, &own[0], &extras)
	}
	return f
}

// withOthers makes a format that serves models of several vendors lenient with models that are not
// Anthropic's.
func withOthers(f *format) *format {
	f.otherVendors = lenient(anthropicFormat())
	f.otherVendors.dialect, f.otherVendors.profile = f.dialect, f.profile
	return f
}

// withBareAddresses makes a format one where the address of an image needs no object around it.
func withBareAddresses(f *format) *format {
	f.bareAddresses = true // platform.kimi.com/docs/api/chat
	return f
}

// lenient makes a dialect of Anthropic's format one whose host may have members of its own.
func lenient(f *format) *format {
	f.ownMembers = true
	f.encode = func(w *writer, m *preflight.Message) ([][]byte, error) {
		return encodeAnthropic(w, m, &jsonscan.Names{})
	}
	return f
}

// chatDialects use OpenAI's Chat format. A dialect is detected by members that only this host has,
// or by a model that only this host serves under that name; gateways add a prefix.
var chatDialects = []*format{
	openAI.format("azure", provider.Azure, signs{members: []string{"data_sources"}}),
	chat{
		name: openAIChat, reasoning: openAI.reasoning, details: true, emptyCalls: true,
		noArguments: true,
	}.format("openrouter", provider.OpenRouter, signs{
		members: []string{
			"transforms", "route", "plugins", "provider", "models", "preset", "include_reasoning",
			"usage.include",
		},
	}),
	chat{
		name: openAIChat, noFunctionRole: true, replay: provider.ReplayFromCalls,
		reasoning: openAI.reasoning, reasoningRule: "deepseek/reasoning-content-missing",
		emptyReasoningKept: true,
	}.dialect("deepseek", provider.DeepSeek,
		map[string]string{
			ruleChatNoCalls: "deepseek/empty-tool-calls",
			ruleChatNull:    "deepseek/assistant-empty",
		},
		"deepseek-chat", "deepseek-reasoner", "deepseek-v#-flash", "deepseek-v#-pro"),
	withBareAddresses(chat{
		name: openAIChat, noFunctionRole: true, emptyCalls: true,
		reasoning: openAI.reasoning, reasoningRule: "moonshot/reasoning-content-missing",
		emptyReasoningKept: true, uniqueRule: "moonshot/tool-duplicate",
	}.dialect("moonshot", provider.Moonshot, nil,
		"kimi-latest", "kimi-k#.#*", "kimi-k2-####-preview", "moonshot-v1*")),
	openAI.dialect("qwen", provider.Qwen,
		map[string]string{ruleChatArguments: "qwen/arguments-json"},
		"qwen-max*", "qwen-plus*", "qwen-turbo*", "qwen3-coder-plus*", "qwen3-max*"),
	chat{
		name: openAIChat, noFunctionRole: true, emptyCalls: true, reasoning: openAI.reasoning,
		schemaRule: "minimax/tool-parameters",
	}.dialect("minimax", provider.MiniMax, nil, "minimax-m*"),
	chat{
		name: openAIChat, noFunctionRole: true, reasoning: openAI.reasoning,
	}.dialect("glm", provider.GLM, nil, "glm-#*"),
	chat{
		name: openAIChat, emptyCalls: true, reasoning: openAI.reasoning, noNull: true,
	}.dialect("xai", provider.XAI, nil),
	chat{
		name: openAIChat, emptyCalls: true, noArguments: true,
		reasoning:     []string{"reasoning", "reasoning_content"},
		reasoningRule: "openai-compatible/reasoning-fields", onlyReasoning: true,
	}.dialect("cerebras", provider.Cerebras, nil),
	chat{
		name: openAIChat, emptyCalls: true, noArguments: true, reasoning: openAI.reasoning,
		noNull: true,
	}.dialect("volcengine", provider.Volcengine, nil, "doubao-seed-*"),
	chat{
		name: openAIChat, noFunctionRole: true, emptyCalls: true, reasoning: []string{"reasoning"},
		emptyReasoningKept: true, // some models refuse the member, whatever it holds
		fields: map[preflight.Role][]string{
			// a call id in a message of another role was not seen to be refused
			preflight.RoleSystem: {"role", "content", "name", "tool_call_id"},
			preflight.RoleUser:   {"role", "content", "name", "tool_call_id"},
			preflight.RoleAssistant: {"role", "content", "name", "tool_calls", "reasoning",
				"tool_call_id"},
			preflight.RoleTool: {"role", "content", "tool_call_id", "name"},
		},
		fieldRule:         "groq/unknown-property",
		stringContent:     []preflight.Role{preflight.RoleTool},
		stringContentRule: "groq/tool-fields",
	}.dialect("groq", provider.Groq, map[string]string{ruleShape: "groq/tool-fields"}),
	chat{
		name: openAIChat, noFunctionRole: true, reasoning: openAI.reasoning,
		stringContent: []preflight.Role{
			preflight.RoleSystem, preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool,
		},
		stringContentRule: "chat-template/vllm-content-array",
		adjust:            adjustTemplate,
	}.dialect("chat-template", provider.ChatTemplate,
		map[string]string{
			ruleChatArguments: "chat-template/arguments-json",
			ruleChatNull:      "chat-template/llamacpp-content",
		}),
	chat{
		name: openAIChat, reasoning: openAI.reasoning, emptyCalls: true, noArguments: true,
		callSignatures: true,
	}.dialect("gemini-chat", profileOf("gemini-chat"), nil),
}

// unknownChatHost reads and writes the Chat format for hosts of which nothing else is known.
var unknownChatHost = chat{
	name: openAIChat, reasoning: openAI.reasoning, emptyCalls: true, noArguments: true,
}

// dialect returns the format of a host that is detected only by the names of its models. rules are
// its own ids for rules of the format.
func (c chat) dialect(
	name string, profile func(model string) *preflight.Profile,
	rules map[string]string, models ...string,
) *format {
	f := c.format(name, profile, signs{models: models})
	f.rules = rules
	return f
}

// adjustTemplate allows a body to end with an assistant message when it asks to continue that
// message, or turns thinking off; not when it turns thinking on.
func adjustTemplate(r *Request) {
	thinks, said := r.root.Get("chat_template_kwargs").Get("enable_thinking").Bool()
	goesOn, _ := r.root.Get("continue_final_message").Bool()
	switch {
	case said && !thinks || goesOn:
		r.Profile.Prefill.Refused = false
	case said:
		r.Profile.Prefill.Refused = true
	}
}
