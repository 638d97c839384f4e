package gateway

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// This file answers requests beyond a provider's limits of size in its stead, and says what is
// largest in them.

// Limits are those of a provider, for the requests of a route as they would be sent. 0 is no limit.
type Limits struct {
	Bytes      int64 `json:"bytes,omitempty"`       // of a body
	Media      int   `json:"media,omitempty"`       // images, documents, audio and video in it
	MediaBytes int64 `json:"media_bytes,omitempty"` // of one of them, as base64
}

// tooLarge is the cause of a request beyond Limits.
const tooLarge = "too-large"

// limited sends requests within limits.
type limited struct {
	http.RoundTripper
	limits Limits
}

// RoundTrip looks at requests to LLMs alone.
func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	f := flightOf(req.Context())
	if f.report == nil || f.report.Skipped != "" || req.Body == nil ||
		l.limits.Media == 0 && l.limits.MediaBytes == 0 && req.ContentLength <= l.limits.Bytes {
		return l.RoundTripper.RoundTrip(req)
	}
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return nil, err
	}
	over := l.limits.over(body, f.report)
	if over == "" {
		again := req.WithContext(req.Context())
		again.Body = io.NopCloser(bytes.NewReader(body))
		return l.RoundTripper.RoundTrip(again)
	}
	f.refused, f.cause = true, tooLarge
	f.over = over + "; largest: " + strings.Join(largest(body), ", ")
	return (&preflighthttp.Error{
		Provider: f.report.Provider, Status: http.StatusRequestEntityTooLarge, Err: errors.New(f.over),
	}).Response(req), nil
}

// over says which limit a body is beyond, "" for none.
func (l Limits) over(body []byte, r *preflighthttp.Report) string {
	if l.Bytes > 0 && int64(len(body)) > l.Bytes {
		return fmt.Sprintf("the body has %s, and the provider takes %s", size(len(body)),
			size(int(l.Bytes)))
	}
	if l.Media == 0 && l.MediaBytes == 0 {
		return ""
	}
	decoded, err := wire.Decode(body, &wire.Options{Provider: r.Provider, Model: r.Model})
	if err != nil {
		return ""
	}
	count, most := 0, 0
	for _, m := range decoded.Messages {
		for _, p := range withResults(m.Parts) {
			if media, ok := p.(*preflight.Media); ok && media != nil {
				count, most = count+1, max(most, len(media.Data))
			}
		}
	}
	switch {
	case l.Media > 0 && count > l.Media:
		return fmt.Sprintf("the request has %d images, documents, audio and video, and the provider "+
			"takes %d", count, l.Media)
	case l.MediaBytes > 0 && int64(most) > l.MediaBytes:
		return fmt.Sprintf("one of its media has %s, and the provider takes %s", size(most),
			size(int(l.MediaBytes)))
	}
	return ""
}

// withResults returns parts, and what is in the results among them.
func withResults(parts []preflight.Part) []preflight.Part {
	all := slices.Clone(parts)
	for _, p := range parts {
		if r, ok := p.(*preflight.ToolResult); ok && r != nil {
			all = append(all, r.Content...)
		}
	}
	return all
}

// mostLargest is how many elements of a body are named.
const mostLargest = 3

// largest names the largest elements of a body: its members, and those of its lists of messages and
// content, with what kind they are.
func largest(body []byte) []string {
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return nil
	}
	type element struct {
		path string
		v    jsonscan.Value
	}
	var all []element
	var walk func(path string, v jsonscan.Value, deep int)
	walk = func(path string, v jsonscan.Value, deep int) {
		list := v
		if v.Kind() == jsonscan.Object {
			for _, name := range []string{"content", "parts"} {
				if inner := v.Get(name); inner.Kind() == jsonscan.Array {
					path, list = path+"."+name, inner
				}
			}
		}
		if list.Kind() != jsonscan.Array || deep == 0 {
			all = append(all, element{path, v})
			return
		}
		for k, e := range list.All() {
			walk(fmt.Sprintf("%s[%d]", path, k), e, deep-1)
		}
	}
	for m := doc.Root().First(); m.Exists(); m = m.Next() {
		if name := m.Key().Str(); vocabulary()[name] {
			walk(name, m, 2)
		}
	}
	slices.SortStableFunc(all, func(a, b element) int {
		return cmp.Compare(len(b.v.Raw()), len(a.v.Raw()))
	})
	var out []string
	for _, e := range all[:min(len(all), mostLargest)] {
		kind := ""
		if name := e.v.Get("type").Str(); isKnown(name) {
			kind = name + ", "
		}
		out = append(out, fmt.Sprintf("%s (%s%s)", e.path, kind, size(len(e.v.Raw()))))
	}
	return out
}
