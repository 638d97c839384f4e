package preflighthttp_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
)

// TestBudget: while one body is held, another is sent unchanged, fails or is refused, by the
// policy; afterwards there is room again.
func TestBudget(t *testing.T) {
	for _, known := range []bool{true, false} {
		for _, policy := range []preflighthttp.Unfixable{
			preflighthttp.SendUnchanged, preflighthttp.Fail, preflighthttp.Refuse,
		} {
			server := started(t)
			transport, told := to(t, server.URL)
			transport.Budget = preflighthttp.NewBudget(int64(len(dirty)) + 10)
			transport.Busy = policy
			if !known { // a body of unknown length takes a step of memory
				transport.Budget = preflighthttp.NewBudget(64<<10 + 10)
			}
			body := func() io.Reader {
				if known {
					return strings.NewReader(dirty)
				}
				return stream(dirty)
			}
			inner := func(next *http.Request) (*http.Response, error) {
				require.Positive(t, transport.Budget.Used())
				req := post(t, server.URL+path, body())
				resp, err := transport.RoundTrip(req)
				switch policy {
				case preflighthttp.SendUnchanged:
					require.NoError(t, err)
					resp.Body.Close()
					require.Equal(t, dirty, server.only(t).body)
					require.Equal(t, preflighthttp.Busy, told.all[1].Skipped)
				case preflighthttp.Fail:
					require.ErrorIs(t, err, preflighthttp.ErrBusy)
				case preflighthttp.Refuse:
					require.NoError(t, err)
					require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
					require.Equal(t, "1", resp.Header.Get("Retry-After"))
					text, err := io.ReadAll(resp.Body)
					require.NoError(t, err)
					require.Contains(t, string(text), "overloaded_error")
				}
				return transport.Base.RoundTrip(next)
			}
			resp, err := transport.Middleware(post(t, server.URL+path, body()), inner)
			require.NoError(t, err)
			resp.Body.Close()
			require.Zero(t, transport.Budget.Used())
			got := server.received()
			require.Equal(t, repaired, got[len(got)-1].body)
		}
	}
}

// TestBudgetSteps: a long body of unknown length takes memory as it is read, and what was read of
// it is sent all the same.
func TestBudgetSteps(t *testing.T) {
	server := started(t)
	transport, told := to(t, server.URL)
	transport.Budget = preflighthttp.NewBudget(3 << 20)
	long := dirty + strings.Repeat(" ", 5<<20)
	status, _ := do(t, transport, post(t, server.URL+path, stream(long)))
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, long, server.only(t).body)
	require.Equal(t, preflighthttp.Busy, told.only(t).Skipped)
	require.Zero(t, transport.Budget.Used())

	transport.Budget = preflighthttp.NewBudget(16 << 20)
	do(t, transport, post(t, server.URL+path, stream(long)))
	require.True(t, told.all[1].Changed)
	require.Zero(t, transport.Budget.Used())
}

// TestBudgetErrors: a request that fails gives its share back.
func TestBudgetErrors(t *testing.T) {
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Budget = preflighthttp.NewBudget(1 << 20)
	transport.Base = roundTripper(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("no connection")
	})
	_, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, strings.NewReader(dirty)))
	require.Error(t, err)
	require.Zero(t, transport.Budget.Used())
	_, err = transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, failingReader{}))
	require.Error(t, err)
	require.Zero(t, transport.Budget.Used())
}

// TestBudgetOfTenants: a tenant that holds as much as it may is refused, while there is room for
// others; afterwards it has room again.
func TestBudgetOfTenants(t *testing.T) {
	server := started(t)
	transport, told := to(t, server.URL)
	transport.Budget = preflighthttp.NewBudget(int64(len(dirty)) * 10)
	transport.Budget.LimitTenants(int64(len(dirty)) * 3 / 2)
	transport.Busy = preflighthttp.Refuse
	send := func(tenant string, next func(*http.Request) (*http.Response, error)) int {
		req := post(t, server.URL+path, strings.NewReader(dirty))
		resp, err := transport.Middleware(
			req.WithContext(preflighthttp.WithTenant(req.Context(), tenant)), next)
		require.NoError(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	require.Equal(t, http.StatusOK, send("a", func(r *http.Request) (*http.Response, error) {
		require.Equal(t, http.StatusServiceUnavailable, send("a", nil))
		require.ErrorIs(t, told.all[1].Err, preflighthttp.ErrBusy)
		require.ErrorContains(t, told.all[1].Err, "this client")
		require.Equal(t, http.StatusOK, send("b", nil))
		require.Equal(t, http.StatusOK, send("", nil))
		return transport.Base.RoundTrip(r)
	}))
	require.Equal(t, http.StatusOK, send("a", nil))
	require.Zero(t, transport.Budget.Used())
	transport.Budget.LimitTenants(0)
	require.True(t, transport.Budget.Take(int64(len(dirty))*10))
	require.Equal(t, http.StatusServiceUnavailable, send("b", nil))
}
