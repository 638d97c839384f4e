package preflightanthropicv2_test

import (
	"encoding/json"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/go-preflight/preflight/adapter"
	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/internal/recorded"
)

// TestLossless: what the provider accepted, as the SDK's types and as raw JSON.
func TestLossless(t *testing.T) {
	types := clienttest.Types[anthropic.MessageParam]{
		Providers: []string{"anthropic"}, List: "messages",
		Repair: preflightanthropicv2.Messages,
		Same: func(a, b anthropic.MessageParam) bool {
			if len(blocksOf(a)) == 0 || len(blocksOf(b)) == 0 {
				one, _ := json.Marshal(a)
				other, _ := json.Marshal(b)
				return string(one) == string(other)
			}
			return &blocksOf(a)[0] == &blocksOf(b)[0]
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
		params, err := preflightanthropicv2.ParamsFromJSON(r.Body)
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
		} else if got := clienttest.JSON(t, params); !adapter.Equal([]byte(got), r.Body) {
			t.Errorf("%s\n got  %s\n want %s", r.ID, got, r.Body)
		}
	}
}
