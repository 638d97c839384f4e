package preflighthttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-preflight/preflight/internal/headers"
)

// This file reads bodies, and puts others in their place. Three fields of a request say what its
// body is: Body, ContentLength and GetBody. net/http asks GetBody for a fresh body when it sends a
// request again (a kept-alive connection turned out to be closed, HTTP/2 asked for a retry), so a
// request that got a new Body alone would be sent again with the old one.

// onceCloser is a body that is closed once, whoever asks.
type onceCloser struct {
	io.Reader
	body io.Closer
	once sync.Once
	err  error
}

func (c *onceCloser) Close() error {
	c.once.Do(func() { c.err = c.body.Close() })
	return c.err
}

// firstRoom is how much room is made for a body, in bytes, before anything of it is there: what a
// request says about its length need not be true. Later there is at most maxGrowth times as much
// room as there are bytes.
const (
	firstRoom = 64 << 10
	maxGrowth = 4
)

// nextRoom returns how many bytes there should be room for when n are there, of a body of known
// bytes, or of an unknown length if that is not positive. The room has a byte more than the body.
func nextRoom(n, known, limit int64) int64 {
	next := max(2*n, firstRoom)
	if known > 0 && known+1 <= max(maxGrowth*n, firstRoom) && known+1 > n {
		next = known + 1
	}
	return min(next, limit+1)
}

// readBody reads the body of a request and closes it. When there is more than limit, it stops
// there, and rest is the body with what is left of it, not closed; so it does, with ErrBusy, when
// the budget has no room. A context that ends closes the body, so that a read from a pipe ends too.
func readBody(
	req *http.Request, limit int64, memory *memory,
) (data []byte, rest io.ReadCloser, err error) {
	ctx := req.Context()
	body := &onceCloser{Reader: req.Body, body: req.Body}
	stop := context.AfterFunc(ctx, func() { body.Close() })
	defer stop()
	if err := memory.budget.room(memory.tenant, min(req.ContentLength, limit)); err != nil {
		return nil, body, err // it would be read for nothing
	}
	for {
		n := int64(len(data))
		if n > limit {
			return data, body, nil
		}
		if len(data) == cap(data) {
			room := nextRoom(n, req.ContentLength, limit)
			if err := memory.take(room - n); err != nil {
				return data, body, err
			}
			grown := make([]byte, n, room)
			copy(grown, data)
			data = grown
		}
		got, err := body.Read(data[n:cap(data)])
		data = data[:n+int64(got)]
		switch {
		case ctx.Err() != nil:
			body.Close()
			return nil, nil, context.Cause(ctx)
		case err == io.EOF && int64(len(data)) <= limit:
			// Whether a body that was read to its end closes well is no concern of the request's;
			// net/http does not look either.
			body.Close()
			return data, nil, nil
		case err != nil && err != io.EOF:
			body.Close()
			return nil, nil, fmt.Errorf("preflighthttp: reading the request body: %w", err)
		}
	}
}

// replay returns a request like req with a body that is req's. Everything that describes the body
// stays.
func replay(req *http.Request, body *inMemory) *http.Request {
	out := req.WithContext(req.Context())
	setBody(out, body)
	return out
}

// resume returns a request like req whose body is data and then rest, which is what req's was.
func resume(req *http.Request, data []byte, rest io.ReadCloser, memory *memory) *http.Request {
	out := req.WithContext(req.Context())
	start, _ := memory.body(data, nil).open() // it is not released
	out.Body = &resumed{io.MultiReader(start, rest), start, rest}
	return out
}

// resumed is a body whose start is in memory.
type resumed struct {
	io.Reader
	start, rest io.Closer
}

// Close closes both.
func (r *resumed) Close() error {
	r.start.Close()
	return r.rest.Close()
}

// replace returns a request like req with another body, in place of first. Its headers are its own.
// Where the caller can read the body that came again, the other one stays readable, too.
func replace(req *http.Request, data []byte, first *inMemory) *http.Request {
	out := req.Clone(req.Context())
	body := first.memory.body(data, nil)
	if first.again != nil {
		body.again = func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		}
	}
	setBody(out, body)
	out.ContentLength = int64(len(data))
	if headers.Value(out.Header, "Content-Length") != "" {
		headers.Set(out.Header, "Content-Length", strconv.Itoa(len(data)))
	}
	return out
}

// setBody makes a body in memory that of a request, as often as it is asked for.
func setBody(req *http.Request, body *inMemory) {
	req.GetBody = body.open
	req.Body, _ = body.open() // it is not released
}
