package preflighthttp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
)

// kept collects what the function of a request's context is told.
func kept(req *http.Request) (*http.Request, *[]*preflighthttp.Repaired) {
	var all []*preflighthttp.Repaired
	ctx := preflighthttp.WithRepaired(req.Context(),
		func(r *preflighthttp.Repaired) { all = append(all, r) })
	return req.WithContext(ctx), &all
}

// TestRepaired: the caller gets the body that is sent and where its messages are from, and nothing
// for a request that is sent as it came.
func TestRepaired(t *testing.T) {
	server := started(t)
	transport, _ := to(t, server.URL)
	req, told := kept(post(t, server.URL+path, strings.NewReader(broken[0].body)))
	status, _ := do(t, transport, req)
	require.Equal(t, http.StatusOK, status)
	require.Len(t, *told, 1)
	r := (*told)[0]
	require.Equal(t, broken[0].body, string(r.Body))
	require.Equal(t, server.received()[0].body, string(r.Result.Body))
	require.NotEmpty(t, r.Result.Elements)
	require.Equal(t, r.Report.Warnings, r.Result.Warnings)

	req, told = kept(post(t, server.URL+path, strings.NewReader(string(r.Result.Body))))
	do(t, transport, req)
	require.Empty(t, *told, "a sound request was told of")

	transport.DryRun = true
	req, told = kept(post(t, server.URL+path, strings.NewReader(broken[0].body)))
	do(t, transport, req)
	require.Empty(t, *told, "a dry run was told of")
}

// TestRepairedResending: what a remedy did is told when the provider has accepted it, and only
// then.
func TestRepairedResending(t *testing.T) {
	for _, but := range []string{thoughtless, "no body"} {
		transport, _, server := resending(t, 400, refusal(bound), but)
		req, told := kept(post(t, server.URL+path, strings.NewReader(thought)))
		do(t, transport, req)
		require.Len(t, server.received(), 2)
		if but != thoughtless {
			require.Empty(t, *told, "a refused resending was told of")
			continue
		}
		require.Len(t, *told, 1)
		require.Equal(t, thoughtless, string((*told)[0].Result.Body))
		require.Equal(t, "drop-reasoning", (*told)[0].Report.Remedy)
	}
}
