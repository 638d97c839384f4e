package anthropic

import (
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// What the API says of thinking that it did not show to the model, or showed although what comes
// before it is not what it was made after. Source: the comments of anthropic-sdk-go v2.13.0,
// BetaMessage.InputTransformations.

// bindingControls is the beta that asks for it.
const bindingControls = "thinking-binding-controls-"

// transformations returns an entry for each block of thinking that was made here after something
// else; nil without the beta. Where the check is enforced, the rest of the thinking beside it is
// dropped with it.
func transformations(r *fake.Request) []any {
	if r.Header == nil || !strings.Contains(r.Header.Get("Anthropic-Beta"), bindingControls) {
		return nil
	}
	a := opened(r)
	binding := read.Object(read.Object(r.Root["thinking"])["block_binding"])
	drops := a.model.Binds() && read.Text(binding["prefix_mismatch_behavior"]) == "drop_block"
	out := []any{}
	for _, m := range a.messages {
		dropped := false
		for _, b := range m.blocks {
			if !claude.Thinks(b.kind) {
				dropped = false
				continue
			}
			s, _, intact := b.ofClaude().Unseal()
			differs := intact && s.Differs(a.talk.Bound, b.path) != ""
			if dropped = drops && (dropped || differs); !dropped && !differs {
				continue
			}
			kind := "thinking_mismatch_allowed"
			if dropped {
				kind = "thinking_dropped"
			}
			out = append(out, map[string]any{
				"type": kind, "path": b.path, "reason": "prefix_binding_mismatch",
			})
		}
	}
	return out
}
