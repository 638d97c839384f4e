package openaichat

import (
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of OpenRouter, which passes on the models of others.

var openRouter = host{
	name:  "openrouter",
	words: map[string]string{"openai-chat/content-null": ""},
	own: []fake.Check{
		{Rule: "openai-chat/content-null", Find: openRouterContent},
		{Rule: "anthropic/cache-control-max4", Find: claudeBreakpoints},
		{Rule: "anthropic/prefill-unsupported", Find: claudePrefill},
	},
}

// openRouterContent: beside the details of reasoning, content may be null.
func openRouterContent(r *fake.Request, found fake.Found) {
	contentNull(r, func(path string, fill ...string) {
		for _, m := range messagesOf(r) {
			if m.path+".content" == path && (read.Has(m.object, "content") ||
				len(read.Array(m.object["reasoning_details"])) == 0) {
				found(path, fill...)
			}
		}
	})
}

// claudeBreakpoints: oguzbilgic/kern-ai#316.
func claudeBreakpoints(r *fake.Request, found fake.Found) {
	if !strings.Contains(r.Model, "claude") {
		return
	}
	count := 0
	mark := func(v any) {
		if read.Object(v)["cache_control"] != nil {
			count++
		}
	}
	for _, m := range messagesOf(r) {
		if m.role == "tool" {
			mark(m.object)
		}
		for _, p := range read.Array(m.object["content"]) {
			mark(p)
		}
		for _, c := range m.calls {
			mark(c.object)
		}
	}
	if count > 4 {
		found("messages")
	}
}

// unprefilled matches the models of Claude from 4.6 on.
var unprefilled = regexp.MustCompile(`claude-(opus-4[.-][678]|sonnet-4[.-]6|[a-z]+-5|mythos)`)

// claudePrefill: SpeakMCP#1037, lanl/ursa#283.
func claudePrefill(r *fake.Request, found fake.Found) {
	all := messagesOf(r)
	if n := len(all); n > 0 && all[n-1].role == "assistant" && unprefilled.MatchString(r.Model) {
		found(all[n-1].path)
	}
}
