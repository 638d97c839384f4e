package compact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// TestAnswersOfForms: an answer stays with its question where it comes after a pause, or has its
// decision at its end, though the user says the same again and again.
func TestAnswersOfForms(t *testing.T) {
	user, model := preflight.RoleUser, preflight.RoleAssistant
	for name, c := range map[string]struct {
		asks    string
		between []preflight.Message
		answer  string
		decides string
	}{
		"pause": {
			asks: "May I delete bucket-%d?",
			between: []preflight.Message{
				say(user, "Wait, I have to look that up."), say(model, "Of course."),
			},
			answer: "It is fine, do that.", decides: "It is fine, do that.",
		},
		"end": {
			asks: "May I delete bucket-%d?",
			answer: "I talked about that on Monday, and there were two opinions. One was that nobody " +
				"looks at it any more. The other was that it is in the contract. So no, it stays.",
			decides: "So no, it stays.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var inputs []compact.Input
			const n = 20
			for k := range n {
				asks := fmt.Sprintf(c.asks, k)
				said := slices.Concat([]preflight.Message{say(model, asks)}, c.between,
					[]preflight.Message{say(user, c.answer)})
				for i := range 6 {
					said = append(said, say(model, fmt.Sprintf("Table %d of host %d has %d rows, and its "+
						"index is %d days old.", i, k, 31*k*i, k+i)))
				}
				for _, m := range said {
					inputs = append(inputs, compact.InputOf(m))
				}
			}
			record := compact.Limits{}.Extract("", 1400, slices.Values(inputs))[0]
			require.Less(t, strings.Count(record, "Table"), 3*n)
			for k := range n {
				_, after, ok := strings.Cut(record, fmt.Sprintf("bucket-%d", k))
				require.True(t, ok, "question %d: %s", k, record)
				after, _, _ = strings.Cut(after, "bucket-")
				require.Contains(t, after, c.decides, "question %d", k)
			}
		})
	}
}
