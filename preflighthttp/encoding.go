package preflighthttp

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/headers"
)

// This file is about compressed refusals: which encodings may be asked for so that a refusal can be
// read, and how it is read. The standard library reads gzip alone.

// askReadable limits the Accept-Encoding of a request to what a refusal can be read in: gzip, or
// none. A request without the header, or with nothing else in it, is left as it is.
func askReadable(req *http.Request) *http.Request {
	asked := strings.Join(headers.Values(req.Header, acceptEncoding), ",")
	readable, asksGzip := true, false
	for token := range strings.SplitSeq(asked, ",") {
		name, params, _ := strings.Cut(token, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "", "identity":
		case "gzip", "x-gzip":
			asksGzip = asksGzip || !noWeight(params)
		case "*":
			readable = false
			asksGzip = asksGzip || !noWeight(params)
		default:
			readable = false
		}
	}
	if readable {
		return req
	}
	out := req.Clone(req.Context())
	if asksGzip {
		headers.Set(out.Header, acceptEncoding, "gzip")
	} else {
		headers.Set(out.Header, acceptEncoding, "identity")
	}
	return out
}

const acceptEncoding = "Accept-Encoding"

// noWeight reports whether the parameters of an encoding give it no weight: "q=0".
func noWeight(params string) bool {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return err == nil && q == 0
		}
	}
	return false
}

// decompress returns the text of a refusal, which a client that asked for it gets compressed.
func decompress(text []byte, encoding string) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return text, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		plain, err := io.ReadAll(io.LimitReader(r, maxRefusal+1))
		if err == nil && len(plain) > maxRefusal {
			err = errLongRefusal
		}
		return plain, err
	}
	return nil, errors.ErrUnsupported
}

var errLongRefusal = errors.New("the refusal is too long to be read")
