package preflighthttp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/headers"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/wire"
)

// This file decides about a request by its method, URL and headers alone, and sanitizes a body by
// that decision. Gateways that have no http.Request use it directly.

// Decision says what a Transport does with a request, as far as its method, URL and headers show.
// The zero value is the decision about a request that is not for a known endpoint.
type Decision struct {
	// Sanitize reports whether to read the body, up to the transport's MaxBody, and pass it to
	// Body.
	Sanitize bool
	// Skipped says why the body is left alone although the request looks like one to an LLM.
	Skipped Reason
	// Provider is the format or dialect of the body, "" when the body has to tell.
	Provider string
	// Model is the model that the path names, "" when it names none.
	Model string

	transport *Transport
	target    target
	header    http.Header
	host      string
	path      string
	query     string
	unknown   bool // the host is not known, and the body decides whether it is sent
	chat      bool // and it is a request to a model
}

// Judge returns what the transport does with a request. u is the URL that the request is sent to,
// with its host, and header may be nil; a Content-Length in it is believed. Nothing is reported:
// [Decision.Body] returns the report.
func (t *Transport) Judge(method string, u *url.URL, header http.Header) Decision {
	length, err := strconv.ParseInt(headers.Value(header, "Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	return t.judge(&http.Request{Method: method, URL: u, Header: header, ContentLength: length})
}

// judge is Judge for a whole request: a redirect and trailers show only in that.
func (t *Transport) judge(req *http.Request) Decision {
	if req.Method != http.MethodPost || req.URL == nil {
		return Decision{}
	}
	d := Decision{
		transport: t, header: req.Header, host: req.URL.Host, path: req.URL.EscapedPath(),
		query: req.URL.RawQuery,
	}
	to, known := t.match(req)
	if !known {
		var ok bool
		if to, ok = t.looksKnown(req); !ok {
			return Decision{}
		}
		to = to.at(Endpoint{Provider: compatibleProvider})
	}
	d.target, d.Provider, d.Model = to, to.provider, to.model
	d.Skipped = untouchable(req, t.maxBody())
	if !known && t.Unknown != RepairUnknown {
		d.skipUnknown()
	}
	d.Sanitize = d.Skipped == ""
	return d
}

// skipUnknown leaves a request to an unknown host alone. If there are hooks that it may not pass
// by, its body is read first, to see whether it is for a model: a signed body can be read, and one
// that is no JSON is not for a model.
func (d *Decision) skipUnknown() {
	switch {
	case !d.transport.keepsBack(&d.target), d.Skipped == NotJSON:
		d.Skipped = UnknownHost
	case d.Skipped == Signed, d.Skipped == "":
		d.Skipped, d.unknown = "", true
	}
}

// Body sanitizes the body of a request, if the decision says Sanitize. It returns the body to send,
// which is the input if nothing had to change or DryRun is set, and a report. If the request must
// not be sent, as Transport.Unfixable says, the error is an *Error, and body is returned unchanged.
// That is so for a decision with Skipped, too, for which body may be nil. The function of
// WithRepaired is called, and Transport.Report is not. ctx is passed to hooks; nil is
// context.Background. The cost is linear in the body.
func (d *Decision) Body(ctx context.Context, body []byte) (send []byte, r *Report, err error) {
	if d == nil {
		d = new(Decision)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	r = d.report()
	if !d.Sanitize {
		return body, r, d.transport.skip(d, r)
	}
	a, t := attempt{report: r, decision: *d}, d.transport
	if t == nil {
		t = new(Transport)
	}
	if err = t.warnOfProvider(ctx, d); err == nil {
		err = t.sanitize(ctx, &a, body)
	}
	if err != nil || a.sent == nil {
		return body, r, err
	}
	if r.Changed && !t.DryRun {
		if err = tellRepaired(ctx, &Repaired{a.given, a.result, r}); err != nil {
			return body, r, err
		}
	}
	return a.sent, r, nil
}

// report starts the report about the request.
func (d *Decision) report() *Report {
	return &Report{
		ID: newID(), Host: d.host, Path: d.path, Provider: d.Provider, Model: d.Model,
		Skipped: d.Skipped,
	}
}

// sanitize repairs the body that was read.
func (t *Transport) sanitize(ctx context.Context, a *attempt, given []byte) error {
	r := a.report
	if a.decision.unknown {
		return t.judgeUnknown(ctx, &a.decision, r, given)
	}
	start := time.Now()
	options := t.options(a)
	result, err := wire.Sanitize(ctx, given, options)
	r.Duration = time.Since(start)
	r.Provider, r.Model, r.Err = result.Provider, result.Model, err
	r.Bytes, r.SentBytes = len(given), len(given)
	switch {
	case errors.Is(err, wire.ErrNotJSON):
		r.Skipped = NotJSON
		return t.skip(&a.decision, r)
	case errors.Is(err, wire.ErrNotARequest), errors.Is(err, wire.ErrAmbiguousProvider):
		r.Skipped = NotRequest
		return t.skip(&a.decision, r)
	case err != nil && !t.DryRun && !t.sendsUnfixable(a, err):
		r.SentBytes = 0
		return &Error{Host: r.Host, Provider: result.Provider, Err: err}
	case err == nil:
		a.looked, a.given, a.sent = true, given, given
		a.refusals = t.remedies().Begin(ctx, t.caseOf(ctx, a, result, options))
		result = a.refusals.Result()
		a.result, r.Learned, r.Duration = result, a.refusals.Learned(), time.Since(start)
		if a.answered {
			alias(result)
		}
		r.Changed, r.Warnings, r.Left = result.Changed, result.Warnings, result.Left
		if result.Changed && !t.DryRun {
			a.sent, r.SentBytes = result.Body, len(result.Body)
			if len(result.Renamed) > 0 {
				r.sent = toolsOf(result)
			}
		}
	}
	return nil
}

// sendsUnfixable reports whether a history that cannot be repaired is sent all the same.
func (t *Transport) sendsUnfixable(a *attempt, err error) bool {
	if notTheRequests(err) || misleads(a, err) {
		return false
	}
	guarded := t.guarded(&a.decision.target)
	if errors.Is(err, wire.ErrHeldHistory) && !guarded {
		return true
	}
	return t.Unfixable.sends(guarded)
}

// notTheRequests reports whether an error is about a hook or the options, and not the request. Sent
// as it is, one request after another would go out without a repair, and nobody would notice.
func notTheRequests(err error) bool {
	return errors.Is(err, preflight.ErrHook) || errors.Is(err, preflight.ErrPipeline)
}

// misleads reports whether the host would answer a request as if the history that it goes on with
// were not missing. A count of its tokens misleads nobody.
func misleads(a *attempt, err error) bool {
	return errors.Is(err, wire.ErrHeldHistory) &&
		!strings.HasSuffix(a.decision.path, "/count_tokens")
}

// remedies returns what to do about refusals.
func (t *Transport) remedies() remedy.Policy {
	return remedy.Policy{Remedies: t.Remedies, Learned: t.Learned}
}

// caseOf describes a request whose body was repaired, for what happens when it is refused.
func (t *Transport) caseOf(
	ctx context.Context, a *attempt, first *wire.Result, with *wire.Options,
) remedy.Request {
	d := &a.decision
	return remedy.Request{
		Host: d.host, Path: d.path, Query: d.query, Header: d.header, Tenant: tenantIn(ctx),
		Body: a.given, First: first, With: with, DryRun: t.DryRun, Unanswered: !a.answered,
	}
}

// options returns those for the body of a request. Reasoning that may be valid after an edit is
// kept where a wrong guess costs little: the provider drops it, or its refusal can be answered.
func (t *Transport) options(a *attempt) *wire.Options {
	d := &a.decision
	options := *t.optionsFor(&d.target)
	if a.answered && (t.remedies().DropsUnbound() || dropsItself[formatNamed(d.Provider)]) {
		options.RepairedBefore = true
	}
	return &wire.Options{
		Provider: d.Provider,
		Model:    d.Model,
		Betas:    headers.Values(d.header, headers.Beta),
		Measured: d.target.measured,
		Options:  options,
	}
}
