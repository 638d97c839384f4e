package gateway

import (
	"net/http"
	"net/url"
	"strings"
)

// This file refuses requests that their sender should not be able to make: for a path outside the
// upstream's, or from a web page of another site.

// guard returns why a request is refused, "" for one that is not.
func (g *Gateway) guard(r *http.Request) string {
	switch {
	case g.Local && !g.isLocalName(r.Host):
		return "this name of the host is not known; \"hosts\" in the configuration can name it"
	case climbs(r.URL.EscapedPath()):
		return "the path has a segment \"..\""
	case !g.isOwnSite(r):
		return "web pages of this origin may not send requests; \"origins\" in the configuration " +
			"can name it"
	}
	return ""
}

// mostEscapes is how often a path may be escaped for climbs to look into it: a server behind the
// upstream may decode it again.
const mostEscapes = 4

// climbs reports whether a path has a segment "..", in whatever spelling: escaped, escaped again,
// with parameters, or between backslashes. With it a client could leave the path of the upstream.
func climbs(path string) bool {
	for range mostEscapes {
		for _, segment := range strings.FieldsFunc(path, func(c rune) bool {
			return c == '/' || c == '\\'
		}) {
			if segment, _, _ = strings.Cut(segment, ";"); segment == ".." {
				return true
			}
		}
		decoded, err := url.PathUnescape(path)
		if err != nil || decoded == path {
			return false
		}
		path = decoded
	}
	return true // no client escapes so often
}

// isOwnSite reports whether no browser sent the request for a page of another site. Pages of this
// machine are no others for a gateway that was called by a name of this machine, nor are those of
// the configured origins. Requests that change nothing are not asked.
func (g *Gateway) isOwnSite(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return r.Header.Get("Sec-Fetch-Site") != "cross-site"
	}
	for _, origin := range origins {
		if !g.isOwnOrigin(origin, r.Host) {
			return false
		}
	}
	return true
}

func (g *Gateway) isOwnOrigin(origin, host string) bool {
	for _, known := range g.state.Load().config.Origins {
		if known == "*" || strings.EqualFold(known, origin) {
			return true
		}
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false
	}
	name := hostname(u.Host)
	return name == hostname(host) || isLoopback(name) && isLoopback(hostname(host))
}

// isLoopback reports whether a name is that of this machine for itself.
func isLoopback(name string) bool {
	switch name {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return strings.HasSuffix(name, ".localhost")
}

// isOrigin reports whether a text can be an origin, or is "*".
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return text == "*" || err == nil && u.Scheme != "" && u.Host != "" &&
		text == u.Scheme+"://"+u.Host
}
