package preflighthttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/wire"
)

// This file answers in the provider's stead, in the form that the provider's SDKs read.

// Response returns an answer to req in the form of the provider's errors, which says why the
// request was not sent: with Status, or 503 and Retry-After for ErrBusy, or else with 400. Its
// header X-Preflight is "refused". The error text is in it, which quotes no content.
func (e *Error) Response(req *http.Request) *http.Response {
	status := http.StatusBadRequest
	header := http.Header{
		"Content-Type": {"application/json"},
		"X-Preflight":  {"refused"},
	}
	if errors.Is(e.Err, ErrBusy) {
		status = http.StatusServiceUnavailable
		header.Set("Retry-After", "1")
	}
	if e.Status != 0 {
		status = e.Status
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	answer := errorBody(e.Provider, status, fmt.Sprint("preflight: ", e.Err))
	if errors.Is(e.Err, wire.ErrHeldHistory) {
		answer = threadless(answer)
	}
	_ = encoder.Encode(answer) // cannot fail: strings alone
	header.Set("Content-Length", strconv.Itoa(body.Len()))
	return &http.Response{
		Status:        strconv.Itoa(status) + " " + http.StatusText(status),
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(&body),
		ContentLength: int64(body.Len()),
		Request:       req,
	}
}

type object = map[string]any

// threadless returns an error body in the words by which clients know that the host has no threads:
// they send the whole conversation instead, and go on so. One looks for the code
// (github.com/KarpelesLab/teamclaude/pull/378), one for the text
// (github.com/raine/claude-code-proxy/issues/148).
func threadless(body object) object {
	if e, ok := body["error"].(object); ok && body["type"] == "error" {
		e["message"] = fmt.Sprintf("capability_rejected: beta_header:message-threads-2026-08-12; %v",
			e["message"])
		e["details"] = object{"error_code": "thread_unsupported_request"}
	}
	return body
}

// errorWords are the words for a status in the providers' error bodies.
type errorWords struct{ anthropic, google, openai string }

var wordsOf = map[int]errorWords{
	http.StatusServiceUnavailable: {"overloaded_error", "UNAVAILABLE", "server_error"},
	http.StatusGatewayTimeout:     {"timeout_error", "DEADLINE_EXCEEDED", "server_error"},
}

// wordsFor returns the words for any status.
func wordsFor(status int) errorWords {
	if words, ok := wordsOf[status]; ok {
		return words
	}
	if status/100 == 5 {
		return errorWords{"api_error", "INTERNAL", "server_error"}
	}
	return errorWords{"invalid_request_error", "INVALID_ARGUMENT", "invalid_request_error"}
}

// errorBody returns an error body in the form of a provider, OpenAI's for one that has no form
// here.
func errorBody(provider string, status int, message string) object {
	words := wordsFor(status)
	switch {
	case provider == "anthropic" || strings.HasSuffix(provider, "-anthropic"):
		return object{
			"type":  "error",
			"error": object{"type": words.anthropic, "message": message},
		}
	case provider == "gemini" || strings.HasSuffix(provider, "-gemini"):
		return object{
			"error": object{"code": status, "message": message, "status": words.google},
		}
	case provider == "bedrock" || provider == "cohere":
		return object{"message": message}
	case provider == "mistral":
		return object{
			"object": "error", "message": message, "type": words.openai, "param": nil, "code": nil,
		}
	case provider == "ollama":
		return object{"error": message}
	}
	return object{
		"error": object{"message": message, "type": words.openai, "param": nil, "code": nil},
	}
}
