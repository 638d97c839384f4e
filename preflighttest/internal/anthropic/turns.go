package anthropic

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The end of the conversation.

// paused reports whether the turn can be one that the provider itself asked
// to continue: a tool that it runs has not answered in the last message.
func (t turn) paused() bool {
	return slices.ContainsFunc(append(t.openServer(), t.openMCP()...),
		func(b block) bool { return b.msg == t.last })
}

// prefill returns the trailing assistant turn that is there for the model to
// continue, or nil.
func (a *request) prefill() *turn {
	n := len(a.turns)
	if n == 0 || a.turns[n-1].role != "assistant" || a.turns[n-1].paused() {
		return nil
	}
	return &a.turns[n-1]
}

func prefill(r *fake.Request, found fake.Found) {
	a := opened(r)
	if t := a.prefill(); t != nil && (!a.model.Prefills() || a.thinking == "enabled") &&
		!read.Has(r.Root, "fallback_credit_token") {
		found(messagePath(t.last))
	}
}

func trailingSpace(r *fake.Request, found fake.Found) {
	a := opened(r)
	t := a.prefill()
	if t == nil || !a.model.Prefills() || len(t.blocks) == 0 {
		return
	}
	s := read.Text(t.blocks[len(t.blocks)-1].object["text"])
	if s != strings.TrimRight(s, " \t\r\n") {
		found(messagePath(t.last))
	}
}
