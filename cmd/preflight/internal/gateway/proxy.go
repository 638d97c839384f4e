package gateway

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/http/httputil"
	"net/netip"
	"net/textproto"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// This file passes requests to their upstreams, and answers back.

// proxy makes the reverse proxy of a route; in a dry run it repairs nothing.
func (g *Gateway) proxy(now *state, route *Route, dry bool) http.Handler {
	transport := g.transport(now, route)
	transport.DryRun = dry
	return &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Path = strings.TrimPrefix(p.In.URL.Path, route.Prefix)
			p.Out.URL.RawPath = strings.TrimPrefix(p.In.URL.RawPath, route.Prefix)
			p.Out.URL.RawQuery = p.In.URL.RawQuery // as it came
			p.Out.Trailer = p.In.Trailer           // which gets its values when the body was read
			for _, name := range forwarded {
				if values, ok := p.In.Header[name]; ok {
					p.Out.Header[name] = values
				}
			}
			p.SetURL(route.upstream)
			p.Out.Header.Del("Origin") // the guard judged it
			for name, value := range route.Headers {
				if value == "" {
					p.Out.Header.Del(name)
				} else {
					p.Out.Header.Set(name, value)
				}
			}
			if transport.Judge(p.Out.Method, p.Out.URL, p.Out.Header).Sanitize {
				flightOf(p.In.Context()).pace.hold()
			}
		},
		Transport:      transport,
		FlushInterval:  -1, // at once: answers are streams
		ModifyResponse: func(resp *http.Response) error { return g.answered(route, resp) },
		ErrorHandler:   g.fail,
		ErrorLog:       silent,
	}
}

// forwarded are the headers that httputil takes out of a request. To this gateway they are as any
// others: it adds nothing to them, and believes nothing in them.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// transport makes the transport of a route.
func (g *Gateway) transport(now *state, route *Route) *preflighthttp.Transport {
	var base http.RoundTripper = now.base(route)
	if route.Limits != (Limits{}) {
		base = limited{base, route.Limits}
	}
	t := &preflighthttp.Transport{
		Base:    base,
		Options: route.Options,
		MaxBody: route.MaxBody,
		Budget:  now.budget,
		Report:  g.reported,
	}
	if route.upstream != nil { // at a host that is not known, the path determines the format
		t.Unknown = preflighthttp.RepairUnknown
	}
	if route.upstream != nil && (route.Provider != "" || route.measured != nil) {
		t.Endpoints = []preflighthttp.Endpoint{{
			Host: route.upstream.Host, Provider: route.Provider, Measured: route.measured,
		}}
	}
	if route.Verdicts {
		t.Verdict = g.judged
	}
	switch {
	case route.Unfixable == "send":
		t.Unfixable = preflighthttp.SendUnchanged
	case route.Unfixable == "refuse", route.Options.Untrusted:
		t.Unfixable = preflighthttp.Refuse
	}
	if now.refusals != nil {
		t.Refused = func(_ context.Context, r *preflighthttp.Refused) {
			now.refusals.keep(route.shownRefusal(r))
		}
	}
	t.Busy = preflighthttp.Refuse
	if now.config.Busy == BusyPass {
		t.Busy = preflighthttp.SendUnchanged
	}
	switch {
	case route.Remedies != nil && *route.Remedies:
		t.Remedies, t.Learned = remedy.All(), now.learned
	case route.Remedies == nil && now.config.Learned != "off":
		t.Remedies, t.Learned = remedy.Restrictions(), now.learned
	}
	return t
}

// mostHints is how many informational answers (1xx) may come before the answer. net/http has no
// limit for a proxy, which passes them on.
const mostHints = 100

var errHints = errors.New("too many informational answers")

// fewHints limits the informational answers to a request.
func fewHints(ctx context.Context) context.Context {
	var hints atomic.Int64
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			if hints.Add(1) > mostHints {
				return errHints
			}
			return nil
		},
	})
}

// How long a connection of HTTP/2 may be silent before it is asked whether it is alive, and how
// long its answer may take. An upstream that thinks answers that, too.
var pingAfter, pingTime = 30 * time.Second, 15 * time.Second

// base makes the transport that sends a route's requests.
func (s *state) base(route *Route) *http.Transport {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConns, base.MaxIdleConnsPerHost = 0, 512
	base.DisableCompression = true // answers pass as the upstream encoded them
	limits := &route.Timeouts
	dialer := &net.Dialer{Timeout: time.Duration(limits.Connect), KeepAlive: 30 * time.Second}
	base.DialContext = dialer.DialContext
	base.TLSHandshakeTimeout = time.Duration(limits.Connect)
	base.ResponseHeaderTimeout = time.Duration(limits.Answer)
	// A connection of HTTP/2 that the network forgot would take all requests, and answer none.
	base.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTime}
	s.bases = append(s.bases, base)
	return base
}

