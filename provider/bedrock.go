package provider

// Bedrock returns the profile of the Amazon Bedrock Converse API: what the service itself refuses,
// whatever the model, and what the model's family refuses. The prefixes and suffixes of Bedrock's
// model ids are ignored, and so is the part of an ARN before the name.
//
// Consecutive messages of one role, a leading assistant message, white space beside other text,
// unsigned reasoning, and a status on tool results are refused by some families and were recorded
// to be accepted by others, so they stay for an unknown model. Images and documents beyond the
// documented number for a message become text that says so.
func Bedrock(model string) *Profile { return bedrock.forModel(model) }

// bedrock has the rows of Claude, as far as Converse hands them on.
var bedrock = definition{
	name: "bedrock",
	like: &anthropic,
	layout: Profile{
		Roles:   []Role{"system", "user", "assistant"},
		System:  SystemRules{Directives: []string{"toolAddition", "toolRemoval"}},
		Turns:   TurnRules{Required: true},
		Pairing: PairingRules{ResultRole: "user", Results: ResultsFirst, ServedOpen: true},
		Tools:   ToolRules{EncryptedResults: true},
		Content: ContentRules{BlankBeside: []Role{"user", "assistant"}},
		Media: MediaRules{
			InResult: true,
			// The formats of these are required members; that of a document is not
			// (bedrockruntime v1.63, types.ImageBlock and DocumentBlock).
			TypedKinds: []string{"image", "video", "audio"},
		},
	},
	rows: []row{
		{rule: "bedrock/tool-result-missing", is: "dangling result-not-first results-apart"},
		{rule: "bedrock/tool-result-exceeds", is: "orphan duplicate-result"},
		{rule: "bedrock/reasoning-content", is: "reasoning-missing"},

		// the service
		{rule: "anthropic/system-role-unsupported-model", is: "system-refused system-late",
			set: "System.Placement", to: SystemLeading},
		{rule: "bedrock/blank-text", set: "Content.RefuseEmptyText Content.RefuseBlankText", to: true},
		{rule: "anthropic/output-only-blocks", set: "Content.RefusedKinds", to: outputOnly},
		{rule: "anthropic/output-only-blocks", is: "nested"},
		{rule: "bedrock/tool-result-error-empty", set: "Content.ErrorNeedsText", to: true},
		{rule: "bedrock/tool-input-object", set: "Tools.ObjectArguments", to: true},
		{rule: "bedrock/tool-use-id", is: "id-pattern id-length server-id",
			set: "IDs.Call IDs.ServerCall", to: Pattern{Alphabet: IDChars, Min: 1, Max: 64}},
		{rule: "anthropic/tool-use-id-duplicate", set: "IDs.Unique", to: ScopeTurn},
		{rule: "bedrock/tool-name", set: "Tools.Name", to: openAINames},
		{rule: "bedrock/images-user-only", set: "Media.Roles", to: []Role{"user", "tool"}},
		{rule: "bedrock/images-user-only",
			set: "Media.Limits", to: []MediaLimit{{"image", 20}, {"document", 5}}},
		{rule: "bedrock/media-unsupported",
			set: "Media.Kinds", to: []string{"image", "document", "video", "audio"}},
		{rule: "bedrock/media-unsupported", set: "Media.NoURLs", to: true},
		{rule: "bedrock/tool-result-video",
			set: "Media.ResultKinds", to: []string{"image", "document", "video"}},
		{rule: "anthropic/image-undecodable", set: "Media.Decodable", to: true},
		{rule: "bedrock/document-name",
			set: "Media.Title", to: Pattern{Alphabet: NameChars, Min: 1, Max: 200}},
		{rule: "bedrock/document-name",
			set: "Media.UniqueTitles Media.DocumentNeedsTitle", to: true},
		{rule: "bedrock/document-needs-text", set: "Media.DocumentNeedsText", to: true},
		{rule: "anthropic/cache-control-max4", set: "Cache.Limit", to: 4},
		{rule: "bedrock/cache-point-after-reasoning", set: "Cache.NoReasoning", to: true},
		{rule: "bedrock/cache-point-after-document", set: "Cache.NoDocument", to: true},
		{rule: "anthropic/cache-control-ttl-order", set: "Cache.LongFirst", to: true},

		// Claude
		{of: claude, set: "Turns.Neighbours", to: NeighboursJoined},
		{rule: "bedrock/document-beside-result", of: claude, set: "Turns.BridgeDocuments", to: true},
		{rule: "bedrock/tool-use-id", is: "id-pattern id-length server-id", of: claude,
			set: "IDs.Call IDs.ServerCall", to: Pattern{Alphabet: WordChars, Min: 1, Max: 64}},
		{rule: "bedrock/reasoning-content", of: claude, set: "Reasoning.Signed", to: true},
		{rule: "bedrock/media-unsupported", of: claude, set: "Media.NoFiles", to: true},

		// families
		{rule: "bedrock/alternation", is: "alternation", of: claudeOldest,
			set: "Turns.Neighbours", to: NeighboursMerged},
		{rule: "bedrock/starts-with-user", is: "first-role", of: "claude-3* *amazon-nova-* *meta-llama* " +
			"*writer-palmyra* *cohere-command* *ai21-* *mistral-*", set: "Turns.UserFirst", to: true},
		{rule: "bedrock/result-alone", of: "*meta-llama* *writer-palmyra* *mistral-*",
			set: "Turns.BridgeResults", to: true},
		{rule: "bedrock/blank-text", is: "blank-text", of: claudeOldest + " *amazon-nova-* " +
			"*meta-llama3* *deepseek-r1* *cohere-command* *ai21-*",
			set: "Content.BlankBeside", to: []Role(nil)},
		{rule: "bedrock/tool-result-status-model", of: "*writer-palmyra*",
			set: "Tools.NoErrorFlag", to: true},
		{rule: "bedrock/reasoning-content", of: "*amazon-nova-* *meta-llama3* *deepseek-r1* " +
			"*cohere-command* *google-gemma-3-*", set: "Reasoning.Refused", to: true},
		{rule: "bedrock/reasoning-signature",
			of:  "*openai-* *moonshot*kimi* *qwen-* *minimax-*",
			set: "Reasoning.NoSignature", to: true},
		{rule: "bedrock/tool-result-video", of: "*amazon-nova-*",
			set: "Media.ResultKinds", to: []string{"image", "document"}},
		{rule: "bedrock/tool-result-video",
			of:  "*google-gemma* *openai-* *moonshot*kimi* *xai-grok*",
			set: "Media.ResultKinds", to: []string{"document", "video"}},
		{rule: "bedrock/tool-result-video", of: "*writer-palmyra* *mistral-*",
			set: "Media.ResultKinds", to: []string{"document"}},
		{rule: "bedrock/tool-result-video", of: "*qwen-*", set: "Media.InResult", to: false},
		// https://github.com/BerriAI/litellm/pull/39210
		{rule: "anthropic/cache-control-max4",
			of: "*meta-llama* *deepseek-* *cohere-command* *ai21-* *mistral-* *nvidia-nemotron* " +
				"*openai-gpt-* *qwen-* *titan-text*", set: "Cache.Limit", to: NoCache},
	},
}
