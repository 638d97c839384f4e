package preflighthttp

import (
	"context"

	"github.com/go-preflight/preflight/wire"
)

// This file tells callers what their requests became, so that they can keep it.

// Repaired is a request whose body was repaired. Unlike a Report it holds message content.
type Repaired struct {
	Body   []byte       // the body that came
	Result *wire.Result // the body that is sent, with the origins of its messages
	Report *Report
}

// WithRepaired returns a context for requests through a Transport, or for [Decision.Body]: f is
// called with each request that was repaired. It lets the owner of a history keep the repaired one,
// for any number of histories.
//
// f is called on the goroutine of the request, before it is sent; after a resending, when the
// provider has accepted it. It is called for each attempt of an SDK, and not for requests
// that are sent unchanged. It may keep the Repaired, and must not change it. WithRepaired replaces
// a function that ctx already has. A nil ctx means context.Background(); a nil f is not called. A
// panic in f becomes the error of the request, which wraps preflight.ErrHook.
func WithRepaired(ctx context.Context, f func(*Repaired)) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithValue(ctx, repairedKey{}, f)
}

type repairedKey struct{}
