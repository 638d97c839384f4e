package preflighttest

import (
	"slices"
	"strconv"
	"strings"
)

// This file checks opaque payloads, thinking and the end of Anthropic's requests.

func anthropicEncrypted(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if !b.answersServer() && !b.answersMCP() {
			return
		}
		for i, result := range array(b.object["content"]) {
			o := object(result)
			_, intact := o["encrypted_content"].(string)
			fields, ours := unseal(text(o["encrypted_content"]))
			if o["encrypted_content"] == "" ||
				text(o["type"]) == "web_search_result" && (!intact || ours && fields == nil) {
				found(anthropicPath(b.path)+".content["+strconv.Itoa(i)+"].encrypted_content",
					b.fill()...)
			}
		}
	})
}

// Thinking.

// onlyResults reports whether the turn answers calls and does nothing else.
func (t anthropicTurn) onlyResults() bool {
	return t.role == "user" &&
		!slices.ContainsFunc(t.blocks,
			func(b anthropicBlock) bool { return b.kind != "tool_result" })
}

// openTurns returns the turns of the model that are not over: the last one, if
// nothing but results follows, and those from which results alone led to it.
func (a *anthropicRequest) openTurns() []anthropicTurn {
	var open []anthropicTurn
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
func (a *anthropicRequest) lastAssistant() *anthropicTurn {
	for i := len(a.turns) - 1; i >= 0; i-- {
		if a.turns[i].role == "assistant" {
			return &a.turns[i]
		}
	}
	return nil
}

func anthropicSignatureRequired(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		signature, ok := b.object["signature"].(string)
		if b.kind == "thinking" && (!ok || signature == "" && text(b.object["thinking"]) != "") {
			found(b.at(), b.fill()...)
		}
	})
}

func anthropicRedactedData(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind != "redacted_thinking" {
			return
		}
		s, ours, intact := anthropicUnseal(b)
		if data, ok := b.object["data"].(string); ok &&
			(data == "" || ours && (!intact || s.kind != b.kind)) {
			found(b.at(), b.fill()...)
		}
	})
}

// anthropicThinkingModified looks at the latest assistant turn, whose thinking
// has to be there as it was issued: all of it, in order, unchanged.
func anthropicThinkingModified(r *request, found found) {
	t := anthropicOf(r).lastAssistant()
	if t == nil {
		return
	}
	var issued []sealedThinking
	var at []anthropicBlock
	for _, b := range t.blocks {
		if !b.thinks() {
			continue
		}
		s, ours, intact := anthropicUnseal(b)
		if !ours || !intact {
			// what is not issued here is taken as it is; a damaged seal is the case of
			// thinking-signature-invalid
			return
		}
		if !s.genuine(b.kind, text(b.object["thinking"])) {
			found(b.at(), b.fill()...)
			return
		}
		issued, at = append(issued, s), append(at, b)
	}
	// One turn may hold several answers, when it was paused: each has all of
	// its thinking, numbered from 0.
	want := 0
	for i, s := range issued {
		if s.nth != strconv.Itoa(want) {
			found(at[i].at(), at[i].fill()...)
			return
		}
		if want++; strconv.Itoa(want) == s.of {
			want = 0
		}
	}
	if want != 0 {
		b := at[len(at)-1]
		found(b.at(), b.fill()...)
	}
}

func anthropicSignatureInvalid(r *request, found found) {
	last := anthropicOf(r).lastAssistant()
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		s, ours, intact := anthropicUnseal(b)
		if b.kind != "thinking" || !ours || intact && s.genuine(b.kind, text(b.object["thinking"])) {
			return
		}
		if intact && last != nil && m.index >= last.first && m.index <= last.last {
			return // the case of thinking-modified
		}
		found(b.at(), b.fill()...)
	})
}

func anthropicThinkingPrefix(r *request, found found) {
	a := anthropicOf(r)
	binding := object(object(r.root["thinking"])["block_binding"])
	if r.lenient && binding == nil || !a.model.binds() ||
		text(binding["prefix_mismatch_behavior"]) == "drop_block" {
		return
	}
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		s, _, intact := anthropicUnseal(b)
		if !b.thinks() || !intact {
			return
		}
		if what := s.differs(a.bound, b.path); what != "" {
			found(b.at(), "messages.1.content.0", b.path,
				"The `system` prompt differs from the one this block was created with.", what)
		}
	})
}

func anthropicThinkingEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "thinking" && text(b.object["thinking"]) == "" && b.object["signature"] == "" {
			found(b.at(), b.fill()...)
		}
	})
}

func anthropicThinkingDisabled(r *request, found found) {
	a := anthropicOf(r)
	open := a.openTurns()
	if a.thinking != "disabled" || len(open) == 0 {
		return
	}
	for _, b := range open[len(open)-1].blocks {
		if b.thinks() {
			found(b.at(), "messages.1.content.0", b.path, "cannot contain `thinking`",
				"cannot contain `"+b.kind+"`")
			return
		}
	}
}

func anthropicThinkingOrder(r *request, found found) {
	a := anthropicOf(r)
	if a.thinking != "enabled" {
		return
	}
	for _, t := range a.turns {
		if t.role == "assistant" && len(t.blocks) > 0 && !t.blocks[0].thinks() &&
			slices.ContainsFunc(t.blocks, anthropicBlock.thinks) {
			b := t.blocks[0]
			found(b.at(), "messages.1.content.0", b.path, "Found `text`", "Found `"+b.kind+"`")
		}
	}
}

// anthropicThinkingLeads checks a turn that continues after results. Its
// thinking is in front of its first calls; the provider does not think again
// before each of the later ones.
func anthropicThinkingLeads(r *request, found found) {
	a := anthropicOf(r)
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

// paused reports whether the turn can be one that the provider itself asked
// to continue: a tool that it runs has not answered in the last message.
func (t anthropicTurn) paused() bool {
	return slices.ContainsFunc(append(t.openServer(), t.openMCP()...),
		func(b anthropicBlock) bool { return b.msg == t.last })
}

// prefill returns the trailing assistant turn that is there for the model to
// continue, or nil.
func (a *anthropicRequest) prefill() *anthropicTurn {
	n := len(a.turns)
	if n == 0 || a.turns[n-1].role != "assistant" || a.turns[n-1].paused() {
		return nil
	}
	return &a.turns[n-1]
}

func anthropicPrefill(r *request, found found) {
	a := anthropicOf(r)
	if t := a.prefill(); t != nil && (!a.model.prefills() || a.thinking == "enabled") &&
		!has(r.root, "fallback_credit_token") {
		found(anthropicMessagePath(t.last))
	}
}

func anthropicThinkingFinal(r *request, found found) {
	a := anthropicOf(r)
	n := len(a.turns)
	if n == 0 || a.turns[n-1].role != "assistant" || len(a.turns[n-1].blocks) == 0 {
		return
	}
	t := a.turns[n-1]
	if t.paused() {
		return // it goes back as it came
	}
	if b := t.blocks[len(t.blocks)-1]; b.thinks() {
		found(anthropicMessagePath(t.last),
			append(anthropicNth(t.last), "cannot be `thinking`", "cannot be `"+b.kind+"`")...)
	}
}

func anthropicTrailingSpace(r *request, found found) {
	a := anthropicOf(r)
	t := a.prefill()
	if t == nil || !a.model.prefills() || len(t.blocks) == 0 {
		return
	}
	s := text(t.blocks[len(t.blocks)-1].object["text"])
	if s != strings.TrimRight(s, " \t\r\n") {
		found(anthropicMessagePath(t.last))
	}
}
