package preflighthttp

import (
	"context"

	"github.com/go-preflight/preflight/internal/contain"
)

// This file calls the caller's functions: Report, Verdict, that of WithRepaired. A panic in one is
// the error of the request.

// tell calls Report.
func (t *Transport) tell(ctx context.Context, r *Report) (err error) {
	if t.Report == nil {
		return nil
	}
	defer contain.Panic("Transport.Report", &err)
	t.Report(ctx, r)
	return nil
}

// tellRepaired calls the function of ctx, if it has one.
func tellRepaired(ctx context.Context, r *Repaired) (err error) {
	f, ok := ctx.Value(repairedKey{}).(func(*Repaired))
	if !ok || f == nil {
		return nil
	}
	defer contain.Panic("WithRepaired", &err)
	f(r)
	return nil
}

// tellVerdict calls Verdict.
func (t *Transport) tellVerdict(ctx context.Context, v *Verdict) (err error) {
	defer contain.Panic("Transport.Verdict", &err)
	t.Verdict(ctx, v)
	return nil
}
