package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// request is what the servers read of a request.
type request struct {
	Messages []struct{ Role, Content string }
	Tokens   []int
	Debug    bool `json:"_debug_render_only"`
}

// prompt is a template that leaves out what tools say, and what a system message says later.
func (r *request) prompt() string {
	var b strings.Builder
	for k, m := range r.Messages {
		if m.Role != "tool" && (m.Role != "system" || k == 0) {
			fmt.Fprintf(&b, "<%s>%s", m.Role, m.Content)
		}
	}
	return b.String()
}

// forgetful is a server that accepts all, and shows its prompts in one way.
func forgetful(t *testing.T, way string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in request
		data, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(data, &in)
		answer := map[string]any{}
		switch {
		case way == "llama.cpp" && r.URL.Path == "/apply-template":
			answer["prompt"] = in.prompt()
		case way == "vLLM" && r.URL.Path == "/tokenize":
			var tokens []int
			for _, c := range in.prompt() {
				tokens = append(tokens, int(c))
			}
			answer["tokens"] = tokens
		case way == "vLLM" && r.URL.Path == "/detokenize":
			text := ""
			for _, token := range in.Tokens {
				text += string(rune(token))
			}
			answer["prompt"] = text
		case r.URL.Path != "/v1/chat/completions" && r.URL.Path != "/api/chat":
			w.WriteHeader(http.StatusNotFound)
		case way == "Ollama" && in.Debug:
			answer["_debug_info"] = map[string]any{"rendered_template": in.prompt()}
		case way == "model": // finds an element in its prompt
			said := "NONE"
			for _, name := range strings.Fields("zirconium palladium tantalum rhodium osmium") {
				if strings.Contains(in.prompt(), name) {
					said = strings.ToUpper(name)
				}
			}
			message := map[string]any{"role": "assistant", "content": said}
			answer["message"] = message
			answer["choices"] = []any{map[string]any{"message": message}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestMishandled: what a server leaves out of its prompts is found where it shows them, and by
// asking the model if that is wanted.
func TestMishandled(t *testing.T) {
	lost := []string{"chat-template/roles-supported", "chat-template/system-first"}
	for _, c := range []struct {
		way, base, path string
		planted         bool
		want            []string
	}{
		{"llama.cpp", "chat-template", "/v1/chat/completions", false, lost},
		{"vLLM", "chat-template", "/v1/chat/completions", false, lost},
		{"Ollama", "openai-compatible", "/v1/chat/completions", false, lost},
		{"Ollama", "ollama", "/api/chat", false, lost},
		{"model", "openai-compatible", "/v1/chat/completions", true, lost},
		{"model", "ollama", "/api/chat", true, lost},
		{"model", "openai-compatible", "/v1/chat/completions", false, nil},
		{"none", "openai-compatible", "/v1/chat/completions", true, nil},
	} {
		o := compatible(forgetful(t, c.way) + c.path)
		o.Provider, o.Planted = c.base, c.planted
		p, err := NewPlan(o)
		require.NoError(t, err)
		r, err := p.Run(context.Background())
		require.NoError(t, err)
		require.LessOrEqual(t, r.Sent, p.Most)
		var found []string
		for _, f := range r.Findings {
			if f.Verdict == Mishandled {
				found = append(found, f.Rule)
			}
		}
		require.Equal(t, c.want, found, "%+v", c)
		for _, id := range c.want {
			require.Contains(t, r.Profile.Enforced, id)
		}
		require.NoError(t, r.Profile.Check())
	}
}

// TestMishandledRepaired: with the profile, the result of a tool reaches the prompt of Ollama.
func TestMishandledRepaired(t *testing.T) {
	o := compatible(forgetful(t, "Ollama") + "/api/chat")
	o.Provider = "ollama"
	p, err := NewPlan(o)
	require.NoError(t, err)
	r, err := p.Run(context.Background())
	require.NoError(t, err)
	profile, err := json.Marshal(r.Profile)
	require.NoError(t, err)
	m, err := provider.ReadMeasured(profile)
	require.NoError(t, err)
	body := `{"model":"acme-7b","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
		`"content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},` +
		`{"role":"tool","tool_name":"f","content":"the answer"}]}`
	var before, after request
	require.NoError(t, json.Unmarshal([]byte(body), &before))
	require.NotContains(t, before.prompt(), "the answer")
	require.NoError(t, json.Unmarshal(sanitized(t, body, m), &after))
	require.Contains(t, after.prompt(), "the answer")
}

func sanitized(t *testing.T, body string, m *provider.Measured) []byte {
	result, err := wire.Sanitize(context.Background(), []byte(body), &wire.Options{Measured: m})
	require.NoError(t, err)
	return result.Body
}

// TestTemplateProfile: what a template's profile repairs never raises, also where the least body
// that breaks a rule is accepted and another one is not.
func TestTemplateProfile(t *testing.T) {
	o := compatible("")
	o.Provider, o.Against = "chat-template", "a template"
	o.Prompt = func(body []byte) (prompt, refusal string, err error) {
		var in struct{ Messages []struct{ Role string } }
		if err := json.Unmarshal(body, &in); err != nil {
			return "", "", err
		}
		list := in.Messages
		if len(list) > 0 && list[0].Role == "system" {
			list = list[1:]
		}
		for k, m := range list {
			if (m.Role == "user") != (k%2 == 0) {
				return "", "Conversation roles must alternate user/assistant/user/assistant/...", nil
			}
		}
		return string(body), "", nil
	}
	p, err := NewPlan(o)
	require.NoError(t, err)
	r, err := p.Run(context.Background())
	require.NoError(t, err)
	// of the two rules about system messages midway, one stays
	require.Equal(t, provider.SystemLeading, r.Profile.Profile(o.Model).System.Placement)
	near, err := p.near()
	require.NoError(t, err)
	for _, one := range append(p.all, near...) {
		result, err := wire.Sanitize(context.Background(), one.body,
			&wire.Options{Measured: &r.Profile, Model: o.Model})
		if err != nil {
			continue // there is no repair
		}
		_, refusal, err := o.Prompt(result.Body)
		require.NoError(t, err)
		require.Empty(t, refusal, "%s: %s", one.rule.ID, result.Body)
	}
}
