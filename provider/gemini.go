package provider

// Gemini returns the profile of Gemini's generateContent on Google's Gemini API. The request body
// does not name the model, so the caller should. Vertex AI has rules of its own: see the provider
// "vertex-gemini".
//
// It is what the API was recorded to accept: consecutive messages of one role, empty text, the role
// "function" for responses, a response under another name than its call's. That a model's text may
// come first was stated (https://github.com/googleapis/python-genai/issues/529), not recorded.
func Gemini(model string) *Profile { return gemini.forModel(model) }

// Four generations. The first wanted turns that alternate. Signatures on calls and media in function
// responses came with the third, whose image models call nothing. The role "function" was accepted
// up to 2.5 and refused by 3.5. A final model turn is refused by the lite model of 3.5, and by all
// models from 3.6 to 3.8; of the fourth only its signatures are known.
const (
	geminiFirst   = "gemini-pro gemini-pro-vision* gemini-1-0*"
	geminiNoTurn  = "gemini-3-5-flash-lite* gemini-3-6* gemini-3-7* gemini-3-8*"
	geminiSigned  = "gemini-3* gemini-4*"
	geminiImagine = "gemini-3*-image* gemini-4*-image*"
)

// skipSignature is the documented stand-in for the signature of a call that has none:
// https://ai.google.dev/gemini-api/docs/thought-signatures
const skipSignature = "skip_thought_signature_validator"

var gemini = definition{
	name:  "gemini",
	group: "gemini-api",
	layout: Profile{
		Roles:   []Role{"system", "user", "assistant", "function", "tool"},
		IDs:     IDRules{Call: Pattern{Optional: true}},
		Turns:   TurnRules{Required: true, Neighbours: NeighboursJoined},
		Pairing: PairingRules{ResultRole: "user", Results: ResultsTogether, ByName: true},
		// 17 recordings of gemini-2.5-flash, see gemini/function-response-name
		Tools: ToolRules{FreeResultNames: true, NoServerTools: true},
		Media: MediaRules{InResult: true},
	},
	rows: []row{
		{rule: "gemini/function-call-turn-placement", is: "call-misplaced"},
		{rule: "gemini/function-response-placement", is: "result-misplaced orphan result-not-first"},
		// Vertex AI and Code Assist count the responses. The Gemini API was seen to take them apart,
		// and too few. They are counted on both: joining them loses nothing, and too few are known of
		// one report, which names no model.
		{rule: "gemini/function-response-count", is: "dangling duplicate-result results-apart"},
		{rule: "gemini/function-response-name", is: "result-name"},
		{rule: "gemini/empty-part-data", is: "media-empty empty-text"},

		{rule: "gemini/system-in-contents", is: "system-late system-refused",
			set: "System.Placement", to: SystemLeading},
		{rule: "gemini/function-call-turn-placement", set: "Turns.CallsAfterUser", to: true},
		{rule: "gemini/function-name-pattern",
			set: "Tools.Name", to: Pattern{Alphabet: FuncChars, Min: 1, Max: 128}},
		{rule: "gemini/function-response-object", set: "Tools.ObjectArguments", to: true},
		{rule: "gemini/empty-parts", is: "empty-message system-content",
			set: "Content.RefuseEmptyMessage", to: true},
		{rule: "gemini/system-in-contents",
			set: "Media.Roles", to: []Role{"user", "assistant", "tool"}},
		{rule: "openai-chat/image-undecodable", set: "Media.Decodable", to: true},
		{rule: "gemini/thought-signature-corrupt", set: "Reasoning.SignatureAlphabet", to: AnyBase64},
		{rule: "gemini/extra-field", set: "Cache.Limit", to: NoCache},

		{rule: "gemini/alternation-old", of: geminiFirst, set: "Turns.Neighbours", is: "alternation",
			to: NeighboursMerged},
		{rule: "gemini/function-call-turn-placement", is: "first-role", of: geminiFirst,
			set: "Turns.UserFirst", to: true},
		{rule: "gemini/ends-with-model-turn", of: geminiFirst + " " + geminiNoTurn,
			not: geminiImagine, set: "Prefill.Refused", to: true},
		{rule: "gemini/ends-with-model-turn", is: "text-after-result"},
		{rule: "gemini/function-response-media", of: "gemini-pro gemini-pro-vision* gemini-1* gemini-2*",
			set: "Media.InResult", to: false},
		{rule: "gemini/thought-signature-missing", of: geminiSigned, not: geminiImagine,
			set: "Tools.CallSignature", to: skipSignature},
		{rule: "gemini/function-call-id-duplicate", at: "gemini-api", of: "gemini-3*",
			set: "IDs.Unique", to: ScopeTurn},
		{rule: "gemini/role-invalid", is: "role-unknown", at: "gemini-api", not: geminiImagine,
			of:  "gemini-3-5* gemini-3-6* gemini-3-7* gemini-3-8*",
			set: "Roles", to: []Role{"system", "user", "assistant"}},
		// js-genai's recordings of chats with function calling: models 2.0 and 2.5
		// https://github.com/googleapis/js-genai/tree/main/test/system/recordings
		{of: "gemini-2*", set: "Pairing.UnansweredTurns", to: true},
	},
}

// vertexGemini is Vertex AI, which refuses what the Gemini API accepts: the role "function"
// (opentelemetry-python-contrib's recording of an invalid role) and empty text
// (pydantic/pydantic-ai#2032, Portkey-AI/gateway#462). In models that refuse a final model turn, it
// takes text after a function response in one message for such a turn.
var vertexGemini = definition{
	name:   "vertex-gemini",
	format: &gemini,
	rows: []row{
		{rule: "gemini/empty-parts-vertex", is: "empty-message system-content"},
		{rule: "gemini/role-invalid", is: "role-unknown",
			set: "Roles", to: []Role{"system", "user", "assistant"}},
		{rule: "gemini/empty-part-data", is: "reasoning-empty"}, // empty text, marked as thought
		{rule: "gemini/empty-part-data", not: "gemini-2-0-flash*",
			set: "Content.RefuseEmptyText", to: true},
		{rule: "gemini/thought-signature-missing-vertex", of: geminiSigned, not: geminiImagine,
			set: "Tools.CallSignature", to: skipSignature},
		{rule: "gemini/ends-with-model-turn", of: geminiNoTurn, not: geminiImagine,
			set: "Turns.NoTextAfterResults", to: true},
		// https://github.com/earendil-works/pi/issues/4032
		{set: "Tools.StandInFirst", to: true},
	},
}

// geminiChat is the Gemini API's endpoint for OpenAI's Chat format. It accepts what an unknown host
// accepts; some models sign calls, in extra_content.
var geminiChat = definition{
	name: "gemini-chat", format: &openAIChat, group: "compatible",
	rows: []row{{rule: "gemini/thought-signature-missing", of: "gemini-3*", not: geminiImagine,
		set: "Tools.CallSignature", to: skipSignature}},
}
