package wire

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file lists the words that a path may hold: names that the formats and their dialects
// define.

// wordFor returns the text of a key that is a word of some format, "" for all others.
func wordFor(key jsonscan.Value) string {
	if key.End()-key.Start() > longestWord {
		return ""
	}
	if word := key.Str(); words[word] {
		return word
	}
	return ""
}

// longestWord is how many bytes the key of a word takes at most, with quotes and some escapes.
const longestWord = 64

// contentWords are the members whose values are the user's or the model's data.
var contentWords = wordSet(`
	args arguments input input_schema inputSchema json logit_bias metadata parameters partial_json
	promptVariables providerMetadata providerOptions parametersJsonSchema requestMetadata response
	responseSchema schema additionalModelRequestFields chat_template_kwargs extra_content
	additional_kwargs`)

// words are the names that the formats and their dialects define, and some that frameworks are
// known to add.
var words = wordSet(`
	action actions additional_kwargs additional_tools additionalModelRequestFields
	additionalModelResponseFieldPaths address allowed_callers allowed_domains
	allowed_function_names allowedFunctionNames allowed_tools annotations anthropic_beta
	anthropic_version approval_request_id approve args arguments audio audio_transcription
	audioTranscription background best_of beta blocked_domains bucketOwner budget_tokens bytes
	cache cache_control cachePoint cachedContent cached_content call call_id caller candidateCount
	candidates category chat_history chat_template_kwargs choices citation citation_options
	citations citationsContent code codeExecution code_execution codeExecutionResult
	code_execution_result command commands container container_id content contents context
	context_management continue_final_message conversation created created_at createTime custom
	data data_sources declared deferred description detail developer disable_parallel_tool_use
	display_height_px display_width_px displayName document document_name document_url documents
	effort enable_thinking encrypted_content encrypted_index encrypted_stdout end_index
	enterpriseWebSearch env error error_code errors executableCode executable_code execution
	exit_code extra_body extra_content extra_headers extraction fallbacks file fileData fileSearch
	fileUri file_data file_id file_ids file_uri file_url filename files fingerprint finish_reason
	finishReason format formatting fps frequency_penalty frequencyPenalty function functionCall
	functionCallingConfig functionDeclarations functionResponse function_call
	function_calling_config function_declarations function_response functions
	generateContentRequest generationConfig generation_config googleMaps googleSearch
	googleSearchRetrieval google_search grammar guardContent guardrailConfig id identifier image
	imageConfig image_url images include include_reasoning index inferenceConfig inlineData
	inline_data input input_audio input_schema inputSchema input_examples instructions is_error
	isError item items json json_schema jsonSchema keep keep_alive key kind labels language level
	logit_bias logprobs maxOutputTokens maxTokens max_completion_tokens max_content_tokens
	max_output_length max_output_tokens max_prompt_tokens max_retries max_tokens max_tool_calls
	max_uses mcp_servers mediaProcessing mediaResolution media_processing media_resolution
	media_type mediaType message messages metadata mime_type mimeType mode model modelId model_id
	modalities n name namespace num_ctx num_predict object operation options order outcome output
	outputConfig output_config output_format page_age parallel_tool_calls parameters
	parametersJsonSchema parsed parsed_output partMetadata part_metadata partial partial_json parts
	path pending_safety_checks performanceConfig phase plugins point prediction prefix
	presence_penalty presencePenalty preset previous_response_id prompt promptVariables
	prompt_cache_key prompt_cache_retention prompt_mode properties provider providerMetadata
	providerOptions provider_executed queries query random_seed rawPrediction reasoning
	reasoningContent reasoningText reasoning_config reasoning_content reasoning_details
	reasoning_effort reasoning_format reasoning_split redactedContent reference reference_ids
	references refusal repetition_penalty requestMetadata response responseJsonSchema
	responseLogprobs responseMimeType responseModalities responseSchema response_format
	response_metadata result results retrieval_queries retrieved_at role route s3Location
	safe_prompt safetySettings safety_identifier safety_mode safety_settings schema scheduling
	search searchResult search_options search_parameters search_result seed server_label
	server_name serviceTier service_tier settings signature skip_special_tokens source sources
	speechConfig speechMetadata speech_metadata start_index state status stderr stdout stop
	stopSequences stop_reason stop_sequence stop_sequences store stream stream_options strict
	strict_tools suffix summary sync system systemInstruction systemTool system_instruction task_id
	temperature template text think thinking thinkingBudget thinkingConfig thinkingLevel
	includeThoughts thinking_budget thinking_config thought thoughtSignature thought_signature time
	timestamp title to tokenCount tool toolCall toolCallId toolChoice toolConfig toolInvocations
	toolName toolResponse toolResult toolSpec toolUse toolUseId tool_call tool_call_id tool_calls
	tool_choice tool_config tool_name tool_plan tool_reference tool_references tool_response
	tool_stream tool_use_id tools topK topP top_k top_logprobs top_p top_level_images transforms
	truncation ttl type typed uri url urlContext url_citation usage usageMetadata
	use_recommended_timeout user user_id user_location username uuid value verbosity version video
	videoMetadata video_metadata video_url voice willContinue`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
