package rule

import (
	"slices"
	"strings"
)

// This file is the types of content that each request format has, by place.
// Every format is closed: a type that it does not list and that another
// format does is a block of that other format. A type that no format lists
// may be new, and nothing is said about it.

// Place is where in a request a block may be.
type Place string

// The places. The content of a message has a place for each role.
const (
	InSystem    Place = "system"    // the system prompt, or a system message
	InUser      Place = "user"      // a message of the user's
	InAssistant Place = "assistant" // a message of the assistant's
	InTool      Place = "tool"      // a message that is the result of a tool call
	InResult    Place = "result"    // the content of a tool result
	InReasoning Place = "reasoning" // the content or summary of a reasoning item
	InCalls     Place = "calls"     // the list of tool calls of a message
	InList      Place = "list"      // the list of messages itself, beside messages
)

// BlockType is a type of content that a request format has.
type BlockType struct {
	// Format is the format, or the host that takes the type beside those of
	// its format.
	Format string `json:"format"`

	// Kind is the value of the block's member type. Where blocks have no
	// type, it is the member that holds the data.
	Kind string `json:"kind"`

	// Bare says that blocks of this format have no type.
	Bare bool `json:"bare,omitempty"`

	// Places lists where such a block may be.
	Places []Place `json:"places"`
}

// blockRows lists the types of each format, by place. Sources: the param
// unions of anthropic-sdk-go v1.84.0, openai-go v3.95.0, genai v1.77.0 and
// bedrockruntime v1.63.10, and the documentation of Mistral and Cohere.
// A host that is no format has only what it takes beside its format. Those of
// openai-compatible, which means every unknown host, are what vLLM
// (vllm/entrypoints/chat_utils.py) and gateways to other providers take.
var blockRows = []struct {
	format string
	place  Place
	kinds  string
}{
	{"anthropic", InSystem, "text tool_addition tool_removal mcp_tool_listing"},
	{"anthropic", InUser, "text image document search_result tool_result container_upload"},
	{"anthropic", InAssistant,
		`text thinking redacted_thinking tool_use server_tool_use web_search_tool_result
		web_fetch_tool_result advisor_tool_result code_execution_tool_result
		bash_code_execution_tool_result text_editor_code_execution_tool_result
		tool_search_tool_result mcp_tool_use mcp_tool_result container_upload compaction fallback`},
	{"anthropic", InResult, "text image document search_result tool_reference browser_state"},
	{"openai-chat", InSystem, "text"},
	{"openai-chat", InUser, "text image_url input_audio file"},
	{"openai-chat", InAssistant, "text refusal"},
	{"openai-chat", InTool, "text"},
	{"openai-chat", InCalls, "function custom"},
	{"mistral", InSystem, "text"},
	{"mistral", InUser, "text image_url image document_url input_audio audio_url file reference"},
	{"mistral", InAssistant, "text thinking reference"},
	{"mistral", InTool, "text reference"},
	{"mistral", InCalls, "function"},
	{"cohere", InSystem, "text"},
	{"cohere", InUser, "text image_url"},
	{"cohere", InAssistant, "text thinking"},
	{"cohere", InTool, "text document"},
	{"cohere", InCalls, "function"},
	{"ollama", InCalls, "function"},
	{"openai-responses", InList,
		`message reasoning item_reference function_call function_call_output custom_tool_call
		custom_tool_call_output local_shell_call local_shell_call_output shell_call
		shell_call_output apply_patch_call apply_patch_call_output computer_call
		computer_call_output web_search_call file_search_call code_interpreter_call
		image_generation_call mcp_list_tools mcp_call mcp_approval_request mcp_approval_response
		tool_search_call tool_search_output additional_tools configuration_update compaction
		compaction_trigger program program_output`},
	{"openai-responses", InSystem, "input_text input_image input_file"},
	{"openai-responses", InUser, "input_text input_image input_file input_audio scoped_content"},
	{"openai-responses", InAssistant, "output_text refusal"},
	{"openai-responses", InResult,
		"input_text input_image input_file scoped_content computer_screenshot"},
	{"openai-responses", InReasoning, "reasoning_text summary_text"},
	{"gemini", InSystem, "text"},
	{"gemini", InUser, "text inlineData fileData functionResponse"},
	{"gemini", InAssistant,
		`text inlineData fileData functionCall executableCode codeExecutionResult toolCall
		toolResponse`},
	{"gemini", InResult, "inlineData fileData"},
	// audio and video are missing: hosts of other formats have blocks of these names
	{"gemini-interactions", InList,
		`user_input model_output thought function_call function_result code_execution_call
		code_execution_result file_search_call file_search_result google_maps_call
		google_maps_result google_search_call google_search_result mcp_server_tool_call
		mcp_server_tool_result processing_call processing_result retrieval_call
		retrieval_result url_context_call url_context_result`},
	{"gemini-interactions", InUser, "text image document"},
	{"gemini-interactions", InAssistant, "text image document"},
	{"gemini-interactions", InResult, "text image document"},
	{"bedrock", InSystem, "text guardContent cachePoint"},
	{"bedrock", InUser,
		"text image document video audio toolResult guardContent cachePoint searchResult"},
	{"bedrock", InAssistant,
		`text toolUse toolResult reasoningContent citationsContent image video audio cachePoint`},
	{"bedrock", InResult, "text json image document video searchResult"},
	{unknownHost, InUser, "image document document_url input_text input_image"},
	{unknownHost, InAssistant, "thinking redacted_thinking reasoning output_text"},
}

// unknownHost is the dialect of unknown hosts. No provider documents its types.
const unknownHost = "openai-compatible"

// bareFormats are the formats whose blocks have no type.
var bareFormats = map[string]bool{"gemini": true, "bedrock": true}

// BlockTypes returns all types of content, by format and then in the order in
// which the format's table first names them.
func BlockTypes() []BlockType {
	var all []BlockType
	for _, row := range blockRows {
		for _, kind := range strings.Fields(row.kinds) {
			k := slices.IndexFunc(all,
				func(b BlockType) bool { return b.Format == row.format && b.Kind == kind })
			if k < 0 {
				k = len(all)
				all = append(all,
					BlockType{Format: row.format, Kind: kind, Bare: bareFormats[row.format]})
			}
			all[k].Places = append(all[k].Places, row.place)
		}
	}
	return all
}
