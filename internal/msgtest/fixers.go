package msgtest

import (
	"context"

	"github.com/go-preflight/preflight"
)

// This file runs pipelines that leave problems open.

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
