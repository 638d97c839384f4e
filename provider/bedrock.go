package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// Bedrock returns the profile of the Amazon Bedrock Converse API: what the service itself refuses,
// whatever the model, and what the model's family refuses. The prefixes and suffixes of Bedrock's
// model ids are ignored, and so is the part of an ARN before the name.
//
// Consecutive messages of one role, a leading assistant message, white space beside other text,
// unsigned reasoning, and a status on tool results are refused by some families and were recorded
// to be accepted by others, so they stay for an unknown model. Images and documents beyond the
// documented number for a message become text that says so.
func Bedrock(model string) *Profile { return bedrock.forModel(model) }

// bedrock's model table has the rows of Claude, as far as Converse hands them on, and those of the
// other families that were seen to refuse something.
var bedrock = definition{
	name:   "bedrock",
	base:   anthropicBase,
	rules:  converseRules,
	change: converse,
	models: slices.Concat(converseClaude(), []row{
		{"claude*", traits{claude}, srcPrefill, "2026-10"},
		{
			"*amazon-nova-*", traits{refusesReasoning, wantsUserFirst, refusesBlank, noResultVideo},
			srcNova + "; " + srcNoReasoning + "; " + srcStart + "; " + srcBlank + "; " + srcVideo,
			"2026-11",
		},
		{
			"*meta-llama3*", traits{refusesReasoning, wantsUserFirst, bridgesResults, refusesBlank, noCaching},
			srcNoReasoning + "; " + srcStart + "; " + srcAlone + "; " + srcCaching, "2026-09",
		},
		{
			"*deepseek-r1*", traits{refusesReasoning, refusesBlank, noCaching},
			srcReplaying + "; " + srcBlank, "2025-03",
		},
		{
			"*writer-palmyra*",
			traits{noErrorFlags, wantsUserFirst, bridgesResults, onlyResultDocuments},
			srcStatus + "; " + srcStart + "; " + srcAlone + "; " + srcFamilyMedia, "2026-07",
		},
		{
			"*cohere-command*", traits{refusesReasoning, wantsUserFirst, refusesBlank, noCaching},
			srcNoReasoning + "; " + srcStart + "; " + srcBlank + "; " + srcCaching, "2026-09",
		},
		{
			"*ai21-*", traits{wantsUserFirst, refusesBlank, noCaching},
			srcStart + "; " + srcBlank + "; " + srcCaching, "2026-09",
		},
		{
			"*google-gemma-3-*", traits{refusesReasoning, noResultImages},
			srcNoReasoning + "; " + srcResultImages, "2026-11",
		},
		{"*google-gemma*", traits{noResultImages}, srcResultImages, "2026-11"},
		{
			"*meta-llama*", traits{wantsUserFirst, bridgesResults, noCaching},
			srcStart + "; " + srcAlone + "; " + srcCaching, "2026-09",
		},
		{
			"*mistral-*", traits{wantsUserFirst, bridgesResults, onlyResultDocuments, noCaching},
			srcStart + "; " + srcAlone + "; " + srcFamilyMedia + "; " + srcCaching, "2026-09",
		},
		{"*nvidia-nemotron*", traits{noCaching}, srcCaching, "2026-09"},
		{
			"*openai-gpt-*", traits{noResultImages, noCaching, noSignatures},
			srcResultImages + "; " + srcCaching + "; " + srcSignature, "2026-11",
		},
		{
			"*openai-*", traits{noResultImages, noSignatures},
			srcResultImages + "; " + srcSignature, "2026-11",
		},
		{
			"*moonshot*kimi*", traits{noResultImages, noSignatures},
			srcResultImages + "; " + srcSignature, "2026-11",
		},
		{"*xai-grok*", traits{noResultImages}, srcResultImages, "2026-11"},
		{
			"*qwen-*", traits{noResultMedia, noCaching, noSignatures},
			srcFamilyMedia + "; " + srcCaching + "; " + srcSignature, "2026-09",
		},
		{"*minimax-*", traits{noSignatures}, srcSignature, "2026-01"},
		{"*titan-text*", traits{noCaching}, srcCaching, "2026-09"},
		{"*deepseek-*", traits{noCaching}, srcCaching, "2026-09"},
	}),
}

