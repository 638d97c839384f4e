package preflighthttp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/wire"
)

// This file is the transport itself: what happens to a request on its way out.

// DefaultMaxBody is the default of Transport.MaxBody, in bytes: 64 MiB, twice what Anthropic takes
// in one request.
const DefaultMaxBody = 64 << 20

// Transport is an http.RoundTripper that repairs the message history of LLM requests before Base
// sends them. The zero value is ready for use.
type Transport struct {
	// Base sends the requests; nil means http.DefaultTransport. If the Transport itself is to
	// become http.DefaultTransport, set Base to the previous one. A panic in it passes to the
	// caller, as it does without preflight.
	Base http.RoundTripper
	// Endpoints come before the known ones (see the function Endpoints); the first that matches a
	// request counts.
	Endpoints []Endpoint
	// Unknown is what to do with a request to a host that is not known, at a path of a known API:
	// SkipUnknown (default) or RepairUnknown.
	Unknown Unknown
	// Log gets a warning once for each unknown host, if Unknown is SkipUnknown, and once for each
	// unknown provider named in Endpoints; nil means slog.Default(). Nothing else is logged.
	// slog.New(slog.DiscardHandler) keeps it silent.
	Log *slog.Logger
	// Options say how to repair a history. Their hooks get the context of the request.
	Options preflight.Options
	// Unfixable is what to do with a request whose history cannot be repaired: SendUnchanged, Fail
	// or Refuse. If its options have hooks or Untrusted, it also holds for one whose body cannot be
	// read. The default is Fail for options that have these, and for others SendUnchanged. A
	// request that goes on with a history that the host does not have (wire.ErrHeldHistory) is
	// always refused: the host would answer as if nothing were missing, and clients send the whole
	// history when they are told.
	Unfixable Unfixable
	// MaxBody is the largest body, in bytes, that is read; 0 means DefaultMaxBody.
	MaxBody int64
	// Budget limits how many bytes of bodies are in memory at once, by all Transports that share
	// it. Nil means no limit. A caller of Judge takes from it himself.
	Budget *Budget
	// Busy is what to do with a request that Budget has no room for: SendUnchanged, Fail or Refuse.
	// The default is that of Unfixable.
	Busy Unfixable
	// DryRun sends every request unchanged, even what hooks would remove, and reports what would
	// have been done.
	DryRun bool
	// Remedies turns on repair and resend: the remedies to try, in this order, when the provider
	// refuses a request. remedy.All returns the known ones. Nil, the default, leaves refusals to
	// the caller: a refusal is an answer that a program may want to see, a resending costs a
	// request that it did not make, and most remedies lose content.
	Remedies []remedy.Remedy
	// Learned, if not nil, remembers the rules that hosts refused requests for, so that later
	// requests are repaired for them before they are sent. It learns from Remedies only.
	Learned *remedy.Learned
	// Report is called for every request to an endpoint, before it is sent, and for every
	// resending, after its response. ctx is that of the request. It is called on the goroutine of
	// the request, so several calls may run at once. It may keep the Report, and must not change
	// it. A panic in it becomes the error of the request, which wraps preflight.ErrHook.
	Report func(ctx context.Context, r *Report)
	// Verdict, if not nil, is called when an answer says which reasoning of the request the
	// provider withheld from the model, and why: the responses of OpenAI's Responses API do, and
	// those of Anthropic's Messages API under the beta thinking-binding-controls-2026-08-01. It is
	// called once for each such answer, at the end of its body or when that is closed, on the
	// goroutine that reads it. It may keep the Verdict. A panic in it becomes the error of the Read
	// or Close, which wraps preflight.ErrHook. An answer in one of these formats loses its
	// Content-Length, and is not compressed then. Answers that a caller of Judge gets are not read.
	Verdict func(ctx context.Context, v *Verdict)
	// Refused, if not nil, is called for a request that the provider refused for its history, or
	// for a reason that is not known: with what was sent, the provider's words, and what was tried
	// then. It is called on the goroutine of the request, before the answer is returned. It may
	// keep the Refused. A panic in it becomes the error of the request, as in Report.
	Refused func(ctx context.Context, r *Refused)
}

// Unfixable says what becomes of requests whose history cannot be repaired, or for which
// Transport.Budget has no room.
type Unfixable string

