package preflighthttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/redact"
)

// TestVerdictOfFakes: reasoning that a server made is dropped if what comes before it was changed
// since, and the verdict says by whom: by a hook of the transport, by the client, or by nobody.
// What the hook costs was announced by a warning.
func TestVerdictOfFakes(t *testing.T) {
	type object = map[string]any
	for provider, c := range map[string]struct {
		path, list, answer string
		body               object
	}{
		"anthropic": {"/v1/messages", "messages", "content", object{
			"model": "claude-opus-5-5", "max_tokens": 99,
			"thinking": object{
				"type": "adaptive", "block_binding": object{"prefix_mismatch_behavior": "drop_block"},
			},
		}},
		"openai-responses": {"/v1/responses", "input", "output", object{
			"model": "gpt-6.2-astra", "store": false,
			"include": []any{"reasoning.encrypted_content"},
		}},
	} {
		for by, want := range map[string]struct{ entries, ours int }{
			"nobody": {0, 0}, "the client": {1, 0}, "a hook": {1, 1},
		} {
			for _, stream := range []bool{false, true} {
				t.Run(provider+" "+by, func(t *testing.T) {
					server := preflighttest.New(t, provider, nil)
					server.Script(preflighttest.Reply{Reasoning: "hm", Text: "b"},
						preflighttest.Reply{Text: "d"})
					var verdicts []*preflighthttp.Verdict
					transport := &preflighthttp.Transport{
						Endpoints: []preflighthttp.Endpoint{
							{Host: strings.TrimPrefix(server.URL, "http://"), Provider: provider},
						},
						Verdict: func(_ context.Context, v *preflighthttp.Verdict) {
							verdicts = append(verdicts, v)
						},
					}
					send := func(body object) (answer object) {
						data, err := json.Marshal(body)
						require.NoError(t, err)
						req, err := http.NewRequest(http.MethodPost, server.URL+c.path,
							bytes.NewReader(data))
						require.NoError(t, err)
						req.Header.Set("Content-Type", "application/json")
						req.Header.Set("X-Api-Key", "k")
						req.Header.Set("Authorization", "Bearer k")
						req.Header.Set("Anthropic-Version", "2023-06-01")
						req.Header.Set("Anthropic-Beta", "thinking-binding-controls-2026-08-01")
						resp, err := transport.RoundTrip(req)
						require.NoError(t, err)
						text, err := io.ReadAll(resp.Body)
						require.NoError(t, err)
						require.NoError(t, resp.Body.Close())
						require.Equal(t, http.StatusOK, resp.StatusCode, "%s", text)
						_ = json.Unmarshal(text, &answer) // a stream is not looked at
						return answer
					}
					said := func(text string) object { return object{"role": "user", "content": text} }

					body := c.body
					body["stream"], body[c.list] = false, []any{said("a")}
					answer := send(body)
					first := said("a")
					if by == "the client" {
						first = said("A")
					}
					history := []any{first}
					if provider == "anthropic" {
						history = append(history,
							object{"role": "assistant", "content": answer[c.answer]})
					} else {
						history = append(history, answer[c.answer].([]any)...)
					}
					body[c.list], body["stream"] = append(history, said("c")), stream
					if by == "a hook" {
						transport.Options.Hooks = []preflight.Hook{{Name: "h", Message: func(
							_ context.Context, m preflight.Message,
						) (preflight.Message, error) {
							if m.Role != preflight.RoleUser {
								return m, nil
							}
							return redact.Message(m, func(s string) string { return s + "!" }), nil
						}}}
					}
					send(body)

					unbinds := 0 // each that the repair costs was announced
					for _, w := range verdicts[1].Report.Warnings {
						unbinds += w.Unbinds
					}
					require.Equal(t, want.ours, unbinds)
					require.Len(t, verdicts, 2)
					require.Empty(t, verdicts[0].Transformations)
					require.Len(t, verdicts[1].Transformations, want.entries)
					require.Equal(t, want.ours, verdicts[1].Ours())
					for _, w := range verdicts[1].Transformations {
						require.Contains(t, w.Reason, "prefix")
						require.Contains(t, w.Path, c.list+"[1]")
					}
				})
			}
		}
	}
}

// TestKeptAfterRepair: reasoning that was made after a repair stays in later requests, which repair
// the same, where a wrong guess costs little: the server drops what does not verify, or the refusal
// is answered. Otherwise it leaves.
func TestKeptAfterRepair(t *testing.T) {
	type object = map[string]any
	for provider, c := range map[string]struct {
		path, list, answer string
		body, call         object
	}{
		"anthropic": {"/v1/messages", "messages", "content", object{
			"model": "claude-opus-5-5", "max_tokens": 99, "thinking": object{"type": "adaptive"},
		}, object{"role": "assistant", "content": []any{
			object{"type": "text", "text": "I look."},
			object{"type": "tool_use", "id": "toolu_1", "name": "f", "input": object{}},
		}}},
		"openai-responses": {"/v1/responses", "input", "output", object{
			"model": "gpt-6.2-astra", "store": false,
			"include": []any{"reasoning.encrypted_content"},
		}, object{
			"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}",
		}},
	} {
		for _, remedies := range [][]remedy.Remedy{nil, remedy.All()} {
			server := preflighttest.New(t, provider, nil)
			server.Script(preflighttest.Reply{Reasoning: "hm", Text: "b"})
			var reports []*preflighthttp.Report
			transport := &preflighthttp.Transport{
				Endpoints: []preflighthttp.Endpoint{
					{Host: strings.TrimPrefix(server.URL, "http://"), Provider: provider},
				},
				Remedies: remedies,
				Report: func(_ context.Context, r *preflighthttp.Report) {
					reports = append(reports, r)
				},
			}
			body := c.body
			said := func(text string) object { return object{"role": "user", "content": text} }
			history := []any{said("a"), c.call, said("stop")}
			for k := range 2 {
				body[c.list] = history
				data, err := json.Marshal(body)
				require.NoError(t, err)
				req, err := http.NewRequest(http.MethodPost, server.URL+c.path, bytes.NewReader(data))
				require.NoError(t, err)
				for _, name := range []string{"X-Api-Key", "Authorization"} {
					req.Header.Set(name, "Bearer k")
				}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Anthropic-Version", "2023-06-01")
				resp, err := transport.RoundTrip(req)
				require.NoError(t, err)
				text, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.Equal(t, http.StatusOK, resp.StatusCode, "%s", text)
				var answer object
				require.NoError(t, json.Unmarshal(text, &answer))
				require.Empty(t, answer["input_transformations"])
				if k > 0 {
					break
				}
				if provider == "anthropic" {
					history = append(history,
						object{"role": "assistant", "content": answer[c.answer]})
				} else {
					history = append(history, answer[c.answer].([]any)...)
				}
				history = append(history, said("c"))
			}
			require.Len(t, reports, 2, "nothing was refused")
			require.True(t, reports[1].Changed)
			require.Equal(t, 1, reports[1].Warnings[0].Unbinds)
			sent := string(server.Requests()[1].Body)
			require.Equal(t, remedies != nil || provider == "openai-responses",
				strings.Contains(sent, `"signature"`) || strings.Contains(sent, `"rs_`), sent)
		}
	}
}