// converseClaude returns the rows of Claude's models through Converse. The first generations want
// turns that alternate.
func converseClaude() []row {
	var rows []row
	for _, r := range claudeModels {
		r.traits = slices.Concat(traits{claude}, r.traits)
		switch r.pattern {
		case "claude-2*", "claude-instant*", "claude-3*":
			r.traits = append(r.traits, wantsTurns, refusesBlank)
			r.source += "; " + srcAlternate
		}
		if r.pattern == "claude-3*" {
			r.traits = append(r.traits, wantsUserFirst)
			r.source += "; " + srcStart
		}
		rows = append(rows, r)
		if r.pattern == "claude-2*" {
			r.pattern = "claude-v*" // as Bedrock spells it
			rows = append(rows, r)
		}
	}
	return rows
}

const (
	srcStatus      = "https://github.com/strands-agents/sdk-python/issues/554"
	srcCaching     = "https://github.com/BerriAI/litellm/pull/39210"
	srcReplaying   = "https://github.com/langchain-ai/langchain-aws/issues/401"
	srcNova        = "https://github.com/can1357/oh-my-pi/pull/9086"
	srcNoReasoning = "badlogic/pi-mono packages/agent/test/bedrock-models.test.ts " +
		"(a run of all models)"
	srcAlternate = "https://github.com/microsoft/semantic-kernel/issues/10277 and " +
		"https://github.com/cline/cline/issues/431"
	srcBlank        = "rule bedrock/blank-text and its sources"
	srcStart        = "rule bedrock/starts-with-user and its sources"
	srcAlone        = "rule bedrock/result-alone and its sources"
	srcFamilyMedia  = "https://github.com/pydantic/pydantic-ai/pull/6254"
	srcResultImages = "https://github.com/anomalyco/opencode/issues/49443 (a table of 16 models)"
	srcSignature    = "rule bedrock/reasoning-signature and its sources"
	srcVideo        = "pydantic/pydantic-ai tests/models/cassettes/test_multimodal_tool_returns " +
		"(direct-uploaded_file-video-bedrock_nova)"
)

// claude: Claude's own rules about reasoning, media, ids, and the end of a conversation hold.
func claude(p *Profile) {
	p.Turns.Neighbours = NeighboursJoined
	p.Turns.BridgeDocuments = true
	p.Prefill.Refused, p.Prefill.Trim = true, true
	p.IDs.Call = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
	p.IDs.ServerCall = p.IDs.Call
	p.IDs.Unique = ScopeHistory
	p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = true, Base64
	p.Content.ErrorTextOnly = true
	p.Media.Kinds = []string{"image", "document"}
	p.Media.Readable, p.Media.MatchType = true, true
	p.Media.NoFiles = true
}

// refusesBlank: text of white space alone is refused wherever it is.
func refusesBlank(p *Profile) { p.Content.BlankBeside = nil }

// noResultVideo: tool results hold no video.
func noResultVideo(p *Profile) { p.Media.ResultKinds = []string{"image", "document"} }

// noResultImages: tool results hold no images. Of documents and video nobody has said so.
func noResultImages(p *Profile) { p.Media.ResultKinds = []string{"document", "video"} }

// onlyResultDocuments: tool results hold documents, and no other media.
func onlyResultDocuments(p *Profile) { p.Media.ResultKinds = []string{"document"} }

// noErrorFlags: a tool result cannot be marked as an error.
func noErrorFlags(p *Profile) { p.Tools.NoErrorFlag = true }

// noSignatures: reasoning has no signature.
func noSignatures(p *Profile) { p.Reasoning.NoSignature = true }

// noCaching: cache breakpoints are refused.
func noCaching(p *Profile) { p.Cache.Limit = NoCache }

