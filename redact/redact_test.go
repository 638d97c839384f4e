package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/redact"
)

// TestMessage: every text is mapped, what is verified is kept, and the input is not written to.
// wire/redact_test.go has the same for the formats.
func TestMessage(t *testing.T) {
	call := msgtest.CallsWith("secret", `{"secret":["secret",{"a":"x secret"}],"n":1.0}`)
	call.Name = "secret"
	cut := msgtest.CallsWith("b", `{"a":"secret`)
	result := msgtest.Answers("secret", "secret")
	result.Output = []byte(`"{\"a\":\"secret\"}"`)
	native := &preflight.Other{Kind: "refusal"}
	native.Native = preflight.Native{Format: "x", JSON: []byte(
		`{"type":"secret","refusal":"secret","signature":"","encrypted_content":"",` +
			`"args":{"id":"secret"}}`)}
	parts := []preflight.Part{
		msgtest.Says("a secret"), msgtest.Thinks("secret", ""), msgtest.Thinks("secret", "sig"),
		msgtest.Redacted(), call, cut, result,
		&preflight.Media{Kind: "document", Name: "secret", URL: "https://secret"}, native, msgtest.Says("nothing"), nil,
	}
	m := preflight.Message{Role: preflight.RoleAssistant, Name: "secret", Parts: parts}
	before := msgtest.Dump([]preflight.Message{m})
	out := redact.Message(m, func(s string) string {
		return strings.ReplaceAll(s, "secret", "*")
	})
	require.Equal(t, before, msgtest.Dump([]preflight.Message{m}))

	require.Equal(t, msgtest.Says("a *"), out.Parts[0])
	require.Equal(t, msgtest.Thinks("*", ""), out.Parts[1])
	require.Same(t, parts[2], out.Parts[2])
	require.Same(t, parts[3], out.Parts[3])
	require.JSONEq(t, `{"secret":["*",{"a":"x *"}],"n":1.0}`,
		string(out.Parts[4].(*preflight.ToolCall).Input))
	require.Equal(t, "secret", out.Parts[4].(*preflight.ToolCall).Name)
	require.Equal(t, `{"a":"*`, string(out.Parts[5].(*preflight.ToolCall).Input))
	got := out.Parts[6].(*preflight.ToolResult)
	require.Equal(t, "secret", got.CallID)
	require.Equal(t, []preflight.Part{msgtest.Says("*")}, got.Content)
	require.Equal(t, `"{\"a\":\"*\"}"`, string(got.Output))
	require.Equal(t, "*", out.Parts[7].(*preflight.Media).Name)
	require.Equal(t, "https://secret", out.Parts[7].(*preflight.Media).URL)
	require.Equal(t,
		`{"type":"secret","refusal":"*","signature":"","encrypted_content":"","args":{"id":"*"}}`,
		string(out.Parts[8].(*preflight.Other).Native.JSON))
	require.Same(t, parts[9], out.Parts[9])
	require.Nil(t, out.Parts[10])

	same := redact.Message(m, func(s string) string { return s })
	require.Equal(t, &m.Parts[0], &same.Parts[0])
}

// TestCache: a breakpoint that a part has is that of its native JSON.
func TestCache(t *testing.T) {
	m := preflight.Message{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Other{
		Kind: "image", Carried: preflight.Carried{
			Cache:  []byte(`"my secret"`),
			Native: preflight.Native{Format: "anthropic", JSON: []byte(`{"cache_control":"my secret"}`)},
		},
	}}}
	data, err := json.Marshal(redact.Message(m, func(s string) string {
		return strings.ReplaceAll(s, "secret", "word")
	}))
	require.NoError(t, err)
	require.NotContains(t, string(data), "secret")
	require.Contains(t, string(data), "my word")
}
