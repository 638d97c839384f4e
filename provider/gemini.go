package provider

import "github.com/go-preflight/preflight/rule"

// Gemini is the profile of Gemini's generateContent on Google's Gemini API. The model is named in
// the URL, not in the body, so a caller does well to name it: ForModel narrows the profile. Vertex
// AI has rules of its own: see the profile "vertex-gemini".
//
// It is what the API was recorded to accept: neighbours of one role, a model turn first or last,
// empty text, the role "function" for responses, a response under another name than its call's.
// What single models refuse is in the model table.
func Gemini(model string) *Profile { return narrowed(gemini(), model) }

func gemini() Profile {
	return Profile{
		Provider: "gemini",
		Roles:    []Role{"system", "user", "assistant", "function"},
		IDs: IDRules{
			Call: Pattern{Optional: true},
		},
		System: SystemRules{
			Placement: SystemLeading,
		},
		Turns: TurnRules{
			Required:       true,
			Joined:         true,
			CallsAfterUser: true,
		},
		Pairing: PairingRules{
			ResultRole:      "user",
			ResultsTogether: true,
			ByName:          true,
		},
		Tools: ToolRules{
			Name:            Pattern{Alphabet: FuncChars, Min: 1, Max: 128},
			ObjectArguments: true,
			NoServerTools:   true,
		},
		Content: ContentRules{
			RefuseEmptyMessage: true,
		},
		Media: MediaRules{
			Roles:    []Role{"user", "assistant", "tool"},
			InResult: true,
		},
		Cache: CacheRules{
			Limit: NoCache,
		},
		Rules: map[rule.Problem]string{
			rule.RoleUnknown:     "gemini/role-invalid",
			rule.FirstRole:       "gemini/function-call-turn-placement",
			rule.CallTurn:        "gemini/function-call-turn-placement",
			rule.Alternation:     "gemini/alternation-old",
			rule.SystemLate:      "gemini/system-in-contents",
			rule.SystemRefused:   "gemini/system-in-contents",
			rule.TrailingTurn:    "gemini/ends-with-model-turn",
			rule.TextAfterResult: "gemini/ends-with-model-turn",
			rule.EmptyMessage:    "gemini/empty-parts",
			rule.SystemContent:   "gemini/empty-parts",
			rule.EmptyText:       "gemini/empty-part-data",
			rule.MediaEmpty:      "gemini/empty-part-data",
			rule.MediaRole:       "gemini/system-in-contents",
			rule.CallMisplaced:   "gemini/function-call-turn-placement",
			rule.ResultMisplaced: "gemini/function-response-placement",
			rule.Dangling:        "gemini/function-response-count",
			rule.DuplicateResult: "gemini/function-response-count",
			rule.ResultsApart:    "gemini/function-response-count",
			rule.Orphan:          "gemini/function-response-placement",
			rule.ResultNotFirst:  "gemini/function-response-placement",
			rule.ResultName:      "gemini/function-response-name",
			rule.NameLength:      "gemini/function-name-pattern",
			rule.ToolName:        "gemini/function-name-pattern",
			rule.Arguments:       "gemini/function-response-object",
			rule.CallUnsigned:    "gemini/thought-signature-missing",
			rule.CacheLimit:      "gemini/extra-field",
		},
	}
}

// vertexGemini is what Vertex AI refuses and the Gemini API accepts: the role "function"
// (opentelemetry-python-contrib's recording of an invalid role) and empty text
// (pydantic/pydantic-ai#2032, Portkey-AI/gateway#462).
func VertexGemini(p *Profile) {
	p.apply(UserResults)
	p.Content.RefuseEmptyText = true
	p.Rules[rule.EmptyMessage] = "gemini/empty-parts-vertex"
	p.Rules[rule.SystemContent] = "gemini/empty-parts-vertex"
	p.Rules[rule.CallUnsigned] = "gemini/thought-signature-missing-vertex"
}

// skipSignature is the documented stand-in for the signature of a call that has none:
// https://ai.google.dev/gemini-api/docs/thought-signatures
const skipSignature = "skip_thought_signature_validator"

const (
	srcModelTurn = "https://github.com/LibreChat-AI/agents/pull/323"
	srcUnsigned  = "https://github.com/vercel/ai/issues/15560"
	srcPlain     = "https://github.com/google-gemini/gemini-cli/issues/19436"
	srcTurns     = "rule gemini/alternation-old and its sources"
	srcDive      = "https://github.com/deepnoodle-ai/dive/pull/287; https://github.com/Prism-Shadow/agenthub/pull/189"
	srcMixed     = "https://github.com/router-for-me/CLIProxyAPI/issues/5607"
)

// geminiModels are the rows for Gemini. The first generation wanted turns that alternate.
// Signatures on calls and media in function responses came with 3, whose image models call nothing.
// The role "function" was accepted up to 2.5 and refused by 3.5; a final model turn is refused by
// the lite model of 3.5, and by all from 3.6 on. A name that no row knows, such as
// gemini-flash-latest, takes the profile as it is.
//
// Vertex AI takes text after a function response in one content for a final model turn, in the
// models that refuse such a turn.
func geminiModels() []Model {
	old := []Trait{Alternates, PlainResults}
	return []Model{
		{"gemini", "gemini-pro", old, srcTurns + "; " + srcPlain, "2024-04"},
		{"gemini", "gemini-pro-vision*", old, srcTurns + "; " + srcPlain, "2024-04"},
		{"gemini", "gemini-1-0*", old, srcTurns + "; " + srcPlain, "2024-04"},
		{"gemini", "gemini-1*", []Trait{PlainResults}, srcPlain, "2026-02"},
		{"gemini", "gemini-2*", []Trait{PlainResults}, srcPlain, "2026-02"},
		{"gemini", "gemini-3*-image*", nil, srcUnsigned, "2026-07"},
		{"gemini", "gemini-3-5-flash-lite*", []Trait{SignedCalls, UserResults, RefusesPrefill}, srcModelTurn + "; " + srcUnsigned, "2026-09"},
		{"gemini", "gemini-3-5*", []Trait{SignedCalls, UserResults}, srcModelTurn + "; " + srcUnsigned, "2026-09"},
		{"gemini", "gemini-3-6*", []Trait{SignedCalls, UserResults, RefusesPrefill}, srcModelTurn + "; " + srcUnsigned, "2026-09"},
		{"gemini", "gemini-3-7*", []Trait{SignedCalls, UserResults, RefusesPrefill}, srcModelTurn + "; " + srcUnsigned, "2026-09"},
		{"gemini", "gemini-3-8*", []Trait{SignedCalls, UserResults, RefusesPrefill}, srcModelTurn + "; " + srcUnsigned, "2026-09"},
		{"gemini", "gemini-3*", []Trait{SignedCalls}, srcUnsigned, "2026-07"},

		{"vertex-gemini", "gemini-3-5-flash-lite*", []Trait{SignedCalls, RefusesPrefill, SplitResults}, srcMixed, "2026-09"},
		{"vertex-gemini", "gemini-3-6*", []Trait{SignedCalls, RefusesPrefill, SplitResults}, srcMixed + "; " + srcDive, "2026-11"},
		{"vertex-gemini", "gemini-3-7*", []Trait{SignedCalls, RefusesPrefill, SplitResults}, srcMixed + "; " + srcDive, "2026-11"},
		{"vertex-gemini", "gemini-3-8*", []Trait{SignedCalls, RefusesPrefill, SplitResults}, srcMixed + "; " + srcDive, "2026-11"},
	}
}
