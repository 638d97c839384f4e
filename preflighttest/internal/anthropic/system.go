package anthropic

import (
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// System messages in the conversation.

// directive reports whether a system message is of the form that may be
// anywhere: no content, only settings.
func (m message) directive() bool {
	c, ok := m.content.([]any)
	return ok && len(c) == 0 && read.Has(m.object, "output_config")
}

// systemLeading lets the models of other vendors have a system message that holds media,
// which the system field does not take.
func systemLeading(r *fake.Request, found fake.Found) {
	a := opened(r)
	media := func(b block) bool { return b.kind == "image" || b.kind == "document" }
	if m := a.messages; len(m) > 0 && m[0].role == "system" && !m[0].directive() &&
		!(a.foreign() && slices.ContainsFunc(m[0].blocks, media)) {
		found("messages[0]")
	}
}

func systemUnsupported(r *fake.Request, found fake.Found) {
	a := opened(r)
	for _, m := range a.messages {
		if m.role == "system" && m.index > 0 && !a.takesSystem() {
			found(messagePath(m.index))
		}
	}
}

func systemEmpty(r *fake.Request, found fake.Found) {
	for _, m := range opened(r).messages {
		if m.role == "system" && m.empty() && !m.directive() {
			found(messagePath(m.index), claude.Nth(m.index)...)
		}
	}
}

// systemBlocks is Anthropic's own: of other vendors no such restriction is known.
func systemBlocks(r *fake.Request, found fake.Found) {
	foreign := opened(r).foreign()
	each(r, func(m message, b block) {
		if m.role != "system" || b.kind == "" || foreign {
			return
		}
		if b.kind != "text" && b.kind != "tool_addition" && b.kind != "tool_removal" {
			found(b.at(), claude.Nth(m.index)...)
		}
	})
}

// systemRuns calls f for each run of system messages on a model that
// takes them, with the turns before and after, which are nil at the ends. A
// run of directives alone is not judged.
func systemRuns(r *fake.Request, f func(run turn, before, after *turn)) {
	a := opened(r)
	if !a.takesSystem() {
		return
	}
	for i, t := range a.turns {
		if t.role != "system" ||
			!slices.ContainsFunc(a.messages[t.first:t.last+1],
				func(m message) bool { return !m.directive() }) {
			continue
		}
		var before, after *turn
		if i > 0 {
			before = &a.turns[i-1]
		}
		if i+1 < len(a.turns) {
			after = &a.turns[i+1]
		}
		f(t, before, after)
	}
}

func systemAfter(r *fake.Request, found fake.Found) {
	systemRuns(r, func(run turn, before, after *turn) {
		if before == nil || before.role == "user" {
			return // nothing before it is the case of system-role-leading
		}
		if n := len(before.blocks); before.role == "assistant" && n > 0 &&
			before.blocks[n-1].answersServer() {
			return
		}
		found(messagePath(run.first), claude.Nth(run.first)...)
	})
}

func systemBefore(r *fake.Request, found fake.Found) {
	systemRuns(r, func(run turn, before, after *turn) {
		if before != nil && after != nil && after.role != "assistant" {
			found(messagePath(run.last), claude.Nth(run.last)...)
		}
	})
}
