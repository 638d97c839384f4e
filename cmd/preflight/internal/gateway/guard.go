package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-preflight/preflight/internal/shorten"
)

// This file refuses requests that their sender should not be able to make: for a path outside the
// upstream's, or from a web page of another site.

// guard returns why a request is refused, in a word and for the client, "" for one that is not.
func (g *Gateway) guard(r *http.Request) (cause, text string) {
	switch {
	case g.Local && !g.isLocalName(r.Host):
		return "host", "this name of the host is not known; \"hosts\" in the configuration can name it"
	case climbs(r.URL.EscapedPath()):
		return "path", "the path has a segment \"..\""
	case !g.isOwnSite(r):
		return "origin", "web pages of this origin may not send requests; \"origins\" in the " +
			"configuration can name it"
	}
	return "", ""
}

// maxPrefix is how long the first segment of a path may be to be logged.
const maxPrefix = 24

// turnAway answers a request that is passed to no upstream, and accounts for it: whoever misses an
// answer finds it in the log.
func (g *Gateway) turnAway(w http.ResponseWriter, r *http.Request, cause string, status int,
	text string,
) {
	now := g.state.Load()
	f := &flight{
		start: time.Now(), method: r.Method, refused: true, cause: cause, status: status,
		config: now.digest, client: nameOf(r.Header.Get(now.config.ClientHeader)),
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	if len(first) <= maxPrefix { // a longer one may be a key
		f.prefix = shorten.Path("/" + first)
	}
	g.stats.begin(f)
	defer g.landed(r, f)
	g.stats.refused(cause)
	writeText(w, status, "preflight serve: "+text+"\n")
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
// the configured origins. Every request with an origin is judged by it: an upgrade to a WebSocket
// is a GET, and so is what an EventSource asks for. Pictures and frames have none. A browser says
// for them what kind of site it is, but not to an address like http://gate.example or
// http://10.0.0.1: there, no request of a browser without an origin is sent with the gateway's
// keys. Links of all sites to the gateway's own pages are followed.
func (g *Gateway) isOwnSite(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		_, isPage := own[r.URL.Path]
		isPage = isPage && (r.Method == http.MethodGet || r.Method == http.MethodHead)
		switch r.Header.Get("Sec-Fetch-Site") {
		case "cross-site":
			return isPage
		case "same-site": // another port, or another name of one domain
			return isPage || isLoopback(hostname(r.Host))
		case "same-origin":
			return isPage || g.isOwnHost(r.Host)
		case "none": // typed, or a bookmark
			return true
		}
		isBrowser := strings.HasPrefix(r.UserAgent(), "Mozilla/") // as all browsers are called
		return isPage || !isBrowser || !g.state.Load().config.lendsKeys()
	}
	for _, origin := range origins {
		if !g.isOwnOrigin(origin, r.Host) {
			return false
		}
	}
	return true
}

func (g *Gateway) isOwnOrigin(origin, host string) bool {
	now := g.state.Load()
	for _, known := range now.config.Origins {
		if known == "*" || strings.EqualFold(known, origin) {
			return true
		}
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false
	}
	name := hostname(u.Host)
	if name == hostname(host) {
		return g.isOwnHost(host)
	}
	return isLoopback(name) && isLoopback(hostname(host))
}

// isOwnHost reports whether pages of the host that a request was sent to are the gateway's own: any
// name can be pointed at the gateway, and its keys.
func (g *Gateway) isOwnHost(host string) bool {
	return !g.state.Load().config.lendsKeys() || g.isLocalName(host)
}

// allowed are the headers by which a browser lets a page read an answer.
const allowed = "Access-Control-Allow-"

// letRead answers for the upstream that the page of an origin, which the guard let pass, may read
// the answer: the upstream does not learn the origin. It reports whether that was all that was
// asked.
func letRead(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	w.Header().Set(allowed+"Origin", origin)
	w.Header().Add("Vary", "Origin")
	w.Header().Set("Access-Control-Expose-Headers", "*")
	method := r.Header.Get("Access-Control-Request-Method")
	if r.Method != http.MethodOptions || method == "" {
		return false
	}
	w.Header().Set(allowed+"Methods", method)
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		w.Header().Set(allowed+"Headers", headers)
	}
	if r.Header.Get("Access-Control-Request-Private-Network") != "" {
		w.Header().Set(allowed+"Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}

// dropAccess takes what an upstream says about the pages that may read its answer out of it: w has
// the gateway's own word.
func dropAccess(header http.Header) {
	for name := range header {
		if strings.HasPrefix(name, "Access-Control-") {
			header.Del(name)
		}
	}
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
