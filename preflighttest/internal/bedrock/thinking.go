package bedrock

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Reasoning that no model takes back; that of Claude is in claude_thinking.go.

// unsigned checks the models that take no reasoning back: DeepSeek R1
// (https://github.com/langchain-ai/langchain-aws/issues/401), Nova where the
// request does not have it reason (https://github.com/can1357/oh-my-pi/pull/9086),
// and families that do not reason (badlogic/pi-mono bedrock-models.test.ts).
// Claude wants it signed, and words that itself; others take it as they made it.
func unsigned(r *fake.Request, found fake.Found) {
	setting := read.Object(read.Object(r.Root["additionalModelRequestFields"])["reasoningConfig"])
	thoughtless := []string{"deepseek.r1", "meta.llama3", "cohere.command", "google.gemma-3-"}
	refuses := family(r.Model) == "nova" && setting["type"] != "enabled" ||
		slices.ContainsFunc(thoughtless,
			func(name string) bool { return strings.Contains(r.Model, name) })
	each(r, func(m message, b block) {
		if read.Has(b.object, "reasoningContent") && m.role != "user" && refuses {
			found.Says(b.at(),
				"User messages cannot contain reasoning content. Please remove the reasoning "+
					"content and try again.")
		}
	})
}

func userReasoning(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if read.Has(b.object, "reasoningContent") && m.role == "user" {
			found.Says(b.at(),
				relayed+b.path+": `thinking` blocks can only be in `assistant` messages")
		}
	})
}

// signature checks the vendors whose models know no signature (earendil-works/pi#686, #727).
func signature(r *fake.Request, found fake.Found) {
	signless := slices.ContainsFunc([]string{"openai.", "qwen.", "minimax.", "moonshot"},
		func(vendor string) bool { return strings.Contains(r.Model, vendor) })
	each(r, func(m message, b block) {
		text := read.Object(read.Object(b.object["reasoningContent"])["reasoningText"])
		if signless && read.Text(text["signature"]) != "" && m.role == "assistant" &&
			read.Text(text["text"]) != "" {
			found(b.at())
		}
	})
}
