package provider

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/rule"
)

// Bedrock is the profile of the Amazon Bedrock Converse API: what the service itself refuses,
// whatever the model. ForModel adds what a family asks for; the prefixes and suffixes of Bedrock's
// model ids are ignored, and so is what stands before the name in an ARN.
//
// Neighbours of one role, a leading assistant message, white space beside other text, unsigned
// reasoning, and a status on tool results are refused by some families and were recorded to be
// accepted by others, so they stay for a model that nobody knows. Images and documents beyond the
// documented number for a message become text that says so.
func Bedrock(model string) *Profile { return narrowed(bedrock(), model) }

func bedrock() Profile {
	p := anthropic()
	p.Provider = "bedrock"

	p.System.Placement = SystemLeading
	p.System.Directives = []string{"toolAddition", "toolRemoval"}
	p.Turns.Required, p.Turns.UserFirst, p.Turns.Merge = true, false, false
	p.Turns.Joined, p.Pairing.ResultsFirst = false, true
	p.Prefill.Refused, p.Prefill.Trim, p.Turns.TextBeforeCalls = false, false, false

	p.Content.RefuseEmptyMessage, p.Content.RefuseEmptyText, p.Content.RefuseBlankText = true, true, true
	p.Content.BlankBeside = []Role{"user", "assistant"}

	p.IDs.Call = Pattern{Alphabet: IDChars, Min: 1, Max: 64}
	p.IDs.ServerCall = p.IDs.Call
	p.IDs.Unique = ScopeTurn
	p.Tools.Name = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

	p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = false, AnyChars

	p.Media.Roles, p.Media.InResult = []Role{"user", "tool"}, true
	p.Media.Kinds = []string{"image", "document", "video", "audio"}
	p.Media.Readable, p.Media.MatchType = false, false
	p.Media.NoURLs = true
	p.Media.Title = Pattern{Alphabet: NameChars, Min: 1, Max: 200}
	p.Media.Limits = []MediaLimit{{"image", 20}, {"document", 5}}
	p.Media.UniqueTitles = true
	p.Media.DocumentNeedsTitle = true
	p.Media.DocumentNeedsText = true
	p.Cache.NoDocument = true

	maps.DeleteFunc(p.Rules, func(problem rule.Problem, _ string) bool { return slices.Contains(unknownToConverse, problem) })
	maps.Copy(p.Rules, converseRules)
	return p
}

// asClaude adds what Claude models ask for through Converse.
func (p *Profile) asClaude() {
	p.Turns.Joined = true
	p.Prefill.Refused, p.Prefill.Trim, p.Turns.TextBeforeCalls = true, true, true
	p.IDs.Call = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
	p.IDs.ServerCall = p.IDs.Call
	p.IDs.Unique = ScopeHistory
	p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = true, Base64
	p.Media.Kinds = []string{"image", "document"}
	p.Media.Readable, p.Media.MatchType = true, true
	p.Media.NoFiles = true
}

// unknownToConverse are the problems about Anthropic's own tools, which Converse does not have.
var unknownToConverse = []rule.Problem{
	rule.ServerDangling, rule.ServerOrphan, rule.ServerMixed, rule.MCPPairing, rule.OpaqueEmpty,
}

// converseRules are the rules of Converse itself. A problem that is not here breaks a rule of
// Claude's, which Converse passes on.
var converseRules = map[rule.Problem]string{
	rule.FirstRole:        "bedrock/starts-with-user",
	rule.Alternation:      "bedrock/alternation",
	rule.EmptyText:        "bedrock/blank-text",
	rule.BlankText:        "bedrock/blank-text",
	rule.Dangling:         "bedrock/tool-result-missing",
	rule.ResultNotFirst:   "bedrock/tool-result-missing",
	rule.Orphan:           "bedrock/tool-result-exceeds",
	rule.DuplicateResult:  "bedrock/tool-result-exceeds",
	rule.IDPattern:        "bedrock/tool-use-id",
	rule.IDLength:         "bedrock/tool-use-id",
	rule.ServerID:         "bedrock/tool-use-id",
	rule.NameLength:       "bedrock/tool-name",
	rule.ToolName:         "bedrock/tool-name",
	rule.Arguments:        "bedrock/tool-input-object",
	rule.ResultsApart:     "bedrock/tool-result-missing",
	rule.ErrorEmpty:       "bedrock/tool-result-error-empty",
	rule.ErrorFlag:        "bedrock/tool-result-status-model",
	rule.ReasoningMissing: "bedrock/reasoning-content",
	rule.ReasoningRefused: "bedrock/reasoning-content",
	rule.Unsigned:         "bedrock/reasoning-content",
	rule.MediaRole:        "bedrock/images-user-only",
	rule.MediaLimit:       "bedrock/images-user-only",
	rule.MediaName:        "bedrock/document-name",
	rule.FileName:         "bedrock/document-name",
	rule.MediaNameTwice:   "bedrock/document-name",
	rule.MediaRefused:     "bedrock/media-unsupported",
	rule.MediaInResult:    "bedrock/tool-result-video",
	rule.DocumentAlone:    "bedrock/document-needs-text",
	rule.CacheReasoning:   "bedrock/cache-point-after-reasoning",
	rule.CacheDocument:    "bedrock/cache-point-after-document",
}

