package preflight

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"

	"github.com/go-preflight/preflight/codes"
)

// This file runs the caller's functions: hooks, on copies, with one warning for each message that
// they change, and the functions of Options. A panic in one becomes an error, and the draft in use
// is not used again. A function that ends its goroutine (runtime.Goexit, as a failing test does)
// ends the call of preflight as well, and that draft is not used again either.

// Hook is a caller's step in a pipeline. It runs once per call of Sanitize, after the fixers have
// made the history valid; then the fixers run again on what it returned. If that fails and
// Options.FallbackToLastUser is set, it runs again on what is left. Exactly one of Message and
// History must be set.
//
// A hook gets deep copies, which it may change, keep and return. It must not change what it has
// returned. Each message that differs afterwards is one warning. A hook must be safe for concurrent
// use if Sanitize is called concurrently. If it returns an error or panics, Sanitize returns
// ErrHook and the input unchanged.
type Hook struct {
	// Name identifies the hook in warnings and errors.
	Name string
	// Code is the code of the hook's warnings, one of the caller's own; "" is codes.Hook.
	Code codes.Code
	// Message is called once for each message, in order. It returns the message that replaces m, or
	// the zero Message to remove it.
	Message func(ctx context.Context, m Message) (Message, error)
	// History is called once with the whole history. The ctx of both is that of Sanitize; Target
	// returns what the history is repaired for.
	History func(ctx context.Context, history []Message) ([]Message, error)
}

// HookFunc returns a hook of a plain function, which is called for each message and returns the one
// that replaces it.
func HookFunc(name string, f func(Message) Message) Hook {
	if f == nil {
		return Hook{Name: name} // which Sanitize refuses
	}
	return Hook{Name: name, Message: func(_ context.Context, m Message) (Message, error) {
		return f(m), nil
	}}
}

// targetKey is the key of the target in the context that hooks get.
type targetKey struct{}

type target struct {
	profile *Profile
	request Request
}

// Target returns the profile that the history is repaired for, and the state of its request, from
// the context that a hook is given. The profile must not be changed; in any other context it is
// nil.
func Target(ctx context.Context) (*Profile, Request) {
	t, _ := orBackground(ctx).Value(targetKey{}).(target)
	return t.profile, t.request
}

// code returns the code of the hook's warnings.
func (h *Hook) code() codes.Code {
	if h.Code == "" {
		return codes.Hook
	}
	return h.Code
}

// runHook runs one hook over the draft.
func (d *draft) runHook(ctx context.Context, h Hook) error {
	if h.Message != nil {
		return d.runMessageHook(ctx, h)
	}
	return d.runHistoryHook(ctx, h)
}

func (d *draft) runMessageHook(ctx context.Context, h Hook) error {
	for i := range d.nodes {
		if err := ctx.Err(); err != nil {
			return hookError(h.Name, d.position(i, none).Message(), err)
		}
		before := d.nodes[i].Message
		copied := cloneMessage(before)
		given := newHandover(d)
		given.give(i, copied.Parts)
		after, err := callMessageHook(ctx, h, copied)
		if err != nil {
			return hookError(h.Name, d.position(i, none).Message(), err)
		}
		if reflect.DeepEqual(after, before) {
			continue
		}
		if reflect.DeepEqual(after, Message{}) {
			d.dropMessage(i, h.note("removed the message"))
			continue
		}
		d.warn(d.position(i, none), h.note("changed the message"), TallyOf(before), TallyOf(after))
		n := given.node(after, i, given.take(after.Parts))
		d.nodes[i].Message = n.Message
		d.setParts(i, n.Parts, n.from)
	}
	d.commit()
	return nil
}

// note returns the fields of the hook's warning.
func (h *Hook) note(did string) note {
	return note{code: h.code(), detail: "hook " + quoteShort(h.Name) + " " + did}
}

func callMessageHook(ctx context.Context, h Hook, m Message) (out Message, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked("the hook", r)
		}
	}()
	return h.Message(ctx, m)
}

func callHistoryHook(ctx context.Context, h Hook, history []Message) (out []Message, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked("the hook", r)
		}
	}()
	return h.History(ctx, history)
}

func (d *draft) runHistoryHook(ctx context.Context, h Hook) error {
	if err := ctx.Err(); err != nil {
		return hookError(h.Name, none, err)
	}
	copied := make([]Message, len(d.nodes))
	given := newHandover(d)
	for i := range d.nodes {
		copied[i] = cloneMessage(d.nodes[i].Message)
		given.give(i, copied[i].Parts)
	}
	after, err := callHistoryHook(ctx, h, copied[:len(copied):len(copied)])
	if err != nil {
		return hookError(h.Name, none, err)
	}
	d.adoptHistory(h, after, given)
	return nil
}

