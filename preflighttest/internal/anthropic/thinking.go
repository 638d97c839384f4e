package anthropic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// Thinking blocks.

// onlyResults reports whether the turn answers calls and does nothing else.
func (t turn) onlyResults() bool {
	return t.role == "user" &&
		!slices.ContainsFunc(t.blocks,
			func(b block) bool { return b.kind != "tool_result" })
}

// openTurns returns the turns of the model that are not over: the last one, if
// nothing but results follows, and those from which results alone led to it.
func (a *request) openTurns() []turn {
	var open []turn
	for i := len(a.turns) - 1; i >= 0; i-- {
		switch t := a.turns[i]; {
		case t.role == "assistant":
			open = append(open, t)
		case !t.onlyResults():
			i = 0
		}
	}
	slices.Reverse(open)
	return open
}

// lastAssistant returns the last assistant turn, or nil.
func (a *request) lastAssistant() *turn {
	for i := len(a.turns) - 1; i >= 0; i-- {
		if a.turns[i].role == "assistant" {
			return &a.turns[i]
		}
	}
	return nil
}

func signatureRequired(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		signature, ok := b.object["signature"].(string)
		if b.kind == "thinking" &&
			(!ok || signature == "" && read.Text(b.object["thinking"]) != "") {
			found(b.at(), b.fill()...)
		}
	})
}

func redactedData(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if b.kind != "redacted_thinking" {
			return
		}
		s, ours, intact := unseal(b)
		if data, ok := b.object["data"].(string); ok &&
			(data == "" || ours && (!intact || s.Kind != b.kind)) {
			found(b.at(), b.fill()...)
		}
	})
}

// thinkingModified looks at the latest assistant turn, whose thinking
// has to be there as it was issued: all of it, in order, unchanged.
func thinkingModified(r *fake.Request, found fake.Found) {
	t := opened(r).lastAssistant()
	if t == nil {
		return
	}
	var issued []seal.Thinking
	var at []block
	for _, b := range t.blocks {
		if !b.thinks() {
			continue
		}
		s, ours, intact := unseal(b)
		if !ours || !intact {
			// what is not issued here is taken as it is; a damaged seal is the case of
			// thinking-signature-invalid
			return
		}
		if !s.Genuine(b.kind, read.Text(b.object["thinking"])) {
			found(b.at(), b.fill()...)
			return
		}
		issued, at = append(issued, s), append(at, b)
	}
	if i := seal.Misplaced(issued); i >= 0 {
		found(at[i].at(), at[i].fill()...)
	}
}

func signatureInvalid(r *fake.Request, found fake.Found) {
	last := opened(r).lastAssistant()
	each(r, func(m message, b block) {
		s, ours, intact := unseal(b)
		if b.kind != "thinking" || !ours ||
			intact && s.Genuine(b.kind, read.Text(b.object["thinking"])) {
			return
		}
		if intact && last != nil && m.index >= last.first && m.index <= last.last {
			return // the case of thinking-modified
		}
		found(b.at(), b.fill()...)
	})
}

func thinkingPrefix(r *fake.Request, found fake.Found) {
	a := opened(r)
	binding := read.Object(read.Object(r.Root["thinking"])["block_binding"])
	if r.Lenient && binding == nil || !a.model.binds() ||
		read.Text(binding["prefix_mismatch_behavior"]) == "drop_block" {
		return
	}
	each(r, func(m message, b block) {
		s, _, intact := unseal(b)
		if !b.thinks() || !intact {
			return
		}
		if what := s.Differs(a.bound, b.path); what != "" {
			found(b.at(), "messages.1.content.0", b.path,
				"The `system` prompt differs from the one this block was created with.", what)
		}
	})
}

func thinkingEmpty(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if b.kind == "thinking" && read.Text(b.object["thinking"]) == "" &&
			b.object["signature"] == "" {
			found(b.at(), b.fill()...)
		}
	})
}

func thinkingDisabled(r *fake.Request, found fake.Found) {
	a := opened(r)
	if a.thinking != "disabled" {
		return
	}
	for _, t := range a.openTurns() {
		for _, b := range t.blocks {
			if b.thinks() {
				found(b.at(), "messages.1.content.0", b.path, "cannot contain `thinking`",
					"cannot contain `"+b.kind+"`")
				return
			}
		}
	}
}

func thinkingOrder(r *fake.Request, found fake.Found) {
	a := opened(r)
	if a.thinking != "enabled" {
		return
	}
	for _, t := range a.turns {
		if t.role == "assistant" && len(t.blocks) > 0 && !t.blocks[0].thinks() &&
			slices.ContainsFunc(t.blocks, block.thinks) {
			b := t.blocks[0]
			found(b.at(), "messages.1.content.0", b.path, "Found `text`", "Found `"+b.kind+"`")
		}
	}
}

// thinkingLeads checks a turn that continues after results. Its
// thinking is in front of its first calls; the provider does not think again
// before each of the later ones.
func thinkingLeads(r *fake.Request, found fake.Found) {
	a := opened(r)
	open := a.openTurns()
	if a.thinking != "enabled" || len(open) == 0 || a.turns[len(a.turns)-1].role == "assistant" {
		return
	}
	if first := open[0]; len(first.blocks) > 0 && !first.blocks[0].thinks() {
		b := first.blocks[0]
		found(b.at()+".type", "messages.1.content.0", b.path, "found `tool_use`",
			"found `"+b.kind+"`")
	}
}

func thinkingFinal(r *fake.Request, found fake.Found) {
	a := opened(r)
	n := len(a.turns)
	if n == 0 || a.turns[n-1].role != "assistant" || len(a.turns[n-1].blocks) == 0 {
		return
	}
	t := a.turns[n-1]
	if t.paused() {
		return // it goes back as it came
	}
	if b := t.blocks[len(t.blocks)-1]; b.thinks() {
		found(messagePath(t.last),
			append(nth(t.last), "cannot be `thinking`", "cannot be `"+b.kind+"`")...)
	}
}

// contextEdit looks for edits of thinking in a request without it.
func contextEdit(r *fake.Request, found fake.Found) {
	if opened(r).thinking != "disabled" {
		return
	}
	for i, e := range read.Array(read.Object(r.Root["context_management"])["edits"]) {
		if kind := read.Text(read.Object(e)["type"]); strings.HasPrefix(kind, "clear_thinking_") {
			found(fmt.Sprintf("context_management.edits[%d]", i), "clear_thinking_20251015", kind)
		}
	}
}
