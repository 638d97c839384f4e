package preflightextproc_test

import (
	"strings"
	"testing"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	preflightextproc "github.com/go-preflight/preflight/adapter/extproc"
)

// dotted declares a tool whose name Anthropic refuses.
const dotted = `{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"files.read",` +
	`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"a"}]}`

func responseHeaders(list ...string) *extprocv3.ProcessingRequest {
	var of []*corev3.HeaderValue
	for k := 0; k < len(list); k += 2 {
		of = append(of, &corev3.HeaderValue{Key: list[k], RawValue: []byte(list[k+1])})
	}
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_ResponseHeaders{
		ResponseHeaders: &extprocv3.HttpHeaders{Headers: &corev3.HeaderMap{Headers: of}},
	}}
}

func responseBody(text string, end bool) *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_ResponseBody{
		ResponseBody: &extprocv3.HttpBody{Body: []byte(text), EndOfStream: end},
	}}
}

// The client gets calls of the tool that it declared, however the response is cut.
func TestNames(t *testing.T) {
	const start = `{"type":"content_block_start","index":0,"content_block":` +
		`{"type":"tool_use","id":"toolu_1","name":"NAME","input":{}}}`
	for kind, text := range map[string]string{
		"text/event-stream": "event: content_block_start\ndata: " + start + "\n\n" +
			"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"application/json": `{"type":"message","role":"assistant","content":[` +
			`{"type":"tool_use","id":"toolu_1","name":"NAME","input":{}}]}`,
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			stream := call(t, &preflightextproc.Processor{})
			ask(t, stream, headers("api.anthropic.com", "/v1/messages"))
			sent := string(ask(t, stream, body(dotted, true)).GetRequestBody().GetResponse().
				GetBodyMutation().GetBody())
			_, name, found := strings.Cut(sent, `"tools":[{"name":"`)
			if name, _, _ = strings.Cut(name, `"`); !found || name == "files.read" {
				t.Fatal(sent)
			}
			answer := ask(t, stream, responseHeaders(
				":status", "200", "content-type", kind, "content-length", "9"))
			if mode := answer.GetModeOverride().GetResponseBodyMode(); mode !=
				filterv3.ProcessingMode_STREAMED {
				t.Fatalf("the mode is %v", mode)
			}
			if removed := answer.GetResponseHeaders().GetResponse().GetHeaderMutation().
				GetRemoveHeaders(); len(removed) != 1 || removed[0] != "content-length" {
				t.Fatal(removed)
			}
			got := ""
			rest := strings.ReplaceAll(text, "NAME", name)
			for len(rest) > 0 {
				n := min(size, len(rest))
				piece := ask(t, stream, responseBody(rest[:n], n == len(rest)))
				rest = rest[n:]
				got += string(piece.GetResponseBody().GetResponse().GetBodyMutation().GetBody())
			}
			if want := strings.ReplaceAll(text, "NAME", "files.read"); got != want {
				t.Fatalf("%s in pieces of %d: %q", kind, size, got)
			}
		}
	}
}

// Envoy sends no body of a response that has nothing to be named.
func TestNoNames(t *testing.T) {
	for name, c := range map[string]struct{ request, status, kind string }{
		"nothing renamed": {dangling, "200", "application/json"},
		"a refusal":       {dotted, "400", "application/json"},
		"another type":    {dotted, "200", "image/png"},
	} {
		stream := call(t, &preflightextproc.Processor{})
		ask(t, stream, headers("api.anthropic.com", "/v1/messages"))
		ask(t, stream, body(c.request, true))
		answer := ask(t, stream, responseHeaders(":status", c.status, "content-type", c.kind))
		if answer.GetModeOverride() != nil || answer.GetResponseHeaders().GetResponse() != nil {
			t.Fatal(name, answer)
		}
		piece := ask(t, stream, responseBody("{}", true))
		if piece.GetResponseBody().GetResponse() != nil {
			t.Fatal(name, piece)
		}
	}
}
