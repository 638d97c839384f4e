package provider

import "github.com/go-preflight/preflight/rule/problems"

// Portable returns the profile of what every provider accepts, which a nil *Profile means:
// consecutive messages of one role are merged, the first turn is the user's and so is the last, no
// message and no text is empty, every call has its result right after it and every result its call,
// arguments are objects, and ids and names are written in the common alphabet.
//
// It is for histories whose provider is not known yet: a store, a session that is handed from one
// provider to another, an unknown host. A history for a known provider needs fewer changes.
//
// Each restriction is one that some provider answers with a 400; Rules names it. What only one
// provider has is no part of what they have in common and stays as it is: reasoning,
// provider-executed tools, media (beyond its place), unknown parts, participants' metadata.
// wire.HandOff, or the profile of the provider that a request is sent to, repairs those. The same
// is true of three demands that no neutral history can meet: Gemini's signatures on calls, the
// reasoning that some hosts want back, and ids of exactly nine characters for self-hosted Mistral
// models. Chat templates that want an assistant turn between tool results and the user's next words
// have ChatTemplate, since no other provider needs one.
func Portable() *Profile { p := portableProfile(); return &p }

func portableProfile() Profile {
	return Profile{
		Provider: "portable",
		Roles:    everyRole(),
		IDs: IDRules{
			Participant: Pattern{Alphabet: WordChars, Min: 1, Max: 64},
			Call:        Pattern{Alphabet: WordChars, Min: 1, Max: 40},
			Unique:      ScopeHistory,
		},
		System: SystemRules{
			Placement: SystemLeading,
			Single:    true,
		},
		Turns: TurnRules{
			UserFirst:       true,
			Neighbours:      NeighboursMerged,
			TextBeforeCalls: true,
		},
		Prefill: PrefillRules{
			Refused: true,
			Trim:    true,
		},
		Tools: ToolRules{
			Name:            Pattern{Alphabet: IdentChars, Min: 1, Max: 64},
			ObjectArguments: true,
		},
		Content: ContentRules{
			RefuseEmptyMessage: true,
			RefuseEmptyText:    true,
			RefuseBlankText:    true,
			ErrorNeedsText:     true,
			ResultNeedsText:    true,
		},
		Media: MediaRules{
			Roles:         []Role{"user"},
			Readable:      true,
			MatchType:     true,
			FileNeedsName: true,
		},
		Cache: CacheRules{
			Limit:       4,
			NoReasoning: true,
			LongFirst:   true,
		},
		Rules: map[problems.Problem]string{
			problems.InvalidUnicode:  "anthropic/lone-surrogate",
			problems.NUL:             "chat-template/nul-truncation",
			problems.NoMessages:      "anthropic/messages-empty",
			problems.RoleUnknown:     "openai-chat/role-unknown",
			problems.NamePattern:     "openai-chat/message-name-pattern",
			problems.FirstRole:       "bedrock/starts-with-user",
			problems.Alternation:     "chat-template/alternation",
			problems.SystemLate:      "chat-template/system-first",
			problems.TrailingTurn:    "anthropic/prefill-unsupported",
			problems.TrailingSpace:   "anthropic/trailing-whitespace",
			problems.EmptyMessage:    "anthropic/empty-message-content",
			problems.SystemContent:   "openai-chat/content-null",
			problems.EmptyText:       "anthropic/empty-text-block",
			problems.BlankText:       "bedrock/blank-text",
			problems.CallMisplaced:   "anthropic/tool-use-in-user",
			problems.ResultMisplaced: "anthropic/tool-result-in-assistant",
			problems.Dangling:        "openai-chat/tool-result-missing",
			problems.Orphan:          "openai-chat/tool-result-orphan",
			problems.DuplicateResult: "anthropic/tool-result-duplicate",
			problems.ResultNotFirst:  "anthropic/tool-result-first",
			problems.ServerDangling:  "anthropic/server-tool-result-missing",
			problems.ServerOrphan:    "anthropic/server-tool-result-orphan",
			problems.ServerMixed:     "anthropic/server-tool-mixed-turn",
			problems.MCPPairing:      "anthropic/mcp-tool-pairing",
			problems.IDPattern:       "anthropic/tool-use-id-pattern",
			problems.IDLength:        "openai-chat/tool-call-id-length",
			problems.IDDuplicate:     "anthropic/tool-use-id-duplicate",
			problems.NameLength:      "openai-chat/function-name-pattern",
			problems.ToolName:        "gemini/function-name-pattern",
			problems.Arguments:       "anthropic/tool-use-input-object",
			problems.ErrorEmpty:      "anthropic/tool-result-error-empty",
			problems.ResultEmpty:     "openai-chat/content-null",
			problems.CallNotLast:     "anthropic/assistant-must-end-on-tool-use",
			problems.MediaRole:       "anthropic/image-in-assistant",
			problems.MediaInResult:   "openai-chat/tool-message-image",
			problems.MediaUnreadable: "anthropic/image-undecodable",
			problems.MediaType:       "anthropic/image-media-type-mismatch",
			problems.FileName:        "openai-chat/file-needs-filename",
			problems.CacheLimit:      "anthropic/cache-control-max4",
			problems.CacheEmptyText:  "anthropic/cache-control-empty-text",
			problems.CacheReasoning:  "anthropic/cache-control-on-thinking",
			problems.CacheOrder:      "anthropic/cache-control-ttl-order",
		},
	}
}

// Portable returns the profile with the demands of Portable added to its own: a request in the
// provider's format that other providers, or none that is known, would accept as well.
//
//	Gemini("").Portable() // messages of one role in a row are merged; the first turn is the user's
//
// Where each part is a message of its own (OpenAI Responses), neighbours stay apart. Where results
// are in user messages, they come before all else; those that move are in the order of their calls.
func (p Profile) Portable() Profile {
	q := portableProfile()
	p.AnyRole = false
	p.Turns.UserFirst, p.Prefill.Refused, p.Prefill.Trim = true, true, true
	p.Content.RefuseEmptyMessage = true
	if r := p.Pairing.ResultRole; r == "" || r == "tool" {
		// an empty text is how some of these formats say that there is none
		p.Content.NeedsText = everyRole()
	} else {
		p.Content.RefuseEmptyText, p.Pairing.Results = true, ResultsFirst
	}
	p.Content.RefuseBlankText, p.Content.BlankBeside = true, nil
	p.Tools.ObjectArguments, p.Content.ErrorNeedsText, p.Content.ResultNeedsText = true, true, true
	p.Pairing.UnansweredTurns, p.Pairing.FurtherResults = false, false
	p.Media.Readable, p.Media.MatchType, p.Media.InResult = true, true, false
	p.Items.FollowReasoning = true
	if !p.Items.OnePartPerMessage {
		p.System.Single, p.Turns.TextBeforeCalls = true, true
		p.Turns.Neighbours = NeighboursMerged
	}
	if p.System.Placement != SystemRefused {
		p.System.Placement = q.System.Placement
	}
	if !p.Pairing.ByName { // with it the format has no place for an id, or need not have one
		p.IDs.Call.Optional, p.IDs.Unique = false, q.IDs.Unique
	}
	p.Media.Roles = q.Media.Roles
	p.IDs.Call = p.IDs.Call.within(q.IDs.Call)
	p.Tools.Name = p.Tools.Name.within(q.Tools.Name)
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
