package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
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
		Rules: map[problems.Problem]string{
			problems.NUL:             "chat-template/nul-truncation",
			problems.NoMessages:      "openai-chat/messages-empty",
			problems.RoleUnknown:     "openai-chat/role-unknown",
			problems.NamePattern:     "openai-chat/message-name-pattern",
			problems.SystemRefused:   "openai-chat/system-role-unsupported",
			problems.EmptyMessage:    "openai-chat/content-null",
			problems.SystemContent:   "openai-chat/content-null",
			problems.ResultEmpty:     "openai-chat/content-null",
			problems.Dangling:        "openai-chat/tool-result-missing",
			problems.Orphan:          "openai-chat/tool-result-orphan",
			problems.DuplicateResult: "openai-chat/tool-call-id-duplicate",
			problems.ResultNotFirst:  "openai-chat/tool-result-missing",
			problems.IDPattern:       "openai-chat/tool-call-id-length",
			problems.IDLength:        "openai-chat/tool-call-id-length",
			problems.IDDuplicate:     "openai-chat/tool-call-id-duplicate",
			problems.NameLength:      "openai-chat/function-name-pattern",
			problems.ToolName:        "openai-chat/function-name-pattern",
			problems.Arguments:       "openai-chat/arguments-not-json",
			problems.MediaRole:       "openai-chat/tool-message-image",
			problems.MediaInResult:   "openai-chat/tool-message-image",
			problems.MediaRefused:    "openai-chat/part-type",
			problems.MediaUnreadable: "openai-chat/image-undecodable",
			problems.FileName:        "openai-chat/file-needs-filename",
		},
	}
}
