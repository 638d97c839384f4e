package gateway

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file says what can be configured, and which configurations are right.

// Config is what a gateway serves. The zero value has the default routes.
type Config struct {
	// Routes are asked in order of the length of their prefix, the longest first. Default:
	// DefaultRoutes.
	Routes []Route `json:"routes,omitempty"`
	// MaxBody is how large a body may be, in bytes, to be looked at; larger ones pass untouched.
	// Default: preflighthttp.DefaultMaxBody.
	MaxBody int64 `json:"max_body,omitempty"`
	// MaxHeld is how many bytes of bodies may be in memory at once. Default: DefaultMaxHeld.
	MaxHeld int64 `json:"max_held,omitempty"`
	// MaxHeldClient is how many of them one client may hold, as its credentials and ClientHeader
	// name it, so that it cannot keep all others out. Default: MaxHeld.
	MaxHeldClient int64 `json:"max_held_client,omitempty"`
	// Busy says what becomes of requests beyond MaxHeld: BusyRefuse (default) or BusyPass.
	Busy string `json:"busy,omitempty"`
	// Hosts are names by which a gateway on a loopback address may be called, beside addresses and
	// names that are always local. They keep web pages from reaching it under a name of their own.
	Hosts []string `json:"hosts,omitempty"`
	// Origins are the origins whose web pages may send requests, "https://app.example", beside
	// those of the gateway's own host and, on a loopback address, of this machine. "*" is any. By
	// default a page of another site cannot use the keys that the gateway's users have.
	Origins []string `json:"origins,omitempty"`
	// Learned is a file that keeps what refusals taught across restarts; "off" turns learning off.
	// Default: it is kept in memory, and off where others than this machine reach the gateway.
	Learned string `json:"learned,omitempty"`
	// LearnedShared lets what one client's refusal taught hold for clients with other credentials.
	LearnedShared bool `json:"learned_shared,omitempty"`
	// ClientHeader is the header of a request that names the client, for the log and the metrics.
	ClientHeader string `json:"client_header,omitempty"`
	// Admin says who sees the page, the metrics and the samples.
	Admin Admin `json:"admin,omitzero"`
	// Samples is how many requests that were repaired or refused are kept for /samples, at most
	// MaxSamples, with other letters and digits in place of all that somebody chose. Default: none.
	Samples int `json:"samples,omitempty"`
	// Refusals is a folder that keeps the last 100 requests that an upstream refused for their
	// history, or for a reason that is not known, without credentials. Default: none are kept.
	Refusals string `json:"refusals,omitempty"`
	// Timeouts are those for the upstreams of all routes.
	Timeouts Timeouts `json:"timeouts,omitzero"`
	// ShareKeys allows Headers of routes on an address that others reach: they send requests with
	// the gateway's keys.
	ShareKeys bool `json:"share_keys,omitempty"`
	// Webhook are the options for the bodies that other gateways send to /hooks/portkey.
	Webhook preflight.Options `json:"webhook,omitzero"`
}

// DefaultMaxHeld is how many bytes of bodies a gateway holds at once: 512 MiB.
const DefaultMaxHeld = 512 << 20

// MaxSamples is the largest Config.Samples.
const MaxSamples = 100

// Admin says who sees the page, the metrics and the samples. Without it, those on this machine do.
type Admin struct {
	// Listen is the address of a listener of its own, and no other serves them then.
	Listen string `json:"listen,omitempty"`
	// Token is the password for them, for Basic and Bearer authorization. On an address that only
	// this machine reaches, none is needed by default.
	Token string `json:"token,omitempty"`
}

// Timeouts are how long an upstream may take. Zero is no limit, except for Connect.
type Timeouts struct {
	Connect Duration `json:"connect,omitempty"` // to connect; default: 10 seconds
	Answer  Duration `json:"answer,omitempty"`  // to begin its answer, once the request was sent
	Idle    Duration `json:"idle,omitempty"`    // to send more of it
}

// or is t with the limits of more where it has none.
func (t Timeouts) or(more Timeouts) Timeouts {
	return Timeouts{
		cmp.Or(t.Connect, more.Connect), cmp.Or(t.Answer, more.Answer), cmp.Or(t.Idle, more.Idle),
	}
}

// Duration is a time.Duration, in JSON as time.ParseDuration reads it: "1m30s".
type Duration time.Duration

// UnmarshalJSON reads a duration.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return errors.New(`a time is a text like "30s"`)
	}
	read, err := time.ParseDuration(text)
	if err != nil || read < 0 {
		return fmt.Errorf(`a time is a text like "30s", not %q`, text)
	}
	*d = Duration(read)
	return nil
}

