package members

import (
	"slices"
	"strings"
)

// Formats are the wire formats that have rows.
var Formats = []string{
	"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "mistral", "cohere",
	"ollama", "gemini-interactions",
}

// Rows returns all rows: those with a meaning, and the others.
func Rows() []Row {
	var out []Row
	for _, list := range silent {
		for _, format := range strings.Fields(list.formats) {
			if format == "any" {
				format = ""
			}
			for _, name := range strings.Fields(list.names) {
				out = append(out, Row{Format: format, Place: list.place, Name: name})
			}
		}
	}
	return slices.Concat(out, speaking, listed) // which win where both name a member
}

// speaking are the members that say something about the history.
var speaking = []Row{
	// platform.claude.com/docs/en/build-with-claude/message-threads A third party's server answers
	// what is new as if it were all: github.com/bman654/clodex/pull/253 (Qwen),
	// github.com/KarpelesLab/teamclaude/pull/378. Hosts that pass requests on to Anthropic may have
	// threads: OpenRouter, Bedrock and Vertex are not among them. A request with a thread has three
	// breakpoints instead of four.
	{"anthropic", Request, "thread", Held | State | Marker, "create",
		"deepseek-anthropic moonshot-anthropic minimax-anthropic glm-anthropic vllm-anthropic", ""},
	// platform.claude.com/docs/en/build-with-claude/compaction-on-demand
	{"anthropic", Request, "compaction", NoAnswer, "", "", ""},
	// platform.claude.com/docs/en/build-with-claude/fallback-credit
	{"anthropic", Request, "fallback_credit_token", Prefill, "", "", ""},
	{"anthropic", Request, "container", State, "", "", ""},
	{"anthropic", Request, "user_profile_id", State, "", "", ""},
	{"anthropic", Request, "diagnostics", State, "", "", ""}, // it names an earlier message
	{"anthropic", Request, "cache_control", Marker, "", "", ""},

	{"openai-responses", Request, "previous_response_id", Held | State, "", "", ""},
	{"openai-responses", Request, "conversation", Held | State, "", "", ""},
	{"openai-responses", Request, "prompt", HeldBare | State, "", "", ""},
	// developers.openai.com/api/docs/guides/async-tool-calling
	{"openai-responses", Call, "async", Open, "", "", ""},

	// hosts that speak the Chat format and keep the history
	{"openai-chat", Request, "previous_response_id", Held | State, "", "", ""},
	{"openai-chat", Request, "conversation", Held | State, "", "", ""},
	{"openai-chat", Request, "conversation_id", Held | State, "", "", ""},
	{"openai-chat", Request, "session_params", Held | State, "", "", ""}, // SGLang
	// vLLM and SGLang: the template continues the last message
	{"openai-chat", Request, "continue_final_message", Prefill, "", "", ""},
	{"openai-chat", Request, "prompt_id", HeldBare | State, "", "", ""},

	// ai.google.dev/api/caching: contents that come before those of the request
	{"gemini", Request, "cachedContent", Held | State, "", "", ""},
	{"gemini", Request, "continuationToken", State, "", "", ""},
	{"gemini", Request, "previousInteractionId", Held | State, "", "", ""},
	{"gemini", Request, "sessionId", State, "", "", ""},

	// ai.google.dev/api/caching#FunctionResponse: further responses of the call come
	{"gemini", Result, "functionResponse.willContinue", Open, "", "", ""},

	// what messages hold beside their content, or in place of it
	{"gemini", Message, "parts", Says, "", "", ""},
	{"ollama", Message, "images", Says, "", "", ""},
	{"cohere", Message, "tool_plan", Says, "", "", ""},

	{"gemini-interactions", Request, "previous_interaction_id", Held | State, "", "", ""},
	// the answer goes on where it was cut off
	{"gemini-interactions", Request, "continuation_token", Held | State | NoAnswer, "", "", ""},
	{"gemini-interactions", Request, "cached_content", Held | State, "", "", ""},
	{"gemini-interactions", Request, "environment", State, "", "", ""},

	{"mistral", Request, "conversation_id", Held | State, "", "", ""},
	{"mistral", Request, "agent_id", State, "", "", ""},
	{"cohere", Request, "conversation_id", Held | State, "", "", ""},
	{"bedrock", Request, "promptVariables", HeldBare, "", "", ""},
}

