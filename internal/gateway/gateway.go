// Package gateway is a reverse proxy that repairs the message history of LLM requests on their way.
//
// It passes everything else on as it is: paths with their escapes, headers, and responses byte by
// byte as they come. It keeps no content and no credentials.
package gateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
)

// Gateway is an http.Handler that passes requests on by a Config. It is safe for concurrent use.
type Gateway struct {
	config  Config
	proxies []*httputil.ReverseProxy // one for each route
	base    *http.Transport
	held    budget
	stats   *stats
	ready   func() bool
}

// New makes a gateway. The error is a *ConfigError.
func New(config Config) (*Gateway, error) {
	if err := config.normalize(); err != nil {
		return nil, err
	}
	g := &Gateway{config: config, stats: newStats(), ready: func() bool { return true }}
	g.held.limit = config.MaxHeld
	g.base = http.DefaultTransport.(*http.Transport).Clone()
	g.base.MaxIdleConnsPerHost = 64
	for k := range g.config.Routes {
		g.proxies = append(g.proxies, g.proxy(&g.config.Routes[k]))
	}
	return g, nil
}

// Routes are the gateway's routes, in the order in which they are asked.
func (g *Gateway) Routes() []Route { return append([]Route(nil), g.config.Routes...) }

// SetReady has /readyz ask ready.
func (g *Gateway) SetReady(ready func() bool) { g.ready = ready }

// ServeHTTP passes the request on, or answers requests to the gateway itself.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		g.servePage(w, r)
		return
	case "/healthz":
		writeText(w, http.StatusOK, "ok\n")
		return
	case "/readyz":
		if g.ready() {
			writeText(w, http.StatusOK, "ready\n")
		} else {
			writeText(w, http.StatusServiceUnavailable, "draining\n")
		}
		return
	case "/metrics":
		g.stats.serveMetrics(w)
		return
	}
	for k := range g.config.Routes {
		if prefix := g.config.Routes[k].Prefix; below(r.URL.EscapedPath(), prefix) {
			g.pass(w, r, k)
			return
		}
	}
	writeText(w, http.StatusNotFound, "preflight serve: no route for this path\n")
}

// below reports whether a path is a prefix, or begins with it and a slash.
func below(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// pass sends a request to the upstream of route k.
func (g *Gateway) pass(w http.ResponseWriter, r *http.Request, k int) {
	size := r.ContentLength
	if size < 0 || size > g.config.MaxBody {
		size = g.config.MaxBody // as much as is ever held of one body
	}
	f := &flight{route: &g.config.Routes[k], start: time.Now()}
	if !g.held.take(size) {
		g.stats.busy()
		if g.config.Busy == BusyRefuse {
			w.Header().Set("Retry-After", "1")
			writeText(w, http.StatusServiceUnavailable,
				"preflight serve: too many bodies are held; try again\n")
			return
		}
		f.untouched = true
		size = 0
	}
	f.release = sync.OnceFunc(func() { g.held.give(size) })
	defer f.release()
	_ = http.NewResponseController(w).EnableFullDuplex() // HTTP/2 has it anyway
	g.proxies[k].ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), flightKey{}, f)))
}

// flight is what is known of one request while it is passed on.
type flight struct {
	route     *Route
	start     time.Time
	untouched bool
	release   func()
}

type flightKey struct{}

func flightOf(ctx context.Context) *flight {
	f, _ := ctx.Value(flightKey{}).(*flight)
	return f
}

// proxy makes the reverse proxy of a route.
func (g *Gateway) proxy(route *Route) *httputil.ReverseProxy {
	transport := &preflighthttp.Transport{
		Base:     g.base,
		Sanitize: route.Policies,
		MaxBody:  g.config.MaxBody,
		DryRun:   route.DryRun,
		Report:   g.report,
	}
	if route.Provider != "" {
		transport.Endpoints = []preflighthttp.Endpoint{
			{Host: route.upstream.Host, Provider: route.Provider},
		}
	}
	if route.Unfixable == "refuse" {
		transport.Unfixable = preflighthttp.Fail
	}
	if route.Remedies {
		transport.Remedies = preflighthttp.Remedies()
	}
	return &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Path = strings.TrimPrefix(p.In.URL.Path, route.Prefix)
			p.Out.URL.RawPath = strings.TrimPrefix(p.In.URL.RawPath, route.Prefix)
			p.Out.URL.RawQuery = p.In.URL.RawQuery // as it came
			p.SetURL(route.upstream)
			if route.Remedies {
				p.Out.Header.Del("Accept-Encoding") // a refusal has to be read
			}
		},
		Transport:     passing{transport, g.base},
		FlushInterval: -1, // at once: answers are streams
		ModifyResponse: func(resp *http.Response) error {
			if f := flightOf(resp.Request.Context()); f != nil {
				f.release()
				g.stats.answered(f.route.Prefix, resp.StatusCode, time.Since(f.start))
			}
			return nil
		},
		ErrorHandler: g.fail,
	}
}

// passing sends requests that are to stay untouched by the bare transport.
type passing struct {
	repairing, bare http.RoundTripper
}

func (p passing) RoundTrip(req *http.Request) (*http.Response, error) {
	if f := flightOf(req.Context()); f != nil && f.untouched {
		return p.bare.RoundTrip(req)
	}
	return p.repairing.RoundTrip(req)
}

// report counts a report and keeps it for the page.
func (g *Gateway) report(ctx context.Context, r *preflighthttp.Report) {
	prefix := ""
	if f := flightOf(ctx); f != nil {
		prefix = f.route.Prefix
	}
	g.stats.reported(prefix, r)
}

// fail answers a request that got no answer from its upstream.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	var refused *preflighthttp.Error
	switch {
	case errors.As(err, &refused):
		writeRefusal(w, refused)
	case errors.Is(err, context.Canceled):
		w.WriteHeader(499) // the client is gone
	case isTimeout(err):
		writeText(w, http.StatusGatewayTimeout,
			"preflight serve: the upstream did not answer in time\n")
	default:
		writeText(w, http.StatusBadGateway, "preflight serve: the upstream could not be reached\n")
	}
	g.stats.failed()
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // a client that is gone needs no answer
}

// budget is a number of bytes that requests share.
type budget struct {
	mu    sync.Mutex
	limit int64
	used  int64
}

// take takes n bytes, and reports whether there were as many.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.limit {
		return false
	}
	b.used += n
	return true
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}
