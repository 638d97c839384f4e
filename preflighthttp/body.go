package preflighthttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
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

// firstRoom is how much room is made for a body, in bytes, before that much of it is there: what a
// request says about its length need not be true.
const firstRoom = 1 << 20

// readBody reads the body of a request and closes it. When there is more than limit, it stops
// there, and rest is the body with what is left of it, not closed; so it does, with ErrBusy, when
// the budget has no room. A context that ends closes the body, so that a read from a pipe ends too.
func readBody(
	req *http.Request, limit int64, held *share,
) (data []byte, rest io.ReadCloser, err error) {
	ctx := req.Context()
	body := &onceCloser{Reader: req.Body, body: req.Body}
	stop := context.AfterFunc(ctx, func() { body.Close() })
	defer stop()
	known := max(req.ContentLength, 0)
	if !held.take(known) {
		return nil, body, ErrBusy
	}
	var buf bytes.Buffer
	for {
		n := int64(buf.Len())
		if n > limit {
			return buf.Bytes(), body, nil
		}
		more := min(firstRoom, limit+1-n)
		if (known == 0 || n > known) && !held.take(n+more-held.held) {
			return buf.Bytes(), body, ErrBusy
		}
		if n == 0 {
			buf.Grow(int(min(known, limit, firstRoom)) + bytes.MinRead)
		} else {
			buf.Grow(int(min(max(known-n, 0), limit-n)) + bytes.MinRead)
		}
		got, err := buf.ReadFrom(io.LimitReader(body, more))
		switch {
		case ctx.Err() != nil:
			body.Close()
			return nil, nil, context.Cause(ctx)
		case err != nil:
			body.Close()
			return nil, nil, fmt.Errorf("preflighthttp: reading the request body: %w", err)
		case got < more:
			// Whether a body that was read to its end closes well is no concern of the request's;
			// net/http does not look either.
			body.Close()
			return buf.Bytes(), nil, nil
		}
	}
}

// replay is a request like req whose body is data, which req's was. Everything that describes the
// body stays.
func replay(req *http.Request, data []byte) *http.Request {
	out := req.WithContext(req.Context())
	setBody(out, data)
	return out
}

// resume is a request like req whose body is data and then rest, which is what req's was.
func resume(req *http.Request, data []byte, rest io.ReadCloser) *http.Request {
	out := req.WithContext(req.Context())
	out.Body = struct {
		io.Reader
		io.Closer
	}{
		io.MultiReader(bytes.NewReader(data), rest), rest,
	}
	return out
}

// replace is a request like req with another body. Its headers are its own.
func replace(req *http.Request, data []byte) *http.Request {
	out := req.Clone(req.Context())
	setBody(out, data)
	out.ContentLength = int64(len(data))
	if value(out.Header, "Content-Length") != "" {
		set(out.Header, "Content-Length", strconv.Itoa(len(data)))
	}
	return out
}

// setBody makes data the body, as often as it is asked for.
func setBody(req *http.Request, data []byte) {
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	req.Body, _ = req.GetBody()
}