// listed are the members of which not every value is known.
var listed = []Row{
	{Format: "openai-responses", Place: Call, Name: "status", Values: statuses},
	{Format: "openai-responses", Place: Result, Name: "status", Values: statuses},
	{Format: "openai-responses", Place: Call, Name: "execution", Values: "client server"},
	{Format: "bedrock", Place: Result, Name: "toolResult.status", Values: "success error"},
	{Format: "gemini", Place: Result, Name: "functionResponse.scheduling",
		Values: "SCHEDULING_UNSPECIFIED SILENT WHEN_IDLE INTERRUPT"},
}

// statuses are those of openai-go v3.99, and words of clients for what has ended. Another one may
// say that a call goes on, such as "queued".
const statuses = "in_progress completed incomplete failed success succeeded done error cancelled " +
	"canceled aborted interrupted expired timeout skipped rejected denied ok"

// silent are the members that say nothing about the history, by formats and place.
var silent = []struct {
	formats string
	place   Place
	names   string
}{
	{"anthropic", Request, `model messages max_tokens system tools tool_choice thinking metadata
		stop_sequences stream temperature top_k top_p service_tier inference_geo speed
		billing_policy context_management mcp_servers output_config output_format fallbacks betas
		anthropic_version anthropic_beta max_completion_tokens prompt`},
	// what readers of all formats look for, whichever format a message is in: the id of the call
	// that it answers
	{"any", Message, `tool_call_id tool_use_id toolCallId toolUseId call_id callId`},
	// what an answer has beside the message, which some agents store with it
	{"any", Message, `usage stop_details context_management finish_reason logprobs`},
	{"anthropic openai-chat openai-responses mistral cohere ollama", Result, `tool_call_id
		tool_use_id toolCallId toolUseId call_id callId`},

	{"anthropic", Message, `role content clear_at output_config cache_control id type model
		stop_reason stop_sequence usage container created_at timestamp metadata name tool_call_id`},
	{"anthropic", Call, `type id name input cache_control caller toolset_name server_name index
		partial_json parsed_output providerMetadata providerOptions`},
	{"anthropic", Result, `type tool_use_id content is_error cache_control caller toolset_name
		index partial_json parsed_output providerMetadata providerOptions tool_name name
		server_name citations`},
	{"anthropic", Tool, `type name description input_schema cache_control strict defer_loading
		allowed_callers input_examples eager_input_streaming max_uses allowed_domains
		blocked_domains url_sources tools user_location citations max_content_tokens use_cache
		response_inclusion
		display_width_px display_height_px display_number enable_zoom max_characters model caching
		max_tokens mcp_server_name default_config configs`},

	{"openai-chat mistral", Request, `messages model max_tokens temperature top_p n stop stream
		stream_options presence_penalty frequency_penalty logit_bias logprobs top_logprobs seed
		response_format tools tool_choice parallel_tool_calls user functions function_call
		max_completion_tokens echo store metadata modalities audio prediction reasoning_effort
		verbosity service_tier safety_identifier prompt_cache_key prompt_cache_retention
		prompt_cache_options web_search_options moderation`},
	{"mistral", Request, `random_seed safe_prompt prompt_mode guardrails`},
	{"openai-chat mistral cohere ollama", Call, `id type function index custom function.name
		function.arguments function.index function.parsed_arguments function.description
		function.strict custom.name custom.input extra_content provider_specific_fields
		thought_signature signature cache_control`},
	// results are messages
	{"openai-chat mistral cohere ollama", Result, `role content tool_call_id name tool_name
		tool_calls refusal audio function_call reasoning reasoning_content reasoning_details
		annotations cache_control id type is_error status metadata images thinking citations
		tool_plan prefix partial created_at timestamp additional_kwargs response_metadata artifact
		example model usage`},
	{"openai-chat mistral cohere ollama", Message, `role content name refusal audio tool_calls
		function_call tool_call_id reasoning reasoning_content reasoning_details annotations
		prefix partial thinking images tool_name tool_plan citations cache_control metadata id
		type index created_at timestamp model additional_kwargs response_metadata example
		thought_signature thinking_blocks provider_specific_fields clear_at encrypted_content
		copilot_references copilot_confirmations reasoning_text reasoning_opaque`},
	{"openai-chat mistral cohere ollama", Tool, `type function function.name
		function.description function.parameters function.strict custom cache_control
		custom.name custom.description custom.format items retrieval web_search`},

	{"openai-responses", Request, `background context_management include input instructions
		max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls
		prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier
		service_tier store stream stream_options temperature text tool_choice tools top_logprobs
		top_p truncation user access_programs image client_metadata generate type max_tokens
		prompt_cache response_format`},
	{"openai-responses", Message, `type id role content status phase name tool_calls
		tool_call_id cache_control internal_chat_message_metadata_passthrough author recipient`},
	{"openai-responses", Call, `type id call_id name arguments input namespace caller
		action actions operation pending_safety_checks environment max_output_length
		output error created_by agent cache_control`},
	{"openai-responses", Result, `type id call_id output namespace caller name tools
		execution acknowledged_safety_checks max_output_length result created_by agent role
		content tool_call_id approval_request_id approve reason server_label error is_error
		cache_control`},
	{"openai-responses", Item, `type id text summary content encrypted_content status queries
		results
		action result revised_prompt background output_format quality size svg_usage error
		code outputs container_id server_label tools role trigger reasoning name arguments output
		approval_request_id approve reason call_id fingerprint signature created_by agent
		cache_control caller`},
	{"openai-responses", Tool, `type name description parameters strict async defer_loading
		allowed_callers output_schema format vector_store_ids filters max_num_results
		ranking_options environment display_width display_height search_context_size
		user_location search_content_types server_label server_url connector_id authorization
		headers require_approval allowed_tools server_description tunnel_id container model
		moderation quality size background input_fidelity input_image_mask output_compression
		output_format partial_images action frame_count frame_duration_ms complexity svg tools
		execution external_web_access namespace cache_control function image_generation
		return_token_budget`},

	{"gemini", Request, `contents systemInstruction tools toolConfig safetySettings
		generationConfig model labels modelArmorConfig serviceTier store generateContentRequest
		processingOptions`},
	{"gemini", Message, `role parts id type name model timestamp createdAt metadata`},
	{"gemini", Call, `functionCall functionCall.id functionCall.name functionCall.args
		functionCall.partialArgs functionCall.willContinue functionCall.arguments
		functionCall.thoughtSignature thought thoughtSignature partMetadata
		mediaResolution mediaProcessing speechMetadata audioTranscription videoMetadata text type id
		index cache_control providerMetadata providerOptions toolCall toolCall.id
		toolCall.toolType toolCall.args toolCall.name executableCode`},
	// data of another kind in the same part, which becomes a part of its own
	{"gemini", Call, `functionResponse inlineData fileData codeExecutionResult toolResponse`},
	{"gemini", Result, `functionCall inlineData fileData executableCode toolCall text`},
	{"gemini", Result, `functionResponse functionResponse.id functionResponse.name
		functionResponse.response functionResponse.parts
		functionResponse.content functionResponse.output functionResponse.tool_call_id
		functionResponse.thoughtSignature
		thought thoughtSignature partMetadata mediaResolution
		mediaProcessing speechMetadata audioTranscription videoMetadata text type id index
		cache_control providerMetadata providerOptions toolResponse toolResponse.id
		toolResponse.toolType toolResponse.response toolResponse.name codeExecutionResult`},
	{"gemini", Tool, `functionDeclarations retrieval computerUse fileSearch googleSearch
		googleMaps codeExecution enterpriseWebSearch googleSearchRetrieval parallelAiSearch
		urlContext mcpServers exaAiSearch`},

	// google.golang.org/genai/interactions v1.77.0
	{"gemini-interactions", Request, `model agent agent_config input system_instruction tools
		generation_config background labels response_format response_mime_type
		response_modalities safety_settings service_tier store stream webhook_config`},
	{"gemini-interactions", Message, `type role content error`},
	{"gemini-interactions", Call, `type id name arguments signature`},
	{"gemini-interactions", Result, `type call_id name result is_error signature`},
	{"gemini-interactions", Item, `type id call_id name server_name signature summary arguments
		result is_error search_type retrieval_type`},
	{"gemini-interactions", Tool, `type name description parameters search_types
		disabled_safety_policies enable_prompt_injection_detection
		file_search_store_names metadata_filter top_k enable_widget latitude longitude url headers
		allowed_tools environment excluded_predefined_functions retrieval_types
		vertex_ai_search_config rag_store_config exa_ai_search_config parallel_ai_search_config`},

	{"bedrock", Request, `modelId messages system inferenceConfig toolConfig guardrailConfig
		additionalModelRequestFields additionalModelResponseFieldPaths requestMetadata
		performanceConfig serviceTier outputConfig`},
	// of the model's own body
	{"bedrock", Request, `additionalModelRequestFields.reasoningConfig
		additionalModelRequestFields.reasoning_config
		additionalModelRequestFields.inferenceConfig`},
	{"bedrock", Message, `role content`},
	{"bedrock", Call, `toolUse toolUse.toolUseId toolUse.name toolUse.input toolUse.type`},
	{"bedrock", Result, `toolResult toolResult.toolUseId toolResult.content
		toolResult.type`},
	{"bedrock", Tool, `toolSpec toolSpec.name toolSpec.description toolSpec.inputSchema
		toolSpec.strict cachePoint systemTool systemTool.name`},

	{"cohere", Request, `model messages tools strict_tools documents citation_options
		response_format safety_mode max_tokens stop_sequences temperature seed frequency_penalty
		presence_penalty k p logprobs tool_choice thinking stream priority raw_prompting
		return_prompt prompt_truncation`},
	{"ollama", Request, `model messages tools format options stream keep_alive think truncate
		shift logprobs top_logprobs tool_choice temperature top_p top_k seed stop
		_debug_render_only`},

	// members of gateways, and of servers of other formats' bodies, that set up a request
	{"any", Request, `provider models route transforms plugins usage reasoning include_reasoning
		preset session_id trace debug image_config structured_outputs fallbacks metadata tags
		guardrails litellm_metadata litellm_params litellm_session_id litellm_trace_id
		litellm_call_id extra_body extra_headers extra_query headers timeout num_retries
		custom_llm_provider api_base api_version base_model mock_response caching cache
		drop_params allowed_openai_params modify_params request_id user_id user project_id
		space_id providerOptions gateway requesty dimensions customer_identifier prompt_cache_key
		safety_identifier service_tier context_management`},
	{"openai-chat mistral", Request, `chat_template chat_template_kwargs guided_json
		guided_regex guided_choice guided_grammar guided_decoding_backend
		guided_whitespace_pattern mm_processor_kwargs documents kv_transfer_params
		logits_processors stop_token_ids bad_words allowed_token_ids vllm_xargs media_io_kwargs
		cache_salt ec_transfer_params prompt_logprobs add_generation_prompt regex ebnf lora_path
		custom_logit_processor custom_params stop_regex return_tokens_as_token_ids
		bootstrap_host grammar json_schema samplers grammar_lazy grammar_triggers
		reasoning_format lora response_fields cache_prompt
		search_domain_filter search_language_filter search_recency_filter search_mode
		search_after_date_filter search_before_date_filter last_updated_after_filter
		last_updated_before_filter image_domain_filter image_format_filter media_response
		search_context_size language_preference stream_mode user_location search_parameters
		search_settings compound_custom citation_options include_domains exclude_domains
		thinking thinking_budget enable_thinking enable_search search_options
		translation_options asr_options voice input_audio_format web_search tool_stream
		sensitive_word_check reasoning_split reasoning_history mask_sensitive_info
		context_length_exceeded_behavior speculation safety_model compliance
		venice_parameters nvext databricks_options data_sources enhancements
		user_security_context intent copilot_intent perf_metrics_in_response
		prompt_cache_isolation_key expire_at bot_setting reply_constraints
		custom_parameters return_related_questions clear_thinking top_k min_p
		repetition_penalty typical_p safe_prompt options keep_alive format think draft_model
		inputs guardrailConfig generation_config system suffix`},
}
