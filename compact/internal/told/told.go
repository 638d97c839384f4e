// Package told says what of a message a record may tell.
package told

import (
	"context"

	"github.com/go-preflight/preflight"
)

// Of returns m without what the options say that nobody can believe: see
// preflight.Options.Untrusted. The others are m itself.
func Of(m preflight.Message, o *preflight.Options) preflight.Message {
	if o == nil || !o.Untrusted {
		return m
	}
	plain := preflight.Options{
		Untrusted: true, Vouch: o.Vouch, AllowURL: o.AllowURL, LeaveOpen: true,
	}
	p, err := preflight.NewPipeline()
	if err != nil {
		return preflight.Message{Role: m.Role}
	}
	res, err := p.Sanitize(context.Background(), []preflight.Message{m}, nil, &plain)
	if err != nil || len(res.Messages) != 1 {
		return preflight.Message{Role: m.Role} // nothing is left
	}
	return res.Messages[0]
}

// All returns what Of returns for each message.
func All(messages []preflight.Message, o *preflight.Options) []preflight.Message {
	if o == nil || !o.Untrusted {
		return messages
	}
	out := make([]preflight.Message, len(messages))
	for i, m := range messages {
		out[i] = Of(m, o)
	}
	return out
}
