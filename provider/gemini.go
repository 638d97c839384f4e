package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// Gemini returns the profile of Gemini's generateContent on Google's Gemini API. The request body
// does not name the model, so the caller should. Vertex AI has rules of its own: see the provider
// "vertex-gemini".
//
// It is what the API was recorded to accept: consecutive messages of one role, empty text, the role
// "function" for responses, a response under another name than its call's. That a model's text may
// come first was stated (https://github.com/googleapis/python-genai/issues/529), not recorded. What
// single models refuse is in the model table.
func Gemini(model string) *Profile { return gemini.forModel(model) }

// gemini has rows for four generations. The first wanted turns that alternate. Signatures on calls
// and media in function responses came with the third, whose image models call nothing. The role
// "function" was accepted up to 2.5 and refused by 3.5. A final model turn is refused by the lite
// model of 3.5, and by all models from 3.6 to 3.8; of the fourth only its signatures are known.
var gemini = definition{
	name: "gemini",
	base: geminiBase,
	models: []row{
		{"gemini-pro", traits{alternates, noResultMedia}, srcOldGemini, "2024-04"},
		{"gemini-pro-vision*", traits{alternates, noResultMedia}, srcOldGemini, "2024-04"},
		{"gemini-1-0*", traits{alternates, noResultMedia}, srcOldGemini, "2024-04"},
		{"gemini-1*", traits{noResultMedia}, srcResultMedia, "2026-02"},
		{
			"gemini-2*", traits{noResultMedia, leavesUnanswered},
			srcResultMedia + "; " + srcUnanswered, "2026-02",
		},
		{"gemini-3*-image*", traits{ownIDs}, srcUnsigned + "; " + srcOwnIDs, "2026-07"},
		{
			"gemini-3-5-flash-lite*", traits{signsCalls, ownIDs, userResults, refusesPrefill},
			srcModelTurn + "; " + srcUnsigned + "; " + srcOwnIDs, "2026-09",
		},
		{
			"gemini-3-5*", traits{signsCalls, ownIDs, userResults},
			srcModelTurn + "; " + srcUnsigned + "; " + srcOwnIDs, "2026-09",
		},
		{
			"gemini-3-6*", traits{signsCalls, ownIDs, userResults, refusesPrefill},
			srcModelTurn + "; " + srcUnsigned + "; " + srcOwnIDs, "2026-09",
		},
		{
			"gemini-3-7*", traits{signsCalls, ownIDs, userResults, refusesPrefill},
			srcModelTurn + "; " + srcUnsigned + "; " + srcOwnIDs, "2026-09",
		},
		{
			"gemini-3-8*", traits{signsCalls, ownIDs, userResults, refusesPrefill},
			srcModelTurn + "; " + srcUnsigned + "; " + srcOwnIDs, "2026-09",
		},
		{"gemini-3*", traits{signsCalls, ownIDs}, srcUnsigned + "; " + srcOwnIDs, "2026-07"},
		{"gemini-4*-image*", nil, srcFourth, "2026-10"},
		{"gemini-4*", traits{signsCalls}, srcFourth, "2026-10"},
	},
}

