package preflight

// This file is the profile of Google Gemini, as data.

// Gemini is the profile of Gemini's generateContent, on AI Studio and Vertex AI, in the strict form that every model takes.
// The name of the model stands in the URL, not in the body, so a caller does well to say it: ForModel narrows the profile.
//
// Stricter than today's API where that loses nothing: neighbours of one role are merged, the first turn is the user's, a
// content states its role, and a function's name is no longer than 64 characters. Signatures that a model of the third
// generation wants on function calls are asked for unless the model is known to do without.
func Gemini() Profile {
	return Profile{
		Provider: "gemini",

		Roles:         []Role{RoleSystem, RoleUser, RoleAssistant},
		ResultRole:    RoleUser,
		System:        SystemLeading,
		FirstUser:     true,
		Merge:         true,
		JoinTurns:     true,
		RefusePrefill: true,

		RefuseEmptyMessage: true,
		RefuseEmptyText:    true,

		CallID:          Pattern{Optional: true},
		ToolName:        Pattern{Alphabet: FuncChars, Min: 1, Max: 64},
		ObjectArguments: true,
		PairByName:      true,
		CallSignature:   "skip_thought_signature_validator",
		NoServerTools:   true,

		MediaRoles:    []Role{RoleUser, RoleAssistant, RoleTool}, // a system instruction is text only: https://ai.google.dev/api/generate-content
		MediaInResult: true,

		CacheLimit: NoCache,

		Rules: map[Problem]string{
			ProblemRoleUnknown:     "gemini/role-invalid",
			ProblemFirstRole:       "gemini/function-call-turn-placement",
			ProblemAlternation:     "gemini/alternation-old",
			ProblemSystemLate:      "gemini/system-in-contents",
			ProblemSystemRefused:   "gemini/system-in-contents",
			ProblemTrailingTurn:    "gemini/ends-with-model-turn",
			ProblemEmptyMessage:    "gemini/empty-parts",
			ProblemSystemContent:   "gemini/empty-parts",
			ProblemEmptyText:       "gemini/empty-part-data",
			ProblemMediaEmpty:      "gemini/empty-part-data",
			ProblemMediaRole:       "gemini/system-in-contents",
			ProblemCallMisplaced:   "gemini/function-call-turn-placement",
			ProblemResultMisplaced: "gemini/function-response-placement",
			ProblemDangling:        "gemini/function-response-count",
			ProblemDuplicateResult: "gemini/function-response-count",
			ProblemOrphan:          "gemini/function-response-placement",
			ProblemResultNotFirst:  "gemini/function-response-placement",
			ProblemResultName:      "gemini/function-response-name",
			ProblemNameLength:      "gemini/function-name-pattern",
			ProblemToolName:        "gemini/function-name-pattern",
			ProblemArguments:       "gemini/function-response-object",
			ProblemCallUnsigned:    "gemini/thought-signature-missing",
			ProblemCacheLimit:      "gemini/extra-field",
		},
	}
}

const (
	srcModelTurn = "https://github.com/LibreChat-AI/agents/pull/323"
	srcUnsigned  = "rule gemini/thought-signature-missing and its sources"
	srcPlain     = "https://github.com/google-gemini/gemini-cli/issues/19436"
)

// geminiModels are the rows for Gemini. A final model turn is taken by every 2, by 3 and 3.1, and of 3.5 by flash alone;
// signatures came with 3, whose image model does without, and so did media in function responses. A name that no row knows, such as gemini-flash-latest, takes the
// profile as it is.
func geminiModels() []Model {
	return []Model{
		{"gemini", "gemini-3-pro-image*", []Trait{TakesPrefill, UnsignedCalls}, srcUnsigned, "2026-07"},
		{"gemini", "gemini-3-pro*", []Trait{TakesPrefill}, srcModelTurn, "2026-09"},
		{"gemini", "gemini-3-flash*", []Trait{TakesPrefill}, srcModelTurn, "2026-09"},
		{"gemini", "gemini-3-1-*", []Trait{TakesPrefill}, srcModelTurn, "2026-09"},
		{"gemini", "gemini-3-5-flash-lite*", nil, srcModelTurn, "2026-09"},
		{"gemini", "gemini-3-5-flash*", []Trait{TakesPrefill}, srcModelTurn, "2026-09"},
		{"gemini", "gemini-2*", []Trait{TakesPrefill, UnsignedCalls, PlainResults}, srcModelTurn + "; " + srcUnsigned + "; " + srcPlain, "2026-02"},
		{"gemini", "gemini-1*", []Trait{UnsignedCalls, PlainResults}, srcUnsigned + "; " + srcPlain, "2026-02"},
		{"gemini", "gemini-pro*", []Trait{UnsignedCalls, PlainResults}, srcUnsigned + "; " + srcPlain, "2026-02"},
	}
}
