package session_test

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestMemory: a repair, which reads and checks what it leaves as it is once, allocates at most so
// many times the size of the session.
func TestMemory(t *testing.T) {
	output := strings.Repeat("a line of what the tool has said\\n", 100)
	const ends = `"sessionId":"s","version":"2.1.330"}` + "\n"
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it empties the pools

	for missing, most := range map[int]float64{0: 4.25, 10: 13.5} { // one result in so many is missing
		var data bytes.Buffer
		data.WriteString(`{"parentUuid":null,"isSidechain":false,"type":"user","message":` +
			`{"role":"user","content":"List the files."},"uuid":"0",` + ends)
		last := "0"
		for k := range 300 {
			fmt.Fprintf(&data, `{"parentUuid":"%s","isSidechain":false,"type":"assistant","message":`+
				`{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[2]d",`+
				`"name":"ls","input":{}}]},"uuid":"a%[2]d",%s`, last, k, ends)
			last = fmt.Sprint("a", k)
			if missing > 0 && k%missing == 0 {
				continue
			}
			fmt.Fprintf(&data, `{"parentUuid":"%s","isSidechain":false,"type":"user","message":`+
				`{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result",`+
				`"content":"%s"}]},"uuid":"r%[2]d","sourceToolAssistantUUID":"a%[2]d",%[4]s`,
				last, k, output, ends)
			last = fmt.Sprint("r", k)
		}
		_, _, err := session.Repair(data.Bytes(), nil) // fills the pools
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, report, err := session.Repair(data.Bytes(), nil)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Equal(t, missing == 0, report.Sound())
		allocated := float64(after.TotalAlloc - before.TotalAlloc)
		require.LessOrEqual(t, allocated, most*float64(data.Len()), missing)
	}
}
