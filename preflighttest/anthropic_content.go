package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// This file checks cache breakpoints, empty content and the place of blocks in Anthropic's
// requests.

func anthropicCacheOnThinking(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.thinks() && has(b.object, "cache_control") {
			found(b.at()+".cache_control", b.fill(".thinking.", "."+b.kind+".")...)
		}
	})
}

// Cache breakpoints.

func anthropicCacheMax(r *request, found found) {
	n := 0
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if has(b.object, "cache_control") && !b.thinks() {
			n++
		}
	})
	if n > 4 {
		found("", "Found 5", fmt.Sprintf("Found %d", n))
	}
}

func anthropicCacheOrder(r *request, found found) {
	short := false
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if !has(b.object, "cache_control") {
			return
		}
		ttl := text(object(b.object["cache_control"])["ttl"])
		if ttl == "1h" && short {
			found(b.at() + ".cache_control")
		}
		short = short || ttl == "" || ttl == "5m"
	})
}

func anthropicCacheOnEmpty(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if s, ok := b.object["text"].(string); ok && b.kind == "text" && s == "" &&
			has(b.object, "cache_control") {
			found(b.at(), "messages.0.content.1", b.path)
		}
	})
}

// Texts and messages.

func anthropicEmptyText(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if s, ok := b.object["text"].(string); ok && b.kind == "text" && s == "" &&
			!has(b.object, "cache_control") {
			found(b.at())
		}
	})
}

// anthropicBlankText lets white space be where the API itself puts it: into an
// assistant message, beside other content. The tools of the provider are none
// (https://github.com/LibreChat-AI/agents/pull/124).
func anthropicBlankText(r *request, found found) {
	spared := map[string]bool{}
	for _, m := range anthropicOf(r).messages {
		if m.role != "assistant" ||
			!slices.ContainsFunc(m.blocks, func(b anthropicBlock) bool {
				return !b.blank() && !b.served()
			}) {
			continue
		}
		for _, b := range m.blocks {
			spared[b.path] = true
		}
	}
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if s, _ := b.object["text"].(string); s != "" && b.blank() && !spared[b.path] {
			found(b.at())
		}
	})
}

// blank reports whether the block is a text of white space or of nothing.
func (b anthropicBlock) blank() bool {
	s, ok := b.object["text"].(string)
	return ok && b.kind == "text" && strings.TrimSpace(s) == ""
}

// empty reports whether the message has no content, which is not the same as
// content of the wrong type.
func (m anthropicMessage) empty() bool {
	switch c := m.content.(type) {
	case string:
		return c == ""
	case []any:
		return len(c) == 0
	}
	return false
}

func anthropicEmptyUser(r *request, found found) {
	for _, m := range anthropicOf(r).messages {
		if m.role == "user" && m.empty() {
			found(anthropicMessagePath(m.index), anthropicNth(m.index)...)
		}
	}
}

// anthropicEmptyAssistant makes no exception for the last message unless it is
// lenient: an empty prefill says nothing, and models that take no prefill and
// hosts of the others refuse it.
func anthropicEmptyAssistant(r *request, found found) {
	a := anthropicOf(r)
	for _, m := range a.messages {
		if m.role == "assistant" && m.empty() && (m.index < len(a.messages)-1 || !r.lenient) {
			found(anthropicMessagePath(m.index), anthropicNth(m.index)...)
		}
	}
}

// Blocks in the wrong message, images and documents.

// anthropicUseInUser looks into system messages, too, where no other rule about
// their blocks holds.
func anthropicUseInUser(r *request, found found) {
	foreign := anthropicOf(r).foreign()
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if (m.role == "user" || m.role == "system" && foreign) &&
			(b.kind == "tool_use" || b.kind == "server_tool_use" || b.kind == "mcp_tool_use") {
			found(b.at(), append(anthropicNth(m.index), "`tool_use`", "`"+b.kind+"`")...)
		}
	})
}

func anthropicResultInAssistant(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "tool_result" && m.role == "assistant" {
			found(b.at(), anthropicNth(m.index)...)
		}
	})
}

func anthropicMediaInAssistant(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if m.role == "assistant" &&
			(b.kind == "image" || b.kind == "document" || b.kind == "container_upload") {
			found(b.at(), append(anthropicNth(m.index), "'image'", "'"+b.kind+"'")...)
		}
	})
}

func anthropicErrorEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "tool_result" && truth(b.object["is_error"]) &&
			text(b.object["content"]) == "" && len(array(b.object["content"])) == 0 {
			found(b.at(), b.fill()...)
		}
	})
}
