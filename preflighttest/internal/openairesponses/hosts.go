package openairesponses

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fakes of hosts that speak the format of OpenAI Responses, by the names of
// their profiles.

// Hosts are the fakes of the hosts.
var Hosts = []*fake.Format{
	host("azure-responses",
		func(model string) bool { return !azureOthers.MatchString(strings.ToLower(model)) }),
	host("xai-responses", neverOwn),
	host("deepseek-responses", neverOwn, fake.Check{
		Rule: "openai-responses/tool-output-missing",
		Code: "invalid_request_error",
		Find: deepSeekInterleaved,
	}),
	host("copilot-responses", neverOwn),
	host("openrouter-responses", neverOwn),
}

// azureOthers are models on Azure that are not OpenAI's. Of any other name it
// may be a deployment of one that is.
var azureOthers = regexp.MustCompile(`^(gpt-oss|grok-|deepseek-)`)

func neverOwn(string) bool { return false }

// host is the fake of a host. own says of which models OpenAI's
// own rules hold there.
func host(name string, own func(model string) bool, more ...fake.Check) *fake.Format {
	f := Format
	f.Name = name
	f.Checks = append(slices.Clip(checks), more...)
	f.Open = func(r *fake.Request) {
		open(r)
		opened(r).own, opened(r).azure = own(r.Model), name == "azure-responses"
	}
	return &f
}

// deepSeekInterleaved checks messages and reasoning between a call and its
// output, after which the host does not look for the output: the assistant's
// (recorded) and those of others (deepseek-ai/DeepSeek-V3#1588,
// deepseek-ai/awesome-deepseek-integration#740).
func deepSeekInterleaved(r *fake.Request, found fake.Found) {
	calls := map[string]bool{} // of the turn so far, without an output
	for _, item := range opened(r).items {
		switch {
		case item.kind == "message", item.kind == "reasoning":
			for _, id := range slices.Sorted(maps.Keys(calls)) {
				found.Says(item.path, "No tool output found for tool call "+id+".")
			}
			clear(calls)
		case answers[item.kind] != "":
			calls[read.Text(item.object["call_id"])] = true
		case strings.HasSuffix(item.kind, "_output"):
			delete(calls, item.called)
		default:
			clear(calls)
		}
	}
}
