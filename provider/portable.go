package provider

// Portable returns the profile of what every provider accepts, which a nil *Profile means:
// consecutive messages of one role are merged, the first turn is the user's and so is the last, no
// message and no text is empty, every call has its result right after it and every result its call,
// arguments are objects, and ids and names are written in the common alphabet.
//
// It is for histories whose provider is not known yet: a store, a session that is handed from one
// provider to another, an unknown host. A history for a known provider needs fewer changes.
//
// Each restriction is one that some provider answers with a 400; Rules names it. What only one
// provider has stays as it is: reasoning, provider-executed tools, media (beyond its place),
// unknown parts, participants' metadata. wire.HandOff, or the profile of the provider that a
// request is sent to, repairs those. The same is true of three demands that no neutral history can
// meet: Gemini's signatures on calls, the reasoning that some hosts want back, and ids of exactly
// nine characters for self-hosted Mistral models. Chat templates that want an assistant turn
// between tool results and the user's next words have ChatTemplate, since no other provider needs
// one.
func Portable() *Profile { return portable.forModel("") }

var portable = definition{
	name: "portable",
	layout: Profile{
		Roles: everyRole(),
		Media: MediaRules{InResult: true},
	},
	rows: []row{
		{rule: "anthropic/lone-surrogate", is: "invalid-unicode"},
		{rule: "chat-template/nul-truncation", is: "nul-character"},
		{rule: "anthropic/messages-empty", is: "no-messages"},
		{rule: "openai-chat/role-unknown", is: "role-unknown"},
		{rule: "anthropic/tool-use-in-user", is: "call-misplaced"},
		{rule: "anthropic/tool-result-in-assistant", is: "result-misplaced"},
		{rule: "openai-chat/tool-result-missing", is: "dangling"},
		{rule: "openai-chat/tool-result-orphan", is: "orphan"},
		{rule: "anthropic/tool-result-duplicate", is: "duplicate-result"},
		{rule: "anthropic/tool-result-first", is: "result-not-first"},
		{rule: "anthropic/server-tool-result-missing", is: "server-dangling"},
		{rule: "anthropic/server-tool-result-orphan", is: "server-orphan"},
		{rule: "anthropic/server-tool-mixed-turn", is: "server-mixed"},
		{rule: "anthropic/mcp-tool-pairing", is: "mcp-pairing"},
		{rule: "anthropic/cache-control-empty-text", is: "cache-empty-text"},

		{rule: "openai-chat/message-name-pattern", set: "IDs.Participant", to: openAINames},
		{rule: "anthropic/tool-use-id-pattern", is: "id-pattern",
			set: "IDs.Call", to: Pattern{Alphabet: WordChars, Min: 1, Max: 40}},
		{rule: "openai-chat/tool-call-id-length", is: "id-length"},
		{rule: "anthropic/tool-use-id-duplicate", set: "IDs.Unique", to: ScopeHistory},
		{rule: "gemini/function-name-pattern", is: "tool-name-pattern",
			set: "Tools.Name", to: Pattern{Alphabet: IdentChars, Min: 1, Max: 64}},
		{rule: "openai-chat/function-name-pattern", is: "tool-name-length"},
		{rule: "anthropic/tool-use-input-object", set: "Tools.ObjectArguments", to: true},
		{rule: "chat-template/system-first", is: "system-late",
			set: "System.Placement", to: SystemLeading},
		{rule: "chat-template/system-first", is: "system-late", set: "System.Single", to: true},
		{rule: "bedrock/starts-with-user", is: "first-role", set: "Turns.UserFirst", to: true},
		{rule: "chat-template/alternation", is: "alternation",
			set: "Turns.Neighbours", to: NeighboursMerged},
		{rule: "anthropic/assistant-must-end-on-tool-use", set: "Turns.TextBeforeCalls", to: true},
		{rule: "anthropic/prefill-unsupported", set: "Prefill.Refused", to: true},
		{rule: "anthropic/trailing-whitespace", set: "Prefill.Trim", to: true},
		{rule: "anthropic/empty-message-content", set: "Content.RefuseEmptyMessage", to: true},
		{rule: "anthropic/empty-text-block", set: "Content.RefuseEmptyText", to: true},
		{rule: "bedrock/blank-text", set: "Content.RefuseBlankText", to: true},
		{rule: "anthropic/tool-result-error-empty", set: "Content.ErrorNeedsText", to: true},
		{rule: "openai-chat/content-null", is: "system-content result-empty",
			set: "Content.ResultNeedsText", to: true},
		{rule: "anthropic/image-in-assistant", set: "Media.Roles", to: []Role{"user"}},
		{rule: "openai-chat/tool-message-image", set: "Media.InResult", to: false},
		{rule: "anthropic/image-undecodable", set: "Media.Readable", to: true},
		{rule: "anthropic/image-media-type-mismatch", set: "Media.MatchType", to: true},
		{rule: "openai-chat/file-needs-filename", set: "Media.FileNeedsName", to: true},
		{rule: "anthropic/cache-control-max4", set: "Cache.Limit", to: 4},
		{rule: "anthropic/cache-control-on-thinking", set: "Cache.NoReasoning", to: true},
		{rule: "anthropic/cache-control-ttl-order", set: "Cache.LongFirst", to: true},
	},
}

