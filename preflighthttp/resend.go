package preflighthttp

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
)

// This file is the second attempt: a refusal is read, explained, and answered by a harder repair,
// once.

// maxRefusal is how long a refusal may be, in bytes, to be read. Error bodies take a few hundred;
// those that quote the request back, and are longer, are returned as they come.
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
	refusal, text, ok := readRefusal(resp)
	if !ok {
		return t.answer(a.request.Context(), resp, a.result, a.report, outline), nil
	}
	open := resp
	defer func() { // also when a function of the caller ends the goroutine
		if open != nil && open.Body != nil {
			open.Body.Close()
		}
	}()
	start := time.Now()
	req, repaired, err := t.harder(a, &refusal)
	if err != nil {
		return nil, err
	}
	if req == nil {
		t.doubt(a, &refusal)
		if told := t.tellRefused(a, resp.StatusCode, &refusal, nil); told != nil {
			return nil, told
		}
		open = nil
		return resp, nil
	}
	report := repaired.Report
	resp.Body.Close()
	report.Duration = time.Since(start)
	open = nil
	second, err := next(req)
	open = second
	if err == nil && second != nil {
		report.Status = second.StatusCode
		if report.Status/100 == 2 || t.refusedElse(a, repaired.Result.Body, &refusal, second) {
			report.Learned = t.learnFrom(req.Context(), a)
		} else {
			t.doubt(a, &refusal)
		}
	}
	told := t.tell(req.Context(), report)
	if told == nil && report.Status/100 == 2 && report.Changed {
		told = tellRepaired(req.Context(), repaired)
	}
	if told == nil {
		told = t.tellRefused(a, resp.StatusCode, &refusal, report)
	}
	if told != nil {
		return nil, told
	}
	open = nil
	if err != nil && req.Context().Err() == nil {
		// the refusal is an answer still, and says more
		resp.Body = io.NopCloser(bytes.NewReader(text))
		return resp, nil
	}
	outline = t.outlineOf(report, repaired.Body, repaired.Result.Body)
	return t.answer(req.Context(), second, repaired.Result, report, outline), err
}

// refusalStatuses are the statuses under which the catalogue knows structural errors, beside 400:
// servers of local models answer 500 where a chat template raises.
var refusalStatuses = sync.OnceValue(func() map[int]bool {
	statuses := map[int]bool{http.StatusBadRequest: true}
	for _, r := range rule.All() {
		if r.Status != 0 {
			statuses[r.Status] = true
		}
	}
	return statuses
})

// refused is a refusal: what its text means, as far as that is known, and the text itself.
type refused struct {
	explain.Explanation
	known bool // the text is one of the catalogue, about the history, with its status; no guess
	text  string
}

