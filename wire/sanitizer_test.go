package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/wire"
)

// TestSanitizer: a Sanitizer keeps nothing of one body that shows in what it says about the next, whatever came before; and
// a valid body costs no allocation for each message.
func TestSanitizer(t *testing.T) {
	var s wire.Sanitizer
	for range 2 {
		for _, provider := range []string{"anthropic", "openai-chat"} {
			options := &wire.Options{Provider: provider}
			for _, shape := range []benchdata.Shape{benchdata.Clean, benchdata.Dirty20} {
				body := benchBody(t, provider, benchdata.Clean, 200)
				if provider == "anthropic" {
					body = benchBody(t, provider, shape, 200)
				}
				got, err := s.Sanitize(context.Background(), body, options)
				require.NoError(t, err)
				requireLongWay(t, body, options, got)
			}
			_, err := s.Sanitize(context.Background(), []byte(`{"messages":`), options)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		}
	}
	body, options := benchBody(t, "anthropic", benchdata.Clean, 2000), &wire.Options{Provider: "anthropic"}
	allocations := testing.AllocsPerRun(20, func() {
		if result, err := s.Sanitize(context.Background(), body, options); err != nil || result.Changed {
			t.Error("not clean: ", err)
		}
	})
	require.Less(t, allocations, 1000.0) // see TestValidAllocates in the root
}