// websocket is why a request that changes the protocol is passed unchanged.
const websocket = "websocket"

// answered counts an answer when its first byte is there.
func (g *Gateway) answered(route *Route, resp *http.Response) error {
	f := flightOf(resp.Request.Context())
	f.body.endConnection(resp.Header)
	if f.page {
		dropAccess(resp.Header)
	}
	f.status, f.first = resp.StatusCode, time.Since(f.start)
	f.requestID = requestIDOf(resp.Header)
	if f.report != nil {
		resp.Header.Set("X-Preflight-Id", f.report.ID)
	}
	if f.refused {
		g.stats.refused(f.cause)
		return nil
	}
	g.stats.answered(f.route, resp.StatusCode, f.first)
	if resp.StatusCode == http.StatusSwitchingProtocols {
		f.result, f.skipped = resultUpgraded, websocket
		g.stats.skip(websocket)
		return nil
	}
	body := &watched{
		ReadCloser: resp.Body, ctx: resp.Request.Context(), stats: g.stats, flight: f,
		idle: time.Duration(route.Timeouts.Idle),
	}
	if body.idle > 0 {
		body.timer = time.AfterFunc(body.idle, body.overdue)
		body.timer.Stop()
	}
	resp.Body = body
	return nil
}

// watched is the body of an answer, which counts when the upstream breaks it off or stalls.
type watched struct {
	io.ReadCloser
	ctx     context.Context
	stats   *stats
	flight  *flight
	idle    time.Duration // 0 without a limit
	timer   *time.Timer   // calls overdue; nil without a limit
	due     atomic.Int64  // when a Read has waited too long, since began; 0 for no Read
	stalled atomic.Bool
}

// began is some time in the past. Other than the time of day, the time since then never jumps.
var began = time.Now()

// overdue closes the body if a Read has waited too long. If it is called much too late, this
// process was stopped: then the upstream may have sent what could not be read, and gets more time.
func (b *watched) overdue() {
	due, now := b.due.Load(), int64(time.Since(began))
	switch late := now - due; {
	case due == 0 || late < 0: // that Read has ended
	case late <= int64(b.idle/4):
		b.stalled.Store(true)
		b.Close()
	case b.due.CompareAndSwap(due, now+int64(b.idle)):
		b.timer.Reset(b.idle)
	}
}

func (b *watched) Read(p []byte) (int, error) {
	if b.timer != nil { // only while it is waited for: between reads, the client is
		b.due.Store(int64(time.Since(began) + b.idle))
		b.timer.Reset(b.idle)
		defer func() {
			b.due.Store(0)
			b.timer.Stop()
		}()
	}
	n, err := b.ReadCloser.Read(p)
	b.flight.received += int64(n)
	b.flight.ended = b.flight.ended || err == io.EOF
	if err != nil && err != io.EOF && b.ctx.Err() == nil {
		b.stats.broken()
		b.flight.result = resultBroken
		if b.stalled.Load() {
			b.flight.result = resultTimeout
		}
	}
	return n, err
}

// statusGone is what is written for a client that is gone, in the manner of other proxies.
const statusGone = 499

// fail answers a request that got no answer from its upstream, in the provider's form where it is
// one to an LLM.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := flightOf(r.Context())
	f.body.endConnection(w.Header())
	var timeout net.Error
	var unsent *preflighthttp.Error
	status := http.StatusBadGateway
	cause, text := causeOf(err)
	f.result = resultFailed
	switch {
	case errors.As(err, &unsent): // a hook, which no configuration has
		status, text = http.StatusInternalServerError, err.Error()
	case f.pace.wasLate():
		f.result, cause = resultLate, ""
		w.Header().Set("Connection", "close")
		status, text = http.StatusRequestTimeout, "the body did not arrive in time"
	case r.Context().Err() != nil:
		f.result, f.status = resultLeft, statusGone
		w.WriteHeader(statusGone)
		return
	case errors.As(err, &timeout) && timeout.Timeout():
		f.result, status = resultTimeout, http.StatusGatewayTimeout
	}
	f.status, f.cause = status, cause
	g.stats.failed(cmp.Or(cause, f.result))
	if f.report == nil {
		writeText(w, status, "preflight serve: "+text+"\n")
		return
	}
	answer := (&preflighthttp.Error{
		Provider: f.report.Provider, Err: errors.New(text), Status: status,
	}).Response(r)
	answer.Header.Set("X-Preflight", f.result)
	answer.Header.Set("X-Preflight-Id", f.report.ID)
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(status)
	_, _ = io.Copy(w, answer.Body) // a client that is gone needs no answer
}

// hostname returns the name in a Host header, without a port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}
