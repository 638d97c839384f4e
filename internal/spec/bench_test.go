package spec

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/provider"
)

// This file measures Sanitize on long histories, and in the same run the passes that no sanitizer
// can do without. make bench-report makes docs/performance.md of it.

// memorySizes are the numbers of messages measured in memory.
var memorySizes = []int{10, 100, 1000, 10_000, 100_000}

func BenchmarkMemory(b *testing.B) {
	profile := provider.Anthropic("")
	for _, shape := range benchdata.Shapes {
		for _, n := range memorySizes {
			if n > 10_000 && (shape != benchdata.Clean || testing.Short()) {
				continue
			}
			history := sync.OnceValue(func() []preflight.Message {
				return benchdata.History(shape, n)
			})
			profile := profile
			if shape == benchdata.Run { // which not every provider refuses
				portable := profile.Portable()
				profile = &portable
			}
			for _, pass := range []struct {
				name string
				do   func() bool
			}{
				{"floor", func() bool { return adjacent(history()) }},
				{"text", func() bool { return validText(history()) }},
				{"sanitize", func() bool {
					result, err := preflight.Sanitize(context.Background(), history(), profile, nil)
					return err == nil &&
						result.Changed ==
							(shape != benchdata.Clean && shape != benchdata.Payloads &&
								shape != benchdata.Parallel)
				}},
			} {
				b.Run(fmt.Sprintf("%s/%d/%s", shape, n, pass.name), func(b *testing.B) {
					benchdata.Measure(b, pass.do)
				})
			}
		}
	}
}

// adjacent is the least that pairing can cost: a walk over all parts that compares the id of each
// result with that of the call before it. It must not be clever, and it must look at everything
// once.
func adjacent(history []preflight.Message) bool {
	last, pairs, roles := "", 0, 0
	for i := range history {
		roles += len(history[i].Role)
		for _, p := range history[i].Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				last = p.ID
			case *preflight.ToolResult:
				if p.CallID == last {
					pairs++
				}
			}
		}
	}
	return pairs <= roles
}

// validText is what the text itself costs: every one is UTF-8, without NUL.
func validText(history []preflight.Message) bool {
	for i := range history {
		for _, p := range history[i].Parts {
			switch p := p.(type) {
			case *preflight.Text:
				if !valid(p.Text) {
					return false
				}
			case *preflight.Reasoning:
				if !valid(p.Text) {
					return false
				}
			case *preflight.ToolCall:
				if !utf8.Valid(p.Input) {
					return false
				}
			case *preflight.ToolResult:
				for _, c := range p.Content {
					if t, ok := c.(*preflight.Text); ok && !valid(t.Text) {
						return false
					}
				}
				if !utf8.Valid(p.Output) {
					return false
				}
			}
		}
	}
	return true
}

func valid(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
