package openairesponses

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
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

// host returns the fake of a host. own says of which models OpenAI's
// own rules hold there.
func host(name string, own func(model string) bool, more ...fake.Check) *fake.Format {
	f := Format
	f.Name = name
	f.Checks = append(slices.Clone(checks), more...)
	azure := name == "azure-responses"
	for i, c := range f.Checks {
		if azure && c.Rule == "openai-responses/reasoning-needs-following" {
			f.Checks[i].Rule = "openai-responses/reasoning-ids-azure"
		}
	}
	f.Open = func(r *fake.Request) {
		open(r)
		opened(r).own, opened(r).azure = own(r.Model), azure
	}
	return &f
}

// deepSeekInterleaved checks items between a call and its output, after which
// the host does not look for the output: text and reasoning of the assistant
// (recorded) and messages of others (deepseek-ai/DeepSeek-V3#1588,
// deepseek-ai/awesome-deepseek-integration#740). The outputs of a turn were seen
// in one run alone.
func deepSeekInterleaved(r *fake.Request, found fake.Found) {
	items := opened(r).items
	partner, unknown := pair(items), unknownIDs(items)
	var open []int    // the calls of the turn so far, without an output
	answered := false // the item before is an output
	for i, item := range items {
		if strings.HasSuffix(item.kind, "_output") {
			open = slices.DeleteFunc(open, func(call int) bool { return partner[i] == call })
			answered = true
			continue
		}
		if answered || item.kind == "message" || item.kind == "reasoning" {
			for _, call := range open {
				if id := items[call].called; !unknown.From(call, id) {
					found.Says(item.path, "No tool output found for tool call "+id+".")
				}
			}
			open = nil
		}
		answered = false
		if answers[item.kind] != "" && item.hasCall && !served(item) {
			open = append(open, i)
		}
	}
}
