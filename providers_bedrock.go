package preflight

import (
	"maps"
	"slices"
)

// This file is the profile of Bedrock Converse, as data: what Claude asks for on any host, and what Converse adds.

// Bedrock is the profile of the Amazon Bedrock Converse API, in the form that Claude models take through it. ForModel
// narrows it to a Claude model, or to another family: the prefixes and suffixes of Bedrock's model ids are ignored, and so
// is what stands before the name in an ARN.
//
// On the characters of call ids sources differ, and the narrower set is used. Images and documents beyond the documented
// number for a message become text that says so.
func Bedrock() Profile {
	p := Anthropic()
	p.Provider = "bedrock"

	p.System = SystemLeading
	p.FirstUser, p.Merge = true, true
	p.BlankBeside = nil

	p.Directives = []string{"toolAddition", "toolRemoval"}
	p.CallID = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
	p.ServerCallID = p.CallID
	p.ToolName = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

	p.MediaKinds = []string{"image", "document", "video", "audio"}
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
	ProblemDocumentAlone:    "bedrock/document-needs-text",
}

const (
	srcStatus    = "rule bedrock/tool-result-status-model and its sources"
	srcCaching   = "https://github.com/BerriAI/litellm/pull/39210"
	srcReplaying = "https://github.com/langchain-ai/langchain-aws/issues/401"
)

// bedrockModels are the rows for Bedrock: those of Claude, as far as Converse hands them on (it has turns alternate for
// every model), and the families that take less. Reasoning is refused by DeepSeek, in the words "cannot contain reasoning
// content".
func bedrockModels() []Model {
	rows := hosted("bedrock", "anthropic", JoinsTurns, MislabelledMedia)
	for _, family := range []string{"*meta-llama*", "*mistral-*", "*cohere-command*", "*ai21-*", "*nvidia-nemotron*", "*openai-gpt-*", "*qwen-qwen*", "*titan-text*"} {
		rows = append(rows, Model{"bedrock", family, []Trait{NoErrorFlags, NoCaching}, srcStatus + "; " + srcCaching, "2026-09"})
	}
	return append(rows, Model{"bedrock", "*deepseek-*", []Trait{NoErrorFlags, NoCaching, RefusesReasoning}, srcReplaying, "2025-03"})
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
