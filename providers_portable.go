package preflight

// This file is the profile of what every provider accepts, as data.

// Portable is the profile of what every provider accepts, and what a nil *Profile stands for: neighbours of one role are
// merged, the first turn is the user's and so is the last, no message and no text is empty, every call has its result right
// after it and every result its call, arguments are objects, and ids and names are written in the common alphabet.
//
// It is for histories whose provider is not known yet: a store, a session that is handed from one provider to another, a
// host that nobody knows. A history for a known provider needs less: what its own profile accepts is left alone there.
//
// Each restriction is one that some provider answers with a 400; Rules names it. What only one provider has is no part of
// what they have in common and stays as it is: reasoning, provider-executed tools, media (beyond its place), unknown parts,
// participants' metadata. A HandOff, or the profile of the provider that a request goes to, settles those. So it does with
// three demands that no neutral history can meet: Gemini's signatures on calls, the reasoning that some hosts want back, and
// ids of exactly nine characters for self-hosted Mistral models. Chat templates that want an assistant turn between tool
// results and the user's next words have ChatTemplate, since no other provider needs one.
func Portable() Profile {
	return Profile{
		Provider: "portable",

		Roles:           everyRole(),
		NamePattern:     Pattern{Alphabet: WordChars, Min: 1, Max: 64},
		System:          SystemLeading,
		OneSystem:       true,
		FirstUser:       true,
		Merge:           true,
		JoinTurns:       true,
		RefusePrefill:   true,
		TrimPrefill:     true,
		TextBeforeCalls: true,

		RefuseEmptyMessage: true,
		RefuseEmptyText:    true,
		RefuseBlankText:    true,

		CallID:          Pattern{Alphabet: WordChars, Min: 1, Max: 40}, // Anthropic's alphabet, OpenAI Chat's length
		UniqueIDs:       ScopeHistory,
		ToolName:        Pattern{Alphabet: IdentChars, Min: 1, Max: 64}, // OpenAI's alphabet and length, Gemini's first character
		ObjectArguments: true,
		ErrorNeedsText:  true,
		ResultNeedsText: true,

		MediaRoles:    []Role{RoleUser},
		ReadableMedia: true,
		MatchMedia:    true,
		FileNeedsName: true,

		CacheLimit:       4,
		NoCacheReasoning: true,
		CacheLongFirst:   true,

		Rules: map[Problem]string{
			ProblemInvalidUnicode:  "anthropic/lone-surrogate",
			ProblemNUL:             "chat-template/nul-truncation",
			ProblemNoMessages:      "anthropic/messages-empty",
			ProblemRoleUnknown:     "openai-chat/role-unknown",
			ProblemNamePattern:     "openai-chat/message-name-pattern",
			ProblemFirstRole:       "bedrock/starts-with-user",
			ProblemAlternation:     "chat-template/alternation",
			ProblemSystemLate:      "chat-template/system-first",
			ProblemTrailingTurn:    "anthropic/prefill-unsupported",
			ProblemTrailingSpace:   "anthropic/trailing-whitespace",
			ProblemEmptyMessage:    "anthropic/empty-message-content",
			ProblemSystemContent:   "openai-chat/content-null",
			ProblemEmptyText:       "anthropic/empty-text-block",
			ProblemBlankText:       "bedrock/blank-text",
			ProblemCallMisplaced:   "anthropic/tool-use-in-user",
			ProblemResultMisplaced: "anthropic/tool-result-in-assistant",
			ProblemDangling:        "openai-chat/tool-result-missing",
			ProblemOrphan:          "openai-chat/tool-result-orphan",
			ProblemDuplicateResult: "anthropic/tool-result-duplicate",
			ProblemResultNotFirst:  "anthropic/tool-result-first",
			ProblemServerDangling:  "anthropic/server-tool-result-missing",
			ProblemServerOrphan:    "anthropic/server-tool-result-orphan",
			ProblemServerMixed:     "anthropic/server-tool-mixed-turn",
			ProblemMCPPairing:      "anthropic/mcp-tool-pairing",
			ProblemIDPattern:       "anthropic/tool-use-id-pattern",
			ProblemIDLength:        "openai-chat/tool-call-id-length",
			ProblemIDDuplicate:     "anthropic/tool-use-id-duplicate",
			ProblemNameLength:      "openai-chat/function-name-pattern",
			ProblemToolName:        "gemini/function-name-pattern",
			ProblemArguments:       "anthropic/tool-use-input-object",
			ProblemErrorEmpty:      "anthropic/tool-result-error-empty",
			ProblemResultEmpty:     "openai-chat/content-null",
			ProblemCallNotLast:     "anthropic/assistant-must-end-on-tool-use",
			ProblemMediaRole:       "anthropic/image-in-assistant",
			ProblemMediaInResult:   "openai-chat/tool-message-image",
			ProblemMediaUnreadable: "anthropic/image-undecodable",
			ProblemMediaType:       "anthropic/image-media-type-mismatch",
			ProblemFileName:        "openai-chat/file-needs-filename",
			ProblemCacheLimit:      "anthropic/cache-control-max4",
			ProblemCacheEmptyText:  "anthropic/cache-control-empty-text",
			ProblemCacheReasoning:  "anthropic/cache-control-on-thinking",
			ProblemCacheOrder:      "anthropic/cache-control-ttl-order",
		},
	}
}

// Portable returns the profile with the demands of Portable added to its own: a request in the provider's format that other
// providers, or none that is known, would accept as well.
//
//	Gemini().Portable() // neighbours of one role are merged, and the first turn is the user's
//
// Where each part is a message of its own (OpenAI Responses), neighbours stay apart. Where results are
// in user messages, they come before all else; those that move are in the order of their calls.
func (p Profile) Portable() Profile {
	q := Portable()
	p.FirstUser, p.RefusePrefill, p.TrimPrefill = true, true, true
	p.RefuseEmptyMessage = true
	if p.resultRole() == RoleTool {
		p.RefuseHollow = everyRole() // an empty text is how some of these formats say that there is none
	} else {
		p.RefuseEmptyText, p.GatherResults, p.ResultsTogether = true, true, false
	}
	p.RefuseBlankText, p.BlankBeside = true, nil
	p.ObjectArguments, p.ErrorNeedsText, p.ResultNeedsText = true, true, true
	p.ReadableMedia, p.MatchMedia, p.MediaInResult = true, true, false
	p.FollowReasoning = true
	if !p.LoneParts {
		p.OneSystem, p.Merge, p.JoinTurns, p.TextBeforeCalls = true, true, true, true
	}
	if p.System != SystemRefused {
		p.System = q.System
	}
	if !p.CallID.Optional {
		p.UniqueIDs = q.UniqueIDs
	}
	p.MediaRoles = q.MediaRoles
	p.CallID = p.CallID.within(q.CallID)
	p.ToolName = p.ToolName.within(q.ToolName)
	p.NamePattern = p.NamePattern.within(q.NamePattern)
	return p
}

// within is the pattern in the alphabet of q, unless its own is narrower, and no longer than q.
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
