package preflightanthropic_test

import (
	"encoding/json"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/go-preflight/preflight/adapter"
	preflightanthropic "github.com/go-preflight/preflight/adapter/anthropic"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/internal/recorded"
)

// TestLossless: what the provider accepted, as the SDK's types and as raw JSON.
func TestLossless(t *testing.T) {
	types := clienttest.Types[anthropic.MessageParam]{
		Providers: []string{"anthropic"}, List: "messages",
		Repair: preflightanthropic.Messages,
		Same: func(a, b anthropic.MessageParam) bool {
			if len(a.Content) == 0 || len(b.Content) == 0 {
				one, _ := json.Marshal(a)
				other, _ := json.Marshal(b)
				return string(one) == string(other)
			}
			return &a.Content[0] == &b.Content[0]
		},
		Equal: adapter.Equal,
		Least: 1000,
	}
	types.Read = func(raw json.RawMessage) (m anthropic.MessageParam, err error) {
		return m, json.Unmarshal(raw, &m)
	}
	t.Run("typed", types.Run)
	types.Read = func(raw json.RawMessage) (anthropic.MessageParam, error) {
		return param.Override[anthropic.MessageParam](raw), nil
	}
	t.Run("raw JSON", types.Run)
}

// TestParamsFromJSONLossless: a whole request that was read is sent as it was.
func TestParamsFromJSONLossless(t *testing.T) {
	for _, r := range recorded.Load(t, "../..", recorded.Accepted, recorded.FollowUp) {
		if r.Provider != "anthropic" {
			continue
		}
		params, err := preflightanthropic.ParamsFromJSON(r.Body)
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
		} else if got := clienttest.JSON(t, params); !adapter.Equal([]byte(got), r.Body) {
			t.Errorf("%s\n got  %s\n want %s", r.ID, got, r.Body)
		}
	}
}
