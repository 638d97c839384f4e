package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file measures what the table in docs/loop.md says: an agent history of turns of
// 1.3 KB, clean or with one message in five broken, sanitized for a request, stored and resumed;
// and one request body encoded, for comparison.

// agentHistory is rounds of prompt, call, result and reply. In a dirty one, every fifth call has no
// result.
func agentHistory(messages int, dirty bool) []preflight.Message {
	body := strings.Repeat("the quick brown fox ", 65)
	var out []preflight.Message
	for k := 0; len(out) < messages; k++ {
		id := fmt.Sprintf("toolu_%06d", k)
		out = append(out, userMsg(says(body)),
			botMsg(says(body), &preflight.ToolCall{
				ID:    id,
				Name:  "run",
				Input: json.RawMessage(`{"command":"ls"}`),
			}))
		if !dirty || k%5 != 0 {
			out = append(out,
				userMsg(&preflight.ToolResult{CallID: id, Content: []preflight.Part{says(body)}}),
				botMsg(says(body)))
		}
	}
	return append(out, userMsg(says("next")))
}

func BenchmarkPresets(b *testing.B) {
	profile := provider.Anthropic("")
	ctx := context.Background()
	for _, n := range []int{100, 1000, 10000} {
		for _, state := range []string{"clean", "dirty"} {
			history := agentHistory(n, state == "dirty")
			for name, run := range map[string]func() error{
				"sanitize": func() error {
					_, err := preflight.Sanitize(ctx, history, profile, nil)
					return err
				},
				"persist": func() error {
					_, err := stored.Persist(ctx, history, stored.PersistOptions())
					return err
				},
				"resume": func() error {
					_, err := stored.Resume(ctx, history, nil, nil)
					return err
				},
				"encode": func() error { _, err := json.Marshal(history); return err },
			} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, state, n), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := run(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(
						float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(history)),
						"ns/message")
				})
			}
		}
	}
}

func BenchmarkTruncate(b *testing.B) {
	output := json.RawMessage(
		`{"content":"` + strings.Repeat(`line\n`, 200_000) + `","num_lines":421}`)
	history := []preflight.Message{
		botMsg(&preflight.ToolCall{
			ID:   "srvtoolu_1",
			Name: "code_execution", ProviderExecuted: true,
		}, &preflight.ToolResult{CallID: "srvtoolu_1", ProviderExecuted: true, Output: output}),
	}
	b.SetBytes(int64(len(output)))
	for b.Loop() {
		if _, err := stored.Persist(context.Background(), history, stored.PersistOptions()); err != nil {
			b.Fatal(err)
		}
	}
}
