package provider

// The traits of models behind those hosts.
const (
	ReadsText     Trait = "reads-text"      // reads text only
	ReadsImages   Trait = "reads-images"    // of media, takes images and documents only
	NoResultVideo Trait = "no-result-video" // takes no video inside tool results
	// refuses text of nothing but white space wherever it stands
	RefusesBlank Trait = "refuses-blank"
	UserFirst    Trait = "user-first" // wants the first turn to be the user's
	// has Claude's own rules about reasoning, media, and how a conversation ends
	ThinksAsClaude Trait = "thinks-as-claude"
	FreeIDs        Trait = "free-ids"         // takes call ids of any form
	ReplaysCalls   Trait = "replays-calls"    // wants the reasoning of every turn back, from the first tool call on
	WantsTurns     Trait = "wants-turns"      // refuses neighbours of one role
	KnowsNoTools   Trait = "knows-no-tools"   // has no form for a tool exchange
	CallsOneByOne  Trait = "calls-one-by-one" // one tool call in a message
	// a message with tool calls holds reasoning or text, not both
	ThinksInText   Trait = "thinks-in-text"
	DemandsNothing Trait = "demands-nothing" // wants no reasoning back
)

const (
	srcDeepSeekMedia = "rule deepseek/image-unsupported and its sources"
	srcDeepSeekR1    = "rules deepseek/reasoning-content-forbidden and deepseek/successive-roles and their sources"
	srcDeepSeekThink = "rule deepseek/reasoning-content-missing and its sources"
	srcGeminiChat    = "https://github.com/manthanabc/paws/issues/103; https://github.com/niki914/zafiro/issues/100"
	srcAudio         = "pydantic/pydantic-ai tests/models/cassettes/test_multimodal_tool_returns"
	srcGroqReasoning = "https://github.com/vercel/ai/pull/8057"
	srcMistralIDs    = "rule mistral/tool-call-id and its sources"
	srcKimi          = "rule moonshot/reasoning-content-missing and its sources"
	srcGptOss        = "rule chat-template/gpt-oss-both and its sources"
	srcGemma         = "rule chat-template/system-unsupported and its sources"
	srcTwoRoles      = "rule chat-template/roles-supported and its sources"
	srcLlama         = "rule chat-template/single-tool-call and its sources"
)

// chatModels are searched from the top, behind the rows of the providers with formats of their own.
func chatModels() []Model {
	twoRoles := []Trait{RefusesSystem, KnowsNoTools}
	return []Model{
		{"azure", "o1-mini*", []Trait{RefusesSystem}, srcO1, "2025-12"},
		{"azure", "o1-preview*", []Trait{RefusesSystem}, srcO1, "2025-12"},
		{"openrouter", "o1-mini*", []Trait{RefusesSystem}, srcO1, "2025-12"},
		{"openrouter", "o1-preview*", []Trait{RefusesSystem}, srcO1, "2025-12"},
		{"openai-chat", "gpt-5*", []Trait{ReadsImages}, srcAudio, "2026-11"},
		{"deepseek", "deepseek-v4-pro*", []Trait{ReplaysCalls}, srcDeepSeekThink, "2026-09"},
		{"deepseek", "deepseek-v4*", []Trait{ReplaysCalls, ReadsText}, srcDeepSeekThink + "; " + srcDeepSeekMedia, "2026-09"},
		{"deepseek", "deepseek-chat*", []Trait{ReadsText}, srcDeepSeekMedia, "2026-09"},
		{"deepseek", "deepseek-r1*", []Trait{ReadsText, RefusesReasoning, WantsTurns}, srcDeepSeekR1, "2025-11"},
		{"deepseek", "deepseek-reasoner*", []Trait{ReplaysCalls, ReadsText}, srcDeepSeekThink + "; " + srcDeepSeekMedia, "2026-09"},
		{"gemini-chat", "gemini-3*-image*", nil, srcUnsigned, "2026-07"},
		{"gemini-chat", "gemini-3*", []Trait{SignedCalls}, srcGeminiChat, "2026-08"},
		{"groq", "kimi-k2-instruct*", []Trait{RefusesReasoning}, srcGroqReasoning, "2026-02"},
		{"mistral", "mistral-small*", []Trait{FreeIDs}, srcMistralIDs, "2026-10"},
		{"moonshot", "moonshot-v1*", []Trait{DemandsNothing}, srcKimi, "2026-09"},
		{"moonshot", "kimi-k2-0*", []Trait{DemandsNothing}, srcKimi, "2026-09"},
		{"moonshot", "kimi-k2-turbo*", []Trait{DemandsNothing}, srcKimi, "2026-09"},
		{"chat-template", "gemma-1*", []Trait{RefusesSystem}, srcGemma, "2026-09"},
		{"chat-template", "gemma-2*", []Trait{RefusesSystem}, srcGemma, "2026-09"},
		{"chat-template", "gemma-7b*", []Trait{RefusesSystem}, srcGemma, "2026-09"},
		{"chat-template", "gpt-oss*", []Trait{ThinksInText}, srcGptOss, "2026-02"},
		{"chat-template", "zephyr*", twoRoles, srcTwoRoles, "2026-09"},
		{"chat-template", "llava*", twoRoles, srcTwoRoles, "2026-09"},
		{"chat-template", "mistral-7b-instruct-v0-1*", twoRoles, srcTwoRoles, "2026-09"},
		{"chat-template", "mistral-7b-instruct-v0-2*", twoRoles, srcTwoRoles, "2026-09"},
		{"chat-template", "*llama-3*", []Trait{CallsOneByOne}, srcLlama, "2026-09"},
	}
}

// applyChat applies a trait of this file.
func (p *Profile) applyChat(t Trait) {
	switch t {
	case ReadsText:
		p.Media.TextOnly = true
	case ReadsImages:
		p.Media.Kinds = []string{"image", "document"}
	case NoResultVideo:
		p.Media.ResultKinds = []string{"image", "document"}
	case RefusesBlank:
		p.Content.BlankBeside = nil
	case UserFirst:
		p.Turns.UserFirst = true
	case ThinksAsClaude:
		p.asClaude()
	case FreeIDs:
		p.IDs.Call = Pattern{Min: 1}
	case ReplaysCalls:
		p.Reasoning.Replay = ReplayFromCalls
	case WantsTurns:
		p.Turns.Merge, p.Turns.Joined = true, true
	case KnowsNoTools:
		p.Tools.NoTools = true
	case CallsOneByOne:
		p.Pairing.OneCallPerMessage = true
	case ThinksInText:
		p.Reasoning.Replay = ReplayInText
	case DemandsNothing:
		p.Reasoning.Replay = ReplayFree
	}
}
