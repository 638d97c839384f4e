package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file measures what an agent loop pays that sanitizes the whole of its growing history before
// every request.

// sessionTurns is how many requests a session has. Each is two messages longer than the one before.
const sessionTurns = 1000

// sdkRequest is a request as the types of an SDK hold it.
type sdkRequest struct {
	Model     string          `json:"model"`
	MaxTokens int             `json:"max_tokens"`
	Thinking  json.RawMessage `json:"thinking"`
	Tools     json.RawMessage `json:"tools"`
	Messages  []sdkMessage    `json:"messages"`
}

type sdkMessage struct {
	Role    string     `json:"role"`
	Content sdkContent `json:"content"`
}

// sdkContent is a list of blocks, or a text in place of one.
type sdkContent []sdkBlock

func (c *sdkContent) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		return json.Unmarshal(data, (*[]sdkBlock)(c))
	}
	*c = sdkContent{{Type: "text"}}
	return json.Unmarshal(data, &(*c)[0].Text)
}

type sdkBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Thinking  string          `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   sdkContent      `json:"content,omitempty"`
}

// BenchmarkSession measures a session of sessionTurns requests as a whole: encoding each of them,
// which every client does anyway, and sanitizing each, in memory and on the wire. Every request is
// valid.
func BenchmarkSession(b *testing.B) {
	history := benchdata.History(benchdata.Clean, 2*sessionTurns)
	body := benchBody(b, "anthropic", benchdata.Clean, 2*sessionTurns)
	// open turns hold some
	body = bytes.Replace(body, []byte(`"max_tokens":4096`),
		[]byte(`"max_tokens":4096,"thinking":{"type":"enabled","budget_tokens":2048}`), 1)
	var request sdkRequest
	require.NoError(b, json.Unmarshal(body, &request))
	profile := provider.Anthropic("")
	var ends []int // the lengths of the histories that are sent: those that end in a user's turn
	for i := range history {
		if history[i].Role == preflight.RoleUser && len(ends) < sessionTurns {
			ends = append(ends, i+1)
		}
	}
	require.Len(b, ends, sessionTurns)
	cuts := messageEnds(b, body)

	measure := func(b *testing.B, session func() bool) {
		benchdata.Measure(b, session)
		b.ReportMetric(sessionTurns, "turns")
	}
	b.Run("marshal", func(b *testing.B) {
		measure(b, func() bool {
			for _, n := range ends {
				sent := request
				sent.Messages = request.Messages[:n]
				if _, err := json.Marshal(sent); err != nil {
					return false
				}
			}
			return true
		})
	})
	b.Run("memory", func(b *testing.B) {
		measure(b, func() bool {
			for _, n := range ends {
				if result, err := preflight.Sanitize(context.Background(), history[:n], profile,
					nil); err != nil ||
					result.Changed {
					return false
				}
			}
			return true
		})
	})
	options := &wire.Options{Provider: "anthropic"}
	b.Run("wire", func(b *testing.B) {
		measure(b, func() bool {
			for _, n := range ends {
				// The body of the request is the beginning of the last one, closed where its
				// messages end.
				end := cuts[n-1]
				held := [2]byte(body[end : end+2])
				copy(body[end:], "]}")
				result, err := wire.Sanitize(context.Background(), body[:end+2], options)
				copy(body[end:], held[:])
				if err != nil || result.Changed {
					return false
				}
			}
			return true
		})
	})
	// The least that a Sanitizer could cost that remembers the last body: it compares what the two
	// have in common, and reads the rest, which is the new messages.
	b.Run("prefix", func(b *testing.B) {
		last := bytes.Clone(body)
		head := body[:bytes.Index(body, []byte(`"messages":[`))+len(`"messages":[`)]
		measure(b, func() bool {
			var tail []byte
			from := len(head)
			for _, n := range ends {
				end := cuts[n-1]
				if !bytes.Equal(body[:from], last[:from]) {
					return false
				}
				tail = append(append(append(tail[:0], head...), body[from:end]...), "]}"...)
				if _, err := wire.Sanitize(context.Background(), tail, options); err != nil {
					return false
				}
				from = end + len(",")
			}
			return true
		})
	})
}

// messageEnds is where each message of a body ends that ends with its messages.
func messageEnds(b *testing.B, body []byte) []int {
	var request struct {
		Messages []json.RawMessage `json:"messages"`
	}
	require.NoError(b, json.Unmarshal(body, &request))
	ends := make([]int, len(request.Messages))
	at := len(body) - len("]}")
	for k := len(ends) - 1; k >= 0; k-- {
		ends[k] = at
		at -= len(request.Messages[k]) + len(",")
	}
	require.Equal(b, byte('['), body[at],
		"the messages are last, with nothing but a comma between them")
	return ends
}
