package provider

import "github.com/go-preflight/preflight/rule/problems"

// This file is the rows of the models that local servers run, as their chat templates behave: what
// a template raises on, and what it leaves out of the prompt without a word. A row is by family,
// and says no more than the template that the model was published with.

const (
	srcGptOss   = "rules chat-template/gpt-oss-both and -channel-tags, and their sources"
	srcGemma    = "rule chat-template/system-unsupported and its sources"
	srcTwoRoles = "rule chat-template/roles-supported and its sources"
	srcLlama    = "rule chat-template/single-tool-call and its sources"
	srcNoTools  = "https://github.com/chujiezheng/chat_templates"
	srcTrained  = "https://github.com/axolotl-ai-cloud/axolotl/tree/main/src/axolotl/utils/" +
		"chat_templates/templates"
	srcNine     = "rule mistral/tool-call-id and its sources; " + srcTrained
	srcMistral  = "rule chat-template/alternation-mistral3 and its sources; " + srcTrained
	srcThinking = "rule chat-template/llamacpp-prefill-thinking and its sources"
	srcQwen     = srcThinking + "; rule chat-template/no-user-query and its sources"
)

// localModels are the rows; the first that matches counts.
var localModels = []row{
	{"gemma-1*", twoRoles, srcGemma, "2026-09"},
	{"gemma-2*", twoRoles, srcGemma, "2026-09"},
	{"gemma-7b*", twoRoles, srcGemma, "2026-09"},
	{
		"gemma-3*", traits{refusesTools, wantsUserFirst},
		"https://github.com/huggingface/text-generation-inference/issues/3198", "2025-04",
	},
	{
		"gpt-oss*", traits{replaysInText, refusesChannelTags, takesDeveloper, refusesPrefill},
		srcGptOss + "; " + srcThinking, "2026-05",
	},
	{"zephyr*", twoRoles, srcTwoRoles, "2026-09"},
	{"llava*", traits{refusesSystem, refusesTools}, srcTwoRoles, "2026-09"},
	{"mistral-7b-instruct-v0-1*", twoRoles, srcTwoRoles, "2026-09"},
	{"mistral-7b-instruct-v0-2*", twoRoles, srcTwoRoles, "2026-09"},

	{"llama-2-*", noToolsInTurns, srcNoTools, "2026-11"},
	{"codellama*", noToolsInTurns, srcNoTools, "2026-11"},
	{"llama-3-8b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"llama-3-70b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"meta-llama-3-8b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"meta-llama-3-70b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"*llama-3*", traits{callsOneByOne}, srcLlama, "2026-09"},
	{"llama3-chatqa*", noToolsInTurns, srcNoTools, "2026-11"},
	{"phi-3-5-vision*", traits{refusesTools}, srcNoTools, "2026-11"},
	{"phi-3-vision*", traits{refusesTools}, srcNoTools, "2026-11"},
	{"phi-3*", noToolsInTurns, srcNoTools, "2026-11"},
	{"solar-10*", noToolsInTurns, srcNoTools, "2026-11"},
	{"vicuna*", noToolsInTurns, srcNoTools, "2026-11"},
	{"falcon-7b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"falcon-40b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"falcon-180b*", noToolsInTurns, srcNoTools, "2026-11"},
	{"alpaca*", noToolsInTurns, srcNoTools, "2026-11"},
	{"amberchat*", noToolsInTurns, srcNoTools, "2026-11"},
	{"saiga*", noToolsInTurns, srcNoTools, "2026-11"},
	{"openchat*", traits{refusesTools, readsText, refusesSystem, wantsUserFirst}, srcNoTools, "2026-11"},
	{"metharme*", noTools, srcTrained, "2026-11"},
	{"aya-23-*", noToolsInTurns, srcTrained, "2026-11"},
	{"aya-expanse-*", noToolsInTurns, srcTrained, "2026-11"},
	{"deepseek-v2*", noTools, srcTrained, "2026-11"},
	{"deepseek-coder-v2*", noTools, srcTrained, "2026-11"},
	{"phi-4", noTools, srcTrained, "2026-11"},
	{"nemotron-h*", noTools, srcTrained, "2026-11"},

	{"c4ai-command-r-v01*", traits{wantsUserFirst}, srcTrained, "2026-11"},

	{"pixtral*", traits{refusesTools, readsPictures, wantsUserFirst}, srcTrained, "2026-11"},
	{"mistral-small-24b-instruct-2501*", traits{refusesTools, readsPictures}, srcTrained, "2026-11"},
	{"mistral-7b-instruct*", nineCharacters, srcNine, "2026-11"},
	{"mixtral-*", nineCharacters, srcNine, "2026-11"},
	{"mistral-nemo*", nineCharacters, srcNine, "2026-11"},
	{"ministral-8b-instruct-24*", nineCharacters, srcNine, "2026-11"},
	{"mistral-large-instruct-24*", nineCharacters, srcNine, "2026-11"},
	{"mistral*", mistralTurns, srcMistral, "2026-06"},
	{"ministral*", mistralTurns, srcMistral, "2026-06"},
	{"devstral*", mistralTurns, srcMistral, "2026-06"},
	{"magistral*", mistralTurns, srcMistral, "2026-06"},

	{"qwen3*-instruct*", traits{}, "models that do not think", "2026-11"},
	{"qwen3-coder*", traits{}, "models that do not think", "2026-11"},
	{"qwen3-5*", queried, srcQwen, "2026-05"},
	{"qwen3-6*", queried, srcQwen, "2026-05"},
	{"qwen3-7-*", queried, srcQwen, "2026-05"},
	{"qwen3-8-*", queried, srcQwen, "2026-05"},
	{"qwen3*", traits{refusesPrefill}, srcThinking, "2026-05"},
}

// Sets of traits that several rows share.
var (
	noTools        = traits{refusesTools, readsText}
	noToolsInTurns = traits{refusesTools, readsText, wantsUserFirst}
	twoRoles       = traits{refusesSystem, refusesTools, readsText, wantsUserFirst}
	mistralTurns   = traits{wantsUserFirst, bridgesResults}
	nineCharacters = traits{nineIDs, readsText, wantsUserFirst, bridgesResults}
	queried        = traits{refusesPrefill, wantsUserQuery}
)

// takesDeveloper: the template has a developer role of its own.
func takesDeveloper(p *Profile) { p.Roles = append(p.Roles, "developer") }

// nineIDs: call ids are nine letters or digits.
func nineIDs(p *Profile) {
	p.IDs.Call = Pattern{Alphabet: AlnumChars, Min: 9, Max: 9}
	p.Rules[problems.IDPattern] = "mistral/tool-call-id"
	p.Rules[problems.IDLength] = "mistral/tool-call-id"
}

// wantsUserQuery: there is a user turn, which is sure where it is the first.
func wantsUserQuery(p *Profile) {
	p.Turns.UserFirst = true
	p.Rules[problems.FirstRole] = "chat-template/no-user-query"
}

// readsPictures: the model reads images, and no other media.
func readsPictures(p *Profile) { p.Media.Kinds = []string{"image"} }
