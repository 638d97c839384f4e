package sqlite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestManyRows: rows of results without end, calls without results, and results that all come at
// the end, in rows of their own or in one, take about ten times as long for ten times as many.
func TestManyRows(t *testing.T) {
	call := func(k int) string {
		return strings.ReplaceAll(`{"type":"tool_call","data":{"id":"ID","name":"ls","input":"{}"}}`,
			"ID", fmt.Sprint("t", k))
	}
	result := func(k int) string {
		return fmt.Sprintf(`{"type":"tool_result","data":{"tool_call_id":"t%d","content":"x"}}`, k)
	}
	for name, rows := range map[string]func(n int) []*crushRow{
		"results": func(n int) (rows []*crushRow) {
			for k := range n {
				rows = append(rows, &crushRow{role: "tool", parts: "[" + result(k) + "]"})
			}
			return rows
		},
		"calls": func(n int) (rows []*crushRow) {
			for k := range n {
				rows = append(rows, &crushRow{role: "assistant", parts: "[" + call(k) + "]"})
			}
			return rows
		},
		"late": func(n int) (rows []*crushRow) {
			for k := range n {
				rows = append(rows, &crushRow{role: "assistant", parts: "[" + call(k) + "]"},
					&crushRow{role: "user", parts: "[]"})
			}
			for k := range n {
				rows = append(rows, &crushRow{role: "tool", parts: "[" + result(k) + "]"})
			}
			return rows
		},
		"late, in one row": func(n int) (rows []*crushRow) {
			calls, results := make([]string, n), make([]string, n)
			for k := range n {
				calls[k], results[n-1-k] = call(k), result(k)
			}
			return []*crushRow{
				{role: "assistant", parts: "[" + strings.Join(calls, ",") + "]"},
				{role: "user", parts: "[]"},
				{role: "tool", parts: "[" + strings.Join(results, ",") + "]"},
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			took := func(n int) time.Duration {
				one := &crushSession{id: "s", rows: rows(n)}
				for k, row := range one.rows {
					row.id, row.was = fmt.Sprint(k), row.parts
					row.read()
				}
				start := time.Now()
				require.NoError(t, one.answer(&session.Report{}, "text"))
				return time.Since(start)
			}
			var few, many time.Duration
			for range 5 { // on a busy machine any of them may be slow
				few, many = took(2000), took(20_000)
				if many < 40*few {
					return
				}
			}
			t.Errorf("2,000 rows take %v, and 20,000 take %v", few, many)
		})
	}
}