// What becomes of requests beyond Config.MaxHeld.
const (
	BusyRefuse = "refuse" // answer 503 with Retry-After
	BusyPass   = "pass"   // pass them on untouched
)

// Route sends the requests below a prefix to an upstream.
type Route struct {
	// Prefix is how paths begin: "/anthropic". It is taken off before the request is passed on.
	Prefix string `json:"prefix"`
	// Upstream is where requests go: "https://api.anthropic.com". Its path comes before the
	// request's.
	Upstream string `json:"upstream"`
	// Provider is one of wire.Providers or wire.Vendors. By default it is found by the upstream's
	// host and the request's path; at a host that is not known, by the path, with the rules that
	// all hosts of that format have.
	Provider string `json:"provider,omitempty"`
	// Profile is a file with the measured profile of the upstream, as preflight probe writes it.
	Profile string `json:"profile,omitempty"`
	// MaxBody is Config.MaxBody for this route.
	MaxBody int64 `json:"max_body,omitempty"`
	// DryRun is the share of clients whose requests are passed on unchanged, with a report of what
	// would have been done.
	DryRun Share `json:"dry_run,omitempty"`
	// Unfixable says what becomes of a request whose history cannot be repaired: "send" (default)
	// or "refuse", which answers in the provider's own form. With untrusted in Options, "refuse"
	// is the default, and is for bodies that cannot be read, too.
	Unfixable string `json:"unfixable,omitempty"`
	// Remedies repairs harder and sends again, once, when the provider refuses a request in words
	// that are known. Default: only for what the upstream refuses of every history, which is
	// learned (remedy.Restrictions), unless Config.Learned is "off". True is for all remedies, and
	// false for none.
	Remedies *bool `json:"remedies,omitempty"`
	// Verdicts counts the reasoning that the model did not get to see, by what answers say of it.
	// Answers of the formats that say so pass without compression then, and without a length.
	Verdicts bool `json:"verdicts,omitempty"`
	// Headers are set in every request, and removed where the value is "". In a configuration file,
	// ${NAME} in a value is the environment's NAME.
	Headers map[string]string `json:"headers,omitempty"`
	// Limits are the provider's on the size of requests.
	Limits Limits `json:"limits,omitzero"`
	// Timeouts come before Config.Timeouts.
	Timeouts Timeouts `json:"timeouts,omitzero"`
	// Options say how to repair a history.
	Options preflight.Options `json:"options,omitzero"`

	upstream *url.URL
	measured *provider.Measured
	// written are values of the environment in Upstream, each with how it is written there, and
	// hidden puts the latter in their place; it is nil before check.
	written []string
	hidden  *strings.Replacer
}

// Shown returns the upstream as people may see it: it may hold a key.
func (r *Route) Shown() string {
	if r.upstream == nil {
		return r.Upstream
	}
	text := r.hide(r.upstream.String())
	begin := strings.Index(text, "://") + len("://")
	at := strings.IndexByte(text[begin:], '/')
	if at < 0 {
		return text
	}
	return text[:begin+at] + shorten.Path(text[begin+at:])
}

// hide returns a text without the values that the route's upstream has from the environment.
func (r *Route) hide(text string) string {
	if r == nil || r.hidden == nil {
		return text
	}
	return r.hidden.Replace(text)
}

// withoutKeys returns a path at the upstream without what may be a key: the values of the
// environment, and segments that keys are made of.
func (r *Route) withoutKeys(path string) string { return shorten.Path(r.hide(path)) }

// shortestKey is the least length in bytes of a value of the environment that may be a key: those
// that are shorter occur in any text.
const shortestKey = 4