// readRefusal reads a refusal. ok is false for every response that is none, or cannot be read; its
// body can be read all the same.
func readRefusal(resp *http.Response) (e refused, text []byte, ok bool) {
	if resp == nil || resp.Body == nil || !refusalStatuses()[resp.StatusCode] {
		return e, nil, false
	}
	start := readStart(resp.Body)
	resp.Body = start
	select {
	case <-start.done:
	case <-time.After(refusalTime):
		return e, nil, false
	}
	if start.err != nil || len(start.text) > maxRefusal {
		return e, nil, false
	}
	text = start.text
	plain, err := decompress(text, resp.Header.Get("Content-Encoding"))
	if err != nil {
		return e, nil, false
	}
	e.text = string(plain)
	e.Explanation, ok = explain.Text(e.text)
	e.known = ok && e.Class == explain.ClassHistory && !e.Guess &&
		(resp.StatusCode == http.StatusBadRequest || resp.StatusCode == e.Rule.Status)
	return e, text, true
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

// failing is a reader that fails with err, or is empty when there is none.
func failing(err error) io.Reader {
	if err == nil {
		return bytes.NewReader(nil)
	}
	return readerFunc(func([]byte) (int, error) { return 0, err })
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// harder makes the request of a second attempt: with the first remedy, for the likeliest meaning of
// the refusal, that changes what was sent. Remedies that read the text itself come before the
// others, because they change least. It is nil when there is none.
func (t *Transport) harder(a *attempt, refusal *refused) (*http.Request, *Repaired, error) {
	for _, remedy := range t.Remedies {
		if result, forms := t.byText(a, &remedy, refusal.text); result != nil {
			a.taught = &taught{remedy: remedy, members: forms}
			req, repaired := a.again(result, remedy.Name, refusal)
			return req, repaired, nil
		}
	}
	if !refusal.known {
		return nil, nil, nil
	}
	a.takeWithheld()
	for _, r := range meanings(&refusal.Explanation, a.report.Provider) {
		for _, remedy := range t.Remedies {
			if remedy.reads() || len(remedy.Rules) > 0 && !slices.Contains(remedy.Rules, r.ID) {
				continue
			}
			options := t.optionsFor(a)
			stricter, err := remedy.apply(options, a.sent, r)
			if err != nil {
				return nil, nil, err
			}
			if !stricter {
				continue
			}
			result, err := wire.Sanitize(a.request.Context(), a.given, options)
			if err == nil {
				result, _ = withoutLearned(result, a.given, a.lessons)
			}
			if err != nil || bytes.Equal(result.Body, a.sent) {
				continue
			}
			a.taught = &taught{rule: r, remedy: remedy}
			req, repaired := a.again(result, remedy.Name, refusal)
			return req, repaired, nil
		}
	}
	return nil, nil, nil
}

// byText is the result of a remedy that reads the text of the refusal, nil where it has nothing to
// change. forms are the members that it dropped.
func (t *Transport) byText(
	a *attempt, remedy *Remedy, refusal string,
) (result *wire.Result, forms []like) {
	switch {
	case remedy.edit != nil:
		if result, forms = remedy.edit(a.result, a.given, a.sent, refusal); result == nil {
			return nil, nil
		}
		result, _ = withoutLearned(result, a.given, a.withheld)
		return result, forms
	case remedy.read != nil:
		options := t.optionsFor(a)
		if !remedy.read(options, a.sent, unescaped(refusal[:min(len(refusal), maxNamedText)])) {
			return nil, nil
		}
		result, err := wire.Sanitize(a.request.Context(), a.given, options)
		if err == nil {
			result, _ = withoutLearned(result, a.given, slices.Concat(a.lessons, a.withheld))
		}
		if err != nil || bytes.Equal(result.Body, a.sent) {
			return nil, nil
		}
		return result, nil
	}
	return nil, nil
}

// again is the request of a second attempt.
func (a *attempt) again(
	result *wire.Result, remedy string, refusal *refused,
) (*http.Request, *Repaired) {
	alias(result)
	req := replace(a.request, result.Body, a.first)
	if key := value(req.Header, idempotencyKey); key != "" {
		set(req.Header, idempotencyKey, key+"-"+remedy)
	}
	if remedy == dropUnboundName {
		askForDrop(req.Header, refusal.text)
	}
	a.held.add(int64(len(result.Body)))
	return req, &Repaired{a.given, result, &Report{
		ID: a.report.ID, Host: a.report.Host, Path: a.report.Path,
		Provider: result.Provider, Model: a.report.Model,
		Bytes: len(a.given), SentBytes: len(result.Body),
		Changed: result.Changed, Warnings: result.Warnings, Left: result.Left,
		Refusal: unquoted(&refusal.Explanation), Remedy: remedy,
	}}
}

// unquoted is an explanation without what it quotes of the refusal, which quotes the request.
func unquoted(e *explain.Explanation) *explain.Explanation {
	out := *e
	out.Text, out.IDs, out.Paths, out.Types = "", nil, nil, nil
	out.More = make([]explain.Explanation, len(e.More))
	for k := range e.More {
		out.More[k] = *unquoted(&e.More[k])
	}
	return &out
}

// meanings are the rules that a refusal can be about, likeliest first; those of the provider that
// was asked come before those of its format, and before the others that share their words.
func meanings(e *explain.Explanation, provider string) []rule.Rule {
	all := append([]rule.Rule{e.Rule}, e.Also...)
	slices.SortStableFunc(all,
		func(a, b rule.Rule) int { return cmp.Compare(foreign(a, provider), foreign(b, provider)) })
	for _, more := range e.More {
		all = append(all, more.Rule)
	}
	return all
}

func foreign(r rule.Rule, name string) int {
	if r.Provider == name {
		return 0
	}
	if p, ok := provider.ByName(name, ""); ok && r.Provider == p.Format {
		return 1
	}
	return 2
}
