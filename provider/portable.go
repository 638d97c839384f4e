package provider

import "github.com/go-preflight/preflight/rule"

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
		Rules: map[rule.Problem]string{
			rule.InvalidUnicode:  "anthropic/lone-surrogate",
			rule.NUL:             "chat-template/nul-truncation",
			rule.NoMessages:      "anthropic/messages-empty",
			rule.RoleUnknown:     "openai-chat/role-unknown",
			rule.NamePattern:     "openai-chat/message-name-pattern",
			rule.FirstRole:       "bedrock/starts-with-user",
			rule.Alternation:     "chat-template/alternation",
			rule.SystemLate:      "chat-template/system-first",
			rule.TrailingTurn:    "anthropic/prefill-unsupported",
			rule.TrailingSpace:   "anthropic/trailing-whitespace",
			rule.EmptyMessage:    "anthropic/empty-message-content",
			rule.SystemContent:   "openai-chat/content-null",
			rule.EmptyText:       "anthropic/empty-text-block",
			rule.BlankText:       "bedrock/blank-text",
			rule.CallMisplaced:   "anthropic/tool-use-in-user",
			rule.ResultMisplaced: "anthropic/tool-result-in-assistant",
			rule.Dangling:        "openai-chat/tool-result-missing",
			rule.Orphan:          "openai-chat/tool-result-orphan",
			rule.DuplicateResult: "anthropic/tool-result-duplicate",
			rule.ResultNotFirst:  "anthropic/tool-result-first",
			rule.ServerDangling:  "anthropic/server-tool-result-missing",
			rule.ServerOrphan:    "anthropic/server-tool-result-orphan",
			rule.ServerMixed:     "anthropic/server-tool-mixed-turn",
			rule.MCPPairing:      "anthropic/mcp-tool-pairing",
			rule.IDPattern:       "anthropic/tool-use-id-pattern",
			rule.IDLength:        "openai-chat/tool-call-id-length",
			rule.IDDuplicate:     "anthropic/tool-use-id-duplicate",
			rule.NameLength:      "openai-chat/function-name-pattern",
			rule.ToolName:        "gemini/function-name-pattern",
			rule.Arguments:       "anthropic/tool-use-input-object",
			rule.ErrorEmpty:      "anthropic/tool-result-error-empty",
			rule.ResultEmpty:     "openai-chat/content-null",
			rule.CallNotLast:     "anthropic/assistant-must-end-on-tool-use",
			rule.MediaRole:       "anthropic/image-in-assistant",
			rule.MediaInResult:   "openai-chat/tool-message-image",
			rule.MediaUnreadable: "anthropic/image-undecodable",
			rule.MediaType:       "anthropic/image-media-type-mismatch",
			rule.FileName:        "openai-chat/file-needs-filename",
			rule.CacheLimit:      "anthropic/cache-control-max4",
			rule.CacheEmptyText:  "anthropic/cache-control-empty-text",
			rule.CacheReasoning:  "anthropic/cache-control-on-thinking",
			rule.CacheOrder:      "anthropic/cache-control-ttl-order",
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
