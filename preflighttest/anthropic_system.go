package preflighttest

import (
	"slices"
)

// This file checks the system messages in Anthropic's requests.

// System messages in the conversation.

// directive reports whether a system message is of the form that may be
// anywhere: no content, only settings.
func (m anthropicMessage) directive() bool {
	c, ok := m.content.([]any)
	return ok && len(c) == 0 && has(m.object, "output_config")
}

// anthropicSystemLeading lets the models of other vendors have a system message that holds media,
// which the system field does not take.
func anthropicSystemLeading(r *request, found found) {
	a := anthropicOf(r)
	media := func(b anthropicBlock) bool { return b.kind == "image" || b.kind == "document" }
	if m := a.messages; len(m) > 0 && m[0].role == "system" && !m[0].directive() &&
		!(a.foreign() && slices.ContainsFunc(m[0].blocks, media)) {
		found("messages[0]")
	}
}

func anthropicSystemUnsupported(r *request, found found) {
	a := anthropicOf(r)
	for _, m := range a.messages {
		if m.role == "system" && m.index > 0 && !a.model.takesSystem() {
			found(anthropicMessagePath(m.index))
		}
	}
}

func anthropicSystemEmpty(r *request, found found) {
	for _, m := range anthropicOf(r).messages {
		if m.role == "system" && m.empty() && !m.directive() {
			found(anthropicMessagePath(m.index), anthropicNth(m.index)...)
		}
	}
}

func anthropicSystemBlocks(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if m.role != "system" || b.kind == "" {
			return
		}
		if b.kind != "text" && b.kind != "tool_addition" && b.kind != "tool_removal" {
			found(b.at(), anthropicNth(m.index)...)
		}
	})
}

// anthropicSystemRuns calls f for each run of system messages on a model that
// takes them, with the turns before and after, which are nil at the ends. A
// run of directives alone is not judged.
func anthropicSystemRuns(r *request, f func(run anthropicTurn, before, after *anthropicTurn)) {
	a := anthropicOf(r)
	if !a.model.takesSystem() {
		return
	}
	for i, t := range a.turns {
		if t.role != "system" ||
			!slices.ContainsFunc(a.messages[t.first:t.last+1],
				func(m anthropicMessage) bool { return !m.directive() }) {
			continue
		}
		var before, after *anthropicTurn
		if i > 0 {
			before = &a.turns[i-1]
		}
		if i+1 < len(a.turns) {
			after = &a.turns[i+1]
		}
		f(t, before, after)
	}
}

func anthropicSystemAfter(r *request, found found) {
	anthropicSystemRuns(r, func(run anthropicTurn, before, after *anthropicTurn) {
		if before == nil || before.role == "user" {
			return // nothing before it is the case of system-role-leading
		}
		if n := len(before.blocks); before.role == "assistant" && n > 0 &&
			before.blocks[n-1].answersServer() {
			return
		}
		found(anthropicMessagePath(run.first), anthropicNth(run.first)...)
	})
}

func anthropicSystemBefore(r *request, found found) {
	anthropicSystemRuns(r, func(run anthropicTurn, before, after *anthropicTurn) {
		if before != nil && after != nil && after.role != "assistant" {
			found(anthropicMessagePath(run.last), anthropicNth(run.last)...)
		}
	})
}
