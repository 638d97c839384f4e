package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file measures Sanitize on long bodies, and in the same run what the standard library takes
// to look at them. make bench-report makes docs/performance.md of it.

// wireSizes are the numbers of messages measured on the wire.
var wireSizes = []int{10, 100, 1000, 10_000}

// wireHeads are the bodies that the histories are written into.
var wireHeads = map[string]string{
	"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":4096,"tools":[{"name":"read_file",` +
		`"input_schema":{"type":"object"}},` +
		`{"type":"code_execution_20250825","name":"code_execution"}],"messages":[]}`,
	"openai-chat": `{"model":"gpt-4o","tools":[{"type":"function",` +
		`"function":{"name":"read_file"}}],"messages":[]}`,
}

// benchBody is a history as the body of a request.
func benchBody(tb testing.TB, name string, shape benchdata.Shape, n int) []byte {
	history := benchdata.History(shape, n)
	if name != "anthropic" { // whose form the history has
		profile := provider.OpenAIChat("")
		result, err := preflight.Sanitize(context.Background(), history, profile, nil)
		require.NoError(tb, err)
		history = result.Messages
	}
	r, err := wire.Decode([]byte(wireHeads[name]), &wire.Options{Provider: name})
	require.NoError(tb, err)
	body, err := r.Encode(history)
	require.NoError(tb, err)
	return body
}

func BenchmarkWire(b *testing.B) {
	for _, shape := range benchdata.Shapes {
		for _, n := range wireSizes {
			benchWire(b, "anthropic", shape, n)
			if shape == benchdata.Clean {
				benchWire(b, "openai-chat", shape, n)
			}
		}
	}
}

func benchWire(b *testing.B, provider string, shape benchdata.Shape, n int) {
	var body []byte
	// not every provider refuses neighbours of one role
	options := &wire.Options{Provider: provider, Portable: shape == benchdata.Run}
	clean := shape == benchdata.Clean || shape == benchdata.Payloads || shape == benchdata.Parallel
	var room []byte
	for _, pass := range []struct {
		name string
		do   func() bool
	}{
		{"memcpy", func() bool { room = append(room[:0], body...); return true }},
		{"utf8.Valid", func() bool { return utf8.Valid(body) }},
		{"json.Valid", func() bool { return json.Valid(body) }},
		{"roundtrip", func() bool { return roundTrip(body) }},
		{"sanitize", func() bool {
			result, err := wire.Sanitize(context.Background(), body, options)
			return err == nil && result.Changed != clean && (!clean || &result.Body[0] == &body[0])
		}},
	} {
		if pass.name == "roundtrip" && (n > 1000 || shape != benchdata.Clean) {
			continue
		}
		b.Run(fmt.Sprintf("%s/%s/%d/%s", provider, shape, n, pass.name), func(b *testing.B) {
			if body == nil {
				body = benchBody(b, provider, shape, n)
			}
			b.SetBytes(int64(len(body)))
			benchdata.Measure(b, pass.do)
			b.ReportMetric(float64(len(body)), "body-B")
		})
	}
}

// BenchmarkFormat measures a valid body of every provider, with all that requests are made of.
func BenchmarkFormat(b *testing.B) {
	for _, provider := range wire.Providers() {
		body, options := cleanBody(b, provider), &wire.Options{Provider: provider}
		b.Run(provider+"/json.Valid", func(b *testing.B) {
			benchdata.Measure(b, func() bool { return json.Valid(body) })
		})
		b.Run(provider+"/sanitize", func(b *testing.B) {
			benchdata.Measure(b, func() bool {
				result, err := wire.Sanitize(context.Background(), body, options)
				return err == nil && !result.Changed
			})
		})
	}
}

// BenchmarkPeak measures the most memory that Sanitize holds at once. It needs collections that
// stop the program: while others run, what is allocated counts as held, and so does what is let go.
func BenchmarkPeak(b *testing.B) {
	if !strings.Contains(os.Getenv("GODEBUG"), "gcstoptheworld=1") {
		b.Skip("GODEBUG=gcstoptheworld=1 must be set")
	}
	for _, shape := range benchdata.Shapes {
		options := &wire.Options{Provider: "anthropic", Portable: shape == benchdata.Run}
		for _, n := range []int{1000, 10_000} {
			b.Run(fmt.Sprintf("anthropic/%s/%d", shape, n), func(b *testing.B) {
				body := benchBody(b, "anthropic", shape, n)
				for b.Loop() {
					b.ReportMetric(benchdata.Peak(func() {
						if _, err := wire.Sanitize(context.Background(), body,
							options); err != nil {
							b.Fatal(err)
						}
					}), "peak-B")
				}
			})
		}
	}
}

// roundTrip is what a sanitizer costs at least that decodes a body into structs and encodes it
// again.
func roundTrip(body []byte) bool {
	var request struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &request) != nil {
		return false
	}
	out, err := json.Marshal(request)
	return err == nil && bytes.HasPrefix(out, []byte(`{"model"`))
}
