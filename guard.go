package preflight

import "fmt"

// This file is what stands between the library and the functions of its callers: a panic in one of
// them becomes an error, and what it was called with is no longer relied on. A function that ends
// its goroutine (runtime.Goexit, as a failing test does) ends it here, too; nothing that was in use
// then is used again.

// panicked is the error for the value of a panic. It names the value's type: the value may quote a
// message.
func panicked(what string, value any) error {
	return fmt.Errorf("%s panicked with a value of type %T", what, value)
}

// guarded returns options whose functions do not panic: the first panic is put into fault, and the
// function returns its zero value. Without any functions it returns o, and no fault.
func (o *Options) guarded() (safely *Options, fault *error) {
	if o.Pending == nil && o.Interrupted == nil && o.Boundary == nil {
		return o, nil
	}
	return o.guard(new(error))
}

func (o *Options) guard(fault *error) (*Options, *error) {
	safe := *o
	if pending := o.Pending; pending != nil {
		safe.Pending = func(c *ToolCall) (waits bool) {
			defer contain(fault, "Pending")
			return pending(c)
		}
	}
	if interrupted := o.Interrupted; interrupted != nil {
		safe.Interrupted = func(c *ToolCall) (part Part) {
			defer contain(fault, "Interrupted")
			return interrupted(c)
		}
	}
	if boundary := o.Boundary; boundary != nil {
		safe.Boundary = func(s string, n int) (at int) {
			defer contain(fault, "Boundary")
			return boundary(s, n)
		}
	}
	return &safe, fault
}

// contain recovers from a panic in an option's function; it has to be deferred.
func contain(fault *error, name string) {
	if p := recover(); p != nil && *fault == nil {
		*fault = &HookError{
			Hook: "Options." + name, Message: none, Err: panicked("the function", p),
		}
	}
}

// ended is the error of a run that ended with err: what followed from a fault is not of interest.
func (r *run) ended(err error) error {
	if err == nil || r.faulted() {
		return r.stopped()
	}
	return err
}

// stopped is the reason to go no further: a function of the caller's panicked, or the context is
// done.
func (r *run) stopped() error {
	switch {
	case r.faulted():
		return *r.fault
	case r.ctx == nil:
		return nil
	}
	return r.ctx.Err()
}

// faulted reports whether a function of the caller's panicked.
func (r *run) faulted() bool { return r.fault != nil && *r.fault != nil }
