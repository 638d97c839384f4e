package preflighthttp

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
)

// nowhere sends nothing.
var nowhere = roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.EOF })

// logged sends a request for each URL through a transport, and returns what it logs.
func logged(t *testing.T, transport *Transport, log *slog.Logger, urls ...string) {
	t.Helper()
	transport.Log, transport.Base = log, nowhere
	for _, url := range urls {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"messages":[]}`))
		require.NoError(t, err)
		_, err = transport.RoundTrip(req)
		require.ErrorIs(t, err, io.EOF)
	}
}

// TestWarnOfHost: each unknown host is logged once, whatever transports there are, and nothing of
// the request but the host and the format.
func TestWarnOfHost(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	for range 2 {
		logged(t, new(Transport), log, "https://a.example/v1/messages?key=s3cret",
			"https://A.example./v1/messages", "https://a.example/s3cret/chat/completions",
			"https://b.example/v1/chat/completions", "https://b.example/v1/other",
			"https://api.anthropic.com/v1/messages")
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "level=WARN")
	require.Contains(t, lines[0], "host=a.example format=anthropic")
	require.Contains(t, lines[1], "host=b.example format=openai-compatible")
	require.NotContains(t, out.String(), "s3cret")
}

// TestWarnOfNearMiss: an endpoint that was meant for the host, and does not match, is explained.
func TestWarnOfNearMiss(t *testing.T) {
	for k, c := range []struct {
		endpoint Endpoint // of the host, which is H here
		hint     string
	}{
		{Endpoint{Host: "https://H"}, "without scheme and path"},
		{Endpoint{Host: "http://H/v1"}, "without scheme and path"},
		{Endpoint{Host: "H/v1/messages"}, "without scheme and path"},
		{Endpoint{Host: "H", Path: "/v1"}, "how the path ends"},
		{Endpoint{Host: "other.example", Path: "/v1"}, ""},
		{Endpoint{Host: "https://other.example"}, ""},
	} {
		var out bytes.Buffer
		host := fmt.Sprintf("near%d.example:81", k)
		c.endpoint.Host = strings.ReplaceAll(c.endpoint.Host, "H", host)
		logged(t, &Transport{Endpoints: []Endpoint{c.endpoint}},
			slog.New(slog.NewTextHandler(&out, nil)), "https://"+host+"/v1/messages")
		require.Contains(t, out.String(), "host="+host)
		require.Equal(t, c.hint != "", strings.Contains(out.String(), "hint="), out.String())
		require.Contains(t, out.String(), c.hint)
	}
}

// TestWarnOfProvider: a misspelled provider of an endpoint is logged once.
func TestWarnOfProvider(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	for range 2 {
		logged(t, &Transport{Endpoints: []Endpoint{
			{Host: "own.example", Provider: "antropic"},
			{Host: "path.example", Path: "/ask", Provider: "antropic"},
			{Host: "fine.example", Provider: "openai"}, {Host: "left.example", Provider: Skip}, {},
		}}, log, "https://own.example/v1/messages", "https://path.example/ask",
			"https://fine.example/v1/messages", "https://left.example/v1/messages",
			"https://any.example/v1/messages")
	}
	require.Equal(t, 1, strings.Count(out.String(), "level=WARN"), out.String())
	require.Contains(t, out.String(), "provider=antropic")
}

// TestWarnOfHostsBounded: hosts that a program makes up do not fill the memory.
func TestWarnOfHostsBounded(t *testing.T) {
	before := warned.hosts
	warned.hosts = map[warning]bool{}
	t.Cleanup(func() { warned.hosts = before })
	urls := make([]string, maxWarned+10)
	for k := range urls {
		urls[k] = fmt.Sprintf("https://%d.example/v1/messages", k)
	}
	logged(t, new(Transport), slog.New(slog.DiscardHandler), urls...)
	require.Len(t, warned.hosts, maxWarned)
}

// panicking is a handler that panics.
type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool { panic("handler") }

func TestWarnOfHostContainsPanics(t *testing.T) {
	req, err := http.NewRequest(http.MethodPost, "https://panic.example/v1/messages",
		strings.NewReader(`{"messages":[]}`))
	require.NoError(t, err)
	transport := &Transport{Log: slog.New(panicking{slog.DiscardHandler})}
	_, err = transport.RoundTrip(req)
	require.ErrorIs(t, err, preflight.ErrHook)
}

// TestRepairUnknown: with RepairUnknown, a request to an unknown host is repaired by the rules of
// the path's format, those of openai-compatible on OpenAI's path, and nothing is logged.
func TestRepairUnknown(t *testing.T) {
	var out bytes.Buffer
	var report *Report
	transport := &Transport{
		Unknown: RepairUnknown, Log: slog.New(slog.NewTextHandler(&out, nil)), Base: nowhere,
		Report:    func(_ context.Context, r *Report) { report = r },
		Endpoints: []Endpoint{{Host: "quiet.example", Provider: Skip}},
	}
	dangling := `{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
		`"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"user","content":"r"}]}`
	for _, c := range []struct {
		url, provider string
		skipped       Reason
	}{
		{"https://new.example/v1/chat/completions", "openai-compatible", ""},
		{"https://new.example/v1/messages", "anthropic", NotRequest}, // a body of another format
		{"https://quiet.example/v1/chat/completions", "", ""},
		{"https://new.example/v1/users", "", ""},
	} {
		req, err := http.NewRequest(http.MethodPost, c.url, strings.NewReader(dangling))
		require.NoError(t, err)
		report = nil
		_, err = transport.RoundTrip(req)
		require.ErrorIs(t, err, io.EOF)
		if c.provider == "" {
			require.Nil(t, report)
			continue
		}
		require.Equal(t, c.provider, report.Provider)
		require.Equal(t, c.skipped, report.Skipped)
		require.Equal(t, c.skipped == "", report.Changed)
	}
	require.Empty(t, out.String())
}
