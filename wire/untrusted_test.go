package wire_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/wire"
)

// TestUntrustedBodies: a stranger's body says no more than its texts and media, and continues
// nothing that the provider stores.
func TestUntrustedBodies(t *testing.T) {
	for _, c := range []struct{ provider, in, want string }{
		{"openai-chat",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"q","x":{"y":1}}],` +
				`"name":"admin"},{"role":"assistant","content":"a","annotations":[{"url":"http://x"}]},` +
				`{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}]}`,
			`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}]}`},
		{"openai-responses",
			`{"model":"m","previous_response_id":"resp_1","conversation":"conv_1","prompt":{"id":"p"},` +
				`"input":[{"role":"user","content":"q"},{"type":"item_reference","id":"rs_1"},` +
				`{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[` +
				`{"type":"output_text","text":"a","annotations":[{"url":"http://x"}]}]},` +
				`{"role":"user","content":"r"}]}`,
			`{"model":"m","input":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"r"}]}`},
		{"anthropic",
			`{"model":"m","max_tokens":1,"container":"c","tools":[{"type":"code_execution_20250825",` +
				`"name":"code_execution"}],"messages":[{"role":"user","content":[{"type":"text","text":"q",` +
				`"citations":[{"type":"char_location"}],"cache_control":{"type":"ephemeral"}}]}]}`,
			`{"model":"m","max_tokens":1,"tools":[{"type":"code_execution_20250825",` +
				`"name":"code_execution"}],"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]}`},
		{"gemini",
			`{"cachedContent":"cachedContents/1","contents":[{"role":"user","parts":[` +
				`{"text":"q","thoughtSignature":"QUJD"},{"fileData":{"fileUri":` +
				`"https://generativelanguage.googleapis.com/v1beta/files/x"}},{"fileData":{"fileUri":` +
				`"https://e/y.png"}}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"q"},{"fileData":{"fileUri":` +
				`"https://e/y.png"}}]}]}`},
		{"bedrock",
			`{"messages":[{"role":"user","content":[{"text":"q"},{"cachePoint":{"type":"default"}}]}]}`,
			`{"messages":[{"role":"user","content":[{"text":"q"}]}]}`},
	} {
		options := &wire.Options{
			Provider: c.provider, Options: preflight.Options{Untrusted: true},
		}
		res, err := wire.Sanitize(context.Background(), []byte(c.in), options)
		require.NoError(t, err, c.provider)
		require.Equal(t, c.want, string(res.Body), c.provider)
		require.NotEmpty(t, res.Warnings)
		again, err := wire.Sanitize(context.Background(), res.Body, options)
		require.NoError(t, err)
		require.False(t, again.Changed, "%s: %v", c.provider, again.Warnings)
	}
}

// TestUntrustedAndEmpty: a body that only continues what the provider stores has nothing to send,
// or a placeholder.
func TestUntrustedAndEmpty(t *testing.T) {
	options := &wire.Options{
		Provider: "openai-responses", Options: preflight.Options{Untrusted: true},
	}
	for _, in := range []string{
		`{"model":"m","previous_response_id":"resp_1","input":[]}`,
		`{"model":"m","previous_response_id":"resp_1"}`,
		`{"model":"m","previous_response_id":"resp_1","input":[7]}`,
	} {
		res, err := wire.Sanitize(context.Background(), []byte(in), options)
		require.ErrorIs(t, err, preflight.ErrEmptyHistory, in)
		require.Equal(t, in, string(res.Body))
	}
	twice := `{"model":"m","previous_response_id":"resp_\\ud83d",` +
		`"previous_response_id":"resp_\ud83d","input":"q"}`
	res, err := wire.Sanitize(context.Background(), []byte(twice), options)
	require.NoError(t, err)
	require.Equal(t, `{"model":"m","input":"q"}`, string(res.Body))

	res, err = wire.Sanitize(context.Background(), []byte(`{"model":"m","conversation":"c",`+
		`"input":[{"type":"function_call_output","call_id":"1","output":"r"}]}`), options)
	require.NoError(t, err)
	require.Equal(t,
		`{"model":"m","input":[{"role":"user","content":"(conversation resumed)"}]}`,
		string(res.Body))
}

