package gateway

import (
	"context"
	"errors"
	"io"
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
)

// This file passes requests to their upstreams, and answers back.

// proxy makes the reverse proxy of a route.
func (g *Gateway) proxy(route *Route) http.Handler {
	transport := g.transport(route)
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
			if transport.Judge(p.Out.Method, p.Out.URL, p.Out.Header).Sanitize {
				flightOf(p.In.Context()).pace.hold()
			}
		},
		Transport:      transport,
		FlushInterval:  -1, // at once: answers are streams
		ModifyResponse: g.answered,
		ErrorHandler:   g.fail,
		ErrorLog:       silent,
	}
}

// forwarded are the headers that httputil takes out of a request. To this gateway they are as any
// others: it adds nothing to them, and believes nothing in them.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// transport makes the transport of a route.
func (g *Gateway) transport(route *Route) *preflighthttp.Transport {
	t := &preflighthttp.Transport{
		Base:     g.base,
		Sanitize: route.Policies,
		MaxBody:  route.MaxBody,
		Budget:   g.budget,
		DryRun:   route.DryRun,
		Report:   g.reported,
	}
	if route.upstream != nil { // at a host that is not known, the path determines the format
		t.Unknown = preflighthttp.RepairUnknown
	}
	if route.upstream != nil && (route.Provider != "" || route.measured != nil) {
		t.Endpoints = []preflighthttp.Endpoint{{
			Host: route.upstream.Host, Provider: route.Provider, Measured: route.measured,
		}}
	}
	if route.Unfixable == "refuse" {
		t.Unfixable = preflighthttp.Refuse
	}
	if g.config.Busy == BusyRefuse {
		t.Busy = preflighthttp.Refuse
	}
	if route.Remedies {
		t.Remedies, t.Learned = preflighthttp.Remedies(), g.learned
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

// answered counts an answer when its first byte is there.
func (g *Gateway) answered(resp *http.Response) error {
	f := flightOf(resp.Request.Context())
	f.body.endConnection(resp.Header)
	if f.refused {
		g.stats.refused()
		return nil
	}
	g.stats.answered(f.route, resp.StatusCode, time.Since(f.start))
	if resp.StatusCode != http.StatusSwitchingProtocols {
		resp.Body = &watched{ReadCloser: resp.Body, ctx: resp.Request.Context(), stats: g.stats}
	}
	return nil
}

// watched is the body of an answer, which counts when the upstream breaks it off.
type watched struct {
	io.ReadCloser
	ctx   context.Context
	stats *stats
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.ctx.Err() == nil {
		b.stats.broken()
	}
	return n, err
}

// statusGone is what is written for a client that is gone, in the manner of other proxies.
const statusGone = 499

// fail answers a request that got no answer from its upstream.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	flightOf(r.Context()).body.endConnection(w.Header())
	var timeout net.Error
	var unsent *preflighthttp.Error
	switch {
	case errors.As(err, &unsent): // a hook, which no configuration has
		writeText(w, http.StatusInternalServerError, "preflight serve: "+err.Error()+"\n")
	case flightOf(r.Context()).pace.wasLate():
		writeLate(w)
	case r.Context().Err() != nil:
		w.WriteHeader(statusGone)
		return
	case errors.As(err, &timeout) && timeout.Timeout():
		writeText(w, http.StatusGatewayTimeout,
			"preflight serve: the upstream did not answer in time\n")
	default:
		writeText(w, http.StatusBadGateway, "preflight serve: the upstream could not be reached\n")
	}
	g.stats.failed()
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
