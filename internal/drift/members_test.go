package drift

import (
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/members"
)

// How to repair a failure: "is in no row" names a member that the SDK has gained. Read what it says
// about the history, and add it to internal/members/rows.go: with a meaning, or to the silent ones.
// Mistral has no SDK for Go, and the rows of its requests are those of its documentation.

// notSent are members of the SDKs' types that are not in the body.
var notSent = []string{"httpOptions", "automaticContinuation", "shouldReturnHttpResponse"}

// requireRows fails for each member that is in no row. names are the members of a type after its
// name and a dot; inside is the member that holds the object, with a dot, or "".
func requireRows(
	t *testing.T, format string, place members.Place, inside string, names []string,
) {
	t.Helper()
	for _, name := range names {
		_, member, _ := strings.Cut(name, ".")
		if slices.Contains(notSent, member) {
			continue
		}
		if _, known := members.Of(format, place, inside+member); !known {
			t.Errorf("%s: the %s's member %s%s (%s) is in no row", format, place, inside, member, name)
		}
	}
}

// variantsOf returns the names of the structs that a union may hold.
func (s sources) variantsOf(t *testing.T, union string) (names []string) {
	t.Helper()
	s.fields(t, union, func(field string, typ ast.Expr, _ reflect.StructTag) {
		pointer, ok := typ.(*ast.StarExpr)
		if !ok || !strings.HasPrefix(field, "Of") {
			return
		}
		if held, ok := pointer.X.(*ast.Ident); ok {
			names = append(names, held.Name)
		}
	})
	require.NotEmpty(t, names)
	return names
}

// goFields returns the fields of a struct without tags as members, which begin with a small letter.
func (s sources) goFields(t *testing.T, name string) (names []string) {
	t.Helper()
	s.fields(t, name, func(field string, _ ast.Expr, _ reflect.StructTag) {
		if ast.IsExported(field) {
			names = append(names, name+"."+strings.ToLower(field[:1])+field[1:])
		}
	})
	return names
}

// TestAnthropicMembers compares the members of requests, messages, calls, results and tools.
func TestAnthropicMembers(t *testing.T) {
	for _, module := range []string{
		"github.com/anthropics/anthropic-sdk-go", "github.com/anthropics/anthropic-sdk-go/v2",
	} {
		s := sourcesOf(t, module, "")
		for _, of := range []string{"", "Beta"} {
			row := func(place members.Place, name string) {
				requireRows(t, "anthropic", place, "", s.object(t, name))
			}
			row(members.Request, of+"MessageNewParams")
			row(members.Request, of+"MessageCountTokensParams")
			row(members.Message, of+"MessageParam")
			for _, block := range s.variantsOf(t, of+"ContentBlockParamUnion") {
				switch {
				case strings.Contains(block, "ToolUse"):
					row(members.Call, block)
				case strings.Contains(block, "ToolResult"):
					row(members.Result, block)
				}
			}
			tools := of + "ToolUnionParam"
			for _, tool := range s.variantsOf(t, tools) {
				row(members.Tool, tool)
			}
		}
	}
}

// TestOpenAIChatMembers compares the members of requests, messages, calls and tools.
func TestOpenAIChatMembers(t *testing.T) {
	s := sourcesOf(t, "github.com/openai/openai-go/v3", "")
	shared := sourcesOf(t, "github.com/openai/openai-go/v3", "shared")
	const chat = "openai-chat"
	requireRows(t, chat, members.Request, "", s.object(t, "ChatCompletionNewParams"))
	for _, message := range s.variantsOf(t, "ChatCompletionMessageParamUnion") {
		place := members.Message
		if strings.Contains(message, "Tool") {
			place = members.Result
		}
		requireRows(t, chat, place, "", s.object(t, message))
	}
	for _, call := range s.variantsOf(t, "ChatCompletionMessageToolCallUnionParam") {
		requireRows(t, chat, members.Call, "", s.object(t, call))
	}
	requireRows(t, chat, members.Call, "function.",
		s.object(t, "ChatCompletionMessageFunctionToolCallFunctionParam"))
	requireRows(t, chat, members.Call, "custom.",
		s.object(t, "ChatCompletionMessageCustomToolCallCustomParam"))
	for _, tool := range s.variantsOf(t, "ChatCompletionToolUnionParam") {
		requireRows(t, chat, members.Tool, "", s.object(t, tool))
	}
	requireRows(t, chat, members.Tool, "function.", shared.object(t, "FunctionDefinitionParam"))
}