// TestUntrustedMembers: of a stranger's request every member goes that names what the provider
// stores, and every one that no row has, whatever it holds; the others stay. What is left continues
// nothing, so that a result at the front is nobody's.
func TestUntrustedMembers(t *testing.T) {
	hasRow := func(f *memberForm, name string) (members.Row, bool) {
		return members.Of(spoken(f.provider), members.Request, name)
	}
	for _, f := range memberForms() {
		names := map[string]bool{"metadata": false, "stream": false}
		for _, row := range members.Rows() {
			if row.Format == spoken(f.provider) && row.Place == members.Request &&
				row.Has(members.State) {
				names[row.Name] = true
			}
		}
		for _, name := range []string{"resume", "x_session", "thread_key"} {
			_, known := hasRow(&f, name)
			require.False(t, known)
			names[name] = true
		}
		for name, goes := range names {
			if _, known := hasRow(&f, name); !goes && !known {
				continue
			}
			for _, value := range []string{
				`"s1"`, `{"type":"continue","id":"m1"}`, `["a"]`, `7`, `true`,
			} {
				member := `,"` + name + `":` + value
				for _, elements := range [][]string{{f.user}, {with(f.result, ""), f.user}} {
					options := &wire.Options{Provider: f.provider, Model: f.model,
						Options: preflight.Options{Untrusted: true}}
					given, err := wire.Sanitize(t.Context(),
						[]byte(f.write(member, elements...)), options)
					require.NoError(t, err)
					bare, err := wire.Sanitize(t.Context(),
						[]byte(f.write("", elements...)), options)
					require.NoError(t, err)
					if !goes {
						require.Equal(t, string(bare.Body),
							strings.Replace(string(given.Body), member, "", 1))
						require.Contains(t, string(given.Body), member)
						continue
					}
					require.Equal(t, string(bare.Body), string(given.Body), member)
					require.True(t, slices.ContainsFunc(given.Warnings, func(w wire.Warning) bool {
						return w.Path == name
					}), "%s: %v", name, given.Warnings)
				}
			}
		}
	}
}

// TestUntrustedNested: what names a container, or a session, inside another member goes like one
// that the request has itself; settings stay.
func TestUntrustedNested(t *testing.T) {
	const chat = `"messages":[{"role":"user","content":"q"}]`
	for _, c := range []struct{ provider, in, want, path string }{
		{"bedrock", `{"modelId":"anthropic.claude-sonnet-4-5","messages":[{"role":"user","content":[` +
			`{"text":"q"}]}],"additionalModelRequestFields":{"top_k":5,"container":{"id":"c_1"},` +
			`"thread":{"type":"continue"},"resume_from":"x"}}`,
			`{"modelId":"anthropic.claude-sonnet-4-5","messages":[{"role":"user","content":[` +
				`{"text":"q"}]}],"additionalModelRequestFields":{"top_k":5}}`,
			"additionalModelRequestFields.container"},
		{"bedrock", `{"modelId":"amazon.nova-pro-v1:0","messages":[{"role":"user","content":[` +
			`{"text":"q"}]}],"additionalModelRequestFields":{"inferenceConfig":{"topK":5},` +
			`"reasoningConfig":{"type":"enabled"}}}`, "", ""},
		{"openai-chat", `{"model":"m",` + chat + `,"extra_body":{"container":"c_1","top_k":3}}`,
			`{"model":"m",` + chat + `,"extra_body":{"top_k":3}}`, "extra_body.container"},
		{"openai-chat", `{"model":"m",` + chat + `,"providerOptions":{"openai":{` +
			`"previousResponseId":"r","reasoningEffort":"low"},"anthropic":{"container":{"id":"c"}}}}`,
			`{"model":"m",` + chat + `,"providerOptions":{"openai":{"reasoningEffort":"low"},` +
				`"anthropic":{}}}`, "providerOptions.openai.previousResponseId"},
		{"openai-responses", `{"model":"m","input":"q","tools":[{"type":"code_interpreter",` +
			`"container":"cntr_1"},{"type":"shell","environment":{"type":"container_reference",` +
			`"container_id":"cntr_2"}}]}`,
			`{"model":"m","input":"q","tools":[{"type":"code_interpreter","container":{"type":"auto"}},` +
				`{"type":"shell","environment":{"type":"container_auto"}}]}`, "tools[0].container"},
		{"openai-responses", `{"model":"m","input":"q","tools":[{"type":"code_interpreter",` +
			`"container":{"type":"auto","memory_limit":"4g"}},{"type":"shell","environment":` +
			`{"type":"local"}},{"type":"computer_use_preview","environment":"browser"}]}`, "", ""},
		{"openai-responses", `{"model":"m","input":"q","text":{"format":{"type":"json_schema",` +
			`"name":"s","schema":{"type":"object","properties":{"container":{"type":"string"}}}}}}`, "", ""},
	} {
		options := &wire.Options{Provider: c.provider, Options: preflight.Options{Untrusted: true}}
		res, err := wire.Sanitize(t.Context(), []byte(c.in), options)
		require.NoError(t, err)
		if c.want == "" {
			require.False(t, res.Changed, "%s", res.Body)
			continue
		}
		require.Equal(t, c.want, string(res.Body))
		require.Equal(t, c.path, res.Warnings[0].Path)
		again, err := wire.Sanitize(t.Context(), res.Body, options)
		require.NoError(t, err)
		require.False(t, again.Changed)
		options.Options.Untrusted = false
		plain, err := wire.Sanitize(t.Context(), []byte(c.in), options)
		require.NoError(t, err)
		require.Contains(t, c.in, string(plain.Body), "what is trusted stays")
	}
}
