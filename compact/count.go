package compact

import (
	"math"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/tokens"
)

// This file counts tokens. The number that a counter returns is brought into a range in which sums
// do not overflow.

// mostTokens is the most that anything costs: sums of a few such numbers do not overflow.
const mostTokens = math.MaxInt / 16

// plus returns the sum of two costs.
func plus(a, b int) int { return min(a+b, mostTokens) }

func (l Limits) count(m preflight.Message) int {
	if l.Count == nil {
		return tokens.Estimate(m)
	}
	return l.counted(m)
}

// counted returns what the caller's counter says of a message.
func (l Limits) counted(m preflight.Message) int {
	defer contain.Guard("token counter")
	return max(0, min(l.Count(m), mostTokens))
}

func (l Limits) total(messages []preflight.Message) int {
	n := 0
	for _, m := range messages {
		n = plus(n, l.count(m))
	}
	return n
}

// textTokens returns what a text costs inside a message.
func (l Limits) textTokens(s string) int {
	return max(0, l.count(textMessage(s))-l.count(textMessage("")))
}

func textMessage(s string) preflight.Message {
	return preflight.Message{
		Role:  preflight.RoleUser,
		Parts: []preflight.Part{&preflight.Text{Text: s}},
	}
}
