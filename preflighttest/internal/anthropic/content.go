package anthropic

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Empty and blank content.

func emptyText(r *fake.Request, found fake.Found) {
	everywhere(r, func(role string, b block) {
		if s, ok := b.object["text"].(string); ok && b.kind == "text" && s == "" &&
			!read.Has(b.object, "cache_control") {
			found(b.at())
		}
	})
}

// blankText lets white space be where the API itself puts it: into an
// assistant message, beside other content. The tools of the provider are none
// (https://github.com/LibreChat-AI/agents/pull/124).
func blankText(r *fake.Request, found fake.Found) {
	spared := map[string]bool{}
	for _, m := range opened(r).messages {
		if m.role != "assistant" ||
			!slices.ContainsFunc(m.blocks, func(b block) bool {
				return !b.blank() && !b.served()
			}) {
			continue
		}
		for _, b := range m.blocks {
			spared[b.path] = true
		}
	}
	everywhere(r, func(role string, b block) {
		if s, _ := b.object["text"].(string); s != "" && b.blank() && !spared[b.path] {
			found(b.at())
		}
	})
}

// blank reports whether the block is a text of white space or of nothing.
func (b block) blank() bool {
	s, ok := b.object["text"].(string)
	return ok && b.kind == "text" && strings.TrimSpace(s) == ""
}

// empty reports whether the message has no content, which is not the same as
// content of the wrong type.
func (m message) empty() bool {
	switch c := m.content.(type) {
	case string:
		return c == ""
	case []any:
		return len(c) == 0
	}
	return false
}

func emptyUser(r *fake.Request, found fake.Found) {
	for _, m := range opened(r).messages {
		if m.role == "user" && m.empty() {
			found(messagePath(m.index), claude.Nth(m.index)...)
		}
	}
}

// emptyAssistant makes no exception for the last message unless it is
// lenient: an empty prefill says nothing, and models that take no prefill and
// hosts of the others refuse it.
func emptyAssistant(r *fake.Request, found fake.Found) {
	a := opened(r)
	for _, m := range a.messages {
		if m.role == "assistant" && m.empty() && (m.index < len(a.messages)-1 || !r.Lenient) {
			found(messagePath(m.index), claude.Nth(m.index)...)
		}
	}
}

func compactionEmpty(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if content, ok := b.object["content"].(string); b.kind == "compaction" && ok &&
			content == "" {
			found.Says(b.at()+".content",
				b.path+".compaction.content: Empty string content is not allowed")
		}
	})
}

func errorEmpty(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if b.kind == "tool_result" && read.Truth(b.object["is_error"]) &&
			read.Text(b.object["content"]) == "" && len(read.Array(b.object["content"])) == 0 {
			found(b.at(), b.fill()...)
		}
	})
}

// errorContent: caozhiyuan/copilot-api#196.
func errorContent(r *fake.Request, found fake.Found) {
	if opened(r).foreign() {
		return
	}
	each(r, func(m message, b block) {
		if b.kind != "tool_result" || !read.Truth(b.object["is_error"]) {
			return
		}
		for _, c := range read.Array(b.object["content"]) {
			if read.Object(c) != nil && read.Text(read.Object(c)["type"]) != "text" {
				found(b.at(), b.fill()...)
				return
			}
		}
	})
}
