package preflighthttp

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file classifies requests: whether one is for an LLM, in whose format, and for which model.

// Endpoint says which requests go to which provider. The zero Endpoint matches every host, at the
// known paths.
type Endpoint struct {
	// Host is the host, with its port where the URL names one: "api.openai.com", "localhost:8080".
	// A host without a port matches all ports, * for any characters ("*.openai.azure.com"), and ""
	// for any host.
	Host string
	// Path is how the path ends, in whole segments: "/v1/messages" is the end of
	// "/proxy/v1/messages". {model} is the part that names the model. "" matches every known path:
	// enough for a known API at another address.
	Path string
	// Provider is one of wire.Providers or wire.Vendors, or [Skip], which leaves the requests
	// alone. Without a Path, the path of a request determines its format, and Provider the dialect:
	// "" is the one by which the host is known, or else the format itself. A request in another
	// format than the dialect's follows the rules of its format. With a Path, Provider determines
	// the format too; "" detects it from the body.
	Provider string
	// Measured, if not nil, is the measured profile of the host, for requests in its format.
	// Without a Provider it names that, too.
	Measured *provider.Measured
	// Options, if not nil, replaces Transport.Options for these requests.
	Options *preflight.Options
}

// Skip as the Provider of an Endpoint leaves its requests alone.
const Skip = "-"

// target says what a request is for, and how it is repaired.
type target struct {
	provider        string // "" to detect it
	model           string // as the path names it
	options         *preflight.Options
	measured        *provider.Measured
	unknownProvider string // the Provider of the endpoint, if it is unknown
}

// maxRedirects limits how far back a redirected request is traced; http.Client stops at 10.
const maxRedirects = 10

// match finds the endpoint of a request. A redirected request whose own URL matches none has that
// of the request before it.
func (t *Transport) match(req *http.Request) (target, bool) {
	for range maxRedirects {
		if to, ok := t.matchURL(req.URL); ok {
			return to, to.provider != Skip
		}
		if req.Response == nil || req.Response.Request == nil {
			break
		}
		req = req.Response.Request
	}
	return target{}, false
}

// looksKnown reports whether a request to an unknown host has a path that LLM requests have.
func (t *Transport) looksKnown(req *http.Request) (target, bool) {
	for r := req; r != nil && r.URL != nil; {
		if _, known := t.matchURL(r.URL); known {
			return target{}, false // the endpoint says that it is left alone
		}
		if r.Response == nil {
			break
		}
		r = r.Response.Request
	}
	return knownPath(segments(req.URL.EscapedPath()))
}

// matchURL asks the caller's endpoints, then the known ones; the first that fits counts.
func (t *Transport) matchURL(u *url.URL) (target, bool) {
	if u == nil {
		return target{}, false
	}
	host, name := unrooted(u.Host), strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	path := segments(u.EscapedPath())
	own, found := matchIn(t.Endpoints, host, name, path)
	if found && (own.Provider != "" || own.Path != "") {
		return own.target, true
	}
	known, isKnown := matchIn(endpoints, host, name, path)
	if !found || !isKnown {
		return cmp.Or(own.target, known.target), found || isKnown
	}
	known.target.options, known.target.measured = own.Options, own.Measured
	return known.target, true
}

// unrooted returns a host in lower case and without a dot at the end of its name: to the Domain
// Name System it is the same one.
func unrooted(host string) string {
	host = strings.ToLower(host)
	if k := strings.LastIndex(host, ".:"); k >= 0 {
		return host[:k] + host[k+1:]
	}
	return strings.TrimSuffix(host, ".")
}

// matched is an endpoint, and what a request to it is.
type matched struct {
	Endpoint
	target target
}

// matchIn finds the first endpoint of a list that a request fits.
func matchIn(list []Endpoint, host, name string, path []string) (matched, bool) {
	for _, e := range list {
		if e.Provider == "" && e.Measured != nil {
			e.Provider = e.Measured.Provider
		}
		own := unrooted(e.Host)
		bare := strings.Trim(own, "[]") // [::1], to which name has no brackets
		if e.Host != "" && !glob.Match(own, host) && !glob.Match(bare, name) {
			continue
		}
		if to, ok := e.match(path); ok {
			to.options, to.measured = e.Options, e.Measured
			return matched{e, to}, true
		}
	}
	return matched{}, false
}

// match returns the target of a request to the endpoint's host with this path.
func (e Endpoint) match(path []string) (to target, ok bool) {
	if e.Path != "" {
		to.provider = e.Provider
		to.model, ok = matchPath(segments(e.Path), path)
	} else {
		to, ok = knownPath(path)
		to = to.at(e)
	}
	if !names()[e.Provider] {
		to.unknownProvider = e.Provider
	}
	return to, ok
}

// names are what Endpoint.Provider can be.
var names = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{"": true, Skip: true}
	for _, name := range slices.Concat(wire.Providers(), wire.Vendors()) {
		all[name] = true
	}
	return all
})

// at returns the target with the endpoint's dialect of the path's format.
func (to target) at(e Endpoint) target {
	dialect, ok := wire.Dialect(e.Provider, to.provider)
	switch {
	case ok:
		to.provider = dialect
	case e.Provider == Skip, to.provider == chatFormat && speaksChat(e.Provider):
		to.provider = e.Provider
	}
	return to
}

// speaksChat reports whether a provider's requests go to the path of OpenAI's Chat format.
func speaksChat(provider string) bool {
	if _, ok := wire.Dialect(provider, chatFormat); ok {
		return true
	}
	for _, p := range paths {
		if p.provider == provider && p.shared {
			return true
		}
	}
	return false
}

// knownPath returns the target that a path alone shows.
func knownPath(path []string) (target, bool) {
	for _, p := range paths {
		if model, ok := matchPath(segments(p.path), path); ok && strings.Contains(model, p.model) {
			return target{provider: p.provider, model: model}, true
		}
	}
	return target{}, false
}

// segments returns the parts of a path, unescaped one by one, so that an escaped slash in a model's
// name is no separator. Empty ones, which servers ignore, are not among them.
func segments(escaped string) []string {
	parts := slices.DeleteFunc(strings.Split(escaped, "/"), func(s string) bool { return s == "" })
	for k, s := range parts {
		if plain, err := url.PathUnescape(s); err == nil {
			parts[k] = plain
		}
	}
	return parts
}

// matchPath reports whether path ends in pattern, and the value of {model}.
func matchPath(pattern, path []string) (model string, ok bool) {
	if len(pattern) > len(path) {
		return "", false
	}
	path = path[len(path)-len(pattern):]
	for k, want := range pattern {
		before, after, captures := strings.Cut(want, "{model}")
		if !captures {
			if want != path[k] {
				return "", false
			}
			continue
		}
		got, fits := strings.CutPrefix(path[k], before)
		if fits {
			got, fits = strings.CutSuffix(got, after)
		}
		if !fits || got == "" {
			return "", false
		}
		model = got
	}
	return model, true
}