// TestOpenAIResponsesMembers compares the members of requests, items and tools.
func TestOpenAIResponsesMembers(t *testing.T) {
	s := sourcesOf(t, "github.com/openai/openai-go/v3", "responses")
	const responses = "openai-responses"
	requireRows(t, responses, members.Request, "", s.object(t, "ResponseNewParams"))
	for _, item := range s.variantsOf(t, "ResponseInputItemUnionParam") {
		place := members.Item
		switch {
		case strings.Contains(item, "Output") && !strings.Contains(item, "Message"),
			strings.Contains(item, "ApprovalResponse"):
			place = members.Result
		case regexp.MustCompile("WebSearch|FileSearch|ImageGeneration|CodeInterpreter|McpCall").
			MatchString(item): // the provider runs the tool
		case strings.Contains(item, "Call"):
			place = members.Call
		case strings.Contains(item, "Message"):
			place = members.Message
		}
		requireRows(t, responses, place, "", s.object(t, item))
	}
	for _, tool := range s.variantsOf(t, "ToolUnionParam") {
		requireRows(t, responses, members.Tool, "", s.object(t, tool))
	}
}

// TestGeminiMembers compares the members of requests, contents, calls, responses and tools. Those
// of the SDK's configuration that are not settings of the generation are members of the request.
func TestGeminiMembers(t *testing.T) {
	s := sourcesOf(t, "google.golang.org/genai", "")
	names := func(of string) (names []string) {
		for _, name := range s.object(t, of) {
			_, member, _ := strings.Cut(name, ".")
			names = append(names, member)
		}
		return names
	}
	settings := names("GenerationConfig")
	for _, name := range names("GenerateContentConfig") {
		if _, known := members.Of("gemini", members.Request, name); known ||
			slices.Contains(settings, name) || slices.Contains(notSent, name) ||
			slices.Contains(ofGeneration, name) {
			continue
		}
		t.Errorf("gemini: the request's member %s is in no row", name)
	}
	requireRows(t, "gemini", members.Message, "", s.object(t, "Content"))
	requireRows(t, "gemini", members.Tool, "", s.object(t, "Tool"))
	requireRows(t, "gemini", members.Call, "functionCall.", s.object(t, "FunctionCall"))
	requireRows(t, "gemini", members.Result, "functionResponse.", s.object(t, "FunctionResponse"))
	for _, name := range names("Part") {
		if _, data := s["Part"]; !data || slices.Contains(partData, name) {
			continue
		}
		for _, place := range []members.Place{members.Call, members.Result} {
			requireRows(t, "gemini", place, "", []string{"Part." + name})
		}
	}
}

// ofGeneration are members of the SDK's configuration that the body has in generationConfig under
// other names. partData are the members of a part of which it has one.
var (
	ofGeneration = []string{
		"imageConfig", "routingConfig", "modelSelectionConfig", "audioTranscriptionConfig",
		"generationOutputConfig",
	}
	partData = []string{
		"functionCall", "functionResponse", "inlineData", "fileData", "executableCode",
		"codeExecutionResult", "toolCall", "toolResponse", "text",
	}
)

// TestBedrockMembers compares the members of requests, messages, calls, results and tools. The
// SDK's types have no tags.
func TestBedrockMembers(t *testing.T) {
	const module = "github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	operations, s := sourcesOf(t, module, ""), sourcesOf(t, module, "types")
	row := func(place members.Place, inside string, s sources, name string) {
		requireRows(t, "bedrock", place, inside, s.goFields(t, name))
	}
	row(members.Request, "", operations, "ConverseInput")
	row(members.Request, "", operations, "ConverseStreamInput")
	row(members.Message, "", s, "Message")
	row(members.Call, "toolUse.", s, "ToolUseBlock")
	row(members.Result, "toolResult.", s, "ToolResultBlock")
	row(members.Tool, "toolSpec.", s, "ToolSpecification")
	row(members.Tool, "systemTool.", s, "SystemTool")
	requireRows(t, "bedrock", members.Tool, "", s.variants(t, "Tool"))
}

// TestCohereMembers and TestOllamaMembers compare those of SDKs that have only messages.
func TestCohereMembers(t *testing.T) {
	s := sourcesOf(t, "github.com/cohere-ai/cohere-go/v2", "")
	row := func(place members.Place, inside, name string) {
		requireRows(t, "cohere", place, inside, s.object(t, name))
	}
	row(members.Request, "", "V2ChatRequest")
	row(members.Message, "", "AssistantMessage")
	row(members.Message, "", "UserMessageV2")
	row(members.Result, "", "ToolMessageV2")
	row(members.Call, "", "ToolCallV2")
	row(members.Call, "function.", "ToolCallV2Function")
	row(members.Tool, "", "ToolV2")
	row(members.Tool, "function.", "ToolV2Function")
}

func TestOllamaMembers(t *testing.T) {
	s := sourcesOf(t, "github.com/ollama/ollama", "api")
	row := func(place members.Place, inside, name string) {
		requireRows(t, "ollama", place, inside, s.object(t, name))
	}
	row(members.Request, "", "ChatRequest")
	row(members.Message, "", "Message")
	row(members.Result, "", "Message")
	row(members.Call, "", "ToolCall")
	row(members.Call, "function.", "ToolCallFunction")
	row(members.Tool, "", "Tool")
	row(members.Tool, "function.", "ToolFunction")
}