// vertexGemini is Vertex AI, which refuses what the Gemini API accepts: the role "function"
// (opentelemetry-python-contrib's recording of an invalid role) and empty text
// (pydantic/pydantic-ai#2032, Portkey-AI/gateway#462). In models that refuse a final model turn, it
// takes text after a function response in one message for such a turn.
var vertexGemini = definition{
	name:   "vertex-gemini",
	format: &gemini,
	rules: map[problems.Problem]string{
		problems.EmptyMessage:  "gemini/empty-parts-vertex",
		problems.SystemContent: "gemini/empty-parts-vertex",
		problems.CallUnsigned:  "gemini/thought-signature-missing-vertex",
		// empty text, marked as thought
		problems.ReasoningEmpty: "gemini/empty-part-data",
	},
	change: func(p *Profile) {
		userResults(p)
		p.Content.RefuseEmptyText = true
		// https://github.com/earendil-works/pi/issues/4032
		p.Tools.StandInFirst = true
	},
	models: []row{
		{
			"gemini-2-0-flash*", traits{noResultMedia, leavesUnanswered, takesEmptyText},
			srcResultMedia + "; " + srcUnanswered + "; " + srcEmptyText, "2026-11",
		},
		{
			"gemini-3-5-flash-lite*", traits{signsCalls, refusesPrefill, noTextAfterResults},
			srcMixed, "2026-09",
		},
		{
			"gemini-3-6*", traits{signsCalls, refusesPrefill, noTextAfterResults},
			srcMixed + "; " + srcDive, "2026-11",
		},
		{
			"gemini-3-7*", traits{signsCalls, refusesPrefill, noTextAfterResults},
			srcMixed + "; " + srcDive, "2026-11",
		},
		{
			"gemini-3-8*", traits{signsCalls, refusesPrefill, noTextAfterResults},
			srcMixed + "; " + srcDive, "2026-11",
		},
		// as on the Gemini API, but for ids of calls, of which nothing is known here
		{"gemini-3*-image*", nil, srcUnsigned, "2026-07"},
		{"gemini-3*", traits{signsCalls}, srcUnsigned, "2026-07"},
	},
}

// geminiChat is the Gemini API's endpoint for OpenAI's Chat format. It accepts what an unknown host
// accepts; some models sign calls, in extra_content.
var geminiChat = definition{
	name:   "gemini-chat",
	format: &openAIChat,
	base:   compatibleHost,
	rules:  map[problems.Problem]string{problems.CallUnsigned: "gemini/thought-signature-missing"},
	models: []row{
		{"gemini-3*-image*", nil, srcUnsigned, "2026-07"},
		{"gemini-3*", traits{signsCalls}, srcGeminiChat, "2026-08"},
	},
}

const (
	srcModelTurn   = "https://github.com/LibreChat-AI/agents/pull/323"
	srcUnsigned    = "https://github.com/vercel/ai/issues/15560"
	srcOwnIDs      = "https://github.com/watt-mind/coach/pull/280"
	srcFourth      = "https://docs.apiyi.com/en/faq/gemini-thought-signature-missing"
	srcResultMedia = "https://github.com/google-gemini/gemini-cli/issues/19436"
	// Chats_Tests_chats_function_calling_Google_AI and _Vertex_AI: models 2.0 and 2.5
	srcUnanswered = "https://github.com/googleapis/js-genai/tree/main/test/system/recordings"
	srcEmptyText  = "rule gemini/empty-part-data and its sources"
	srcOldGemini  = "rule gemini/alternation-old and its sources; " + srcResultMedia
	srcMixed      = "https://github.com/router-for-me/CLIProxyAPI/issues/5607"
	srcDive       = "https://github.com/deepnoodle-ai/dive/pull/287; " +
		"https://github.com/Prism-Shadow/agenthub/pull/189"
	srcGeminiChat = "https://github.com/manthanabc/paws/issues/103; " +
		"https://github.com/niki914/zafiro/issues/100"
)

// skipSignature is the documented stand-in for the signature of a call that has none:
// https://ai.google.dev/gemini-api/docs/thought-signatures
const skipSignature = "skip_thought_signature_validator"

// signsCalls: the first tool call of a step needs a signature.
func signsCalls(p *Profile) { p.Tools.CallSignature = skipSignature }

// ownIDs: no two calls of a turn share an id.
func ownIDs(p *Profile) { p.IDs.Unique = ScopeTurn }

// userResults: tool results are in user messages, not in those of the role "function" or "tool".
func userResults(p *Profile) {
	p.Roles = slices.DeleteFunc(slices.Clone(p.Roles), func(r Role) bool {
		return r == "function" || r == "tool"
	})
}