// Without hooks and Untrusted, "" means SendUnchanged, because the provider decides what it
// accepts, and because SDKs understand its answer, whereas they take an error of the transport for
// a broken connection, and retry. With them, "" means Fail, because their purpose may be to keep
// something from being sent. If a hook returns an error, or the options are not valid
// (preflight.ErrPipeline), the request always fails.
const (
	SendUnchanged Unfixable = "send"   // send it as it was, past the hooks too, and report
	Fail          Unfixable = "fail"   // return an *Error
	Refuse        Unfixable = "refuse" // answer as [Error.Response] does, without sending it
)

// errNoRequest is the error for a request that is nil.
var errNoRequest = errors.New("preflighthttp: the request is nil")

// RoundTrip repairs the request if necessary, and sends it through Base. req is not modified, and
// its body is closed exactly once, as http.RoundTripper requires. The error is that of Base, of
// reading the body or of the context, or an *Error as Unfixable or Busy says.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.Middleware(req, nil)
}

// Middleware is RoundTrip with next in place of Base, for SDKs whose middleware has this form. Use
// it if something after it signs the body; next is called for a resending too, so that it is signed
// again. A nil next means Base. A panic in next passes to the caller.
func (t *Transport) Middleware(
	req *http.Request,
	next func(*http.Request) (*http.Response, error),
) (*http.Response, error) {
	if t == nil {
		t = new(Transport)
	}
	if req == nil {
		return nil, errNoRequest
	}
	if next == nil {
		next = t.base().RoundTrip
	}
	a := attempt{
		request: req, answered: true,
		memory: &memory{budget: t.Budget, tenant: tenantIn(req.Context())},
	}
	done := false
	defer func() {
		if !done { // a function of the caller ended the goroutine
			a.memory.end()
			a.memory.forget()
		}
	}()
	resp, err := t.middleware(&a, next)
	done = true
	a.memory.endWith(resp, err)
	return resp, err
}

// middleware is Middleware for an attempt.
func (t *Transport) middleware(
	a *attempt, next func(*http.Request) (*http.Response, error),
) (*http.Response, error) {
	req := a.request
	if err := t.prepare(a); err != nil {
		return t.refuse(req, err)
	}
	if !a.looked || t.DryRun {
		resp, err := next(a.request)
		if a.looked {
			a.accepted(resp)
		}
		if told := t.keepRefusal(a, resp); told != nil {
			return nil, told
		}
		return resp, err
	}
	outline := t.outlineOf(a.report, a.given, a.sent)
	if len(t.Remedies) > 0 || len(a.result.Renamed) > 0 || outline != nil || t.Refused != nil {
		a.request = askReadable(a.request)
	}
	if len(t.Remedies) == 0 {
		if t.Refused == nil && a.refusals.Release() {
			a.forgetGiven()
		}
		resp, err := next(a.request)
		a.accepted(resp)
		if told := t.keepRefusal(a, resp); told != nil {
			return nil, told
		}
		return t.answer(req.Context(), resp, a.result, a.report, outline), err
	}
	// middleware after this one may sign or readdress what it gets
	pristine := a.request.Clone(req.Context())
	resp, err := next(a.request)
	if err != nil {
		return resp, err
	}
	a.accepted(resp)
	a.request = pristine
	return t.resend(a, resp, outline, next)
}

// accepted tells the case of the request if the response accepts it.
func (a *attempt) accepted(resp *http.Response) {
	if resp != nil && resp.StatusCode/100 == 2 {
		a.refusals.Accepted()
	}
}

// forgetGiven releases the body that came, where another one is sent and the first is not needed
// for a resending.
func (a *attempt) forgetGiven() {
	if a.report.Changed {
		a.first.release()
		a.memory.add(-int64(cap(a.given)))
	}
	a.given, a.sent = nil, nil
	if len(a.result.Renamed) == 0 {
		a.result = nil
	}
}

// refuse returns the answer to a request that is not sent, or the error, as Unfixable or Busy says.
func (t *Transport) refuse(req *http.Request, err error) (*http.Response, error) {
	var unsent *Error
	if !errors.As(err, &unsent) || notTheRequests(err) {
		return nil, err
	}
	choice := t.Unfixable
	if errors.Is(err, ErrBusy) {
		choice = t.Busy
	}
	if choice != Refuse && !errors.Is(err, wire.ErrHeldHistory) {
		return nil, err
	}
	return unsent.Response(req), nil
}

