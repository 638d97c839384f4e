package provider

import "github.com/go-preflight/preflight/rule/problems"

// This file has what hosts of OpenAI's Chat format, and formats near it, share.

// chatHost returns the profile that hosts of OpenAI's Chat format start from: what every such host
// is known to refuse. OpenAI's limits on ids, names and media are its own: hosts were recorded to
// accept more. A host has the limits that it was seen to apply, or documents.
func chatHost() Profile {
	p := openAIChat.profile()
	p.IDs.Participant = Pattern{}
	p.IDs.Call = Pattern{Min: 1}
	p.Tools.Name = Pattern{Min: 1}
	p.Content.SingleKinds = []string{"audio", "function_call"}
	p.Media.Roles, p.Media.InResult = nil, true
	p.Media.Kinds = nil
	p.Media.Readable, p.Media.Decodable = false, true
	p.Media.FileNeedsName = false
	return p
}

// nearChat returns the profile that providers with a format much like OpenAI's Chat start from.
func nearChat() Profile {
	return Profile{
		Roles: []Role{"system", "user", "assistant", "tool"},
		IDs: IDRules{
			Call: Pattern{Min: 1},
		},
		Pairing: PairingRules{
			ResultRole:          "tool",
			OneResultPerMessage: true,
		},
		Tools: ToolRules{
			Name:          Pattern{Min: 1},
			NoServerTools: true,
		},
		Media: MediaRules{
			URLKinds:  []string{"image", "video"},
			FileKinds: []string{"document"},
			Decodable: true,
		},
		Rules: map[problems.Problem]string{
			problems.NUL:             "chat-template/nul-truncation",
			problems.MediaUnreadable: "openai-chat/image-undecodable",
		},
	}
}

// openAINames is what OpenAI accepts as a function's name, and hosts that document the same.
var openAINames = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

// everyRole returns the neutral roles, for rules that hold for messages of every role.
func everyRole() []Role { return []Role{"system", "user", "assistant", "tool"} }
