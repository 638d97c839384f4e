package msgtest

import (
	"context"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/builtin"
)

// This file runs single fixers, and pipelines that leave problems open.

// Apply runs a fixer alone, once, on a history that may hold nil parts.
func Apply(
	f preflight.Fixer, history []preflight.Message, profile *preflight.Profile,
	options *preflight.Options,
) ([]preflight.Message, []preflight.Warning) {
	return builtin.Apply.(func(preflight.Fixer, []preflight.Message, *preflight.Profile,
		*preflight.Options) ([]preflight.Message, []preflight.Warning))(f, history, profile, options)
}

// LeaveOpen is Pipeline.Sanitize that lists what the pipeline does not cure.
func LeaveOpen(
	p *preflight.Pipeline, history []preflight.Message, profile *preflight.Profile,
	options *preflight.Options,
) (preflight.Result, error) {
	var open preflight.Options
	if options != nil {
		open = *options
	}
	open.LeaveOpen = true
	return p.Sanitize(context.Background(), history, profile, &open)
}