// Portable returns the profile with the demands of Portable added to its own: a request in the
// provider's format that other providers, or none that is known, would accept as well.
//
//	Gemini("").Portable() // messages of one role in a row are merged; the first turn is the user's
//
// Where each part is a message of its own (OpenAI Responses), neighbours stay apart. Where results
// are in user messages, they come before all else; those that move are in the order of their calls.
func (p Profile) Portable() Profile {
	q := Portable()
	p.AnyRole, p.Content.RefuseEmptyMessage = false, true
	p.Turns.UserFirst, p.Prefill.Refused, p.Prefill.Trim = true, true, true
	if r := p.Pairing.ResultRole; r == "" || r == "tool" {
		// an empty text is how some of these formats say that there is none
		p.Content.NeedsText = everyRole()
	} else {
		p.Content.RefuseEmptyText, p.Pairing.Results = true, ResultsFirst
	}
	p.Content.RefuseBlankText, p.Content.BlankBeside = true, nil
	p.Tools.ObjectArguments, p.Content.ErrorNeedsText, p.Content.ResultNeedsText = true, true, true
	p.Pairing.UnansweredTurns, p.Pairing.FurtherResults = false, false
	p.Pairing.ServedOpen, p.Pairing.Unpaired = false, false
	p.Media.Readable, p.Media.MatchType, p.Media.InResult = true, true, false
	p.Items.FollowReasoning = true
	if !p.Items.OnePartPerMessage {
		if p.Pairing.Results == ResultsAnywhere {
			p.Pairing.Results = q.Pairing.Results
		}
		p.System.Single, p.Turns.TextBeforeCalls, p.Turns.Neighbours = true, true, NeighboursMerged
	}
	if p.System.Placement != SystemRefused {
		p.System.Placement = q.System.Placement
	}
	if !p.Pairing.ByName { // with it the format has no place for an id, or need not have one
		p.IDs.Call.Optional, p.IDs.Unique = false, q.IDs.Unique
	}
	p.Media.Roles = q.Media.Roles
	p.IDs.Call, p.Tools.Name = p.IDs.Call.within(q.IDs.Call), p.Tools.Name.within(q.Tools.Name)
	p.IDs.Participant = p.IDs.Participant.within(q.IDs.Participant)
	return p
}

// within returns the pattern in the alphabet of q, unless its own is narrower, and no longer
// than q.
func (p Pattern) within(q Pattern) Pattern {
	switch p.Alphabet {
	case AnyChars, WordChars, FuncChars:
		p.Alphabet = q.Alphabet
	}
	p.Min = max(p.Min, q.Min)
	if p.Max == 0 || p.Max > q.Max {
		p.Max = q.Max
	}
	return p
}
