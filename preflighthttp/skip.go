package preflighthttp

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/headers"
)

// This file says which requests are left alone although they go to a known endpoint.

// Reason is why a body was left alone.
type Reason string

// The reasons.
const (
	Signed     Reason = "signed"        // a signature or digest covers the body
	Encoded    Reason = "encoded"       // the body is compressed or encoded otherwise
	TooLarge   Reason = "too-large"     // the body is larger than Transport.MaxBody
	NotJSON    Reason = "not-json"      // the body is no JSON
	NotRequest Reason = "not-a-request" // the body is JSON, but no request in the endpoint's format
	BadLength  Reason = "bad-length"    // the body is not as long as the request says
	Busy       Reason = "busy"          // Transport.Budget had no room for the body
	Partial    Reason = "partial"       // only a part of the body was seen, as by an Envoy filter
	// UnknownHost: the path is one of LLM requests and the host is not known. Transport.Endpoints
	// makes it known, or says with Skip that it is left alone on purpose.
	UnknownHost Reason = "unknown-host"
)

// digestHeaders are the headers, in lower case, that carry a digest of the body: those of AWS,
// Azure and Volcengine; RFC 9530 and the digests before it.
var digestHeaders = []string{
	"x-amz-content-sha256", "x-ms-content-sha256", "x-content-sha256", "content-digest",
	"repr-digest", "digest", "content-md5",
}

// covers reports whether a header may vouch for the body: a digest, or a signature, of RFC 9421 or
// of a gateway's own (X-Signature, X-Hub-Signature-256). What it signs is not known, so that the
// body is left alone.
func covers(header string) bool {
	name := strings.ToLower(header)
	return slices.Contains(digestHeaders, name) || strings.Contains(name, "signature") ||
		strings.Contains(name, "hmac")
}

// signingSchemes are how the Authorization of a signed request begins: AWS, Google's, Tencent's and
// Alibaba's forms of the same, and HMAC and HTTP signatures in general.
var signingSchemes = []string{"aws4-", "goog4-", "tc3-", "acs3-", "hmac", "signature"}

// signs reports whether an Authorization is a signature: of a known scheme, or of one that names
// HMAC, as the clouds do that took the form from AWS (SDK-HMAC-SHA256, KSC4-HMAC-SHA256).
func signs(authorization string) bool {
	authorization = strings.ToLower(authorization)
	scheme, _, ok := strings.Cut(authorization, " ")
	return ok && strings.Contains(scheme, "hmac") ||
		slices.ContainsFunc(signingSchemes,
			func(s string) bool { return strings.HasPrefix(authorization, s) })
}

// untouchable says why a request must be left alone before its body is read, "" when it need not
// be.
func untouchable(req *http.Request, maxBody int64) Reason {
	switch {
	case isSigned(req):
		return Signed
	case isEncoded(req.Header):
		return Encoded
	case !saysJSON(headers.Value(req.Header, "Content-Type")):
		return NotJSON
	case req.ContentLength > maxBody:
		return TooLarge
	}
	return ""
}

// isSigned reports whether something in the request vouches for its body. A trailer may, and cannot
// be known yet.
func isSigned(req *http.Request) bool {
	for name, values := range req.Header {
		if len(values) > 0 && covers(name) {
			return true
		}
	}
	return len(req.Trailer) > 0 ||
		slices.ContainsFunc(headers.Values(req.Header, "Authorization"), signs) ||
		strings.Contains(strings.ToLower(req.URL.RawQuery), "x-amz-signature=")
}

func isEncoded(h http.Header) bool {
	return slices.ContainsFunc(headers.Values(h, "Content-Encoding"), func(s string) bool {
		return !strings.EqualFold(strings.TrimSpace(s), "identity")
	})
}

// saysJSON reports whether a Content-Type is one of JSON, or says nothing: then the body does.
func saysJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return err != nil || kind == "application/json" || kind == "text/json" ||
		strings.HasSuffix(kind, "+json")
}
