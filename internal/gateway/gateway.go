// Package gateway is a reverse proxy that repairs the message history of LLM requests on their way.
//
// It passes everything else on as it is: paths with their escapes, headers, and responses byte by
// byte as they come. It keeps no content and no credentials.
package gateway

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
)

// Gateway is an http.Handler that passes requests on by a Config. It is safe for concurrent use.
type Gateway struct {
	// Ready is asked by /readyz; nil means always ready. Set it before the first request.
	Ready func() bool
	// Local says that the gateway listens on a loopback address: requests for a host of another
	// name are refused then, so that no web page can reach it by a name that it lets point there.
	Local bool
	// Report, unless nil, is told what the page is told.
	Report func(ctx context.Context, r *preflighthttp.Report)

	config  Config
	proxies []http.Handler // one for each route
	webhook *preflighthttp.Transport
	base    *http.Transport
	budget  *preflighthttp.Budget
	learned *preflighthttp.Learned // nil where learning is off
	stats   *stats
}

// New makes a gateway. The error is a *ConfigError.
func New(config Config) (*Gateway, error) {
	if f := config.check(); f != nil {
		return nil, &ConfigError{Msg: f.msg}
	}
	g := &Gateway{
		config: config, stats: newStats(), budget: preflighthttp.NewBudget(config.MaxHeld),
	}
	switch config.Learned {
	case "off":
	case "":
		g.learned = new(preflighthttp.Learned)
	default:
		learned, err := preflighthttp.OpenLearned(config.Learned)
		if err != nil {
			return nil, &ConfigError{Msg: "learned: " + err.Error()}
		}
		g.learned = learned
	}
	g.base = http.DefaultTransport.(*http.Transport).Clone()
	g.base.MaxIdleConns, g.base.MaxIdleConnsPerHost = 0, 512
	g.base.DisableCompression = true // answers pass as the upstream encoded them
	for k := range g.config.Routes {
		g.proxies = append(g.proxies, g.proxy(&g.config.Routes[k]))
	}
	g.webhook = g.transport(&Route{Policies: config.Webhook, MaxBody: config.MaxBody})
	return g, nil
}

// Routes are the gateway's routes, in the order in which they are asked.
func (g *Gateway) Routes() []Route { return append([]Route(nil), g.config.Routes...) }

// own are the paths that the gateway answers itself.
var own = map[string]func(*Gateway, http.ResponseWriter, *http.Request){
	"/":         (*Gateway).servePage,
	"/healthz":  (*Gateway).serveHealth,
	"/readyz":   (*Gateway).serveReady,
	"/metrics":  (*Gateway).serveMetrics,
	portkeyPath: (*Gateway).servePortkey,
}

// isOwn reports whether a prefix has one of the gateway's own paths below it.
func isOwn(prefix string) bool {
	for path := range own {
		if path != "/" && below(path, prefix) {
			return true
		}
	}
	return false
}

// ServeHTTP passes the request on, or answers requests to the gateway itself.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if why := g.guard(r); why != "" {
		writeText(w, http.StatusForbidden, "preflight serve: "+why+"\n")
		return
	}
	if r.Method == http.MethodConnect {
		writeText(w, http.StatusMethodNotAllowed, "preflight serve: this is not a forward proxy\n")
		return
	}
	if serve, ok := own[r.URL.Path]; ok {
		serve(g, w, r)
		return
	}
	for k := range g.config.Routes {
		if below(r.URL.EscapedPath(), g.config.Routes[k].Prefix) {
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
	f := &flight{route: g.config.Routes[k].Prefix, start: time.Now()}
	g.stats.begin()
	defer g.stats.end()
	in := r.WithContext(fewHints(context.WithValue(r.Context(), flightKey{}, f)))
	if r.ContentLength != 0 {
		f.pace = pace(w, r)
		in.Body = f.pace
	}
	if r.ProtoMajor == 1 && r.ContentLength != 0 {
		f.body = streamed(w, in)
		in.Body = f.body
	}
	g.proxies[k].ServeHTTP(w, in)
}

// flight is what is known of one request while it is passed on. It is for one goroutine.
type flight struct {
	route   string
	start   time.Time
	refused bool    // answered without the upstream
	body    *duplex // nil for a request that has none, or comes with HTTP/2
	pace    *paced  // nil for a request that has none
}

type flightKey struct{}

// flightOf returns the flight of a request's context.
func flightOf(ctx context.Context) *flight {
	f, ok := ctx.Value(flightKey{}).(*flight)
	if !ok {
		return new(flight)
	}
	return f
}

// reported counts a report and keeps it for the page.
func (g *Gateway) reported(ctx context.Context, r *preflighthttp.Report) {
	f := flightOf(ctx)
	f.refused = f.refused || r.Err != nil && r.Skipped == "" && r.SentBytes == 0
	g.stats.reported(f.route, r)
	if g.Report != nil {
		g.Report(ctx, r)
	}
}

func (g *Gateway) serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeText(w, http.StatusOK, "ok\n")
}

func (g *Gateway) serveReady(w http.ResponseWriter, _ *http.Request) {
	if g.Ready == nil || g.Ready() {
		writeText(w, http.StatusOK, "ready\n")
		return
	}
	writeText(w, http.StatusServiceUnavailable, "draining\n")
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // a client that is gone needs no answer
}

// silent is a log for servers and proxies whose errors are counted.
var silent = log.New(io.Discard, "", 0)

// isLocalName reports whether the host of a request is an address, or a name that no web page can
// have: they are names of this machine, or end in a domain that is never public.
func (g *Gateway) isLocalName(host string) bool {
	name := hostname(host)
	if name == "" || isAddress(name) || name == "localhost" {
		return true
	}
	for _, suffix := range []string{".localhost", ".local", ".internal"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	for _, known := range g.config.Hosts {
		if hostname(known) == name {
			return true
		}
	}
	machine, err := os.Hostname()
	return err == nil && strings.EqualFold(machine, name)
}
