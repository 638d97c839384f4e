package preflighthttp_test

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// This file is about what the transport leaves alone: the request it is given, and requests that it
// must not touch.

// TestRequestUnchanged compares everything a caller can see of a request before and after.
func TestRequestUnchanged(t *testing.T) {
	server := started(t)
	for _, body := range []string{dirty, clean, "{"} {
		transport, _ := to(t, server.URL)
		transport.Remedies = remedy.All()
		req := post(t, server.URL+path, strings.NewReader(body))
		req.Header.Set("Content-Length", "999")
		req.Header.Set("Idempotency-Key", "k")
		req.TransferEncoding = []string{"identity"}
		given, getBody := req.Body, reflect.ValueOf(req.GetBody).Pointer()
		before := req.Clone(req.Context())
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		resp.Body.Close()
		require.True(t, req.Body == given)
		require.Equal(t, getBody, reflect.ValueOf(req.GetBody).Pointer())
		plain := func(r *http.Request) http.Request {
			c := *r.WithContext(context.Background())
			c.Body, c.GetBody = nil, nil
			return c
		}
		a, b := plain(before), plain(req)
		require.Empty(t,
			cmp.Diff(&a, &b, cmp.AllowUnexported(http.Request{}),
				cmp.Comparer(func(a, b context.Context) bool { return a == b })))
		again, err := req.GetBody()
		require.NoError(t, err)
		kept, err := io.ReadAll(again)
		require.NoError(t, err)
		require.Equal(t, body, string(kept))
	}
}

// lower makes the names of headers what HTTP/2 sends.
func lower(h http.Header) {
	for name, values := range h {
		delete(h, name)
		h[strings.ToLower(name)] = values
	}
}

// TestUntouched: what must not be touched arrives byte for byte, with its headers, and the report
// says why.
func TestUntouched(t *testing.T) {
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	tests := []struct {
		name string
		body string
		edit func(*http.Request)
		want preflighthttp.Reason
	}{
		{"SigV4", dirty,
			header("Authorization",
				"AWS4-HMAC-SHA256 Credential=AKIA/20250101/us-east-1/bedrock/aws4_request,"+
					" SignedHeaders=host, Signature=00"),
			preflighthttp.Signed},
		{"SigV4A", dirty, header("Authorization", "AWS4-ECDSA-P256-SHA256 Credential=AKIA"),
			preflighthttp.Signed},
		{"payload hash", dirty, header("X-Amz-Content-Sha256", "00"), preflighthttp.Signed},
		{"presigned", dirty, func(r *http.Request) { r.URL.RawQuery = "X-Amz-Signature=00" },
			preflighthttp.Signed},
		{"Tencent's signature", dirty, header("Authorization", "TC3-HMAC-SHA256 Credential=x"),
			preflighthttp.Signed},
		{"HMAC", dirty, header("Authorization", "hmac username=\"x\""), preflighthttp.Signed},
		{"digest", dirty, header("Content-Digest", "sha-256=:AA==:"), preflighthttp.Signed},
		{"old digest", dirty, header("Digest", "SHA-256=AA=="), preflighthttp.Signed},
		{"another digest", dirty, header("Repr-Digest", "sha-256=:AA==:"), preflighthttp.Signed},
		{"payload hash of Azure's", dirty, header("X-Ms-Content-Sha256", "AA=="),
			preflighthttp.Signed},
		{"payload hash of Volcengine's", dirty, header("X-Content-Sha256", "00"),
			preflighthttp.Signed},
		{"signature", dirty, header("Signature", "sig=:AA==:"), preflighthttp.Signed},
		{"HTTP signature", dirty, header("Authorization", `Signature keyId="x"`),
			preflighthttp.Signed},
		{"Google's signature", dirty, header("Authorization", "GOOG4-RSA-SHA256 Credential=x"),
			preflighthttp.Signed},
		{"Alibaba's signature", dirty, header("Authorization", "ACS3-HMAC-SHA256 Credential=x"),
			preflighthttp.Signed},
		{"another cloud's signature", dirty, header("Authorization", "SDK-HMAC-SHA256 Access=x"),
			preflighthttp.Signed},
		{"a signature after a key", dirty, func(r *http.Request) {
			r.Header["Authorization"] = []string{"Bearer hmac", "AWS4-HMAC-SHA256 Credential=x"}
		}, preflighthttp.Signed},
		{"MD5", dirty, header("Content-MD5", "AA=="), preflighthttp.Signed},
		{"message signature", dirty, header("Signature-Input", "sig=()"), preflighthttp.Signed},
		{"a gateway's signature", dirty, header("X-Signature", "AA=="), preflighthttp.Signed},
		{"a webhook's signature", dirty, header("X-Hub-Signature-256", "sha256=00"),
			preflighthttp.Signed},
		{"a gateway's HMAC", dirty, header("X-Body-Hmac", "00"), preflighthttp.Signed},
		{"trailer", dirty, func(r *http.Request) {
			r.Trailer = http.Header{"X-Checksum": {"1"}}
			r.ContentLength = -1
		}, preflighthttp.Signed},
		{"gzip", dirty, header("Content-Encoding", "gzip"), preflighthttp.Encoded},
		{"two encodings", dirty,
			func(r *http.Request) { r.Header["Content-Encoding"] = []string{"identity", "br"} },
			preflighthttp.Encoded},
		{"form", dirty, header("Content-Type", "multipart/form-data; boundary=x"),
			preflighthttp.NotJSON},
		{"no JSON", "prompt=hi", nil, preflighthttp.NotJSON},
		{"cut off", dirty[:len(dirty)-1], nil, preflighthttp.NotJSON},
		{"two values", dirty + dirty, nil, preflighthttp.NotJSON},
		{"empty", " ", nil, preflighthttp.NotJSON},
		{"another request", `{"prompt":"hi"}`, nil, preflighthttp.NotRequest},
		{"a number", `1.0`, nil, preflighthttp.NotRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := started(t)
			transport, all := to(t, server.URL)
			for k, body := range []io.Reader{
				strings.NewReader(tt.body), stream(tt.body), strings.NewReader(tt.body),
			} {
				all.all = nil
				req := post(t, server.URL+path, body)
				if tt.edit != nil {
					tt.edit(req)
				}
				want := req.Header.Clone()
				if k == 2 {
					lower(req.Header)
				}
				do(t, transport, req)
				server.mu.Lock()
				got := server.got[len(server.got)-1]
				server.mu.Unlock()
				require.Equal(t, tt.body, got.body)
				for name := range want {
					require.Equal(t, want[name], got.header[name], name)
				}
				require.Equal(t, tt.want, all.only(t).Skipped)
				require.False(t, all.only(t).Changed)
			}
		})
	}
	t.Run("identity and other kinds of JSON are looked at", func(t *testing.T) {
		server := started(t)
		transport, _ := to(t, server.URL)
		for _, h := range [][2]string{
			{"Content-Encoding", "identity"},
			{"Content-Type", "application/vnd.llm+json; charset=utf-8"},
			{"Content-Type", ""},
			{"Authorization", "Bearer x"},
			{"Authorization", "sk-1hmac2"},
			{"Want-Content-Digest", "sha-256=1"},
		} {
			req := post(t, server.URL+path, strings.NewReader(dirty))
			req.Header.Set(h[0], h[1])
			do(t, transport, req)
		}
		for _, got := range server.received() {
			require.Equal(t, repaired, got.body)
		}
	})
}

