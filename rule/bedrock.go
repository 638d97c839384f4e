package rule

// bedrockMessages holds the rules of turns, text, media and caching in AWS Bedrock Converse.
var bedrockMessages = []Rule{
	{ID: "bedrock/alternation",
		Statement: "For the first three generations of Claude, user and assistant strictly take " +
			"turns; later models and other families take neighbours of one role.",
		Error: "A conversation must alternate between user and assistant roles. Make sure the " +
			"conversation alternates between user and assistant roles and try again.",
		Fix: "Merge neighbours of one role, with tool results in front.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-01",
				Models: []string{"*claude-2*", "*claude-3*", "*claude-instant*", "*claude-v*"},
				Source: "https://github.com/langgenius/dify/issues/9294"},
			{Kind: Reported, Seen: "2025-01", Models: []string{"*amazon.nova-*"},
				Source: "https://github.com/ShishirPatil/gorilla/pull/881"},
		},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-07", Models: []string{"*amazon.nova-*"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/bedrock/agent/completion_with_context_smoke.yaml"},
			{Kind: Recorded, Seen: "2026-11", Models: []string{"*amazon.titan-*"},
				Source: "https://github.com/traceloop/openllmetry/blob/HEAD/packages/opentelemetry-instrumentation-bedrock/tests/traces/cassettes/test_guardrails/test_guardrail_converse.yaml"},
			{Kind: Reported, Seen: "2026-06",
				Models: []string{"*claude-sonnet-4*", "*claude-opus-4*", "*meta.llama*", "*mistral.*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6098",
				Note:   "Bedrock joins consecutive turns of one role"},
		}, Cost: CostPrefix,
		Sources: []string{"https://github.com/microsoft/semantic-kernel/issues/10277",
			"https://github.com/cline/cline/issues/431"}},
	{ID: "bedrock/blank-text",
		Statement: "A text block holds more than white space. Models other than older Claude " +
			"models, Nova, Llama 3, DeepSeek R1, Jamba and Command take a blank one beside other " +
			"content of its message.",
		Error: "The text field in the ContentBlock object at messages.0.content.0 is blank. Add " +
			"text to the text field, and try again.",
		Fix: "Remove the blank block; where it is the only one, a visible placeholder takes its " +
			"place.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-07", Models: []string{"*claude-3-7-sonnet*"},
				Source: "https://github.com/boto/botocore/issues/3525",
				Note:   "the blank text between citations of an answer"},
			{Kind: Reported, Seen: "2026-07", Models: []string{"*claude-opus-4-8*"},
				Source: "https://github.com/NousResearch/hermes-agent/pull/63983",
				Note:   "a message of blank text alone"},
		}, Cost: CostWords,
		Sources: []string{
			"https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_bedrock/test_bedrock_cache_write_and_read.yaml"}},
	{ID: "bedrock/block-union",
		Statement: "A block is of one kind: text and a cache point in one block, for example, " +
			"are two.",
		Error: "ContentBlock object at messages.0.content.0 can only set one of the following " +
			"keys: text, image, toolUse, toolResult, document, video, cachePoint, " +
			"reasoningContent, citationsContent, searchResult.",
		Fix: "Write a block for each kind, the cache point last.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/envoyproxy/ai-gateway/pull/1717"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/envoyproxy/ai-gateway/pull/2476"}},
	{ID: "bedrock/cache-point-after-document",
		Statement: "A cache point does not follow a document that is no PDF: Claude puts it on " +
			"the document, which may not carry it.",
		Error: "The model returned the following errors: messages.0.content.3.type: Field required",
		Fix:   "Move the cache point to a block before the document.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/strands-agents/harness-sdk/issues/1966"}},
		Cost:    CostPrefix,
		Sources: []string{"https://github.com/aws/aws-sdk-java-v2/issues/6277"}},
	{ID: "bedrock/cache-point-after-reasoning",
		Statement: "A cache point does not follow a reasoning block.",
		Error:     "Cache point cannot be inserted after reasoning block.",
		Fix:       "Move the cache point to a block before the reasoning, or remove it.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/anomalyco/opencode/issues/36517"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/0xPlaygrounds/rig/issues/1673"}},
	{ID: "bedrock/cache-point-alone",
		Statement: "A cache point follows a block that can be cached.",
		Error: "There is nothing available to cache. Please remove the invalid cache point and " +
			"try again.",
		Fix: "Move it after the first block; remove it where there is none.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/vercel/ai/issues/19851"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/zed-industries/zed/pull/59436"}},
	{ID: "bedrock/document-name",
		Statement: "A document name is unique in the request and made of letters and digits of " +
			"ASCII, single spaces, hyphens, underscores, and round or square brackets.",
		Error: "The document file name can only contain alphanumeric characters, whitespace " +
			"characters, hyphens, parentheses, and square brackets. The name can't contain more " +
			"than one consecutive whitespace character. Check that the file name conforms to " +
			"these restrictions and retry your request.", ErrorKind: Verbatim,
		Fix: "Replace other characters, close up the spaces, and number equal names.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/vercel/ai/issues/20365",
				Note:   "claude-haiku-4-5 and Nova; underscores are accepted"},
			{Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/aws-samples/generative-ai-use-cases/issues/1671",
				Note:   "a tab and an ideographic space, one alone; underscores are accepted"},
			{Kind: Stated,
				Source: "https://github.com/aws/aws-sdk-go-v2/blob/service/bedrockruntime/v1.63.10/service/bedrockruntime/types/types.go"},
		}, Cost: CostPrefix,
		Sources: []string{"https://github.com/aws-samples/sample-apj-sup-sa/pull/137",
			"https://github.com/crmne/ruby_llm/blob/HEAD/spec/fixtures/vcr_cassettes/chat_pdf_models_bedrock_claude-sonnet-4-5_handles_multiple_pdfs.yml"}},
	{ID: "bedrock/document-needs-text",
		Statement: "A message with a document also contains a text block.", ErrorKind: Documented,
		Fix: "Add a short text block beside the document.",
		For: []Evidence{{Kind: Stated,
			Source: "https://github.com/aws/aws-sdk-go-v2/blob/service/bedrockruntime/v1.63.10/service/bedrockruntime/types/types.go"}},
		Cost: CostWords},
	{ID: "bedrock/images-user-only",
		Statement: "Only user messages hold images and documents, up to 20 images and 5 " +
			"documents, each within its own limit of size.", ErrorKind: Documented,
		Fix: "Move the media to the user side, and describe the oldest beyond the number; sizes " +
			"are not looked at.",
		For: []Evidence{{Kind: Stated,
			Source: "https://github.com/aws/aws-sdk-go-v2/blob/service/bedrockruntime/v1.63.10/service/bedrockruntime/types/types.go"}},
		Cost: CostLoss},
	{ID: "bedrock/media-unsupported",
		Statement: "A message holds media of the kinds that its model takes: Claude takes no " +
			"video, no audio, and no document by its address in S3.",
		Error: "This model doesn't support the video content block that you provided. Update the " +
			"content block and try again.",
		Fix: "Replace the media by a line of text that describes it.",
		For: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"claude-sonnet-4-5*"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Btool_return_content-url_force_download-video-bedrock_claude%5D.yaml"}},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Btool_return_content-uploaded_file-document-bedrock_claude%5D.yaml"}},
	{ID: "bedrock/reasoning-content",
		Statement: "Claude's rules on thinking hold through Converse as well; the answer quotes " +
			"Claude's own error after a prefix. Models that do not reason take no reasoning " +
			"back: DeepSeek R1, Llama 3, Command, Gemma 3, and Nova where the request does not " +
			"have it reason.",
		Error: "The model returned the following errors: messages.1.content.0.type: Expected " +
			"`thinking` or `redacted_thinking`, but found `tool_use`. ...",
		Fix: "Replay reasoning content with its signature, under the rules of " +
			"anthropic/thinking-must-lead and its siblings.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08", Models: []string{"claude-*"},
				Source: "https://github.com/anomalyco/opencode/issues/3077"},
			{Kind: Reported, Models: []string{"amazon.nova-*"},
				Source: "https://github.com/can1357/oh-my-pi/pull/9086"},
			{Kind: Reported, Seen: "2025-03", Models: []string{"deepseek.r1*"},
				Source: "https://github.com/langchain-ai/langchain-aws/issues/401",
				Note:   "as 'User messages cannot contain reasoning content.'"},
			{Kind: Reported, Models: []string{"meta.llama3*", "cohere.command-*", "google.gemma-3-*"},
				Source: "https://github.com/badlogic/pi-mono/blob/HEAD/packages/agent/test/bedrock-models.test.ts"},
		}, Cost: CostLoss,
		Sources: []string{"https://github.com/vercel/ai/pull/17591",
			"https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-thinking-block-binding.md"}},
	{ID: "bedrock/reasoning-signature",
		Statement: "Reasoning of models that do not sign theirs takes no signature: those of " +
			"OpenAI, Qwen, MiniMax and Moonshot.",
		Error: "This model doesn't support the reasoningContent.reasoningText.signature field. " +
			"Remove reasoningContent.reasoningText.signature and try again.",
		Fix: "Remove the signature; the reasoning stays.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-01", Models: []string{"*openai.*"},
				Source: "https://github.com/earendil-works/pi/issues/686"},
			{Kind: Reported, Seen: "2026-01",
				Models: []string{"*openai.*", "*qwen.*", "*minimax.*", "*moonshot*", "*nova-2-lite*"},
				Source: "https://github.com/earendil-works/pi/pull/727",
				Note:   "ten models, tried live"},
		}, Cost: CostNothing},
	{ID: "bedrock/starts-with-user",
		Statement: "A conversation opens with a user message for Claude 3, Nova, Llama, Mistral, " +
			"Cohere, AI21 and Writer; Claude Sonnet 4.5 was recorded to accept an assistant's.",
		Error: "A conversation must start with a user message. Try again with a conversation " +
			"that starts with a user message.",
		Fix: "Insert a short user turn in front.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07",
				Models: []string{"*amazon.nova-*", "*meta.llama*", "*mistral.*", "*cohere.*", "*ai21.*", "*writer.*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6255",
				Note:   "a table by family, measured live"},
			{Kind: Reported, Seen: "2025-05",
				Models: []string{"*anthropic.claude-opus-4-20250514*"},
				Source: "https://github.com/RooCodeInc/Roo-Code/issues/4147"},
			{Kind: Reported, Seen: "2025-05", Models: []string{"*claude-3*"},
				Source: "https://github.com/aws-solutions-library-samples/guidance-for-multi-provider-generative-ai-gateway-on-aws/issues/123",
				Note:   "Claude 3.5 Sonnet"},
		},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"*claude-sonnet-4-5*"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_bedrock/test_bedrock_anthropic_message_history_starting_with_response.yaml"},
			{Kind: Reported, Seen: "2026-07",
				Models: []string{"*qwen.*", "*zai.*", "*moonshot*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6255"},
		}, Cost: CostWords},
}
