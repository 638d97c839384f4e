package stored

import (
	"context"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file runs pipelines on histories that are stored, not sent.

// pipelineOf returns a pipeline of built-in fixers.
func pipelineOf(fixers ...preflight.Fixer) *preflight.Pipeline {
	p, err := preflight.NewPipeline(fixers...)
	if err != nil {
		panic(err) // two of them are the same
	}
	return p
}

// run runs a pipeline on history. Waiting calls stay open, inserted results have the role that
// results have in the history, and problems that the pipeline does not cure are not reported: the
// history is not sent. The profile must be a fresh one.
func run(
	ctx context.Context, pipeline *preflight.Pipeline, history []preflight.Message,
	profile *preflight.Profile, options *preflight.Options,
) (preflight.Result, error) {
	if len(history) == 0 {
		return unchanged(history), nil
	}
	profile.Pairing.ResultRole = resultRoleIn(history)
	kept := *options
	kept.KeepWaiting, kept.LeaveOpen, kept.FallbackToLastUser = true, true, false
	res, err := pipeline.Sanitize(ctx, history, profile, &kept)
	res.Open = nil
	return res, err
}

// resultRoleIn returns the role of the first message with tool results, RoleTool if there is none.
func resultRoleIn(history []preflight.Message) preflight.Role {
	for i := range history {
		r, _ := history[i].Role.Neutral()
		if r != preflight.RoleUser && r != preflight.RoleTool {
			continue
		}
		for _, p := range history[i].Parts {
			result, ok := p.(*preflight.ToolResult)
			if ok && result != nil && !result.ProviderExecuted {
				return r
			}
		}
	}
	return preflight.RoleTool
}

// unchanged returns the result for a history that nothing is changed in.
func unchanged(history []preflight.Message) preflight.Result {
	return preflight.Result{Messages: slices.Clip(history), FirstChanged: -1}
}

// identity returns the origins of messages, and of their parts, that are where they were.
func identity(messages []preflight.Message) ([][]int, [][]preflight.Position) {
	all := make([]int, len(messages))
	lists := make([][]int, len(messages))
	parts := make([][]preflight.Position, len(messages))
	for i := range messages {
		all[i] = i
		lists[i] = all[i : i+1 : i+1]
		parts[i] = make([]preflight.Position, len(messages[i].Parts))
		for j := range parts[i] {
			parts[i][j] = preflight.At(i, j)
		}
	}
	return lists, parts
}
