package preflighthttp

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file keeps requests back whose hooks could not run: a hook may be there to keep something
// from being sent.

// ErrHooksNotRun: the options have hooks, or Untrusted, and the body could not be given to them.
// Error.Skipped says why.
var ErrHooksNotRun = errors.New("the hooks of its options could not run")

// causes are the reasons in words, each with what can be done about it.
var causes = map[Reason]string{
	Signed:      "its body is signed, and has to be repaired before that: see Transport.Middleware",
	Encoded:     "its body is encoded",
	TooLarge:    "its body is larger than MaxBody",
	NotJSON:     "its body is not JSON",
	NotRequest:  "its body is no request in the endpoint's format",
	BadLength:   "its body is not as long as it says",
	Partial:     "only a part of its body was seen",
	UnknownHost: "its host is not known: see Transport.Endpoints and Transport.Unknown",
}

// sends reports whether the option lets a request out unchanged. guarded says that this would
// bypass hooks, or Untrusted.
func (u Unfixable) sends(guarded bool) bool { return u == SendUnchanged || u == "" && !guarded }

// guarded reports whether the options for a request may keep something of it from being sent.
func (t *Transport) guarded(to *target) bool {
	p := t.optionsFor(to)
	return len(p.Hooks) > 0 || p.Untrusted
}

// keepsBack reports whether a request is not sent if its hooks cannot run.
func (t *Transport) keepsBack(to *target) bool {
	return !t.DryRun && t.guarded(to) && !t.Unfixable.sends(true)
}

// optionsFor returns the options for a request.
func (t *Transport) optionsFor(to *target) *preflight.Options {
	if to.options != nil {
		return to.options
	}
	return &t.Options
}

// skip decides about a request whose body is left alone for the reason in its report: it is sent as
// it came, or the error says that it is not.
func (t *Transport) skip(d *Decision, r *Report) error {
	var err error
	switch {
	case t == nil || t.DryRun || r.Skipped == "", r.Skipped == UnknownHost && !d.chat:
		return nil
	case r.Skipped == Busy:
		if t.Busy.sends(t.guarded(&d.target)) {
			return nil
		}
		r.Skipped, err = "", cmp.Or(r.Err, ErrBusy)
	case !t.keepsBack(&d.target):
		return nil
	default:
		err = fmt.Errorf("%w: %s", ErrHooksNotRun, causes[r.Skipped])
		if r.Err != nil {
			err = fmt.Errorf("%w (%w)", err, r.Err)
		}
	}
	r.Err, r.SentBytes = err, 0
	return &Error{Host: r.Host, Provider: r.Provider, Err: err, Skipped: r.Skipped}
}

// judgeUnknown decides about a request to an unknown host whose hooks could not run: it is kept
// back if its body is one to a model.
func (t *Transport) judgeUnknown(ctx context.Context, d *Decision, r *Report, body []byte) error {
	r.Bytes, r.SentBytes, r.Skipped = len(body), len(body), UnknownHost
	if d.chat = isChat(body); d.chat {
		return t.skip(d, r)
	}
	return t.warnOfHost(ctx, d)
}

// isChat reports whether a body is a request to a model in any known format, or holds a history in
// a form that no API takes. Other APIs have lists of messages, too, whose senders have no roles.
func isChat(body []byte) bool {
	_, err := wire.Detect(body)
	switch {
	case err == nil, errors.Is(err, wire.ErrStoredForm), errors.Is(err, wire.ErrUnknownProvider):
		return true
	case !errors.Is(err, wire.ErrAmbiguousProvider):
		return false
	}
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return false
	}
	list := doc.Root()
	if list.Kind() == jsonscan.Object {
		if list.Has("model") {
			return true
		}
		list = list.Get("messages")
	}
	for m := list.First(); m.Exists(); m = m.Next() {
		if m.Has("role") {
			return true
		}
	}
	return false
}
