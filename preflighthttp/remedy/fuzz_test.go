package remedy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// FuzzDropNamed refuses any body with any words: what is dropped leaves JSON, and every message
// keeps its role, its content and what pairs it.
func FuzzDropNamed(f *testing.F) {
	for _, words := range []string{
		"Unknown parameter: 'input[1].status'.", `Unknown name "id" at 'contents[0].parts[0]'`,
		"messages.0.content.0.text.cache_control: Extra inputs are not permitted",
		`{"type":"extra_forbidden","loc":["body","messages",0,"x"]}`,
	} {
		f.Add([]byte(`{"messages":[{"role":"user","x":1,"content":[{"type":"text","text":"a",`+
			`"cache_control":{}}]}],"input":[{"type":"message","status":"s","content":[]}]}`), words)
	}
	f.Fuzz(func(t *testing.T, body []byte, words string) {
		got, dropped, forms := dropNamed(body, words)
		if len(forms) == 0 {
			require.Equal(t, string(body), string(got))
			return
		}
		require.True(t, json.Valid(got))
		require.NotEmpty(t, dropped)
		require.Less(t, len(got), len(body))
		for _, path := range dropped {
			name := plain(path[strings.LastIndexByte(path, '.')+1:])
			require.False(t, empty[name] || name == "content", path)
		}
		result, _ := withoutNamed(&wire.Result{}, body, body, words)
		require.True(t, result.Changed)
		for _, form := range forms { // what was learned drops the same
			require.False(t, form.plain() && breaksMember(got, form.id()), form.id())
		}
	})
}
