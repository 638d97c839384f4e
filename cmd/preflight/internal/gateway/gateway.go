// Package gateway is a reverse proxy that repairs the message history of LLM requests on their way.
//
// It passes everything else on as it is: paths with their escapes, headers, and responses byte by
// byte as they come. It keeps no content and no credentials.
package gateway

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// Gateway is an http.Handler that passes requests on by a Config. It is safe for concurrent use.
// Its fields are set before the first request.
type Gateway struct {
	// Ready is asked by /readyz; nil means always ready.
	Ready func() bool
	// Local says that the gateway listens on a loopback address: requests for a host of another
	// name are refused then, so that no web page can reach it by a name that it lets point there.
	Local bool
	// Public says that others than this machine reach the gateway: the page, the metrics and the
	// samples are then served for Config.Admin.Token alone, or by Admin.
	Public bool
	// Warn, unless nil, gets what is wrong and no reason not to serve, without content.
	Warn func(text string)
	// Log, unless nil, gets a line about each request, without content.
	Log *slog.Logger
	// Version is that of the program, for the metrics.
	Version string
	// LogQueue, unless nil, is what Log writes to, for the metrics.
	LogQueue *LogQueue

	state  atomic.Pointer[state]
	unkept atomic.Bool // it was told that lessons are not kept
	stats  *stats
	// ctx ends when connections that were upgraded are cut.
	ctx context.Context
	cut context.CancelFunc
}

// state is what follows from a configuration. A request keeps the one that it began with.
type state struct {
	config  Config
	proxies []http.Handler // one for each route
	dry     []http.Handler // the same, for dry runs
	webhook *preflighthttp.Transport
	bases   []*http.Transport
	budget  *preflighthttp.Budget
	learned *remedy.Learned // nil where learning is off
	digest  string          // of the configuration

	refusals *refusals // nil where none are kept
}

// New makes a gateway. The error is a *ConfigError.
func New(config Config) (*Gateway, error) {
	g := &Gateway{stats: newStats()}
	g.ctx, g.cut = context.WithCancel(context.Background())
	if err := g.Reload(config); err != nil {
		return nil, err
	}
	return g, nil
}

// Reload takes another configuration for the requests from now on. After an error, which is a
// *ConfigError, the gateway goes on as before. The address of Config.Admin stays the one that it
// was started with.
func (g *Gateway) Reload(config Config) error {
	if f := config.check(); f != nil {
		return &ConfigError{Msg: f.msg}
	}
	if err := g.lendsKeys(&config); err != nil {
		return err
	}
	was := g.state.Load()
	s := &state{config: config, budget: preflighthttp.NewBudget(config.MaxHeld)}
	s.learned, s.digest = g.lessons(was, &config), digestOf(&config)
	if config.Refusals != "" {
		s.refusals = &refusals{folder: config.Refusals, warn: g.warn}
	}
	if was != nil && was.config.MaxHeld == config.MaxHeld {
		s.budget = was.budget
	}
	s.budget.LimitTenants(config.MaxHeldClient)
	for k := range s.config.Routes {
		s.proxies = append(s.proxies, g.proxy(s, &s.config.Routes[k], false))
		s.dry = append(s.dry, g.proxy(s, &s.config.Routes[k], true))
	}
	s.webhook = g.transport(s, &Route{Options: config.Webhook, MaxBody: config.MaxBody})
	g.state.Store(s)
	if was != nil {
		for _, base := range was.bases {
			base.CloseIdleConnections()
		}
	}
	return nil
}

// CountReload counts that a configuration was read again, for the metrics; err is why it was not
// taken.
func (g *Gateway) CountReload(err error) { g.stats.reloaded(err) }

// lessons returns what was learned, kept where a configuration says so; nil where learning is off.
// A file that cannot be read is no reason not to serve: it is told in the log and the metrics.
func (g *Gateway) lessons(was *state, config *Config) *remedy.Learned {
	switch {
	case was != nil && was.learned != nil && was.config.Learned == config.Learned &&
		was.config.LearnedShared == config.LearnedShared && (config.Learned != "" || !g.Public):
		return was.learned
	case config.Learned == "off", config.Learned == "" && g.Public:
		return nil
	case config.Learned == "":
		return &remedy.Learned{AcrossCredentials: config.LearnedShared}
	}
	learned, err := remedy.Open(config.Learned)
	if err != nil {
		g.unkept.Store(true)
		g.warn("what was learned is not kept: " + err.Error())
	}
	learned.AcrossCredentials = config.LearnedShared
	return learned
}

