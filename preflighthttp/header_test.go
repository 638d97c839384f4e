package preflighthttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLowerCaseHeaders: names that are not canonical in the map, as programs take them over from
// HTTP/2, are found and replaced like others.
func TestLowerCaseHeaders(t *testing.T) {
	transport, _, server := resending(t, 400, refusal(bound), thoughtless)
	req := post(t, server.URL+path, strings.NewReader(thought))
	key := "idempotency-key" // spelled as no client of Go's would
	req.Header[key] = []string{"k"}
	req.Header["accept-encoding"] = []string{"br"}
	status, _ := do(t, transport, req)
	require.Equal(t, http.StatusOK, status)
	got := server.received()
	require.Len(t, got, 2)
	require.Equal(t, []string{"k"}, got[0].header["Idempotency-Key"])
	require.Equal(t, []string{"k-drop-reasoning"}, got[1].header["Idempotency-Key"])
	require.Equal(t, []string{"identity"}, got[0].header["Accept-Encoding"])
	require.Equal(t, []string{"k"}, req.Header[key], "the caller's is the caller's")

	transport, all := to(t, server.URL)
	req = post(t, server.URL+path, strings.NewReader(dirty))
	req.Header["content-length"] = []string{"999"}
	do(t, transport, req)
	require.True(t, all.only(t).Changed)
	require.Len(t, server.received(), 3, "with one length")
}
