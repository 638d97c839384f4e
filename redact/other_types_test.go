package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/redact"
)

// embeds is no part, although the compiler takes it for one. It cannot be compared.
type embeds struct {
	*preflight.Text
	list []int
}

// TestPartsOfOtherTypes: a value that embeds a part is kept as a nil part is, and in a result
// removed.
func TestPartsOfOtherTypes(t *testing.T) {
	p := embeds{&preflight.Text{Text: "secret"}, []int{1}}
	result := msgtest.Answers("c", "secret")
	result.Content = append(result.Content, p)
	m := preflight.Message{Parts: []preflight.Part{p, embeds{}, msgtest.Says("secret"), result}}
	clean := func(s string) string { return strings.ReplaceAll(s, "secret", "*") }
	out := redact.Message(m, clean)
	require.Equal(t, []preflight.Part{
		p, embeds{}, msgtest.Says("*"), msgtest.Answers("c", "*"),
	}, out.Parts)
	require.Empty(t, redact.Verified(m, clean))
}
