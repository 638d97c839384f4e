package explain_test

import (
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
)

// wrappers are the ways in which an error text reaches its reader.
var wrappers = []struct {
	name string
	wrap func(text string) string
}{
	{"anthropic body", func(s string) string {
		return `{"type":"error","error":{"type":"invalid_request_error","message":` + quote(s) +
			`},"request_id":"req_01A"}`
	}},
	{"openai body", func(s string) string {
		return `{"error":{"message":` + quote(s) +
			`,"type":"invalid_request_error","param":null,"code":null}}`
	}},
	{"google body", googleBody},
	{"google body in an array", func(s string) string { return "[" + googleBody(s) + "]" }},
	{"aws exception", func(s string) string {
		return "operation error Bedrock Runtime: Converse, https response error StatusCode: 400, " +
			"RequestID: 5f, ValidationException: " + s
	}},
	{"aws body", func(s string) string { return `{"message":` + quote(s) + `}` }},
	{"mistral body", func(s string) string {
		return `{"object":"error","message":` + quote(s) +
			`,"type":"invalid_request_error","param":null,"code":null,"raw_status_code":400}`
	}},
	{"fastapi detail", func(s string) string { return `{"detail":` + quote(s) + `}` }},
	{"ollama body", func(s string) string { return `{"error":` + quote(s) + `}` }},
	{"bedrock relay", func(s string) string {
		return "ValidationException: The model returned the following errors: " + s
	}},
	{"azure", func(s string) string {
		return `POST "https://r.openai.azure.com/openai/deployments/d/chat/completions": 400 Bad ` +
			`Request {"error":{"message":` + quote(s) + `}}`
	}},
	{"openrouter raw", func(s string) string {
		inner := `{"error":{"message":` + quote(s) + `}}`
		return `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":` +
			quote(inner) + `,"provider_name":"Some Host"}}}`
	}},
	{"litellm", func(s string) string {
		return `litellm.BadRequestError: AnthropicException - {"type":"error",` +
			`"error":{"type":"invalid_request_error","message":` + quote(s) +
			`}}. Received Model Group=main`
	}},
	{"go sdk", func(s string) string {
		return `POST "https://api.example.com/v1/chat/completions": 400 Bad Request {"message":` +
			quote(s) + `,"type":"invalid_request_error"}`
	}},
	{"typescript sdk", func(s string) string {
		return "BadRequestError: 400 " + s +
			"\n    at APIError.generate (file:///app/node_modules/sdk/error.js:41:20)\n    at " +
			"async main (file:///app/index.js:3:1)"
	}},
	{"python dict", func(s string) string {
		return "openai.BadRequestError: Error code: 400 - {'error': {'message': '" +
			strings.ReplaceAll(strings.ReplaceAll(s, "'", `\'`), "\n", `\n`) + "', 'code': None}}"
	}},
	{"slog text handler", func(s string) string {
		return "time=2026-03-01T10:00:00Z level=ERROR msg=\"model request failed\" " +
			"status=invalid_request_error err=" + strconv.Quote(s)
	}},
	{"json in json in json in json", func(s string) string {
		for range 4 {
			s = `{"error":` + quote(s) + `}`
		}
		return s
	}},
	{"escaped for html", func(s string) string {
		return `<pre>BadRequestError: ` + html.EscapeString(s) + "</pre>"
	}},
	{"framed terminal", framed},
	{"coloured", func(s string) string {
		return "\x1b[1;31mBadRequestError:\x1b[0m \x1b]0;title\x07" +
			strings.ReplaceAll(s, " ", "\x1b[0m \x1b[33m")
	}},
	{"two bytes per character", func(s string) string {
		var b strings.Builder
		for _, r := range "BadRequestError: " + s {
			b.WriteRune(r)
			b.WriteByte(0)
		}
		return b.String()
	}},
}

func googleBody(s string) string {
	return "{\n  \"error\": {\n    \"code\": 400,\n    \"message\": " + quote(s) +
		",\n    \"status\": \"INVALID_ARGUMENT\"\n  }\n}\n"
}

// framed breaks s hard every 40 characters and draws a frame around it.
func framed(s string) string {
	var b strings.Builder
	b.WriteString("╭─ BadRequestError ─╮\n│ ")
	for i, r := range []rune(s) {
		if i > 0 && i%40 == 0 {
			b.WriteString(" │\n│ ")
		}
		b.WriteRune(r)
	}
	b.WriteString(" │\n╰───╯\n")
	return b.String()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// TestWrapped takes every error text through every wrapper. A wrapper that names a provider
// may let a rule of that provider lead, so that here the rule has to be among the candidates; it
// leads by itself where the wrapper is neutral.
func TestWrapped(t *testing.T) {
	for _, w := range wrappers {
		t.Run(w.name, func(t *testing.T) {
			leads, total := 0, 0
			for _, r := range rule.All() {
				if r.Error == "" || r.ID == envelope {
					continue
				}
				text := w.wrap(concrete(r.Error, 3))
				e, ok := explain.Text(text)
				if !ok || e.Rule.ID != r.ID && !slices.Contains(ids(e.Also), r.ID) {
					t.Errorf("%s is taken for %q and %q: %s", r.ID, e.Rule.ID, ids(e.Also), text)
				}
				total++
				if e.Rule.ID == r.ID {
					leads++
				}
			}
			require.GreaterOrEqual(t, leads, total-len(led)-4)
		})
	}
}
