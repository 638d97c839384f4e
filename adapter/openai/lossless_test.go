package preflightopenai_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/openai/openai-go/v3/packages/param"

	"github.com/go-preflight/preflight/adapter"
	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/wire"
)

// hosts are those whose recorded requests are in the format of Chat Completions.
var hosts = []string{
	"openai-chat", "openai-compatible", "openrouter", "mistral", "deepseek", "groq", "azure", "glm",
}

// TestLossless: what the providers accepted, as the SDK's types and as raw JSON.
func TestLossless(t *testing.T) {
	chat := clienttest.Types[chatMessage]{
		Providers: hosts, List: "messages", Repair: preflightopenai.Chat,
		Same: chatClient.Same, Equal: adapter.Equal, Least: 1000,
	}
	chat.Read = func(raw json.RawMessage) (m chatMessage, err error) {
		return m, json.Unmarshal(raw, &m)
	}
	t.Run("chat, typed", chat.Run)
	chat.Read = func(raw json.RawMessage) (chatMessage, error) {
		return param.Override[chatMessage](raw), nil
	}
	chat.Same = sameRaw[chatMessage]
	t.Run("chat, raw JSON", chat.Run)
	items := clienttest.Types[item]{
		Providers: []string{"openai-responses"}, List: "input",
		Read: func(raw json.RawMessage) (item, error) { return param.Override[item](raw), nil },
		Repair: func(ctx context.Context, in []item, options *wire.Options) (
			[]item, []wire.Warning, error,
		) {
			return preflightopenai.Responses(ctx, in, options)
		},
		Same: sameRaw[item], Equal: adapter.Equal, Least: 1000,
	}
	t.Run("responses", items.Run)
}

// sameRaw reports whether two messages are the same JSON.
func sameRaw[M any](a, b M) bool {
	one, _ := json.Marshal(a)
	other, _ := json.Marshal(b)
	return string(one) == string(other)
}

// TestParamsFromJSONLossless: a whole request that was read is sent as it was.
func TestParamsFromJSONLossless(t *testing.T) {
	for _, r := range recorded.Load(t, "../..", recorded.Accepted, recorded.FollowUp) {
		var got []byte
		var err error
		switch {
		case r.Provider == "openai-responses":
			params, e := preflightopenai.ResponseParamsFromJSON(r.Body)
			if err = e; err == nil {
				got, err = json.Marshal(params)
			}
		case slices.Contains(hosts, r.Provider):
			params, e := preflightopenai.ChatParamsFromJSON(r.Body)
			if err = e; err == nil {
				got, err = json.Marshal(params)
			}
		default:
			continue
		}
		if err != nil || !adapter.Equal(got, r.Body) {
			t.Errorf("%s: %v\n got  %s\n want %s", r.ID, err, got, r.Body)
		}
	}
}
