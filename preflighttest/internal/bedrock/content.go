package bedrock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Empty and blank content.

func empty(r *fake.Request, found fake.Found) {
	for _, m := range opened(r).messages {
		if read.Has(m.object, "content") && len(m.blocks) == 0 {
			found.Says(messagePath(m.index)+".content",
				fmt.Sprintf("The content field in the Message object at messages.%d is empty. "+
					"Add a ContentBlock object to the content field and try again.", m.index))
		}
	}
}

// blank lets the families that were recorded to accept white space beside
// other content of a message have it there. White space alone is refused by all
// (https://github.com/NousResearch/hermes-agent/pull/41985), and text without a
// character everywhere. A cache point is no content.
func blank(r *fake.Request, found fake.Found) {
	family := family(r.Model)
	strict := old(r.Model) || strictest(r) ||
		slices.Contains([]string{"nova", "command", "jamba"}, family) ||
		strings.Contains(r.Model, "llama3") || strings.Contains(r.Model, "deepseek.r1")
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	spared := make(map[int]bool) // messages that hold more than blank text
	each(r, func(m message, b block) {
		s, ok := b.object["text"].(string)
		if !strict && (ok && !blank(s) || !ok && !read.Has(b.object, "cachePoint")) {
			spared[m.index] = true
		}
	})
	for i, c := range read.Array(r.Root["system"]) {
		if s, ok := read.Object(c)["text"].(string); ok && blank(s) {
			found(fmt.Sprintf("system[%d].text", i), "ContentBlock", "SystemContentBlock",
				"messages.0.content.0", fmt.Sprintf("system.%d", i))
		}
	}
	each(r, func(m message, b block) {
		if s, ok := b.object["text"].(string); ok && blank(s) && !(s != "" && spared[m.index]) {
			found(b.at()+".text", "messages.0.content.0", b.path)
		}
		for i, c := range read.Array(b.answer()["content"]) {
			if s, ok := read.Object(c)["text"].(string); ok && blank(s) {
				found(fmt.Sprintf("%s.toolResult.content[%d].text", b.at(), i), "ContentBlock",
					"ToolResultContentBlock", "messages.0.content.0",
					fmt.Sprintf("%s.toolResult.content.%d", b.path, i))
			}
		}
	})
}