// TestOtherRequestsPassThrough: requests without a body, with another method, or to another place
// are handed on as they are, the very value, and not reported, except a place that may be an LLM's.
func TestOtherRequestsPassThrough(t *testing.T) {
	base := "http://127.0.0.1:1"
	get, err := http.NewRequest(http.MethodGet, base+path, nil)
	require.NoError(t, err)
	empty, none := post(t, base+path, nil), post(t, base+path, http.NoBody)
	put := post(t, base+path, strings.NewReader(dirty))
	put.Method = http.MethodPut
	for _, req := range []*http.Request{
		get,
		empty,
		none,
		put,
		post(t, base+"/v1/embeddings", strings.NewReader(dirty)),
		post(t, "http://127.0.0.2:1"+path, strings.NewReader(dirty)),
	} {
		transport, all := to(t, base)
		var sent *http.Request
		transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			sent = r
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})
		_, err := transport.RoundTrip(req)
		require.NoError(t, err)
		require.True(t, req == sent, "%s %s", req.Method, req.URL)
		if req.URL.Host == "127.0.0.2:1" {
			require.Len(t, all.all, 1)
			require.Equal(t, preflighthttp.UnknownHost, all.all[0].Skipped)
			continue
		}
		require.Empty(t, all.all)
	}
}

// TestBetaHeader: a block that a beta feature allows stays where the request asks for the feature
// by header alone (anthropic-sdk-go v1.84.0, BetaFallbackBlockParam).
func TestBetaHeader(t *testing.T) {
	const body = `{"model":"claude-opus-4-8","max_tokens":9,"thinking":{"type":"adaptive"},` +
		`"messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},` +
		`{"type":"fallback"},` +
		`{"type":"thinking","thinking":"u","signature":"c2lh"},{"type":"text","text":"a"}]},` +
		`{"role":"user","content":"r"}]}`
	for header, changed := range map[string]bool{
		"": true, "context-1m-2025-08-07": true,
		"context-1m-2025-08-07, server-side-fallback-2026-06-01": false,
	} {
		server := started(t)
		transport, all := to(t, server.URL)
		req := post(t, server.URL+path, strings.NewReader(body))
		if header != "" {
			req.Header.Set("anthropic-beta", header)
		}
		do(t, transport, req)
		require.Equal(t, changed, all.all[0].Changed, header)
		require.Equal(t, changed, server.received()[0].body != body, header)
		lower(req.Header)
		judged := transport.Judge("POST", req.URL, req.Header)
		sent, _, err := judged.Body(context.Background(), []byte(body))
		require.NoError(t, err)
		require.Equal(t, changed, string(sent) != body, header)
	}
}
