package preflighthttp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	profiles "github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

func TestRoundTrip(t *testing.T) {
	tests := []struct {
		name    string
		body    io.Reader
		chunked bool // asked for
		want    string
		length  int64
		changed bool
	}{
		{"clean", strings.NewReader(clean), false, clean, int64(len(clean)), false},
		{"clean, unknown length", stream(clean), false, clean, -1, false},
		{"clean, chunked", strings.NewReader(clean), true, clean, -1, false},
		{"dirty", strings.NewReader(dirty), false, repaired, int64(len(repaired)), true},
		{"dirty, unknown length", stream(dirty), false, repaired, int64(len(repaired)), true},
		{"dirty, chunked", strings.NewReader(dirty), true, repaired, -1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := started(t)
			transport, all := to(t, server.URL)
			req := post(t, server.URL+path, tt.body)
			if tt.chunked {
				req.TransferEncoding = []string{"chunked"}
			}
			status, _ := do(t, transport, req)
			require.Equal(t, http.StatusOK, status)
			got := server.only(t)
			require.Equal(t, tt.want, got.body)
			require.Equal(t, tt.length, got.length)
			report := all.only(t)
			require.Equal(t, tt.changed, report.Changed)
			require.Equal(t, tt.changed, len(report.Warnings) > 0)
			require.Equal(t, "anthropic", report.Provider)
			require.Equal(t, "claude-sonnet-4-5", report.Model)
			require.NoError(t, report.Err)
		})
	}
}

// TestModelOfThePath: the model that the path names narrows the profile, since the body does not
// name one.
func TestModelOfThePath(t *testing.T) {
	const prefill = `{"anthropic_version":"vertex-2023-10-16","max_tokens":1,` +
		`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"The answer is"}]}`
	server := started(t)
	transport, all := to(t, server.URL)
	for _, model := range []string{"claude-3-5-haiku@20241022", "claude-opus-5-5"} {
		do(t, transport,
			post(t,
				server.URL+"/v1/projects/p/locations/l/publishers/anthropic/models/"+model+
					":rawPredict", strings.NewReader(prefill)))
	}
	require.Equal(t, prefill, server.got[0].body) // takes prefill
	require.NotEqual(t, prefill, server.got[1].body)
	require.Equal(t, "claude-opus-5-5", all.all[1].Model)
	req := post(t, server.URL+"/v1beta/models/gemini-3-pro:generateContent",
		strings.NewReader("{}"))
	req.Header.Set("Digest", "x")
	do(t, transport, req)
	require.Equal(t, "gemini-3-pro", all.all[2].Model) // also where the body was not read
}

func TestUnfixable(t *testing.T) {
	const empty = `{"model":"claude-sonnet-4-5","messages":[]}`
	t.Run("sent unchanged by default", func(t *testing.T) {
		server := started(t)
		transport, all := to(t, server.URL)
		do(t, transport, post(t, server.URL+path, strings.NewReader(empty)))
		require.Equal(t, empty, server.only(t).body)
		require.ErrorIs(t, all.only(t).Err, preflight.ErrEmptyHistory)
	})
	t.Run("fails", func(t *testing.T) {
		server := started(t)
		transport, all := to(t, server.URL)
		transport.Unfixable = preflighthttp.Fail
		_, err := (&http.Client{Transport: transport}).Do(post(t, server.URL+path,
			strings.NewReader(empty)))
		require.ErrorIs(t, err, preflight.ErrEmptyHistory)
		var typed *preflighthttp.Error
		require.ErrorAs(t, err, &typed)
		require.Equal(t, "anthropic", typed.Provider)
		require.Empty(t, server.received())
		require.ErrorIs(t, all.only(t).Err, preflight.ErrEmptyHistory)
	})
	t.Run("what is no request does not fail", func(t *testing.T) {
		server := started(t)
		transport, _ := to(t, server.URL)
		transport.Unfixable = preflighthttp.Fail
		do(t, transport, post(t, server.URL+path, strings.NewReader("{}")))
		require.Equal(t, "{}", server.only(t).body)
	})
	t.Run("a hook that fails always fails", func(t *testing.T) {
		server := started(t)
		transport, _ := to(t, server.URL)
		transport.Options.Hooks = []preflight.Hook{
			{
				Name: "redact",
				Message: func(context.Context, preflight.Message) (preflight.Message, error) {
					return preflight.Message{}, io.ErrClosedPipe
				},
			},
		}
		_, err := transport.RoundTrip(post(t, server.URL+path, strings.NewReader(clean)))
		require.ErrorIs(t, err, preflight.ErrHook)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.Empty(t, server.received())
	})
	for name, wrong := range map[string]preflight.Options{
		"a misspelled option":    {Dangling: "anwser"},
		"a fixer without a name": {Fixers: []preflight.Fixer{{}}},
	} {
		for _, unfixable := range []preflighthttp.Unfixable{
			"", preflighthttp.SendUnchanged, preflighthttp.Refuse,
		} {
			t.Run(name+" always fails", func(t *testing.T) {
				server := started(t)
				transport, _ := to(t, server.URL)
				transport.Options, transport.Unfixable = wrong, unfixable
				_, err := transport.RoundTrip(post(t, server.URL+path, strings.NewReader(clean)))
				require.ErrorIs(t, err, preflight.ErrPipeline)
				require.Empty(t, server.received())
			})
		}
	}
}

