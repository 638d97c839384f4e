package provider

import (
	"maps"

	"github.com/go-preflight/preflight/rule"
)

// chatHost is the profile of a host that copied OpenAI's API: what every copy is known to refuse,
// then what change adds for the one host. OpenAI's limits of ids, names and media are its own:
// hosts were recorded to accept more, and a host's profile has only those that it, too, was seen to
// apply or documents.
func chatHost(provider string, rules map[rule.Problem]string, change func(p *Profile)) Profile {
	p := openAIChat()
	p.Format, p.Provider = p.Provider, provider
	p.IDs.Participant = Pattern{}
	p.IDs.Call = Pattern{Min: 1}
	p.Tools.Name = Pattern{Min: 1}
	p.Media.Roles, p.Media.InResult = nil, true
	p.Media.Kinds = nil
	p.Media.Readable = false
	p.Media.FileNeedsName = false
	p.Content.SingleKinds = []string{"audio", "function_call"}
	maps.Copy(p.Rules, rules)
	change(&p)
	return p
}

// openAINames is what OpenAI takes as a function's name, and what hosts that say so in their
// documentation do.
var openAINames = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

// everyRole is for rules that hold for messages of every role.
func everyRole() []Role { return []Role{"system", "user", "assistant", "tool"} }

// geminiChat is the profile of the Gemini API's endpoint for OpenAI's Chat format. It takes what an
// unknown host takes; ForModel knows the models whose calls bear signatures, in extra_content.
func geminiChat() Profile {
	p := openAICompatible()
	p.Provider = "gemini-chat"
	p.Rules[rule.CallUnsigned] = "gemini/thought-signature-missing"
	return p
}

// nearChatHost is what they have in common, with the rules of one of them, and what change says.
func nearChatHost(provider string, rules map[rule.Problem]string, change func(p *Profile)) Profile {
	p := Profile{
		Provider: provider,
		Roles:    []Role{"system", "user", "assistant", "tool"},
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
		Rules: map[rule.Problem]string{rule.NUL: "chat-template/nul-truncation"},
	}
	maps.Copy(p.Rules, rules)
	change(&p)
	return p
}
