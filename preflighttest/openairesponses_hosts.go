package preflighttest

import (
	"regexp"
	"slices"
	"strings"
)

// The fakes of hosts that speak the format of OpenAI Responses. They go by the
// names of their profiles, like that in geminichat.go.

// hosts are found by name like the formats, and speak one of them.
var hosts = []*format{
	openaiResponsesHost("azure-responses",
		func(model string) bool { return !azureOthers.MatchString(strings.ToLower(model)) }),
	openaiResponsesHost("xai-responses", neverOwn),
	openaiResponsesHost("deepseek-responses", neverOwn, check{
		"openai-responses/tool-output-missing",
		inOwnWords,
		"invalid_request_error",
		deepSeekInterleaved,
	}),
	openaiResponsesHost("copilot-responses", neverOwn),
	openaiResponsesHost("openrouter-responses", neverOwn),
	geminiChatFormat,
}

// azureOthers are models on Azure that are not OpenAI's. Of any other name it
// may be a deployment of one that is.
var azureOthers = regexp.MustCompile(`^(gpt-oss|grok-|deepseek-)`)

func neverOwn(string) bool { return false }

// openaiResponsesHost is the fake of a host. own says of which models OpenAI's
// own rules hold there.
func openaiResponsesHost(name string, own func(model string) bool, more ...check) *format {
	f := openaiResponsesFormat
	f.name = name
	f.checks = append(slices.Clip(openaiResponsesChecks), more...)
	f.open = func(r *request) {
		openaiResponsesOpen(r)
		openaiResponsesOf(r).own, openaiResponsesOf(r).azure = own(r.model), name == "azure-responses"
	}
	return &f
}

// deepSeekInterleaved checks messages and reasoning between a call and its
// output, after which the host does not look for the output: the assistant's
// (recorded) and those of others (deepseek-ai/DeepSeek-V3#1588, deepseek-ai/awesome-deepseek-integration#740).
func deepSeekInterleaved(r *request, found found) {
	calls := map[string]bool{} // of the turn so far, without an output
	for _, item := range openaiResponsesOf(r).items {
		switch {
		case item.kind == "message", item.kind == "reasoning":
			for id := range calls {
				found(item.path, inOwnWords, "No tool output found for tool call "+id+".")
			}
			clear(calls)
		case openaiAnswers[item.kind] != "":
			calls[text(item.object["call_id"])] = true
		case item.kind != "reasoning":
			clear(calls)
		}
	}
}