// warn calls Warn.
func (g *Gateway) warn(text string) {
	if g.Warn != nil {
		g.Warn(text)
	}
}

// LearnedErr returns why the file of Config.Learned could not be read or written, nil if it could.
func (g *Gateway) LearnedErr() error { return g.state.Load().learned.Err() }

// tellUnkept tells once that the file of lessons can be written no more.
func (g *Gateway) tellUnkept() {
	err := g.LearnedErr()
	if was := g.unkept.Swap(err != nil); err != nil && !was {
		g.warn("what was learned is not kept: " + err.Error())
	}
}

// Config returns the configuration in use, with its defaults.
func (g *Gateway) Config() Config { return g.state.Load().config }

// Routes returns the gateway's routes, in the order in which they are asked.
func (g *Gateway) Routes() []Route { return append([]Route(nil), g.state.Load().config.Routes...) }

// Drained waits until no request is under way, upgraded connections included, and refused ones are
// written, or ctx ends.
func (g *Gateway) Drained(ctx context.Context) error {
	under := func() bool { return g.stats.open() > 0 || g.state.Load().refusals.writes() }
	for wait := time.Millisecond; under(); wait = min(2*wait, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
	return nil
}

// Cut ends the connections that were upgraded, which http.Server.Close leaves open.
func (g *Gateway) Cut() { g.cut() }

// own are the paths that the gateway answers itself.
var own = map[string]func(*Gateway, http.ResponseWriter, *http.Request){
	"/":         (*Gateway).serveOwnPage,
	"/healthz":  (*Gateway).serveHealth,
	"/readyz":   (*Gateway).serveReady,
	"/metrics":  (*Gateway).serveOwnPage,
	"/samples":  (*Gateway).serveOwnPage,
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
	if cause, text := g.guard(r); cause != "" {
		g.turnAway(w, r, cause, http.StatusForbidden, text)
		return
	}
	if r.Method == http.MethodConnect {
		g.turnAway(w, r, "connect", http.StatusMethodNotAllowed, "this is not a forward proxy")
		return
	}
	if serve, ok := own[r.URL.Path]; ok {
		serve(g, w, r)
		return
	}
	now := g.state.Load()
	for k := range now.config.Routes {
		if below(r.URL.EscapedPath(), now.config.Routes[k].Prefix) {
			if !letRead(w, r) {
				g.pass(w, r, now, k)
			}
			return
		}
	}
	g.turnAway(w, r, "no-route", http.StatusNotFound, "no route for this path")
}

// below reports whether a path is a prefix, or begins with it and a slash.
func below(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// pass sends a request to the upstream of route k.
func (g *Gateway) pass(w http.ResponseWriter, r *http.Request, now *state, k int) {
	f := &flight{
		route: now.config.Routes[k].Prefix, to: &now.config.Routes[k],
		start: time.Now(), method: r.Method,
		page: r.Header.Get("Origin") != "", config: now.digest,
		client: nameOf(r.Header.Get(now.config.ClientHeader)),
	}
	g.stats.begin(f)
	defer g.landedOn(r, f, func() { g.sample(f, now, &now.config.Routes[k]) })
	ctx, cancel := context.WithCancel(context.WithValue(r.Context(), flightKey{}, f))
	defer cancel()
	if r.Header.Get("Upgrade") != "" {
		defer context.AfterFunc(g.ctx, cancel)()
	}
	tenant := tenantOf(r, now)
	f.dry = now.config.Routes[k].DryRun.covers(tenant)
	in := r.WithContext(fewHints(preflighthttp.WithTenant(ctx, tenant)))
	if r.ContentLength != 0 {
		f.pace = pace(w, r)
		in.Body = f.pace
	}
	if r.ProtoMajor == 1 && r.ContentLength != 0 {
		f.body = streamed(w, in)
		in.Body = f.body
	}
	in = g.sampled(f, in, now)
	if f.dry {
		now.dry[k].ServeHTTP(w, in)
		return
	}
	now.proxies[k].ServeHTTP(w, in)
}

// tenantOf returns who sent a request, before the route's keys replace its own.
func tenantOf(r *http.Request, now *state) string {
	var who []string
	for _, name := range []string{
		"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", now.config.ClientHeader,
	} {
		if name != "" {
			who = append(who, strings.Join(r.Header.Values(name), ","))
		}
	}
	return strings.Join(who, "\x00")
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
	for _, known := range g.state.Load().config.Hosts {
		if hostname(known) == name {
			return true
		}
	}
	machine, err := os.Hostname()
	return err == nil && strings.EqualFold(machine, name)
}
