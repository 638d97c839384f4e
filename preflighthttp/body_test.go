package preflighthttp_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file is about bodies: large, streamed, failing, of a wrong length, and closed once.

// large is a request with a body of exactly size bytes, nearly all of it text, and its repaired
// form.
func large(size int) (body, want string) {
	fill := func(s string, n int) string {
		return strings.Replace(s, "Build it.", "Build it."+strings.Repeat("x", n), 1)
	}
	n := size - len(dirty)
	return fill(dirty, n), fill(repaired, n)
}

// TestLargeBodies: a body of the largest size is repaired, and one byte more is left alone.
func TestLargeBodies(t *testing.T) {
	const most = 1 << 20
	u, err := url.Parse("https://api.anthropic.com" + path)
	require.NoError(t, err)
	for n, sanitize := range map[int64]bool{
		preflighthttp.DefaultMaxBody: true, preflighthttp.DefaultMaxBody + 1: false,
	} {
		d := new(preflighthttp.Transport).Judge(http.MethodPost, u,
			http.Header{"Content-Length": {strconv.FormatInt(n, 10)}})
		require.Equal(t, sanitize, d.Sanitize, "the default")
	}
	body, want := large(most)
	over := body + " "
	tests := []struct {
		name, want string
		body       io.Reader
		skipped    preflighthttp.Reason
	}{
		{"at the limit", want, strings.NewReader(body), ""},
		{"at the limit, unknown length", want, stream(body), ""},
		{"over the limit", over, strings.NewReader(over), preflighthttp.TooLarge},
		{"over the limit, unknown length", over, stream(over), preflighthttp.TooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := started(t)
			transport, all := to(t, server.URL)
			transport.MaxBody = most
			do(t, transport, post(t, server.URL+path, tt.body))
			require.Equal(t, sha256.Sum256([]byte(tt.want)),
				sha256.Sum256([]byte(server.only(t).body)))
			require.Equal(t, tt.skipped, all.only(t).Skipped)
		})
	}
}

func TestMaxBody(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	transport.MaxBody = int64(len(dirty)) - 1
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	do(t, transport, post(t, server.URL+path, stream(dirty)))
	transport, _ = to(t, server.URL)
	transport.MaxBody = int64(len(dirty))
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	got := server.received()
	require.Equal(t, []string{dirty, dirty, repaired},
		[]string{got[0].body, got[1].body, got[2].body})
	require.EqualValues(t, []int64{int64(len(dirty)), -1}, []int64{got[0].length, got[1].length})
	require.Equal(t, preflighthttp.TooLarge, all.all[0].Skipped)
	require.Equal(t, preflighthttp.TooLarge, all.all[1].Skipped)

	// One that says that it is too large is not read at all.
	req := post(t, server.URL+path, io.MultiReader(failingReader{}))
	req.ContentLength = preflighthttp.DefaultMaxBody + 1
	transport.Base = roundTripper(func(out *http.Request) (*http.Response, error) {
		require.True(t, out == req)
		return nil, io.EOF
	})
	_, err := transport.RoundTrip(req)
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, preflighthttp.TooLarge, all.all[len(all.all)-1].Skipped)
}

// counted is a body that counts how often it is closed, and may fail.
type counted struct {
	io.Reader
	also   io.Closer
	closed atomic.Int32
}

