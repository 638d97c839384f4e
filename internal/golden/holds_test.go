package golden_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/golden"
)

// TestVerbsCanFail: every verb is true of one request and false of another.
func TestVerbsCanFail(t *testing.T) {
	pair := `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[
		{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[
		{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r1"}]}]}]}`
	neutral := `[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f"}]},
		{"role":"tool","parts":[{"type":"tool_result","call_id":"a","output_text":"r1"}]}]`
	bare := `{"messages":[{"role":"user","content":"p"}]}`
	dangling := `{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}]}`
	for line, bodies := range map[string][2]string{
		`unchanged`:                 {pair, bare},
		`has "q"`:                   {pair, bare},
		`lacks "q"`:                 {bare, pair},
		`call "a"`:                  {pair, bare},
		`no-call "a"`:               {bare, pair},
		`result "a" "r1"`:           {pair, dangling},
		`one-result "a"`:            {pair, dangling},
		`paired "a"`:                {pair, dangling},
		`roles user assistant user`: {pair, dangling},
		`roles assistant tool`:      {neutral, dangling},
		`result "a" "r1" `:          {neutral, dangling},
		`paired "a" `:               {neutral, dangling},
	} {
		require.NoError(t, golden.Holds(line, []byte(pair), []byte(bodies[0])))
		require.Error(t, golden.Holds(line, []byte(pair), []byte(bodies[1])), line)
	}
	require.Error(t, golden.Holds("hopes for the best", []byte(pair), []byte(pair)))
	require.Error(t, golden.Holds(`has not JSON`, []byte(pair), []byte(pair)))
}