// converse changes Anthropic's profile to what Converse itself accepts.
func converse(p *Profile) {
	p.System.Placement = SystemLeading
	p.System.Directives = []string{"toolAddition", "toolRemoval"}
	p.Turns.Neighbours = NeighboursApart
	p.Turns.ServedBeforeCalls = false
	p.Pairing.Results, p.Pairing.ServedLater = ResultsFirst, false
	p.Prefill.Refused, p.Prefill.Trim = false, false

	p.Content.RefuseEmptyMessage = true
	p.Content.RefuseEmptyText, p.Content.RefuseBlankText = true, true
	p.Content.BlankBeside = []Role{"user", "assistant"}
	p.Content.NoBlankBesideServed = false
	p.Content.ErrorTextOnly = false

	p.IDs.Call = Pattern{Alphabet: IDChars, Min: 1, Max: 64}
	p.IDs.ServerCall = p.IDs.Call
	p.IDs.Unique = ScopeTurn
	p.Tools.Name = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

	p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = false, AnyChars

	p.Media.Roles, p.Media.InResult = []Role{"user", "tool"}, true
	p.Media.Kinds = []string{"image", "document", "video", "audio"}
	p.Media.ResultKinds = []string{"image", "document", "video"}
	p.Media.Readable, p.Media.Decodable, p.Media.MatchType = false, true, false
	p.Media.NoURLs = true
	// The formats of these are required members; that of a document is not (bedrockruntime v1.63,
	// types.ImageBlock and DocumentBlock).
	p.Media.TypedKinds = []string{"image", "video", "audio"}
	p.Media.Title = Pattern{Alphabet: NameChars, Min: 1, Max: 200}
	p.Media.Limits = []MediaLimit{{"image", 20}, {"document", 5}}
	p.Media.UniqueTitles = true
	p.Media.DocumentNeedsTitle = true
	p.Media.DocumentNeedsText = true
	p.Cache.NoDocument = true
	for _, problem := range unknownToConverse {
		delete(p.Rules, problem)
	}
}

// unknownToConverse are the problems about Anthropic's own tools, which Converse does not have.
var unknownToConverse = []problems.Problem{
	problems.CallBeforeServed, problems.ServerDangling, problems.ServerOrphan,
	problems.ServerMixed, problems.MCPPairing, problems.OpaqueEmpty,
}

// converseRules are the rules of Converse itself. The other problems break rules of Claude's, which
// Converse passes on.
var converseRules = map[problems.Problem]string{
	problems.FirstRole:        "bedrock/starts-with-user",
	problems.Alternation:      "bedrock/alternation",
	problems.Bridge:           "bedrock/result-alone",
	problems.BridgeDocument:   "bedrock/document-beside-result",
	problems.EmptyText:        "bedrock/blank-text",
	problems.BlankText:        "bedrock/blank-text",
	problems.Dangling:         "bedrock/tool-result-missing",
	problems.ResultNotFirst:   "bedrock/tool-result-missing",
	problems.Orphan:           "bedrock/tool-result-exceeds",
	problems.DuplicateResult:  "bedrock/tool-result-exceeds",
	problems.IDPattern:        "bedrock/tool-use-id",
	problems.IDLength:         "bedrock/tool-use-id",
	problems.ServerID:         "bedrock/tool-use-id",
	problems.NameLength:       "bedrock/tool-name",
	problems.ToolName:         "bedrock/tool-name",
	problems.Arguments:        "bedrock/tool-input-object",
	problems.ResultsApart:     "bedrock/tool-result-missing",
	problems.ErrorEmpty:       "bedrock/tool-result-error-empty",
	problems.ErrorFlag:        "bedrock/tool-result-status-model",
	problems.ReasoningMissing: "bedrock/reasoning-content",
	problems.ReasoningRefused: "bedrock/reasoning-content",
	problems.Unsigned:         "bedrock/reasoning-content",
	problems.SignatureRefused: "bedrock/reasoning-signature",
	problems.MediaRole:        "bedrock/images-user-only",
	problems.MediaLimit:       "bedrock/images-user-only",
	problems.MediaName:        "bedrock/document-name",
	problems.FileName:         "bedrock/document-name",
	problems.MediaNameTwice:   "bedrock/document-name",
	problems.MediaRefused:     "bedrock/media-unsupported",
	problems.MediaInResult:    "bedrock/tool-result-video",
	problems.DocumentAlone:    "bedrock/document-needs-text",
	problems.CacheReasoning:   "bedrock/cache-point-after-reasoning",
	problems.CacheDocument:    "bedrock/cache-point-after-document",
}
