package rightcall_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// trimmed is a history whose ids start again in every turn, as those of some servers and agents do,
// cut in the middle of its first results.
func trimmed(r *rand.Rand) []spoken {
	h := sound(r)
	ids := make(map[int]string)
	for i := range h {
		h[i].calls, h[i].results = slices.Clone(h[i].calls), slices.Clone(h[i].results)
		for k := range h[i].calls {
			c := &h[i].calls[k]
			c.id = fmt.Sprintf("call%05d", k) // of nine characters, as Mistral wants them
			ids[c.n] = c.id
		}
		for k := range h[i].results {
			h[i].results[k].id = ids[h[i].results[k].of[0]]
		}
	}
	first := resultsOf(h)[0]
	end := first + 1
	for end < len(h) && h[end].role == "tool" {
		end++
	}
	return h[first+r.IntN(end-first):]
}

// TestTrimmedWindow: the results at the front of a trimmed window go with their calls. No answered
// call of a later turn gets them, although it has their id.
func TestTrimmedWindow(t *testing.T) {
	for _, f := range rightFormats {
		if f.noIDs {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 3))
			for range 200 {
				body := f.write(trimmed(r))
				result, err := wire.Sanitize(context.Background(), body,
					&wire.Options{Provider: f.provider, Model: f.model})
				require.NoError(t, err)
				for _, a := range read(f.read(t, result.Body), true) {
					require.Equal(t, []int{a.call}, a.of, "%s\nin  %s\nout %s", f.name, body,
						result.Body)
				}
			}
		})
	}
}