const (
	srcStatus    = "https://github.com/strands-agents/sdk-python/issues/554"
	srcCaching   = "https://github.com/BerriAI/litellm/pull/39210"
	srcReplaying = "https://github.com/langchain-ai/langchain-aws/issues/401"
	srcNova      = "https://github.com/can1357/oh-my-pi/pull/9086"
	srcUnthought = "badlogic/pi-mono packages/agent/test/bedrock-models.test.ts (a run of all models)"
	srcAlternate = "https://github.com/microsoft/semantic-kernel/issues/10277 and https://github.com/cline/cline/issues/431"
	srcBlank     = "rule bedrock/blank-text and its sources"
	srcStart     = "rule bedrock/starts-with-user and its sources"
	srcVideo     = "pydantic/pydantic-ai tests/models/cassettes/test_multimodal_tool_returns (direct-uploaded_file-video-bedrock_nova)"
)

// bedrockModels are the rows for Bedrock: those of Claude, as far as Converse hands them on, and of
// the other families that were seen to refuse something. The first generations of Claude have turns
// alternate.
func bedrockModels() []Model {
	var rows []Model
	for _, m := range hosted("bedrock", "anthropic", JoinsTurns, MislabelledMedia) {
		m.Traits = append([]Trait{ThinksAsClaude}, m.Traits...)
		if m.Pattern == "claude-2*" || m.Pattern == "claude-instant*" || m.Pattern == "claude-3*" {
			m.Traits = append(m.Traits, WantsTurns, UserFirst, RefusesBlank)
			m.Source += "; " + srcAlternate
		}
		rows = append(rows, m)
	}
	rows = append(rows,
		Model{"bedrock", "claude*", []Trait{ThinksAsClaude}, srcPrefill, "2026-10"},
		Model{"bedrock", "*amazon-nova-*", []Trait{RefusesReasoning, RefusesBlank, NoResultVideo}, srcNova + "; " + srcUnthought + "; " + srcBlank + "; " + srcVideo, "2026-11"},
		Model{"bedrock", "*meta-llama3*", []Trait{RefusesReasoning, UserFirst, RefusesBlank, NoCaching}, srcUnthought + "; " + srcStart + "; " + srcCaching, "2026-09"},
		Model{"bedrock", "*deepseek-r1*", []Trait{RefusesReasoning, RefusesBlank, NoCaching}, srcReplaying + "; " + srcBlank, "2025-03"},
		Model{"bedrock", "*writer-palmyra*", []Trait{NoErrorFlags}, srcStatus, "2025-08"},
	)
	rows = append(rows,
		Model{"bedrock", "*cohere-command*", []Trait{RefusesReasoning, RefusesBlank, NoCaching}, srcUnthought + "; " + srcBlank + "; " + srcCaching, "2026-09"},
		Model{"bedrock", "*ai21-*", []Trait{RefusesBlank, NoCaching}, srcBlank + "; " + srcCaching, "2026-09"},
		Model{"bedrock", "*google-gemma-3-*", []Trait{RefusesReasoning}, srcUnthought, "2026-01"},
	)
	for _, family := range []string{"*meta-llama*", "*mistral-*", "*nvidia-nemotron*", "*openai-gpt-*", "*qwen-qwen*", "*titan-text*", "*deepseek-*"} {
		rows = append(rows, Model{"bedrock", family, []Trait{NoCaching}, srcCaching, "2026-09"})
	}
	return rows
}

// hosted are the rows of a provider's models as another provider hosts them: without the traits
// that are the host's to have.
func hosted(host, provider string, without ...Trait) []Model {
	var rows []Model
	for _, m := range ownModels {
		if m.Provider == provider {
			m.Provider = host
			m.Traits = slices.DeleteFunc(slices.Clone(m.Traits), func(t Trait) bool { return slices.Contains(without, t) })
			rows = append(rows, m)
		}
	}
	return rows
}
