package stored

import (
	"cmp"
	"context"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
)

// This file repairs a history that was loaded from a store.

// FrameworkOptions returns options of Resume for a framework that adds a system message of its own
// to each request, and a run id to each message, as Pydantic AI does:
// preflight.Fixers.StripSystem removes the stored system messages, and fixer.ClearMeta the run_id
// of an earlier run.
func FrameworkOptions() preflight.Options {
	return preflight.Options{
		Fixers: []preflight.Fixer{preflight.Fixers.StripSystem, fixer.ClearMeta("run_id")},
	}
}

// sessionPipeline repairs a stored session for no particular provider.
var sessionPipeline = pipelineOf(
	preflight.Fixers.PairToolCalls, preflight.Fixers.DropEmpty, preflight.Fixers.MergeRoles,
)

// session returns the profile of a session that is not sent yet.
func session() *preflight.Profile {
	return &preflight.Profile{
		Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged},
		Content: provider.ContentRules{
			RefuseEmptyMessage: true, RefuseEmptyText: true, RefuseBlankText: true,
		},
	}
}

// Resume repairs a stored history so that it can be continued: dangling calls are removed or
// answered (Options.Dangling), orphan results and empty messages are removed, and consecutive
// messages of one role are merged. A final assistant turn stays by default
// (preflight.TrailingKeep), because the next prompt follows it. No user text and no completed
// result is removed; an error result (a retry prompt) completes its call.
//
// With a profile, the history is repaired as by Sanitize and passes Check; a call that waits is
// answered with a placeholder. Without one (nil), only what every provider refuses is repaired, and
// a call that waits stays open. Unlike Sanitize, Resume accepts an empty history, and without a
// profile it may return one. Nil options mean the zero value; FrameworkOptions are another choice.
//
// Result.CallIDs returns the ids of removed calls. history is never written to. The error, with the
// input back unchanged, is one of those of Pipeline.Sanitize.
func Resume(
	ctx context.Context, history []preflight.Message, profile *preflight.Profile,
	options *preflight.Options,
) (preflight.Result, error) {
	var o preflight.Options
	if options != nil {
		o = *options
	}
	o.Trailing = cmp.Or(o.Trailing, preflight.TrailingKeep)
	if profile == nil {
		return run(ctx, sessionPipeline, history, session(), &o)
	}
	if len(history) == 0 {
		return unchanged(history), nil
	}
	return preflight.Sanitize(ctx, history, profile, &o)
}
