package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// Config is what a gateway serves. The zero value has the default routes.
type Config struct {
	// Routes are asked in order of the length of their prefix, the longest first. Default:
	// DefaultRoutes.
	Routes []Route `json:"routes,omitempty"`
	// MaxBody is how large a body may be, in bytes, to be looked at; larger ones pass untouched.
	// Default: preflighthttp.DefaultMaxBody.
	MaxBody int64 `json:"max_body,omitempty"`
	// MaxHeld is how many bytes of bodies may be held at once. Default: DefaultMaxHeld.
	MaxHeld int64 `json:"max_held,omitempty"`
	// Busy says what becomes of requests beyond MaxHeld: BusyRefuse (default) or BusyPass.
	Busy string `json:"busy,omitempty"`
}

// DefaultMaxHeld is how many bytes of bodies a gateway holds at once: 512 MiB.
const DefaultMaxHeld = 512 << 20

// The policies for requests beyond Config.MaxHeld.
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
	// Provider is one of wire.Providers or wire.Vendors; "" finds it out by the upstream's host and
	// the request's path.
	Provider string `json:"provider,omitempty"`
	// DryRun passes every request on unchanged, and reports what would have been done.
	DryRun bool `json:"dry_run,omitempty"`
	// Unfixable says what becomes of a request whose history cannot be repaired: "send" (default)
	// or "refuse", which answers in the provider's own form.
	Unfixable string `json:"unfixable,omitempty"`
	// Remedies repairs harder and sends again, once, when the provider refuses a request in words
	// that the catalogue of rules knows.
	Remedies bool `json:"remedies,omitempty"`
	// Policies are the policies for the history.
	Policies preflight.Options `json:"policies,omitzero"`

	upstream *url.URL
}

// DefaultRoutes are the routes of a gateway that is not told otherwise.
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

// ConfigError says where a configuration is wrong.
type ConfigError struct {
	Line int // from 1; 0 when the fault is in no one line
	Msg  string
}

// Error names the line and the fault.
func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return "config: " + e.Msg
	}
	return fmt.Sprintf("config, line %d: %s", e.Line, e.Msg)
}

// ParseConfig reads a configuration in JSON. Members that it does not know are errors. The error is
// a *ConfigError.
func ParseConfig(data []byte) (*Config, error) {
	var c Config
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, &ConfigError{
			lineAt(data, offsetOf(err, d)), strings.TrimPrefix(err.Error(), "json: "),
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &ConfigError{
			lineAt(data, d.InputOffset()),
			"something follows the configuration",
		}
	}
	if err := c.normalize(); err != nil {
		return nil, err
	}
	return &c, nil
}

// offsetOf returns the offset in the input of a decoder's error.
func offsetOf(err error, d *json.Decoder) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	}
	return d.InputOffset()
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int64(len(data)), max(0, offset))], []byte("\n"))
}

// normalize sets the defaults and checks the other fields.
func (c *Config) normalize() error {
	if c.Routes == nil {
		c.Routes = DefaultRoutes()
	}
	if c.MaxBody == 0 {
		c.MaxBody = preflighthttp.DefaultMaxBody
	}
	if c.MaxHeld == 0 {
		c.MaxHeld = DefaultMaxHeld
	}
	if c.Busy == "" {
		c.Busy = BusyRefuse
	}
	switch {
	case c.MaxBody < 0 || c.MaxHeld < 0:
		return &ConfigError{Msg: "max_body and max_held are numbers of bytes"}
	case c.MaxHeld < c.MaxBody:
		return &ConfigError{Msg: "max_held is less than max_body, so no large body would ever pass"}
	case c.Busy != BusyRefuse && c.Busy != BusyPass:
		return &ConfigError{
			Msg: fmt.Sprintf("busy is %q or %q, not %q", BusyRefuse, BusyPass, c.Busy),
		}
	}
	seen := map[string]bool{}
	for k := range c.Routes {
		r := &c.Routes[k]
		if err := r.normalize(); err != nil {
			return &ConfigError{Msg: fmt.Sprintf("route %d (%s): %v", k+1, r.Prefix, err)}
		}
		if seen[r.Prefix] {
			return &ConfigError{Msg: "two routes have the prefix " + r.Prefix}
		}
		seen[r.Prefix] = true
	}
	slices.SortStableFunc(c.Routes, func(a, b Route) int { return len(b.Prefix) - len(a.Prefix) })
	return nil
}

func (r *Route) normalize() error {
	r.Prefix = strings.TrimRight(r.Prefix, "/")
	u, err := url.Parse(r.Upstream)
	switch {
	case !strings.HasPrefix(r.Prefix, "/"):
		return errors.New("a prefix begins with a slash, and is more than that")
	case err != nil:
		return errors.New("the upstream is no URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("the upstream is an http or https URL with a host")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("the upstream has credentials, a query or a fragment")
	case r.Provider != "" && !slices.Contains(wire.Providers(), r.Provider) &&
		!slices.Contains(wire.Vendors(), r.Provider):
		return fmt.Errorf("unknown provider %q", r.Provider)
	case r.Unfixable != "" && r.Unfixable != "send" && r.Unfixable != "refuse":
		return fmt.Errorf("unfixable is \"send\" or \"refuse\", not %q", r.Unfixable)
	}
	r.upstream = u
	return nil
}
