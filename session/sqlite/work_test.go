//go:build workcount

package sqlite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/session"
)

// TestWorkIsLinear: rows of results without end, calls without results, and results that all come
// at the end, in rows of their own or in one, take about ten times as many steps for ten times as
// many.
func TestWorkIsLinear(t *testing.T) {
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
			steps := func(n int) int64 {
				one := &crushSession{id: "s", rows: rows(n)}
				for k, row := range one.rows {
					row.id, row.was = fmt.Sprint(k), row.parts
					row.read()
				}
				return work.Count(func() {
					report := &session.Report{}
					one.dropDoubles(report)
					one.undo(report, "text")
					require.NoError(t, one.answer(report, "text", time.Time{}))
				})
			}
			few, many := steps(200), steps(2000)
			require.Positive(t, few)
			require.LessOrEqual(t, many, 14*few)
		})
	}
}
