package snippets

const module = "github.com/go-preflight/preflight"

// Command returns the checker of the blocks that also use packages compact and session. It needs a
// module that requires them, such as that of the command.
func Command() *Checker {
	c := Documentation()
	c.Imports["compact"], c.Imports["session"] = module+"/compact", module+"/session"
	c.Imports["unionfind"] = module + "/compact/unionfind"
	c.Imports["offload"] = module + "/compact/offload"
	c.Variables += `
			var compacted *compact.Session
			var limits compact.Limits
			var store compact.Store
	`
	return c
}

// Documentation returns the checker of the blocks in this repository's documentation that need the
// root module alone.
func Documentation() *Checker {
	return &Checker{
		Imports: map[string]string{
			"adapter":       module + "/adapter",
			"codes":         module + "/codes",
			"stored":        module + "/stored",
			"context":       "context",
			"fixer":         module + "/fixer",
			"http":          "net/http",
			"json":          "encoding/json",
			"preflight":     module,
			"errors":        "errors",
			"log":           "log",
			"preflighthttp": module + "/preflighthttp",
			"provider":      module + "/provider",
			"redact":        module + "/redact",
			"explain":       module + "/rule/explain",
			"rule":          module + "/rule",
			"slog":          "log/slog",
			"strings":       "strings",
			"url":           "net/url",
			"wire":          module + "/wire",
		},
		Variables: `
			var ctx context.Context
			var body []byte
			var history, messages []preflight.Message
			var model string
			var profile *preflight.Profile
			var partial, secret string
			var dropListings preflight.Fixer
			var data []byte
			var forget func(id string)
			var report func(context.Context, *preflighthttp.Report)
			var hideSecrets func(context.Context, preflight.Message) (preflight.Message, error)
			var transport preflighthttp.Transport
			var header http.Header
			var target *url.URL
			var askModel func(context.Context, string) (string, error)
			var schema []byte
			var post func(ctx context.Context, body []byte) (answer []byte, err error)
			var run func(context.Context, *preflight.ToolCall) (string, error)
			var prepared *wire.Prepared
		`,
	}
}
