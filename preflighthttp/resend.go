package preflighthttp

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/headers"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// This file is the second attempt: a refusal is read and answered, once, by what package remedy
// makes of it.

// maxRefusal is how long a refusal may be, in bytes, to be read. An error body has a few hundred. A
// longer one, which may quote the request, is returned as it comes.
const maxRefusal = 256 << 10

// refusalTime is how long the body of a refusal may take to arrive, to be read. One that stalls is
// returned as it comes.
var refusalTime = 5 * time.Second

// idempotencyKey is the header under which a server remembers a request's answer. A resending is
// another request, and must not get the answer that the first one got.
const idempotencyKey = "Idempotency-Key"

// resend answers a refusal by a second attempt where a remedy has something to add, and returns the
// response it leads to. In every other case resp is returned, with its body as it was.
func (t *Transport) resend(
	a *attempt,
	resp *http.Response,
	outline *sentOutline,
	next func(*http.Request) (*http.Response, error),
) (*http.Response, error) {
	refusal, text := readRefusal(resp)
	if refusal == nil {
		return t.answer(a.request.Context(), resp, a.result, a.report, outline), nil
	}
	unclosed := resp
	defer func() { // also when a function of the caller ends the goroutine
		if unclosed != nil && unclosed.Body != nil {
			unclosed.Body.Close()
		}
	}()
	start := time.Now()
	second, err := a.refusals.Refused(a.request.Context(), refusal)
	if err != nil {
		return nil, err
	}
	if second == nil {
		if told := t.tellRefused(a, resp.StatusCode, refusal, nil); told != nil {
			return nil, told
		}
		unclosed = nil
		return resp, nil
	}
	req, repaired := a.again(second, refusal)
	report := repaired.Report
	resp.Body.Close()
	report.Duration = time.Since(start)
	unclosed = nil
	answer, err := next(req)
	unclosed = answer
	if err == nil && answer != nil {
		report.Status = answer.StatusCode
		var again *remedy.Refusal
		if t.Learned != nil {
			again, _ = readRefusal(answer)
		}
		report.Learned = a.refusals.Answered(
			req.Context(), report.Status/100 == 2, refusal, second, again)
	}
	told := t.tell(req.Context(), report)
	if told == nil && report.Status/100 == 2 && report.Changed {
		told = tellRepaired(req.Context(), repaired)
	}
	if told == nil {
		told = t.tellRefused(a, resp.StatusCode, refusal, report)
	}
	if told != nil {
		return nil, told
	}
	unclosed = nil
	if err != nil && req.Context().Err() == nil {
		// the second attempt failed: the refusal says more than its error
		resp.Body = io.NopCloser(bytes.NewReader(text))
		return resp, nil
	}
	outline = t.outlineOf(report, repaired.Body, repaired.Result.Body)
	return t.answer(req.Context(), answer, repaired.Result, report, outline), err
}

// readRefusal reads a refusal, and returns its body as it came, too. The refusal is nil if resp is
// none, or cannot be read. The body of resp can be read in any case.
func readRefusal(resp *http.Response) (refusal *remedy.Refusal, text []byte) {
	if resp == nil || resp.Body == nil || !remedy.MayRefuse(resp.StatusCode) {
		return nil, nil
	}
	start := readStart(resp.Body)
	resp.Body = start
	select {
	case <-start.done:
	case <-time.After(refusalTime):
		return nil, nil
	}
	if start.err != nil || len(start.text) > maxRefusal {
		return nil, nil
	}
	plain, err := decompress(start.text, resp.Header.Get("Content-Encoding"))
	if err != nil {
		return nil, nil
	}
	return remedy.Read(resp.StatusCode, string(plain)), start.text
}

// start is a body whose start was read ahead, and which can still be read from the start.
type start struct {
	io.Closer
	done chan struct{} // closed when the start was read
	text []byte
	err  error
	from io.Reader // text, err and the rest; once done
}

// readStart reads as much of body as a refusal may be long. Closing the start before it was read
// ends that.
func readStart(body io.ReadCloser) *start {
	s := &start{Closer: body, done: make(chan struct{})}
	go func() {
		defer func() {
			s.from = io.MultiReader(bytes.NewReader(s.text), failing(s.err), body)
			close(s.done)
		}()
		defer contain.Panic("Response.Body", &s.err)
		s.err = errUnread // unless Read returns
		s.text, s.err = io.ReadAll(io.LimitReader(body, maxRefusal+1))
	}()
	return s
}

var errUnread = errors.New("preflighthttp: reading the answer ended its goroutine")

// Read waits until the start was read.
func (s *start) Read(p []byte) (int, error) {
	<-s.done
	return s.from.Read(p)
}

// failing returns a reader that fails with err, or is empty when there is none.
func failing(err error) io.Reader {
	if err == nil {
		return bytes.NewReader(nil)
	}
	return readerFunc(func([]byte) (int, error) { return 0, err })
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// again returns the request of a second attempt.
func (a *attempt) again(
	second *remedy.Second, refusal *remedy.Refusal,
) (*http.Request, *Repaired) {
	result := second.Result
	alias(result)
	req := replace(a.request, result.Body, a.first)
	if key := headers.Value(req.Header, idempotencyKey); key != "" {
		headers.Set(req.Header, idempotencyKey, key+"-"+second.Remedy)
	}
	if second.Beta != "" {
		askForBeta(req.Header, second.Beta)
	}
	a.memory.add(int64(len(result.Body)))
	return req, &Repaired{a.given, result, &Report{
		ID: a.report.ID, Host: a.report.Host, Path: a.report.Path,
		Provider: result.Provider, Model: a.report.Model,
		Bytes: len(a.given), SentBytes: len(result.Body),
		Changed: result.Changed, Warnings: result.Warnings, Left: result.Left,
		Refusal: refusal.Unquoted(), Remedy: second.Remedy,
	}}
}

// askForBeta adds a beta feature to those of a request.
func askForBeta(h http.Header, beta string) {
	betas := headers.Values(h, headers.Beta)
	if !slices.ContainsFunc(betas, func(list string) bool { return strings.Contains(list, beta) }) {
		headers.Set(h, headers.Beta, strings.Join(append(slices.Clip(betas), beta), ","))
	}
}
