package stored_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/stored"
)

// TestMaxBytesIsWhatIsStored: json.Marshal escapes characters of HTML, and what it writes fits.
func TestMaxBytesIsWhatIsStored(t *testing.T) {
	for _, c := range []string{"<", "&", "\u2028", "x"} {
		text := strings.Repeat(c, 2000)
		in := []preflight.Message{userMsg(says("q")), botMsg(calls("a")),
			decoded("x", toolMsg(answers("a", text), answers("b", text)))}
		in[2].Native.JSON, _ = json.Marshal(text)
		for _, limit := range []int{20_000, 5000, 2500} {
			res, err := stored.Persist(context.Background(), in,
				&stored.Options{MaxBytes: limit})
			require.NoError(t, err)
			body, err := json.Marshal(res.Messages[2])
			require.NoError(t, err)
			require.LessOrEqual(t, len(body), limit, "%q", c)
			again, err := stored.Persist(context.Background(), res.Messages,
				&stored.Options{MaxBytes: limit})
			require.NoError(t, err)
			require.False(t, again.Changed)
		}
	}
}
