// Package stored prepares histories for a store, and repairs those that come out of one.
//
// A history lives longer than a request. Persist makes it small enough to store, Resume repairs it
// when the session continues, and Abort and RepairInterrupted complete what an interruption left
// open:
//
//	result, err := stored.Persist(ctx, history, stored.PersistOptions()) // before it is stored
//	result, err := stored.Resume(ctx, history, profile, nil)             // after it was loaded
//	result, err := stored.Abort(history, partial, nil)                   // the user pressed Escape
//
// None of them makes a history valid for a request, except Resume with a profile: call
// preflight.Sanitize before each request, as always. All are safe for concurrent use, write to no
// message that they are given, and are idempotent.
package stored
