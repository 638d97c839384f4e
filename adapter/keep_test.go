package adapter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
)

// send sends messages as an SDK does that has the client, and reports whether they were accepted.
func send(t *testing.T, client *http.Client, url string, ctx context.Context, messages any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": "gpt-5.4", "messages": messages})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions",
		bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, string(answer))
}

// TestKeep: what the client repairs is in the caller's history, with the caller's own values where
// nothing changed, and is not repaired again.
func TestKeep(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	var repaired int
	client := adapter.HTTPClient(nil, &preflighthttp.Transport{
		Report: func(_ context.Context, r *preflighthttp.Report) { repaired += len(r.Warnings) },
	})
	hello, orphan, bye := &turn{"user", "a <b>", 1}, &turn{"tool", "orphan", 2}, &turn{"user", "c", 3}
	given := []*turn{hello, orphan, bye}

	history := given
	ctx := chat.Keep(context.Background(), &history)
	send(t, client, server.URL, ctx, history)
	require.Equal(t, 1, repaired)
	require.Len(t, history, 2)
	require.Same(t, hello, history[0])
	require.Same(t, bye, history[1])
	require.Equal(t, len(history), cap(history), "an append may not reach what was kept")
	require.Same(t, orphan, given[1], "the caller's array was written to")

	// an SDK that tries again sends what it sent before
	kept := history
	send(t, client, server.URL, ctx, given)
	require.Equal(t, kept, history)

	// the next turn needs no repair, and a later one is repaired as the first was
	history = append(history, &turn{"assistant", "d", 4}, &turn{"user", "e", 5})
	repaired = 0
	send(t, client, server.URL, ctx, history)
	require.Zero(t, repaired)
	history = append(history, &turn{"tool", "late", 6})
	send(t, client, server.URL, ctx, history)
	require.Equal(t, 1, repaired)
	require.Len(t, history, 4)
	require.Same(t, hello, history[0])
}

// TestKeepNothing: a repair without a place for it is sent, and kept nowhere.
func TestKeepNothing(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	ctx := chat.Keep(context.Background(), nil)
	send(t, adapter.HTTPClient(nil, nil), server.URL, ctx,
		[]*turn{{"user", "a", 1}, {"tool", "orphan", 2}, {"user", "c", 3}})
	broken := []*line{{role: "user", text: "a\x00"}}
	_, warnings, err := lines(nil).Messages(lines(nil).Keep(context.Background(), nil), broken, nil)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
}

// TestKeepOthers: requests with other messages, such as those of a tool that asks a model itself,
// are not taken for the history.
func TestKeepOthers(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	client := adapter.HTTPClient(nil, nil)
	history := []*turn{{"user", "a", 1}, {"tool", "orphan", 2}, {"user", "c", 3}}
	before := history
	ctx := chat.Keep(context.Background(), &history)
	for _, others := range [][]*turn{
		{{"user", "a", 1}, {"tool", "orphan", 2}, {"user", "another", 3}},
		{{"user", "a", 1}, {"tool", "orphan", 2}},
		{{"tool", "o", 0}, {"user", "a", 1}, {"tool", "orphan", 2}, {"user", "c", 3}},
	} {
		send(t, client, server.URL, ctx, others)
		require.Equal(t, before, history)
	}

	// of two contexts, the inner one counts
	own := []*turn{{"user", "a", 1}, {"tool", "orphan", 2}, {"user", "c", 3}}
	send(t, client, server.URL, chat.Keep(ctx, &own), own)
	require.Len(t, own, 2)
	require.Equal(t, before, history)
}

// TestKeepAfterSystem: what the caller sends before the history does not come into it.
func TestKeepAfterSystem(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	client := adapter.HTTPClient(nil, nil)
	hello, bye := &turn{"user", "a", 1}, &turn{"user", "c", 3}
	history := []*turn{hello, {"tool", "orphan", 2}, bye}
	ctx := chat.Keep(context.Background(), &history)
	send(t, client, server.URL, ctx, append([]*turn{{"system", "s", 0}}, history...))
	require.Len(t, history, 2)
	require.Same(t, hello, history[0])
	require.Same(t, bye, history[1])
}

// TestNeutralKeep: Messages writes back to the history that it was given, and to no other.
func TestNeutralKeep(t *testing.T) {
	all := lines(map[string]int{})
	history := []*line{{role: "user", text: "a"}, {role: "tool", text: "r", answers: "call_1"},
		{role: "user", text: "b"}}
	others := append([]*line(nil), history...)
	ctx := all.Keep(context.Background(), &history)
	out, warnings, err := all.Messages(ctx, others, nil)
	require.NoError(t, err)
	require.NotEmpty(t, warnings)
	require.Len(t, history, 3)
	require.Less(t, len(out), 3)

	out, _, err = all.Messages(ctx, history, nil)
	require.NoError(t, err)
	require.Equal(t, out, history)
}
