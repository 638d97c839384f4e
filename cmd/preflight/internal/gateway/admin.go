package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
)

// This file says who sees the page, the metrics and the samples.

// pages are what only those see who run the gateway.
var pages = map[string]func(*Gateway, http.ResponseWriter, *http.Request){
	"/":        (*Gateway).servePage,
	"/metrics": (*Gateway).serveMetrics,
	"/samples": (*Gateway).serveSamples,
}

// serveOwnPage serves the pages on the listener of requests, unless they have one of their own, or
// others reach it and there is no token.
func (g *Gateway) serveOwnPage(w http.ResponseWriter, r *http.Request) {
	admin := g.state.Load().config.Admin
	switch {
	case admin.Listen != "":
		writeText(w, http.StatusNotFound, "preflight serve: this is on the listener of \"admin\"\n")
	case g.Public && admin.Token == "":
		writeText(w, http.StatusForbidden, "preflight serve: others reach this address, so the page "+
			"and the metrics need \"admin\" in the configuration: a listener or a token\n")
	default:
		g.serveAdmin(w, r)
	}
}

// Admin returns the handler for the listener of Config.Admin: the page, the metrics and the
// samples, and whether the gateway runs and is ready.
func (g *Gateway) Admin() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz":
			g.serveHealth(w, r)
		case "/readyz":
			g.serveReady(w, r)
		default:
			g.serveAdmin(w, r)
		}
	})
}

func (g *Gateway) serveAdmin(w http.ResponseWriter, r *http.Request) {
	if !g.mayLook(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="preflight", charset="UTF-8"`)
		writeText(w, http.StatusUnauthorized, "preflight serve: the token of \"admin\" is needed\n")
		return
	}
	serve, ok := pages[r.URL.Path]
	if !ok {
		writeText(w, http.StatusNotFound, "preflight serve: there is no such page\n")
		return
	}
	serve(g, w, r)
}

// mayLook reports whether a request has the token, or needs none.
func (g *Gateway) mayLook(r *http.Request) bool {
	token := g.state.Load().config.Admin.Token
	if token == "" {
		return true
	}
	_, given, ok := r.BasicAuth()
	if !ok {
		given, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(given))
	return ok && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// lendsKeys returns the error of a configuration with keys on an address that others reach.
func (g *Gateway) lendsKeys(config *Config) error {
	if !g.Public || config.ShareKeys || !config.lendsKeys() {
		return nil
	}
	for _, r := range config.Routes {
		if len(r.Headers) > 0 {
			return &ConfigError{Msg: "route " + r.Prefix + " sets headers, and others reach this " +
				"address: they would send requests with its keys; \"share_keys\": true allows it"}
		}
	}
	return nil
}

// lendsKeys reports whether requests are sent with keys of the gateway.
func (c *Config) lendsKeys() bool {
	return slices.ContainsFunc(c.Routes, func(r Route) bool { return len(r.Headers) > 0 })
}

// CheckPublic returns the error of a gateway that is not to be public, nil for one that may be,
// which follows Public from then on.
func (g *Gateway) CheckPublic() error {
	if !g.Public {
		return nil
	}
	return g.Reload(g.Config())
}