func (c *counted) Close() error {
	c.closed.Add(1)
	if c.also != nil {
		return c.also.Close()
	}
	return nil
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBodyClosedOnce(t *testing.T) {
	server := started(t)
	over := strings.Repeat("x", 2000)
	tests := []struct {
		name string
		body io.Reader
		edit func(*preflighthttp.Transport, *http.Request)
		fail bool
	}{
		{"clean", strings.NewReader(clean), nil, false},
		{"dirty", strings.NewReader(dirty), nil, false},
		{"none of ours", strings.NewReader(dirty),
			func(_ *preflighthttp.Transport, r *http.Request) { r.URL.Path = "/x" }, false},
		{"signed", strings.NewReader(dirty),
			func(_ *preflighthttp.Transport, r *http.Request) { r.Header.Set("Digest", "x") },
			false},
		{"not JSON", strings.NewReader("{"), nil, false},
		{"too large", strings.NewReader(over),
			func(tr *preflighthttp.Transport, _ *http.Request) { tr.MaxBody = 1000 }, false},
		{"unreadable", failingReader{}, nil, true},
		{"unfixable", strings.NewReader(`{"messages":[]}`),
			func(tr *preflighthttp.Transport, _ *http.Request) {
				tr.Unfixable = preflighthttp.Fail
			}, true},
		{"cancelled", strings.NewReader(dirty), func(_ *preflighthttp.Transport, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			cancel()
			*r = *r.WithContext(ctx)
		}, true},
		{"no connection", strings.NewReader(dirty),
			func(tr *preflighthttp.Transport, _ *http.Request) {
				tr.Base = &http.Transport{
					DialContext: func(context.Context, string, string) (net.Conn, error) {
						return nil, io.EOF
					},
				}
			}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			transport, _ := to(t, server.URL)
			body := &counted{Reader: tt.body}
			req := post(t, server.URL+path, body)
			if tt.edit != nil {
				tt.edit(transport, req)
			}
			resp, err := transport.RoundTrip(req)
			require.Equal(t, tt.fail, err != nil, err)
			if err == nil {
				_, err := io.Copy(io.Discard, resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
			}
			// net/http may close a body after RoundTrip has returned.
			require.Eventually(t, func() bool { return body.closed.Load() > 0 }, 5*time.Second,
				time.Millisecond)
			transport.CloseIdleConnections()
			require.EqualValues(t, 1, body.closed.Load())
		})
	}
}

func TestUnreadableBody(t *testing.T) {
	transport, all := to(t, "http://127.0.0.1:1")
	transport.Base = roundTripper(
		func(*http.Request) (*http.Response, error) { panic("nothing is sent") })
	_, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, failingReader{}))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.ErrorIs(t, all.only(t).Err, io.ErrUnexpectedEOF)
}

// TestCancelled: a body that never ends, such as that of a pipe, does not hold a request whose
// context has ended.
func TestCancelled(t *testing.T) {
	reason := errors.New("the user pressed escape")
	ctx, cancel := context.WithCancelCause(context.Background())
	reader, writer := io.Pipe()
	body := &counted{Reader: reader, also: reader}
	transport, _ := to(t, "http://127.0.0.1:1")
	transport.Base = roundTripper(
		func(*http.Request) (*http.Response, error) { panic("nothing is sent") })
	done := make(chan error, 1)
	go func() {
		_, err := transport.RoundTrip(post(t, "http://127.0.0.1:1"+path, body).WithContext(ctx))
		done <- err
	}()
	_, err := writer.Write([]byte(`{"messages":`))
	require.NoError(t, err)
	cancel(reason)
	select {
	case err := <-done:
		require.ErrorIs(t, err, reason)
	case <-time.After(10 * time.Second):
		t.Fatal("the request hangs")
	}
	_, err = writer.Write([]byte("x"))
	require.Error(t, err, "the body is closed")
	require.EqualValues(t, 1, body.closed.Load())
}

func TestContentLengthHeader(t *testing.T) {
	transport, _ := to(t, "http://127.0.0.1:1")
	var sent *http.Request
	transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
		sent = r
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})
	req := post(t, "http://127.0.0.1:1"+path, strings.NewReader(dirty))
	req.Header.Set("Content-Length", fmt.Sprint(len(dirty)))
	_, err := transport.RoundTrip(req)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(len(repaired)), sent.Header.Get("Content-Length"))
	require.EqualValues(t, len(repaired), sent.ContentLength)
	for range 2 {
		body, err := sent.GetBody()
		require.NoError(t, err)
		data, err := io.ReadAll(body)
		require.NoError(t, err)
		require.Equal(t, repaired, string(data))
	}
}

// TestBadLength: a body that is not as long as its request says is Base's to refuse, as without the
// transport.
func TestBadLength(t *testing.T) {
	for _, off := range []int64{-1, 1} {
		transport, all := to(t, "http://127.0.0.1:1")
		var length int64
		var sent []byte
		transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			length = r.ContentLength
			var err error
			sent, err = io.ReadAll(r.Body)
			return &http.Response{StatusCode: 200, Body: http.NoBody}, err
		})
		req := post(t, "http://127.0.0.1:1"+path, stream(dirty))
		req.ContentLength = int64(len(dirty)) + off
		_, err := transport.RoundTrip(req)
		require.NoError(t, err)
		require.Equal(t, req.ContentLength, length)
		require.Equal(t, dirty, string(sent))
		require.Equal(t, preflighthttp.BadLength, all.only(t).Skipped)
	}
}
