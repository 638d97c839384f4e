package preflighthttp_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
)

func parsed(t testing.TB, text string) *url.URL {
	u, err := url.Parse(text)
	require.NoError(t, err)
	return u
}

func TestJudge(t *testing.T) {
	const anthropic = "https://api.anthropic.com/v1/messages"
	const converse = "https://bedrock-runtime.us-east-1.amazonaws.com/model/" +
		"anthropic.claude-x/converse"
	for _, c := range []struct {
		name, method, url, header string
		want                      preflighthttp.Reason
		sanitize                  bool
		provider, model           string
	}{
		{"a request", "POST", anthropic, "", "", true, "anthropic", ""},
		{"the model in the path", "POST", converse, "", "", true, "bedrock", "anthropic.claude-x"},
		{"another method", "GET", anthropic, "", "", false, "", ""},
		{"another path", "POST", "https://api.anthropic.com/v1/models", "", "", false, "", ""},
		{"signed", "POST", converse, "Authorization: AWS4-HMAC-SHA256 x", preflighthttp.Signed,
			false, "bedrock", "anthropic.claude-x"},
		{"encoded", "POST", anthropic, "Content-Encoding: zstd", preflighthttp.Encoded,
			false, "anthropic", ""},
		{"too large", "POST", anthropic, "Content-Length: 70000000", preflighthttp.TooLarge,
			false, "anthropic", ""},
		{"an unknown host", "POST", "https://x.example/v1/messages", "",
			preflighthttp.UnknownHost, false, "anthropic", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := http.Header{}
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				header.Set(name, value)
			}
			d := new(preflighthttp.Transport).Judge(c.method, parsed(t, c.url), header)
			require.Equal(t, c.sanitize, d.Sanitize)
			require.Equal(t, c.want, d.Skipped)
			require.Equal(t, c.provider, d.Provider)
			require.Equal(t, c.model, d.Model)
			body, report, err := d.Body(context.Background(), []byte("not read"))
			require.NoError(t, err)
			require.Equal(t, "not read", string(body))
			require.NotNil(t, report)
		})
	}
	require.Zero(t, new(preflighthttp.Transport).Judge("POST", nil, nil))
}

// The decision sanitizes as the transport does, under the same policies.
func TestDecisionBody(t *testing.T) {
	u := parsed(t, "https://api.anthropic.com/v1/messages?key=secret")
	transport := &preflighthttp.Transport{Unfixable: preflighthttp.Refuse}
	d := transport.Judge(http.MethodPost, u, nil)
	body, report, err := d.Body(context.Background(), []byte(dirty))
	require.NoError(t, err)
	require.Equal(t, repaired, string(body))
	require.True(t, report.Changed)
	require.Equal(t, "/v1/messages", report.Path)
	require.Equal(t, "api.anthropic.com", report.Host)
	require.Equal(t, []int{len(dirty), len(repaired)}, []int{report.Bytes, report.SentBytes})
	require.Positive(t, report.Duration)

	same, again, err := d.Body(context.Background(), []byte(clean))
	require.NoError(t, err)
	require.Equal(t, clean, string(same))
	require.False(t, again.Changed)
	require.NotEqual(t, report.ID, again.ID)

	_, report, err = d.Body(context.Background(), []byte("{"))
	require.NoError(t, err)
	require.Equal(t, preflighthttp.NotJSON, report.Skipped)

	const empty = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`
	body, _, err = d.Body(context.Background(), []byte(empty))
	var unsent *preflighthttp.Error
	require.ErrorAs(t, err, &unsent)
	require.Equal(t, empty, string(body))

	transport = &preflighthttp.Transport{DryRun: true}
	d = transport.Judge(http.MethodPost, u, nil)
	body, report, err = d.Body(context.Background(), []byte(dirty))
	require.NoError(t, err)
	require.Equal(t, dirty, string(body))
	require.True(t, report.Changed)
	require.Equal(t, len(dirty), report.SentBytes)
}

// An endpoint's policies apply to its requests alone, and an endpoint that names no provider keeps
// the dialect of a known host.
func TestEndpointPolicies(t *testing.T) {
	answer := &preflight.Options{Dangling: preflight.DanglingAnswer}
	transport := &preflighthttp.Transport{Endpoints: []preflighthttp.Endpoint{
		{Host: "api.deepseek.com", Options: answer},
		{Host: "other.example", Provider: "anthropic", Options: answer},
	}}
	for _, c := range []struct {
		url, provider string
		answered      bool
	}{
		{"https://api.deepseek.com/anthropic/v1/messages", "deepseek-anthropic", true},
		{"https://other.example/v1/messages", "anthropic", true},
		{"https://api.anthropic.com/v1/messages", "anthropic", false},
	} {
		d := transport.Judge(http.MethodPost, parsed(t, c.url), nil)
		require.Equal(t, c.provider, d.Provider)
		body, _, err := d.Body(context.Background(), []byte(dirty))
		require.NoError(t, err)
		require.Equal(t, c.answered, strings.Contains(string(body), "tool_result"), c.url)
	}
}

// TestDecisionTellsRepaired: who sends a body himself keeps what it became as others do, unless it
// stays as it is.
func TestDecisionTellsRepaired(t *testing.T) {
	for _, c := range []struct {
		transport preflighthttp.Transport
		body      string
		told      int
	}{
		{preflighthttp.Transport{}, dirty, 1},
		{preflighthttp.Transport{}, clean, 0},
		{preflighthttp.Transport{DryRun: true}, dirty, 0},
	} {
		var told []*preflighthttp.Repaired
		ctx := preflighthttp.WithRepaired(t.Context(), func(r *preflighthttp.Repaired) {
			told = append(told, r)
		})
		d := c.transport.Judge(http.MethodPost, parsed(t, "https://api.anthropic.com"+path), nil)
		send, report, err := d.Body(ctx, []byte(c.body))
		require.NoError(t, err)
		require.Len(t, told, c.told)
		if c.told > 0 {
			require.Same(t, report, told[0].Report)
			require.Equal(t, c.body, string(told[0].Body))
			require.Equal(t, repaired, string(send))
		}
	}
	d := new(preflighthttp.Transport).Judge(http.MethodPost,
		parsed(t, "https://api.anthropic.com"+path), nil)
	send, _, err := d.Body(preflighthttp.WithRepaired(t.Context(),
		func(*preflighthttp.Repaired) { panic("told") }), []byte(dirty))
	require.ErrorIs(t, err, preflight.ErrHook)
	require.Equal(t, dirty, string(send))
}
