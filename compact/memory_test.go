package compact_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// TestMemory: compaction allocates at most so many times the size of a history of long outputs. The
// budget is small, so that much of it is what becomes of segments that are not chosen.
func TestMemory(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		most float64
	}{
		"short lines": {"the value of item %d is %d\n", 240},
		"long lines":  {strings.Repeat("%[1]d words of a long line, %[2]d, ", 10) + "\n", 113},
	} {
		t.Run(name, func(t *testing.T) {
			history := []preflight.Message{{Role: "user", Parts: []preflight.Part{
				&preflight.Text{Text: "read all the files"}}}}
			size := 0
			for k := range 100 {
				var said strings.Builder
				for line := 0; said.Len() < 3000; line++ {
					fmt.Fprintf(&said, c.line, line, line*k)
				}
				size += said.Len()
				id := fmt.Sprint("toolu_", k)
				history = append(history,
					preflight.Message{Role: "assistant", Parts: []preflight.Part{
						&preflight.ToolCall{ID: id, Name: "read", Input: []byte(`{}`)}}},
					preflight.Message{Role: "user", Parts: []preflight.Part{
						&preflight.ToolResult{CallID: id, Content: []preflight.Part{
							&preflight.Text{Text: said.String()}}}}})
			}
			limits := compact.Limits{Budget: 2000}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := compact.Flat{}.Compact(context.Background(), history, limits)
			require.NoError(t, err)
			runtime.ReadMemStats(&after)
			allocated := float64(after.TotalAlloc - before.TotalAlloc)
			require.LessOrEqual(t, allocated, c.most*float64(size))
		})
	}
}
