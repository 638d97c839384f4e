package preflightbedrock_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
)

// received is a server that keeps what it receives, and answers with the first of its statuses that
// is left.
type received struct {
	*httptest.Server
	requests []*http.Request
	bodies   [][]byte
	statuses []int
}

func newReceived(t *testing.T, statuses ...int) *received {
	r := &received{statuses: statuses}
	r.Server = httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, request *http.Request) {
			body, err := io.ReadAll(request.Body)
			if err != nil {
				t.Error(err)
			}
			r.requests, r.bodies = append(r.requests, request), append(r.bodies, body)
			status := http.StatusOK
			if len(r.statuses) > 0 {
				status, r.statuses = r.statuses[0], r.statuses[1:]
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			io.WriteString(w, `{}`)
		}))
	t.Cleanup(r.Close)
	return r
}

// signature is what the Authorization of a request is when it is signed over body.
func signature(t *testing.T, request *http.Request, body []byte) string {
	t.Helper()
	at, err := time.Parse("20060102T150405Z", request.Header.Get("X-Amz-Date"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := http.NewRequest(request.Method, "http://"+request.Host+request.URL.RequestURI(),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	_, signed, _ := strings.Cut(request.Header.Get("Authorization"), "SignedHeaders=")
	signed, _, _ = strings.Cut(signed, ",")
	for _, name := range strings.Split(signed, ";") {
		if values := request.Header.Values(name); len(values) > 0 {
			again.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if slices.Contains(strings.Split(signed, ";"), "content-length") {
		again.ContentLength = request.ContentLength
	}
	hash := sha256.Sum256(body)
	if err := v4.NewSigner().SignHTTP(context.Background(), credentials, again,
		hex.EncodeToString(hash[:]), "bedrock", "us-east-1", at); err !=
		nil {
		t.Fatal(err)
	}
	return again.Header.Get("Authorization")
}

// TestSignature: the signature, the length and the body of what arrives belong together, also on a
// retry.
func TestSignature(t *testing.T) {
	ctx := context.Background()
	input := &bedrockruntime.ConverseInput{
		ModelId:    aws.String(sonnet),
		Messages:   dangling,
		ToolConfig: tools("run"),
	}
	plain := newReceived(t)
	if _, err := newClient(plain.URL).Converse(ctx, input); err != nil {
		t.Fatal(err)
	}
	server := newReceived(t, http.StatusInternalServerError)
	client := newClient(server.URL, with(nil),
		func(o *bedrockruntime.Options) { o.RetryMaxAttempts = 2 })
	if _, err := client.Converse(ctx, input); err != nil {
		t.Fatal(err)
	}
	if len(server.requests) != 2 || !bytes.Equal(server.bodies[0], server.bodies[1]) ||
		bytes.Equal(server.bodies[0], plain.bodies[0]) {
		t.Fatalf("%s", server.bodies)
	}
	for i, request := range server.requests {
		if got := request.Header.Get("Authorization"); got !=
			signature(t, request, server.bodies[i]) {
			t.Errorf("attempt %d: the signature is not that of the body: %s", i, got)
		} else if got == signature(t, request, plain.bodies[0]) {
			t.Error("the signature does not cover the body")
		}
		if request.ContentLength != int64(len(server.bodies[i])) {
			t.Errorf("attempt %d: the length is %d, the body has %d bytes", i,
				request.ContentLength, len(server.bodies[i]))
		}
	}
}
