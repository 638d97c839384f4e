package histgen_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// A property test of one's own: whatever an aborted run or a trimmed window has left, the agent's
// own preparation of a request ends in a history that the provider accepts.
func Example() {
	_ = func(t *testing.T) { // TestPrepare in an agent's own tests
		p, ok := provider.ByName("anthropic", "")
		if !ok {
			t.Fatal("no such profile")
		}
		rapid.Check(t, func(t *rapid.T) {
			history := histgen.Corrupt(p, nil).Draw(t, "history")
			r, err := preflight.Sanitize(context.Background(), history, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if left := preflight.Check(r.Messages, p, nil); len(left) > 0 {
				t.Fatalf("still broken: %v", left[0])
			}
		})
	}
}
