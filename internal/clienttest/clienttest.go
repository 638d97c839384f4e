// Package clienttest tests clients of SDKs that repair their requests themselves: whole and
// streamed answers, further attempts, requests that the user stops, and the history that the caller
// keeps.
package clienttest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// Client is an SDK's client, with messages of type M.
type Client[M any] struct {
	// Provider names the fake that is called.
	Provider string
	// New makes a client of the server at url, which repairs its requests and reports the warnings.
	New func(t *testing.T, url string, report Report) Sender[M]
	// Broken is a history with three messages: the user's, one of the assistant with a call, and
	// the user's that comes in place of the result.
	Broken func() []M
	// Keep is the adapter's function.
	Keep func(context.Context, *[]M) context.Context
	// Same reports whether two messages are one value.
	Same func(a, b M) bool
	// Retries says that the client made by New tries again after a status 500.
	Retries bool
	// RetriesErrors says that it tries again after an error of any kind, too.
	RetriesErrors bool
	// Cancelled reports whether an error says that the user stopped the request; nil means that it
	// is context.Canceled.
	Cancelled func(error) bool
}

// Report is told the warnings of a request.
type Report = func([]wire.Warning)

// Sender sends histories; both functions return the text of the answer.
type Sender[M any] struct {
	Whole, Streamed func(context.Context, []M) (string, error)
}

// Run runs the tests.
func (c *Client[M]) Run(t *testing.T) {
	t.Run("whole", func(t *testing.T) {
		c.keeps(t, func(s Sender[M]) func(context.Context, []M) (string, error) { return s.Whole })
	})
	t.Run("streamed", func(t *testing.T) {
		c.keeps(t,
			func(s Sender[M]) func(context.Context, []M) (string, error) { return s.Streamed })
	})
	t.Run("stopped", c.stopped)
	if !c.RetriesErrors {
		t.Run("not sent", c.unsent)
	}
	if c.Retries {
		t.Run("retried", c.retried)
	}
}

// session is a session with a fake.
type session[M any] struct {
	Sender[M]
	server  *preflighttest.Server
	codes   []string
	history []M
}

func (c *Client[M]) open(t *testing.T, replies ...preflighttest.Reply) *session[M] {
	s := &session[M]{
		server: preflighttest.New(t, c.Provider, nil), history: c.Broken(),
	}
	s.server.Script(replies...)
	s.Sender = c.New(t, s.server.URL, func(warnings []wire.Warning) {
		s.codes = append(s.codes, Codes(warnings)...)
	})
	return s
}

// sound: the fake accepts what the caller kept, and the client does not repair it.
func (s *session[M]) sound(t *testing.T) {
	t.Helper()
	s.codes = nil
	if _, err := s.Whole(context.Background(), s.history); err != nil {
		t.Errorf("the history that was kept is refused: %v", err)
	}
	if len(s.codes) > 0 {
		t.Errorf("the history that was kept is repaired again: %v", s.codes)
	}
	if refused := s.server.Refused(); len(refused) > 0 {
		t.Error(refused[0].Refusal)
	}
}

func (c *Client[M]) keeps(
	t *testing.T,
	by func(Sender[M]) func(context.Context, []M) (string, error),
) {
	s := c.open(t, preflighttest.Reply{Text: "Stopped."}, preflighttest.Reply{Text: "Still."})
	given := slices.Clone(s.history)
	before := s.history
	send := by(s.Sender)
	text, err := send(c.Keep(context.Background(), &s.history), s.history)
	if err != nil || text != "Stopped." {
		t.Fatalf("%q %v", text, err)
	}
	if len(s.codes) == 0 {
		t.Fatal("nothing was reported")
	}
	for i := range given {
		if !c.Same(given[i], before[i]) {
			t.Errorf("messages[%d] of the caller's slice was written to", i)
		}
	}
	last := len(s.history) - 1
	if !c.Same(given[0], s.history[0]) || !c.Same(given[2], s.history[last]) {
		t.Error("a message that did not change is not the caller's own")
	}
	s.codes = nil
	if text, err := send(context.Background(), s.history); err != nil || text != "Still." {
		t.Fatalf("%q %v", text, err)
	}
	if len(s.codes) > 0 {
		t.Errorf("the history that was kept is repaired again: %v", s.codes)
	}
	requests := s.server.Requests()
	if sent, kept := requests[0].Body, requests[1].Body; string(sent) != string(kept) {
		t.Errorf("what was kept is not what was sent\n sent %s\n kept %s", sent, kept)
	}
	s.sound(t)
}

func (c *Client[M]) retried(t *testing.T) {
	s := c.open(t, preflighttest.Reply{Fault: &preflighttest.Fault{Status: 500}},
		preflighttest.Reply{Text: "Stopped."})
	text, err := s.Whole(c.Keep(context.Background(), &s.history), s.history)
	if err != nil || text != "Stopped." {
		t.Fatalf("%q %v", text, err)
	}
	requests := s.server.Requests()
	if len(requests) != 2 || string(requests[0].Body) != string(requests[1].Body) {
		t.Errorf("%d requests, want two with one body", len(requests))
	}
	s.sound(t)
}

// unsent: a request that may not be sent is not tried again, and the error says why.
func (c *Client[M]) unsent(t *testing.T) {
	server, reports := preflighttest.New(t, c.Provider, nil), 0
	s := c.New(t, server.URL, func([]wire.Warning) {
		reports++
		panic("the report is faulty")
	})
	if _, err := s.Whole(context.Background(), c.Broken()); !errors.Is(err, preflight.ErrHook) {
		t.Errorf("the error is %v", err)
	}
	if reports != 1 || len(server.Requests()) > 0 {
		t.Errorf("%d reports, %d requests", reports, len(server.Requests()))
	}
}

func (c *Client[M]) stopped(t *testing.T) {
	s := c.open(t, preflighttest.Reply{Fault: &preflighttest.Fault{Hold: make(chan struct{})}})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ctx = c.Keep(ctx, &s.history)
	broken := s.history
	done := make(chan error, 1)
	go func() {
		_, err := s.Whole(ctx, broken)
		done <- err
	}()
	for deadline := time.Now().Add(10 * time.Second); len(s.server.Requests()) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the request did not arrive")
		}
		time.Sleep(time.Millisecond)
	}
	stop()
	select {
	case err := <-done:
		cancelled := errors.Is(err, context.Canceled)
		if c.Cancelled != nil {
			cancelled = c.Cancelled(err)
		}
		if !cancelled {
			t.Errorf("the request ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the request did not end")
	}
	s.sound(t)
}
