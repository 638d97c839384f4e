package preflighttest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestFaultStatus: an error status comes in the provider's envelope.
func TestFaultStatus(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		for _, status := range []int{429, 500, 503, 529} {
			for _, stream := range []bool{false, true} {
				s.Script(preflighttest.Reply{
					Text:  "no",
					Fault: &preflighttest.Fault{Status: status, RetryAfter: 7},
				})
				resp := d.post(t, s, d.start("hi"), stream)
				require.Equal(t, status, resp.StatusCode)
				require.Equal(t, "7", resp.Header.Get("Retry-After"))
				failure(t, resp)
				if provider == "anthropic" {
					require.Equal(t, "true", resp.Header.Get("X-Should-Retry"))
				}
			}
		}
		require.Empty(t, s.Refused(), "a fault is not the fault of the request")
	})
}

// TestFaultCut: a stream that ends after n events, as if complete, with a
// network error, or with an error event.
func TestFaultCut(t *testing.T) {
	long := preflighttest.Reply{
		Text: "a text that takes several events to tell, at the very least three",
	}
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		s.Script(long)
		all, err := d.events(d.post(t, s, d.start("hi"), true).Body)
		require.NoError(t, err)
		for n := 1; n < len(all); n++ {
			for _, fault := range []preflighttest.Fault{
				{After: n, Cut: true},
				{After: n, Drop: true},
				{After: n, Status: 529},
			} {
				broken := long
				broken.Fault = &fault
				s.Script(broken)
				events, err := d.events(d.post(t, s, d.start("hi"), true).Body)
				if fault.Drop {
					require.ErrorIs(t, err, io.ErrUnexpectedEOF)
				} else {
					require.NoError(t, err)
				}
				require.Equal(t, names(all[:n]), names(events)[:n])
				switch {
				case fault.Status == 0,
					provider == "mistral",
					provider == "cohere": // which have no error event
					require.Len(t, events, n)
				default:
					require.Len(t, events, n+1)
					require.Contains(t, events[n].data, "Overloaded")
				}
			}
		}
		whole := long
		whole.Fault = &preflighttest.Fault{After: len(all) + 1, Drop: true}
		s.Script(whole)
		events, err := d.events(d.post(t, s, d.start("hi"), true).Body)
		require.NoError(t, err, "the stream is over before the fault")
		require.Equal(t, names(all), names(events))
	})
}

func names(events []sent) (all []string) {
	for _, e := range events {
		all = append(all, e.name)
	}
	return all
}

// TestFaultCutEarly: an answer that is cut ends without an error, whether
// there was anything of it or not.
func TestFaultCutEarly(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		for _, stream := range []bool{false, true} {
			for _, after := range []int{0, 1} {
				s.Script(preflighttest.Reply{
					Text:  "cut short",
					Fault: &preflighttest.Fault{After: after, Cut: true},
				})
				resp := d.post(t, s, d.start("hi"), stream)
				require.Equal(t, 200, resp.StatusCode)
				data, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.Equal(t, after == 0, len(data) == 0)
				require.False(t, !stream && json.Valid(data))
			}
		}
	})
}

// TestFaultDrop: a connection that is closed instead of an answer, or in the
// middle of one.
func TestFaultDrop(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		s.Script(preflighttest.Reply{Fault: &preflighttest.Fault{Drop: true}}, preflighttest.Reply{
			Text:  "cut short",
			Fault: &preflighttest.Fault{After: 1, Drop: true},
		})
		data, err := json.Marshal(d.start("hi"))
		require.NoError(t, err)
		_, err = s.Client().Post(s.URL+d.path, "application/json", bytes.NewReader(data))
		require.ErrorIs(t, err, io.EOF)
		resp := d.post(t, s, d.start("hi"), false)
		require.Equal(t, 200, resp.StatusCode)
		data, err = io.ReadAll(resp.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.NotEmpty(t, data)
		require.False(t, json.Valid(data))
	})
}

// TestFaultHold: an answer waits for its channel, in front or midway, and then
// is as if nothing had happened. Other requests do not wait.
func TestFaultHold(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		for _, after := range []int{0, 2} {
			release := make(chan struct{})
			s.Script(preflighttest.Reply{
				Text:  "late, but whole in the end",
				Fault: &preflighttest.Fault{After: after, Hold: release},
			})
			body := strings.NewReader(d.request(d.start("hi"), true))
			arrived := len(s.Requests())
			answer := make(chan []sent)
			go func() {
				resp, err := s.Client().Post(s.URL+d.pathOf(true), "application/json", body)
				if err != nil {
					close(answer)
					return
				}
				defer resp.Body.Close()
				events, _ := d.events(resp.Body)
				answer <- events
			}()
			for len(s.Requests()) == arrived {
				runtime.Gosched()
			}
			for range 20 {
				d.ask(t, s, d.start("meanwhile"), true)
			}
			select {
			case <-answer:
				t.Fatal("the answer did not wait")
			default:
			}
			close(release)
			require.Equal(t, "late, but whole in the end",
				d.keep(object{}, d.gather(t, <-answer)).Text)
		}
	})
}

// TestCloseReleases: closing a server ends the answers that are held.
func TestCloseReleases(t *testing.T) {
	s, err := preflighttest.Start("anthropic", nil)
	require.NoError(t, err)
	s.Script(preflighttest.Reply{
		Fault: &preflighttest.Fault{Hold: make(chan struct{}), Drop: true},
	})
	done := make(chan error)
	go func() {
		_, err := http.Post(s.URL+"/v1/messages", "application/json",
			strings.NewReader(compact(anthropicStart("hi"))))
		done <- err
	}()
	for len(s.Requests()) == 0 {
		runtime.Gosched()
	}
	s.Close()
	s.Close()
	require.Error(t, <-done)
}
