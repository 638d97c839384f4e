package adapter

import (
	"context"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/wire"
)

// This file calls the functions of the caller and of adapters. A panic in one is an error that
// wraps preflight.ErrHook, names the function, and gives the type of the value without quoting it.

// Report is called before a call of a model with the repairs, or with the error if the history
// could not be repaired, and not if there is neither. It may be called from several goroutines at
// once. A panic in it becomes the error of the call, which wraps preflight.ErrHook; the model is
// then not called.
type Report func(ctx context.Context, warnings []wire.Warning, err error)

// Tell calls the report with what Messages returned. The error is that of a panic in the report, or
// else err. A nil report is not called.
func (r Report) Tell(ctx context.Context, warnings []wire.Warning, err error) error {
	if r == nil || len(warnings) == 0 && err == nil {
		return err
	}
	if fault := call("Report", func() { r(ctx, warnings, err) }); fault != nil {
		return fault
	}
	return err
}

// call calls f, and returns a panic in it as an error. name is that of the function that f calls.
func call(name string, f func()) (err error) {
	defer contain.Panic(name, &err)
	f()
	return nil
}
