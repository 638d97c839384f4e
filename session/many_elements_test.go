package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestManyElements: a list of twenty times as many messages, each with a fault, takes about twenty
// times as long.
func TestManyElements(t *testing.T) {
	messages := map[string]string{
		"chat results": `{"role":"tool","tool_call_id":"c%d","content":"x"}`,
		"chat calls": `{"role":"assistant","content":"","tool_calls":[{"id":"c%d",` +
			`"type":"function","function":{"name":"ls","arguments":"{}"}}]}`,
		"model results": `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c%d",` +
			`"toolName":"ls","output":{"type":"text","value":"x"}}]}`,
		"model calls": `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c%d",` +
			`"toolName":"ls","input":{}}]}`,
	}
	for name, message := range messages {
		t.Run(name, func(t *testing.T) {
			took := func(n int) time.Duration {
				list := make([]string, n)
				for k := range list {
					list[k] = fmt.Sprintf(message, k)
				}
				// by a call the form is known
				list[0] = fmt.Sprintf(messages[strings.Fields(name)[0]+" calls"], 0)
				data := []byte("[" + strings.Join(list, ",") + "]")
				start := time.Now()
				_, report, err := session.Repair(data, nil)
				require.NoError(t, err)
				require.True(t, report.Changed)
				return time.Since(start)
			}
			var few, many time.Duration
			for range 5 { // on a busy machine any of them may be slow
				few, many = took(2000), took(40_000)
				if many < 60*few {
					return
				}
			}
			t.Errorf("2,000 messages take %v, and 40,000 take %v", few, many)
		})
	}
}
