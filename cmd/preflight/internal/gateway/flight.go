package gateway

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file is the account of one request: what is logged and counted when it has ended.

// flight is what is known of one request while it is passed on. It is for one goroutine.
type flight struct {
	route     string
	to        *Route // nil for a request that is turned away
	client    string // by the header that the configuration names
	openAs    string // the client, as it is counted while the request is under way
	method    string
	page      bool // a browser sent it for a page
	start     time.Time
	report    *preflighthttp.Report // nil for a request that is for no LLM
	resent    *preflighthttp.Report // about the resending
	skipped   string
	refused   bool // answered without the upstream
	status    int  // of the answer, 0 for none
	first     time.Duration
	received  int64 // bytes of the answer
	ended     bool  // the answer was read to its end
	result    string
	body      *duplex // nil for a request that has none, or comes with HTTP/2
	pace      *paced  // nil for a request that has none
	dry       bool    // repairs are not made
	cause     string  // why there is no answer of the upstream
	over      string  // which of Limits it is beyond
	prefix    string  // the first segment of the path, of a request that was turned away
	requestID string  // the upstream's own
	config    string  // the digest of the configuration
	taken     *taken  // the body, for a sample; nil where none is taken
	// what the model did not get to see; nil where the answer says nothing of it
	unseen *preflighthttp.Verdict
}

// The results of requests.
const (
	resultOK       = "ok"
	resultRefused  = "refused"  // by the gateway
	resultFailed   = "failed"   // the upstream gave no answer
	resultTimeout  = "timeout"  // the upstream gave none in time
	resultLate     = "late"     // the body of the request did not arrive in time
	resultBroken   = "broken"   // the upstream broke its answer off
	resultLeft     = "left"     // the client left before the end
	resultCut      = "cut"      // by the end of the drain
	resultUpgraded = "upgraded" // to another protocol
	resultPanic    = "panic"    // a fault of the gateway
)

type flightKey struct{}

// flightOf returns the flight of a request's context.
func flightOf(ctx context.Context) *flight {
	f, ok := ctx.Value(flightKey{}).(*flight)
	if !ok {
		return new(flight)
	}
	return f
}

// outcome returns what was done about the request's history in a word: "valid", "repaired",
// "resent", "skipped", "unfixable", "unread", "would-repair", "busy", or "other" for a request that
// has none.
func (f *flight) outcome() string {
	r := f.report
	switch {
	case r == nil && f.skipped == "":
		return "other"
	case r == nil:
		return "skipped"
	case r.Skipped == preflighthttp.Busy, errors.Is(r.Err, preflighthttp.ErrBusy):
		return "busy"
	case r.Skipped != "":
		return "skipped"
	case f.unread(r):
		return "unread"
	case r.Err != nil:
		return "unfixable"
	case f.dry && r.Changed:
		return "would-repair"
	case f.resent != nil:
		return "resent"
	case r.Changed:
		return "repaired"
	}
	return "valid"
}

// unread reports whether a body did not arrive whole, or its client left before it was judged.
func (f *flight) unread(r *preflighthttp.Report) bool {
	return r.Err != nil && (f.pace.failed() || errors.Is(r.Err, context.Canceled))
}

// reported counts a report and keeps it for the page and the log.
func (g *Gateway) reported(ctx context.Context, r *preflighthttp.Report) {
	f := flightOf(ctx)
	f.refused = f.refused || errors.Is(r.Err, preflighthttp.ErrHooksNotRun) ||
		r.Err != nil && r.Skipped == "" && r.SentBytes == 0
	if r.Remedy != "" {
		f.resent = r
	} else {
		f.report = r
	}
	g.stats.reported(f, r)
}

// judged keeps what an answer says of reasoning, for the counters and the log.
func (g *Gateway) judged(ctx context.Context, v *preflighthttp.Verdict) {
	flightOf(ctx).unseen = v
}

// landed accounts for a request that has ended.
func (g *Gateway) landed(r *http.Request, f *flight) {
	defer g.stats.end(f) // whoever waits for the end has its line, too
	switch {
	case f.result == "" && f.refused:
		f.result = resultRefused
	case f.result == "" && !f.ended && r.Context().Err() != nil:
		f.result = resultLeft
	case f.result == "":
		f.result = resultOK
	}
	if f.result == resultLeft && g.ctx.Err() != nil {
		f.result = resultCut
	}
	g.stats.landed(f)
	if g.Log != nil {
		g.Log.LogAttrs(context.WithoutCancel(r.Context()), f.level(), "request", f.attrs(g.Version)...)
	}
}

