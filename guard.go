package preflight

import "fmt"

// This file guards the library against panics in functions of the caller. A panic becomes an error,
// and the draft in use is not used again. A function that ends its goroutine (runtime.Goexit, as a
// failing test does) ends the call of preflight as well, and that draft is not used again either.

// panicked returns the error for a panic. It states only the type of the value, since the value may
// quote a message.
func panicked(what string, value any) error {
	return fmt.Errorf("%s panicked with a value of type %T", what, value)
}

// guarded returns a copy of the options whose functions recover from panics: they store the first
// panic in fault and return the zero value. It returns o and nil if no function is set.
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

// contain recovers from a panic in a function of the options. It has to be deferred.
func contain(fault *error, name string) {
	if p := recover(); p != nil && *fault == nil {
		*fault = hookError("Options."+name, none, panicked("the function", p))
	}
}

// ended returns the error of a run that returned err. A fault takes precedence, since err may be a
// consequence of it.
func (r *run) ended(err error) error {
	if err == nil || r.faulted() {
		return r.stopped()
	}
	return err
}

// stopped returns the reason to stop the run: the error of a panic, or that of the context.
func (r *run) stopped() error {
	switch {
	case r.faulted():
		return *r.fault
	case r.ctx == nil:
		return nil
	}
	return r.ctx.Err()
}

// faulted reports whether a function of the caller panicked.
func (r *run) faulted() bool { return r.fault != nil && *r.fault != nil }