// takesEmptyText: empty text is accepted.
func takesEmptyText(p *Profile) { p.Content.RefuseEmptyText = false }

// alternates: user and assistant take turns, and the user is first and last.
func alternates(p *Profile) {
	p.Turns.Neighbours = NeighboursMerged
	p.Turns.UserFirst, p.Prefill.Refused = true, true
}

// noResultMedia: tool results hold no media.
func noResultMedia(p *Profile) { p.Media.InResult = false }

// leavesUnanswered: no call of a turn needs a result if the user speaks next.
func leavesUnanswered(p *Profile) { p.Pairing.UnansweredTurns = true }

// noTextAfterResults: no text comes after a tool result in its message.
func noTextAfterResults(p *Profile) { p.Turns.NoTextAfterResults = true }

func geminiBase() Profile {
	return Profile{
		Roles: []Role{"system", "user", "assistant", "function", "tool"},
		IDs: IDRules{
			Call: Pattern{Optional: true},
		},
		System: SystemRules{
			Placement: SystemLeading,
		},
		Turns: TurnRules{
			Required:       true,
			Neighbours:     NeighboursJoined,
			CallsAfterUser: true,
		},
		Pairing: PairingRules{
			ResultRole: "user",
			Results:    ResultsTogether,
			ByName:     true,
		},
		Tools: ToolRules{
			Name:            Pattern{Alphabet: FuncChars, Min: 1, Max: 128},
			FreeResultNames: true, // 17 recordings of gemini-2.5-flash, see the rule
			ObjectArguments: true,
			NoServerTools:   true,
		},
		Content: ContentRules{
			RefuseEmptyMessage: true,
		},
		Media: MediaRules{
			Roles:     []Role{"user", "assistant", "tool"},
			InResult:  true,
			Decodable: true,
		},
		Reasoning: ReasoningRules{
			SignatureAlphabet: AnyBase64,
		},
		Cache: CacheRules{
			Limit: NoCache,
		},
		Rules: map[problems.Problem]string{
			problems.RoleUnknown:     "gemini/role-invalid",
			problems.Foreign:         "gemini/thought-signature-corrupt",
			problems.FirstRole:       "gemini/function-call-turn-placement",
			problems.CallTurn:        "gemini/function-call-turn-placement",
			problems.Alternation:     "gemini/alternation-old",
			problems.SystemLate:      "gemini/system-in-contents",
			problems.SystemRefused:   "gemini/system-in-contents",
			problems.TrailingTurn:    "gemini/ends-with-model-turn",
			problems.TextAfterResult: "gemini/ends-with-model-turn",
			problems.EmptyMessage:    "gemini/empty-parts",
			problems.SystemContent:   "gemini/empty-parts",
			problems.EmptyText:       "gemini/empty-part-data",
			problems.MediaEmpty:      "gemini/empty-part-data",
			problems.MediaUnreadable: "openai-chat/image-undecodable",
			problems.MediaRole:       "gemini/system-in-contents",
			problems.MediaInResult:   "gemini/function-response-media",
			problems.CallMisplaced:   "gemini/function-call-turn-placement",
			problems.ResultMisplaced: "gemini/function-response-placement",
			problems.Dangling:        "gemini/function-response-count",
			problems.DuplicateResult: "gemini/function-response-count",
			problems.ResultsApart:    "gemini/function-response-count",
			problems.Orphan:          "gemini/function-response-placement",
			problems.ResultNotFirst:  "gemini/function-response-placement",
			problems.ResultName:      "gemini/function-response-name",
			problems.NameLength:      "gemini/function-name-pattern",
			problems.ToolName:        "gemini/function-name-pattern",
			problems.Arguments:       "gemini/function-response-object",
			problems.CallUnsigned:    "gemini/thought-signature-missing",
			problems.CacheLimit:      "gemini/extra-field",
			problems.IDDuplicate:     "gemini/function-call-id-duplicate",
		},
	}
}