// adoptHistory takes over what a history hook returned. Each returned message is matched with the
// message that most likely became it; one that differs, is new, or is gone is one warning.
func (d *draft) adoptHistory(h Hook, after []Message, given *handover) {
	was, places := given.sources(after)
	used := make([]bool, len(d.nodes))
	nodes := make([]node, 0, len(after))
	last, moved := none, false
	for k, m := range after {
		i := was[k]
		if i != none && !used[i] {
			used[i] = true
			moved = moved || i < last
			last = i
			if reflect.DeepEqual(m, d.nodes[i].Message) {
				nodes = append(nodes, d.nodes[i])
				continue
			}
			d.warn(d.position(i, none), h.note("changed the message"),
				TallyOf(d.nodes[i].Message), TallyOf(m))
		} else {
			at := At(0)
			if len(d.nodes) > 0 {
				at = d.position(last+1, none)
			}
			d.warn(at, h.note("inserted a message"), Tally{}, TallyOf(m))
			i = none
		}
		nodes = append(nodes, given.node(m, i, places[k]))
	}
	for i := range d.nodes {
		if !used[i] {
			d.warn(d.position(i, none), h.note("removed the message"),
				TallyOf(d.nodes[i].Message), Tally{})
		}
	}
	if moved {
		d.warn(At(0), h.note("reordered messages"), Tally{}, Tally{})
	}
	d.setNodes(nodes)
}

// cloneMessage returns a deep copy of m.
func cloneMessage(m Message) Message {
	m.Parts = cloneParts(m.Parts)
	m.Meta = cloneMeta(m.Meta)
	m.Native.JSON = bytes.Clone(m.Native.JSON)
	return m
}

func cloneParts(parts []Part) []Part {
	if parts == nil {
		return nil
	}
	out := make([]Part, len(parts))
	for j, p := range parts {
		out[j] = clonePart(p)
	}
	return out
}

func clonePart(p Part) Part {
	if isNil(p) {
		return p
	}
	p = CopyPart(p)
	c := p.carried()
	c.Meta, c.Cache = cloneMeta(c.Meta), bytes.Clone(c.Cache)
	c.Native.JSON = bytes.Clone(c.Native.JSON)
	switch p := p.(type) {
	case *ToolCall:
		p.Input = bytes.Clone(p.Input)
	case *ToolResult:
		p.Output = bytes.Clone(p.Output)
		p.Content = slices.Clone(p.Content)
		for k, c := range p.Content {
			if _, nested := c.(*ToolResult); !nested { // not allowed here, and it may hold itself
				p.Content[k] = clonePart(c)
			}
		}
	}
	return p
}

func cloneMeta(m Metadata) Metadata {
	out := maps.Clone(m)
	for k, v := range out {
		out[k] = bytes.Clone(v)
	}
	return out
}

// panicked returns the error for a panic. It states only the type of the value, since the value may
// quote a message.
func panicked(what string, value any) error {
	return fmt.Errorf("%s panicked with a value of type %T", what, value)
}

// guarded returns a copy of the options whose functions recover from panics: they store the first
// panic in fault and return the zero value. It returns o and nil if no function is set.
func (o *Options) guarded() (safely *Options, fault *error) {
	if o.OpenCall == nil && o.Vouch == nil && o.AllowURL == nil {
		return o, nil
	}
	return o.guard(new(error))
}

func (o *Options) guard(fault *error) (*Options, *error) {
	safe := *o
	if open := o.OpenCall; open != nil {
		safe.OpenCall = func(c *ToolCall) (part Part) {
			defer contain(fault, "OpenCall")
			return open(c)
		}
	}
	if vouch := o.Vouch; vouch != nil {
		safe.Vouch = func(p Part) (known bool) {
			defer contain(fault, "Vouch")
			return vouch(p)
		}
	}
	if allow := o.AllowURL; allow != nil {
		safe.AllowURL = func(u *url.URL) (allowed bool) {
			defer contain(fault, "AllowURL")
			return allow(u)
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

// recovered makes a panic in a function of the caller the error. It has to be deferred.
func recovered(err *error, name, what string) {
	if p := recover(); p != nil {
		*err = hookError(name, none, panicked(what, p))
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
