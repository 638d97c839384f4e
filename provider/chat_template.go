package provider

// ChatTemplate returns the profile of models with a chat template that raises on the order of
// roles, as llama.cpp, vLLM and LM Studio run them. Turns that nobody said are inserted only for
// models whose templates were seen to raise without them: a user turn first, an assistant turn
// after tool results, and a user turn last. Templates of some models accept less: no system role,
// no tools, one call in a message.
func ChatTemplate(model string) *Profile { return chatTemplate.forModel(model) }

// Models by what their templates raise on, and what they leave out of the prompt without a word: a
// list is by family, and says no more than the template that the model was published with. Where no
// rule names them, the sources are https://github.com/chujiezheng/chat_templates and
// https://github.com/axolotl-ai-cloud/axolotl/tree/main/src/axolotl/utils/chat_templates/templates.
const (
	// neither a system role nor tools
	twoRoles = "gemma-1* gemma-2* gemma-7b* zephyr* mistral-7b-instruct-v0-1* " +
		"mistral-7b-instruct-v0-2* "

	// no tools, and the user is first
	noToolsInTurns = "llama-2-* codellama* llama-3-8b* llama-3-70b* meta-llama-3-8b* " +
		"meta-llama-3-70b* llama3-chatqa* phi-3* solar-10* vicuna* falcon-7b* falcon-40b* " +
		"falcon-180b* alpaca* amberchat* saiga* openchat* aya-23-* aya-expanse-* "

	noTools = "metharme* deepseek-v2* deepseek-coder-v2* phi-4 nemotron-h* "

	// images, and no tools
	picturesOnly = "pixtral* mistral-small-24b-instruct-2501* "

	phiVision = "phi-3-5-vision* phi-3-vision* "

	// call ids of nine letters or digits
	nineIDs = "mistral-7b-instruct* mixtral-* mistral-nemo* ministral-8b-instruct-24* " +
		"mistral-large-instruct-24* "

	mistralFamily = "mistral* mixtral-* ministral* devstral* magistral* "

	// Qwen's models that do not think
	qwenUnthinking = "qwen3*-instruct* qwen3-coder* "

	// Qwen's templates that look for a user's message
	qwenQueried = "qwen3-5* qwen3-6* qwen3-7-* qwen3-8-* "
)

var chatTemplate = definition{
	name: "chat-template", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "chat-template/tool-without-call", is: "orphan result-not-first"},
		{rule: "chat-template/no-user-query", is: "no-messages"},
		{rule: "chat-template/llamacpp-content", is: "empty-message system-content result-empty"},
		{rule: "chat-template/nim-control-chars", set: "Content.RefuseControls", to: true},
		{rule: "chat-template/role-developer", is: "role-unknown", set: "Roles", to: everyRole()},
		{rule: "chat-template/role-developer", is: "role-unknown", of: "gpt-oss*",
			set: "Roles", to: []Role{"system", "user", "assistant", "tool", "developer"}},
		{rule: "chat-template/alternation", is: "alternation",
			set: "Turns.Neighbours", to: NeighboursMerged},
		{rule: "chat-template/system-first", is: "system-late",
			set: "System.Placement", to: SystemLeading},
		{rule: "chat-template/system-first", is: "system-late", set: "System.Single", to: true},
		{rule: "chat-template/arguments-json", set: "Tools.ObjectArguments", to: true},
		{rule: "openai-chat/tool-call-id-length", set: "IDs.Call", to: Pattern{Min: 1, Max: 40}},
		{rule: "openai-chat/function-name-pattern", set: "Tools.Name", to: openAINames},
		{rule: "openai-chat/tool-message-image", set: "Media.Roles", to: []Role{"user"}},
		{rule: "openai-chat/tool-message-image", set: "Media.InResult", to: false},

		{rule: "chat-template/no-user-query", is: "first-role", of: qwenQueried, not: qwenUnthinking,
			set: "Turns.UserSpeaks", to: true},
		{rule: "chat-template/alternation", is: "first-role",
			of:  twoRoles + noToolsInTurns + "gemma-3* c4ai-command-r-v01* pixtral* " + mistralFamily,
			not: phiVision + picturesOnly2501, set: "Turns.UserFirst", to: true},
		{rule: "chat-template/alternation-mistral3", of: mistralFamily,
			not: twoRoles + picturesOnly, set: "Turns.BridgeResults", to: true},
		{rule: "chat-template/system-unsupported", is: "system-refused",
			of: twoRoles + "llava* openchat*", set: "System.Placement", to: SystemRefused},
		{rule: "chat-template/llamacpp-prefill-thinking", of: "gpt-oss* qwen3*", not: qwenUnthinking,
			set: "Prefill.Refused", to: true},
		{rule: "chat-template/roles-supported", set: "Tools.NoTools", to: true,
			of: twoRoles + noToolsInTurns + noTools + picturesOnly + "gemma-3* llava*"},
		{rule: "chat-template/single-tool-call", of: "*llama-3*", not: noToolsInTurns,
			set: "Pairing.OneCallPerMessage", to: true},
		{rule: "chat-template/gpt-oss-both", of: "gpt-oss*",
			set: "Reasoning.Replay", to: ReplayInText},
		{rule: "chat-template/gpt-oss-channel-tags", of: "gpt-oss*",
			set: "Content.RefuseChannelTags", to: true},
		{rule: "mistral/tool-call-id", of: nineIDs, not: twoRoles,
			set: "IDs.Call", to: nineCharacters},
		{rule: "openai-chat/part-type", of: twoRoles + noToolsInTurns + noTools + nineIDs,
			not: phiVision, set: "Media.TextOnly", to: true},
		{rule: "openai-chat/part-type", of: picturesOnly, set: "Media.Kinds", to: []string{"image"}},
	},
}

const picturesOnly2501 = "mistral-small-24b-instruct-2501*"