// level returns how much a request's line matters: an error where the client got no proper answer,
// a warning where it was refused or its history could not be repaired.
func (f *flight) level() slog.Level {
	switch f.result {
	case resultFailed, resultTimeout, resultBroken, resultPanic:
		return slog.LevelError
	case resultRefused, resultLate:
		return slog.LevelWarn
	}
	if outcome := f.outcome(); outcome == "unfixable" || outcome == "busy" || f.status >= 400 {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// repairs are the changes of one code.
type repairs struct {
	Code  string   `json:"code"`
	Class string   `json:"class"`
	Rule  string   `json:"rule"`
	N     int      `json:"n"`
	Paths []string `json:"paths,omitempty"` // the first ones
}

// mostPaths is how many places of one code are logged.
const mostPaths = 5

// repairsOf counts the changes of a report by code, class and rule, in the order in which they
// came.
func repairsOf(r *preflighthttp.Report) []repairs {
	if r == nil {
		return nil
	}
	var out []repairs
	at := map[[2]string]int{}
	for _, w := range r.Warnings {
		key := [2]string{string(w.Code), w.Rule}
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			out = append(out, repairs{Code: key[0], Class: w.Class().String(), Rule: w.Rule})
		}
		out[k].N++
		if out[k].N <= mostPaths {
			out[k].Paths = append(out[k].Paths, w.Path)
		}
	}
	return out
}

// sent returns the report about the body that was answered.
func (f *flight) sent() *preflighthttp.Report { return cmp.Or(f.resent, f.report) }

// attrs returns the fields of the request's line.
func (f *flight) attrs(version string) []slog.Attr {
	out := []slog.Attr{
		slog.String("version", version), slog.String("config", f.config),
		slog.String("route", f.route), slog.String("method", f.method),
		slog.String("outcome", f.outcome()), slog.String("result", f.result),
		slog.Int("status", f.status),
		slog.Float64("first_byte_ms", milliseconds(f.first)),
		slog.Float64("duration_ms", milliseconds(time.Since(f.start))),
		slog.Int64("answer_bytes", f.received),
	}
	if f.client != "" {
		out = append(out, slog.String("client", f.client))
	}
	for _, more := range []struct{ name, value string }{
		{"skipped", f.skipped}, {"cause", f.cause}, {"request_id", f.requestID}, {"over", f.over},
		{"prefix", f.prefix},
	} {
		if more.value != "" {
			out = append(out, slog.String(more.name, more.value))
		}
	}
	r := f.report
	if r == nil {
		return out
	}
	out = append(out, slog.String("id", r.ID), slog.String("provider", r.Provider),
		slog.String("model", nameOf(r.Model)), slog.String("host", nameOf(f.to.hide(r.Host))),
		slog.String("path", f.to.withoutKeys(r.Path)), slog.Int("bytes", r.Bytes),
		slog.Int("sent_bytes", f.sent().SentBytes),
		slog.Float64("check_ms", milliseconds(r.Duration)), slog.Bool("changed", r.Changed))
	if r.Skipped != "" {
		out = append(out, slog.String("skipped", string(r.Skipped)))
	}
	if r.Err != nil {
		out = append(out, slog.String("error", r.Err.Error()))
	}
	if len(r.Learned) > 0 {
		out = append(out, slog.Any("learned", r.Learned))
	}
	if f.resent != nil {
		out = append(out, slog.String("remedy", f.resent.Remedy))
		if f.resent.Refusal != nil {
			out = append(out, slog.String("refusal", f.resent.Refusal.Rule.ID))
		}
	}
	if list := repairsOf(f.sent()); len(list) > 0 {
		out = append(out, slog.Any("repairs", list))
	}
	if v := f.unseen; v != nil && len(v.Transformations) > 0 {
		out = append(out, slog.Int("transformations", len(v.Transformations)),
			slog.Int("transformations_ours", v.Ours()))
	}
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// nameOf returns a name that comes from a request, as far as it is kept.
func nameOf(text string) string {
	return strings.Clone(strings.ToValidUTF8(text[:min(len(text), maxName)], ""))
}