// CloseIdleConnections passes the call on to Base, so that http.Client's has an effect.
func (t *Transport) CloseIdleConnections() {
	if c, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func (t *Transport) base() http.RoundTripper {
	if t == nil || t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// attempt is a request on its way out.
type attempt struct {
	request  *http.Request
	report   *Report
	decision Decision
	taken    bool   // the body was read, and closed if that failed
	looked   bool   // the body was read, and sanitized without an error
	answered bool   // its response is seen, too: it is not one of Judge
	given    []byte // the body that came
	sent     []byte // the body that is sent; nil where it was not judged
	result   *wire.Result
	memory   *memory
	first    *inMemory // the body that came

	refusals *remedy.Case // of a body that could be judged
}

// prepare makes the request that is sent for the one of the attempt, and reports it. With an error,
// the body is closed.
func (t *Transport) prepare(a *attempt) error {
	req := a.request
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	done := false
	defer func() {
		// after an error, or a function of the caller that ended the goroutine
		if !done && !(a.taken && a.request == req) {
			a.request.Body.Close()
		}
	}()
	err := t.prepareBody(a, req)
	done = err == nil
	return err
}

// prepareBody is prepare for a request with a body.
func (t *Transport) prepareBody(a *attempt, req *http.Request) error {
	a.decision = t.judge(req)
	if err := t.warnOfProvider(req.Context(), &a.decision); err != nil {
		return err
	}
	if a.decision.Skipped == UnknownHost { // and no hook has to see it
		if err := t.warnOfHost(req.Context(), &a.decision); err != nil {
			return err
		}
		return t.tell(req.Context(), a.decision.report())
	}
	if !a.decision.Sanitize && a.decision.Skipped == "" {
		return nil
	}
	a.report = a.decision.report()
	err := t.rewrite(a, req)
	if told := t.tell(req.Context(), a.report); told != nil {
		return told
	}
	if err == nil && a.looked && a.report.Changed && !t.DryRun {
		return tellRepaired(req.Context(), &Repaired{a.given, a.result, a.report})
	}
	return err
}

func (t *Transport) maxBody() int64 {
	if t.MaxBody <= 0 {
		return DefaultMaxBody
	}
	return t.MaxBody
}

// rewrite reads and repairs the body of req.
func (t *Transport) rewrite(a *attempt, req *http.Request) error {
	if a.report.Skipped != "" {
		return t.skip(&a.decision, a.report)
	}
	a.taken = true
	given, rest, err := readBody(req, t.maxBody(), a.memory)
	a.report.Bytes, a.report.SentBytes = len(given), len(given)
	switch {
	case errors.Is(err, ErrBusy):
		return t.busy(a, req, given, rest, err)
	case err != nil:
		a.report.Err = err
		return err
	case rest != nil:
		a.report.Skipped = TooLarge
		a.request = resume(req, given, rest, a.memory)
		return t.skip(&a.decision, a.report)
	}
	a.first = a.memory.body(given, req.GetBody)
	a.request = replay(req, a.first)
	if req.ContentLength > 0 && req.ContentLength != int64(len(given)) {
		a.report.Skipped = BadLength // Base knows how to complain
		return t.skip(&a.decision, a.report)
	}
	if err := t.sanitize(req.Context(), a, given); err != nil {
		return err
	}
	if a.looked && a.report.Changed && !t.DryRun {
		a.memory.add(int64(len(a.sent)))
		a.request.Body.Close() // it is not sent
		a.request = replace(req, a.sent, a.first)
	}
	return nil
}

// busy handles a request whose body the budget has no room for: given was read of it, and rest is
// what is left.
func (t *Transport) busy(
	a *attempt, req *http.Request, given []byte, rest io.ReadCloser, err error,
) error {
	a.report.Skipped, a.report.Err = Busy, err
	refused := t.skip(&a.decision, a.report)
	if refused == nil {
		a.report.Err = nil
		a.request = resume(req, given, rest, a.memory)
		return nil
	}
	rest.Close()
	return refused
}