// hider makes Route.hidden. A value may be a URL of its own, and escaped in a path; the longest
// form comes first, since one value may be the beginning of another.
func hider(written []string) *strings.Replacer {
	var pairs [][2]string
	for k := 0; k+1 < len(written); k += 2 {
		value, ref := written[k], written[k+1]
		forms := []string{value, (&url.URL{Path: value}).EscapedPath(), url.PathEscape(value)}
		if plain, err := url.PathUnescape(value); err == nil {
			forms = append(forms, plain)
		}
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			forms = append(forms, u.Host, u.Path, u.EscapedPath())
		}
		for _, form := range forms {
			if len(form) >= shortestKey {
				pairs = append(pairs, [2]string{form, ref})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	var flat []string
	for _, pair := range pairs {
		flat = append(flat, pair[0], pair[1])
	}
	return strings.NewReplacer(flat...)
}

// DefaultRoutes returns the routes of a gateway that is not told otherwise.
func DefaultRoutes() []Route {
	return []Route{
		{Prefix: "/anthropic", Upstream: "https://api.anthropic.com"},
		{Prefix: "/openai", Upstream: "https://api.openai.com"},
		{Prefix: "/gemini", Upstream: "https://generativelanguage.googleapis.com"},
		{Prefix: "/mistral", Upstream: "https://api.mistral.ai"},
		{Prefix: "/openrouter", Upstream: "https://openrouter.ai/api"},
		{Prefix: "/deepseek", Upstream: "https://api.deepseek.com"},
		{Prefix: "/moonshot", Upstream: "https://api.moonshot.ai"},
		{Prefix: "/groq", Upstream: "https://api.groq.com/openai"},
		{Prefix: "/xai", Upstream: "https://api.x.ai"},
		{Prefix: "/cohere", Upstream: "https://api.cohere.com"},
		{Prefix: "/ollama", Upstream: "http://127.0.0.1:11434"},
	}
}

// digestOf tells configurations apart. It shows nothing of them.
func digestOf(c *Config) string {
	data, err := json.Marshal(c)
	if err != nil {
		return "unknown"
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// fault is what is wrong with a configuration, and where: the member of route number route, or of
// the configuration itself when route is -1.
type fault struct {
	route  int
	member string
	msg    string
}

// check puts the defaults in place and returns the first fault, nil when there is none.
func (c *Config) check() *fault {
	if c.Routes == nil {
		c.Routes = DefaultRoutes()
	}
	if c.MaxBody == 0 {
		c.MaxBody = min(preflighthttp.DefaultMaxBody, max(c.MaxHeld, 1))
		if c.MaxHeld == 0 {
			c.MaxBody = preflighthttp.DefaultMaxBody
		}
	}
	if c.MaxHeld == 0 {
		c.MaxHeld = max(DefaultMaxHeld, c.MaxBody)
	}
	c.Timeouts = c.Timeouts.or(Timeouts{Connect: Duration(10 * time.Second)})
	if c.Busy == "" {
		c.Busy = BusyRefuse
	}
	switch {
	case c.MaxBody < 0:
		return &fault{-1, "max_body", "max_body is a number of bytes"}
	case c.MaxHeld < 0:
		return &fault{-1, "max_held", "max_held is a number of bytes"}
	case c.MaxHeld < c.MaxBody:
		return &fault{-1, "max_held",
			"max_held is less than max_body, so no large body would ever be read"}
	case c.MaxHeldClient < 0 || c.MaxHeldClient > c.MaxHeld:
		return &fault{-1, "max_held_client",
			"max_held_client is a number of bytes, and at most max_held"}
	case c.MaxHeldClient > 0 && c.MaxHeldClient < c.MaxBody:
		return &fault{-1, "max_held_client",
			"max_held_client is less than max_body, so no large body would ever be read"}
	case len(c.Routes) == 0:
		return &fault{-1, "routes", "routes is empty, so that nothing would be served"}
	case c.Samples < 0 || c.Samples > MaxSamples:
		return &fault{-1, "samples", fmt.Sprintf("samples is a number from 0 to %d", MaxSamples)}
	case c.Busy != BusyRefuse && c.Busy != BusyPass:
		return &fault{-1, "busy", fmt.Sprintf("busy is %q or %q, not %q", BusyRefuse, BusyPass,
			c.Busy)}
	}
	if f := c.checkAdmin(); f != nil {
		return f
	}
	for _, host := range c.Hosts {
		if hostname(host) == "" || strings.ContainsAny(host, "/ *") {
			return &fault{-1, "hosts", fmt.Sprintf("%q is no name of a host", host)}
		}
	}
	for _, origin := range c.Origins {
		if !isOrigin(origin) {
			return &fault{-1, "origins", fmt.Sprintf(
				"%q is no origin: \"https://app.example\", without a path, or \"*\"", origin)}
		}
	}
	seen := map[string]bool{}
	for k := range c.Routes {
		r := &c.Routes[k]
		if member, msg := r.check(c); msg != "" {
			return &fault{k, member, msg}
		}
		if seen[r.Prefix] {
			return &fault{k, "prefix", "two routes have the prefix " + r.Prefix}
		}
		seen[r.Prefix] = true
	}
	slices.SortStableFunc(c.Routes, func(a, b Route) int { return len(b.Prefix) - len(a.Prefix) })
	return nil
}

// credentials are the ends of headers that name no client: what they hold must not be in a log.
// Other headers that say who asks (see headers.IsSecret) may name one, "X-Tenant" and
// "X-Auth-Request-User" do.
var credentials = regexp.MustCompile(
	`(?i)(?:auth|authorization|cookie|keys?|token|secret|password|jwt(?:-assertion)?)$`)

// checkAdmin returns what is wrong with what is logged, and where it is shown.
func (c *Config) checkAdmin() *fault {
	if credentials.MatchString(c.ClientHeader) {
		return &fault{-1, "client_header", "client_header would write credentials into the log"}
	}
	if strings.Trim(c.ClientHeader, headerLetters) != "" {
		return &fault{-1, "client_header", fmt.Sprintf("%q is no header", c.ClientHeader)}
	}
	if strings.ContainsFunc(c.Admin.Token, unicode.IsControl) {
		return &fault{-1, "admin", "the token has a line break or another control character"}
	}
	if c.Admin.Listen == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(c.Admin.Listen)
	if _, known := net.LookupPort("tcp", port); err != nil || known != nil {
		return &fault{-1, "admin", fmt.Sprintf(
			"admin.listen is an address like \"127.0.0.1:4748\", not %q", c.Admin.Listen)}
	}
	return nil
}

// headerLetters are what names of headers are made of.
const headerLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// check puts the defaults in place and returns what is wrong with a member, "" for nothing.
func (r *Route) check(c *Config) (member, msg string) {
	r.Prefix = strings.TrimRight(r.Prefix, "/")
	if r.MaxBody == 0 {
		r.MaxBody = c.MaxBody
	}
	u, err := url.Parse(r.Upstream)
	switch {
	case !strings.HasPrefix(r.Prefix, "/"):
		return "prefix", "a prefix begins with a slash and has more after it"
	case (&url.URL{Path: r.Prefix}).EscapedPath() != r.Prefix || strings.ContainsAny(r.Prefix, "%"):
		return "prefix", "a prefix has only characters that need no escape in a URL"
	case strings.Contains(r.Prefix, "//") || slices.Contains(strings.Split(r.Prefix, "/"), ".."):
		return "prefix", "a prefix has no empty parts, and no .."
	case isOwn(r.Prefix):
		return "prefix", "the path " + r.Prefix + " is the gateway's own"
	case err != nil:
		return "upstream", "the upstream is not a URL"
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "upstream", "the upstream is an http or https URL with a host"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "upstream", "the upstream has credentials, a query or a fragment"
	case r.Provider != "" && !slices.Contains(wire.Providers(), r.Provider) &&
		!slices.Contains(wire.Vendors(), r.Provider):
		return "provider", fmt.Sprintf("unknown provider %q; known are %s, %s", r.Provider,
			strings.Join(wire.Providers(), ", "), strings.Join(wire.Vendors(), ", "))
	case r.Unfixable != "" && r.Unfixable != "send" && r.Unfixable != "refuse":
		return "unfixable", fmt.Sprintf("unfixable is \"send\" or \"refuse\", not %q", r.Unfixable)
	case r.MaxBody < 0 || r.MaxBody > c.MaxHeld:
		return "max_body", "max_body is a number of bytes, and at most max_held"
	case min(r.Limits.Bytes, r.Limits.MediaBytes, int64(r.Limits.Media)) < 0:
		return "limits", "limits are numbers from 0"
	case r.Limits.Bytes > r.MaxBody:
		return "limits", "limits.bytes is more than max_body, beyond which bodies pass unread"
	}
	seen := map[string]bool{}
	for name, value := range r.Headers {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case strings.Trim(name, headerLetters) != "", name == "", canonical == "Host":
			return "headers", fmt.Sprintf("%q is no header that can be set", name)
		case seen[canonical]:
			return "headers", "the header " + canonical + " is there twice"
		case strings.ContainsFunc(value, unicode.IsControl):
			return "headers", "the value of " + name + " has a line break or another control character"
		}
		seen[canonical] = true
	}
	r.upstream, r.Timeouts = u, r.Timeouts.or(c.Timeouts)
	r.hidden = hider(r.written)
	if r.Profile == "" {
		return "", ""
	}
	data, err := os.ReadFile(r.Profile)
	if err == nil {
		r.measured, err = provider.ReadMeasured(data)
	}
	if err != nil {
		return "profile", err.Error()
	}
	return "", ""
}