func TestUnknownProvider(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	transport.Endpoints[0] = preflighthttp.Endpoint{Path: path, Provider: "nobody"}
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	require.Equal(t, dirty, server.only(t).body)
	require.ErrorIs(t, all.only(t).Err, wire.ErrUnknownProvider)
	require.Equal(t, preflighthttp.NotRequest, all.only(t).Skipped)
}

func TestDryRun(t *testing.T) {
	server := started(t)
	server.respond = func(w http.ResponseWriter, _ *http.Request, _ string) { refuse(w, bound) }
	transport, all := to(t, server.URL)
	transport.DryRun = true
	transport.Remedies = remedy.All()
	transport.Unfixable = preflighthttp.Fail
	transport.Options.Hooks = nil
	status, _ := do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, dirty, server.only(t).body)
	require.True(t, all.only(t).Changed)
	require.NotEmpty(t, all.only(t).Warnings)
	do(t, transport, post(t, server.URL+path, strings.NewReader(`{"messages":[]}`)))
	require.ErrorIs(t, all.all[1].Err, preflight.ErrEmptyHistory)
}

// key is the type of a context value.
type key struct{}

// TestContext: hooks and the report callback get the context of the request.
func TestContext(t *testing.T) {
	server := started(t)
	transport, _ := to(t, server.URL)
	var seen []any
	transport.Options.Hooks = []preflight.Hook{
		{
			Name: "look",
			History: func(ctx context.Context, h []preflight.Message) ([]preflight.Message, error) {
				seen = append(seen, ctx.Value(key{}))
				return h, nil
			},
		},
	}
	transport.Report = func(ctx context.Context, _ *preflighthttp.Report) {
		seen = append(seen, ctx.Value(key{}))
	}
	do(t, transport,
		post(t, server.URL+path, strings.NewReader(clean)).WithContext(context.WithValue(
			context.Background(), key{}, "v")))
	require.Equal(t, []any{"v", "v"}, seen)
	require.Equal(t, clean, server.only(t).body)
}

func TestCloseIdleConnections(t *testing.T) {
	closed := 0
	transport := &preflighthttp.Transport{Base: &closer{&closed}}
	(&http.Client{Transport: transport}).CloseIdleConnections()
	require.Equal(t, 1, closed)
	transport.Base = roundTripper(nil)
	transport.CloseIdleConnections() // has nothing to close
}

type closer struct{ n *int }

func (*closer) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.EOF }
func (c *closer) CloseIdleConnections()                         { *c.n++ }

// TestReportHoldsNoContent: a report can be logged.
func TestReportHoldsNoContent(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	do(t, transport,
		post(t, server.URL+path, strings.NewReader(strings.ReplaceAll(dirty, "Stop.", "s3cret"))))
	do(t, transport, post(t, server.URL+path, strings.NewReader(`{"messages":"s3cret"}`)))
	do(t, transport, post(t, server.URL+path, strings.NewReader(`s3cret`)))
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	for _, r := range all.all {
		logger.Info("request", "preflight", r)
	}
	require.Contains(t, log.String(), `"code":"dangling-removed"`)
	require.Contains(t, log.String(), `"skipped":"not-json"`)
	require.NotContains(t, log.String(), "s3cret")
	require.Equal(t, slog.Value{}, (*preflighthttp.Report)(nil).LogValue())
}

// TestEndpointMeasured: a measured profile is that of its endpoint, in its format.
func TestEndpointMeasured(t *testing.T) {
	s := started(t)
	transport, all := to(t, s.URL)
	measured, err := profiles.ReadMeasured([]byte(`{"version": 1, "provider": "openai-compatible",
		"model": "acme", "enforced": ["chat-template/alternation"], "lifted": []}`))
	require.NoError(t, err)
	transport.Endpoints = []preflighthttp.Endpoint{{Measured: measured}}
	for k, model := range []string{"acme", "other"} {
		do(t, transport, post(t, s.URL+"/v1/chat/completions", strings.NewReader(fmt.Sprintf(
			`{"model":%q,"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}`,
			model))))
		require.Equal(t, "openai-compatible", all.all[k].Provider)
		require.Equal(t, model == "acme", all.all[k].Changed)
	}
}
