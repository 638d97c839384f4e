package cachepoint

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLifetime(t *testing.T) {
	for _, tt := range []struct {
		marker      string
		long, short bool
	}{
		{`{"type":"ephemeral"}`, false, true},
		{`{"type":"ephemeral","ttl":"5m"}`, false, true},
		{`{"type":"ephemeral","ttl":null}`, false, true},
		{`{"type":"ephemeral","ttl":"1h"}`, true, false},
		{`{"ttl" : "\u0031h"}`, true, false},
		{`{"type":"ephemeral","ttl":"24h"}`, false, false},
		{`{"type":"ephemeral","ttl":3600}`, false, false},
		{`{"type":"ephemeral","ttl":"5m","note":"1h"}`, false, true},
		{`{"type":"ephemeral","label":"ttl 1h"}`, false, true},
		{`{"cachePoint":{"type":"default"}}`, false, true},
		{`{"cachePoint":{"type":"default","ttl":"5m"}}`, false, true},
		{`{"cachePoint":{"type":"default","ttl":"1h"}}`, true, false},
		{`{"ttl":"1h"`, false, false},
	} {
		assert.Equal(t, tt.long, Long([]byte(tt.marker)), "long: %s", tt.marker)
		assert.Equal(t, tt.short, Short([]byte(tt.marker)), "short: %s", tt.marker)
	}
}

func TestShortenKeepsTheRest(t *testing.T) {
	for marker, want := range map[string]string{
		`{"type":"ephemeral","ttl":"1h"}`:                      `{"type":"ephemeral"}`,
		`{"ttl":"1h","type":"ephemeral","scope":"global"}`:     `{"type":"ephemeral","scope":"global"}`,
		`{"cachePoint":{"type":"default","ttl":"1h"}}`:         `{"cachePoint":{"type":"default"}}`,
		`{"cachePoint":{"ttl":"1h","type":"default","x":1e0}}`: `{"cachePoint":{"type":"default","x":1e0}}`,
	} {
		given := json.RawMessage(marker)
		short := Shorten(given)
		assert.Equal(t, want, string(short))
		assert.Equal(t, marker, string(given), "the marker is not changed")
		assert.True(t, Short(short))
		assert.False(t, Long(short))
	}
}
