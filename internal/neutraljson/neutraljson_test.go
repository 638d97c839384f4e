package neutraljson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeepsBytes: raw JSON comes back byte for byte, whatever encoding/json would make of it.
func TestKeepsBytes(t *testing.T) {
	for raw, asText := range map[string]bool{
		"":              false,
		`{"a":1.0}`:     false,
		`{"b":1,"a":2}`: false,
		`{ "a": 1 }`:    true,
		`"<"`:           true,
		`{"a":`:         true,
		"\"\xff\"":      true,
		`plain text`:    true,
	} {
		kept, text := RawOrText(json.RawMessage(raw))
		require.Equal(t, asText, text != "", raw)
		require.Equal(t, raw, string(TextOrRaw(text, kept)))
	}
}

// TestEncode: nothing is escaped for HTML, and no line end is added.
func TestEncode(t *testing.T) {
	body, err := Encode(Message{Role: "user", Parts: []Part{{Type: "text", Text: "<b>&"}}})
	require.NoError(t, err)
	require.Equal(t, `{"role":"user","parts":[{"type":"text","text":"<b>&"}]}`, string(body))
	_, err = Encode(func() {})
	require.Error(t, err)
}
