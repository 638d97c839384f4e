package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule"
)

// OpenAIChat returns the profile of the OpenAI Chat Completions API.
//
// Consecutive messages of one role, empty strings, system messages midway, and arguments that are
// cut off or no object, as in OpenAI's own answers, are accepted and stay.
func OpenAIChat(model string) *Profile { return openAIChat.forModel(model) }

var openAIChat = definition{
	name: "openai-chat",
	base: openAIChatBase,
	models: slices.Concat(o1Models, []row{
		{
			"gpt-5*", traits{readsImages},
			"pydantic/pydantic-ai tests/models/cassettes/test_multimodal_tool_returns", "2026-11",
		},
	}),
}

// o1Models are the first reasoning models, on each host that serves them.
var o1Models = []row{
	{"o1-mini*", traits{refusesSystem}, srcO1, "2025-12"},
	{"o1-preview*", traits{refusesSystem}, srcO1, "2025-12"},
}

const srcO1 = "rule openai-chat/system-role-unsupported and its sources"

func openAIChatBase() Profile {
	return Profile{
		Roles: []Role{"system", "developer", "user", "assistant", "tool", "function"},
		IDs: IDRules{
			Participant: Pattern{Alphabet: WordChars, Min: 1, Max: 64},
			Call:        Pattern{Min: 1, Max: 40},
			Unique:      ScopeTurn,
		},
		Pairing: PairingRules{
			ResultRole:          "tool",
			OneResultPerMessage: true,
		},
		Tools: ToolRules{
			Name:          Pattern{Alphabet: WordChars, Min: 1, Max: 64},
			NoServerTools: true,
		},
		Content: ContentRules{
			RefuseEmptyMessage: true,
			ResultNeedsText:    true,
		},
		Media: MediaRules{
			Roles:         []Role{"user"},
			Kinds:         []string{"image", "audio", "video", "document"},
			URLKinds:      []string{"image", "video"},
			FileKinds:     []string{"document"},
			Readable:      true,
			FileNeedsName: true,
		},
		Rules: map[rule.Problem]string{
			rule.InvalidUnicode:  "chat-template/nim-control-chars",
			rule.NUL:             "chat-template/nul-truncation",
			rule.NoMessages:      "openai-chat/messages-empty",
			rule.RoleUnknown:     "openai-chat/role-unknown",
			rule.NamePattern:     "openai-chat/message-name-pattern",
			rule.SystemRefused:   "openai-chat/system-role-unsupported",
			rule.EmptyMessage:    "openai-chat/content-null",
			rule.SystemContent:   "openai-chat/content-null",
			rule.ResultEmpty:     "openai-chat/content-null",
			rule.Dangling:        "openai-chat/tool-result-missing",
			rule.Orphan:          "openai-chat/tool-result-orphan",
			rule.DuplicateResult: "openai-chat/tool-call-id-duplicate",
			rule.ResultNotFirst:  "openai-chat/tool-result-missing",
			rule.IDPattern:       "openai-chat/tool-call-id-length",
			rule.IDLength:        "openai-chat/tool-call-id-length",
			rule.IDDuplicate:     "openai-chat/tool-call-id-duplicate",
			rule.NameLength:      "openai-chat/function-name-pattern",
			rule.ToolName:        "openai-chat/function-name-pattern",
			rule.Arguments:       "openai-chat/arguments-not-json",
			rule.MediaRole:       "openai-chat/tool-message-image",
			rule.MediaInResult:   "openai-chat/tool-message-image",
			rule.MediaRefused:    "openai-chat/part-type",
			rule.MediaUnreadable: "openai-chat/image-undecodable",
			rule.FileName:        "openai-chat/file-needs-filename",
		},
	}
}
