package preflighthttp

import (
	"context"

	"github.com/go-preflight/preflight/wire"
)

// This file tells callers what their requests became, so that they can keep it.

// Repaired is a request whose body was repaired. Unlike a Report it holds message content.
type Repaired struct {
	Body   []byte       // the body that came
	Result *wire.Result // the body that is sent, and where its messages are from
	Report *Report
}

// WithRepaired returns a context whose requests, sent through a Transport, tell f what was repaired
// in them. It lets the owner of a history keep the repaired one, however many histories there are.
//
// f is called on the goroutine of the request, before it is sent; after a resending, see Remedies,
// when the provider has accepted it. It is called for each attempt that an SDK makes, and not for
// requests that are sent as they came. What it is given is for reading, and may be kept. It takes
// the place of a function that ctx has already. A nil ctx is context.Background(), and a nil f
// is not called. A panic in f is the error of the request, and wraps preflight.ErrHook.
func WithRepaired(ctx context.Context, f func(*Repaired)) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithValue(ctx, repairedKey{}, f)
}

type repairedKey struct{}
