package preflighthttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// TestFaultyFunctions: after a function of the caller that panics or ends its goroutine, at
// whichever of its calls, every body is closed, the budget has its bytes back, and the transport
// works. A panic is a typed error that quotes nothing.
func TestFaultyFunctions(t *testing.T) {
	faults := map[string]func(){"panic": func() { panic(secret) }, "goexit": runtime.Goexit}
	for _, function := range []string{"Report", "WithRepaired", "Remedy", "hook", "body", "answer",
		"Verdict", "Refused", "Refused alone"} {
		for kind, fault := range faults {
			if function == "body" && kind == "panic" {
				continue // it is net/http's to handle: a reader is no function of ours
			}
			for nth := 1; ; nth++ {
				x := faulty{function: function, nth: nth, fault: fault}
				if !x.run(t) {
					require.Greater(t, nth, 1, "%s was not called", function)
					break
				}
			}
		}
	}
}

// faulty is a request with a fault in the nth call of a function.
type faulty struct {
	function   string
	nth, calls int
	fault      func()
	open       int // bodies that were not closed
}

func (x *faulty) called(function string) {
	if function != x.function {
		return
	}
	if x.calls++; x.calls == x.nth {
		x.fault()
	}
}

// body is a body that has to be closed.
type body struct {
	io.Reader
	x      *faulty
	name   string
	closed bool
}

func (x *faulty) body(name, text string) *body {
	x.open++
	return &body{Reader: strings.NewReader(text), x: x, name: name}
}

func (b *body) Read(p []byte) (int, error) { b.x.called(b.name); return b.Reader.Read(p) }

func (b *body) Close() error {
	if !b.closed {
		b.closed = true
		b.x.open--
	}
	return nil
}

// run sends the request. It reports whether the function was called often enough.
func (x *faulty) run(t *testing.T) bool {
	refused := false
	transport := &Transport{
		Endpoints: []Endpoint{{Host: "known.example"}},
		Budget:    NewBudget(1 << 20),
		Report:    func(context.Context, *Report) { x.called("Report") },
		Verdict:   func(context.Context, *Verdict) { x.called("Verdict") },
		Refused: func(context.Context, *Refused) {
			x.called("Refused")
			x.called("Refused alone")
		},
		Base: roundTripper(func(req *http.Request) (*http.Response, error) {
			_, err := io.Copy(io.Discard, req.Body)
			require.NoError(t, err)
			require.NoError(t, req.Body.Close())
			if !refused {
				refused = true
				return refusalOf(x.body("answer", known)), nil
			}
			return &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{}, Body: x.body("answer", `{"input_transformations":[]}`),
			}, nil
		}),
	}
	transport.Options.Hooks = []preflight.Hook{{Name: "h", Message: func(
		_ context.Context, m preflight.Message,
	) (preflight.Message, error) {
		x.called("hook")
		return redact.Message(m, func(s string) string { return s + "!" }), nil
	}}}
	transport.Remedies = append([]remedy.Remedy{{Name: "none"}, {
		Name: "faulty",
		Apply: func(*wire.Options, []byte, rule.Rule) bool {
			x.called("Remedy")
			return false
		},
	}}, remedy.All()...)
	if x.function == "Refused alone" {
		transport.Remedies = nil
	}
	send := func(ctx context.Context) (err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost,
			"http://known.example/v1/messages", x.body("body", dirtyBody))
		require.NoError(t, err)
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()     // when a function ends the goroutine
		if x.function != "answer" { // a fault of the answer itself is the caller's
			_, err = io.ReadAll(resp.Body)
		}
		return errors.Join(err, resp.Body.Close())
	}
	ctx := WithRepaired(context.Background(), func(*Repaired) { x.called("WithRepaired") })
	var err error
	returned, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		err = send(ctx)
		returned = true
	}()
	<-ended
	what := fmt.Sprintf("%s, call %d, returned: %v, error: %v", x.function, x.nth, returned, err)
	if x.calls < x.nth {
		require.NoError(t, err, what)
		return false
	}
	switch {
	case !returned:
	case x.function == "answer", x.function == "hook" && refused: // the refusal is returned
		require.NoError(t, err, what)
	default:
		require.ErrorIs(t, err, preflight.ErrHook, what)
		require.NotContains(t, err.Error(), secret)
	}
	require.Zero(t, transport.Budget.Used(), what)
	if x.function != "body" { // one that is read and does not return is still in use
		require.Zero(t, x.open, what)
	}
	x.function, refused = "", false
	require.NoError(t, send(context.Background()), what)
	require.Zero(t, transport.Budget.Used(), what)
	return true
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestBudgetOfAnything: a budget that is given numbers that mean nothing bounds as before.
func TestBudgetOfAnything(t *testing.T) {
	b := NewBudget(10)
	for _, n := range []int64{-1, -1 << 63, 0} {
		require.True(t, b.Take(n))
		b.Give(n)
		require.Zero(t, b.Used())
	}
	b.Give(1 << 62) // more than was taken
	require.False(t, b.Take(1<<63-1))
	require.True(t, b.Take(10))
	require.False(t, b.Take(1))
}
