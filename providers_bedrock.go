package preflight

import (
	"maps"
	"slices"
)

// This file is the profile of Bedrock Converse, as data: what Claude asks for on any host, and what Converse adds.

// Bedrock is the profile of the Amazon Bedrock Converse API: what the service itself refuses, whatever the model. ForModel adds
// what a family asks for; the prefixes and suffixes of Bedrock's model ids are ignored, and so is what stands before the name
// in an ARN.
//
// Neighbours of one role, a leading assistant message, white space beside other text, unsigned reasoning, and a status on tool
// results are refused by some families and were recorded to be accepted by others, so they stay for a model that nobody
// knows. Images and documents beyond the documented number for a message become text that says so.
func Bedrock() Profile {
	p := Anthropic()
	p.Provider = "bedrock"

	p.System = SystemLeading
	p.Directives = []string{"toolAddition", "toolRemoval"}
	p.NeedTurn, p.FirstUser, p.Merge = true, false, false
	p.JoinTurns, p.GatherResults = false, true
	p.RefusePrefill, p.TrimPrefill, p.TextBeforeCalls = false, false, false

	p.RefuseEmptyMessage, p.RefuseEmptyText, p.RefuseBlankText = true, true, true
	p.BlankBeside = []Role{RoleUser, RoleAssistant}

	p.CallID = Pattern{Alphabet: IDChars, Min: 1, Max: 64}
	p.ServerCallID = p.CallID
	p.UniqueIDs = ScopeTurn
	p.ToolName = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

	p.SignedReasoning, p.SignatureAlphabet = false, AnyChars

	p.MediaRoles, p.MediaInResult = []Role{RoleUser, RoleTool}, true
	p.MediaKinds = []string{"image", "document", "video", "audio"}
	p.ReadableMedia, p.MatchMedia = false, false
	p.NoMediaURLs = true
	p.MediaName = Pattern{Alphabet: NameChars, Min: 1, Max: 200}
	p.MediaLimits = []MediaLimit{{"image", 20}, {"document", 5}}
	p.UniqueMediaNames = true
	p.DocumentNeedsName = true
	p.DocumentNeedsText = true
	p.NoCacheDocument = true

	maps.DeleteFunc(p.Rules, func(problem Problem, _ string) bool { return slices.Contains(unknownToConverse, problem) })
	maps.Copy(p.Rules, converseRules)
	return p
}

// asClaude adds what Claude models ask for through Converse.
func (p *Profile) asClaude() {
	p.JoinTurns = true
	p.RefusePrefill, p.TrimPrefill, p.TextBeforeCalls = true, true, true
	p.CallID = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
	p.ServerCallID = p.CallID
	p.UniqueIDs = ScopeHistory
	p.SignedReasoning, p.SignatureAlphabet = true, Base64
	p.MediaKinds = []string{"image", "document"}
	p.ReadableMedia, p.MatchMedia = true, true
	p.NoMediaFiles = true
}

// unknownToConverse are the problems about Anthropic's own tools, which Converse does not have.
var unknownToConverse = []Problem{
	ProblemServerDangling, ProblemServerOrphan, ProblemServerMixed, ProblemMCPPairing, ProblemOpaqueEmpty,
}

// converseRules are the rules of Converse itself. A problem that is not here breaks a rule of Claude's, which Converse
// passes on.
var converseRules = map[Problem]string{
	ProblemFirstRole:        "bedrock/starts-with-user",
	ProblemAlternation:      "bedrock/alternation",
	ProblemEmptyText:        "bedrock/blank-text",
	ProblemBlankText:        "bedrock/blank-text",
	ProblemDangling:         "bedrock/tool-result-missing",
	ProblemResultNotFirst:   "bedrock/tool-result-missing",
	ProblemOrphan:           "bedrock/tool-result-exceeds",
	ProblemDuplicateResult:  "bedrock/tool-result-exceeds",
	ProblemIDPattern:        "bedrock/tool-use-id",
	ProblemIDLength:         "bedrock/tool-use-id",
	ProblemServerID:         "bedrock/tool-use-id",
	ProblemNameLength:       "bedrock/tool-name",
	ProblemToolName:         "bedrock/tool-name",
	ProblemArguments:        "bedrock/tool-input-object",
	ProblemResultsApart:     "bedrock/tool-result-missing",
	ProblemErrorEmpty:       "bedrock/tool-result-error-empty",
	ProblemErrorFlag:        "bedrock/tool-result-status-model",
	ProblemReasoningMissing: "bedrock/reasoning-content",
	ProblemReasoningRefused: "bedrock/reasoning-content",
	ProblemUnsigned:         "bedrock/reasoning-content",
	ProblemMediaRole:        "bedrock/images-user-only",
	ProblemMediaLimit:       "bedrock/images-user-only",
	ProblemMediaName:        "bedrock/document-name",
	ProblemFileName:         "bedrock/document-name",
	ProblemMediaNameTwice:   "bedrock/document-name",
	ProblemMediaRefused:     "bedrock/media-unsupported",
	ProblemMediaInResult:    "bedrock/tool-result-video",
	ProblemDocumentAlone:    "bedrock/document-needs-text",
	ProblemCacheReasoning:   "bedrock/cache-point-after-reasoning",
	ProblemCacheDocument:    "bedrock/cache-point-after-document",
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

// bedrockModels are the rows for Bedrock: those of Claude, as far as Converse hands them on, and of the other families that
// were seen to refuse something. The first generations of Claude have turns alternate.
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

// hosted are the rows of a provider's models as another provider hosts them: without the traits that are the host's to have.
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
