package preflightextproc_test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/go-preflight/preflight"
	preflightextproc "github.com/go-preflight/preflight/adapter/extproc"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
)

const (
	dangling = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"a"},{"role":"assistant","content":[` +
		`{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},` +
		`{"role":"user","content":"b"}]}`
	valid = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"a"}]}`
	empty = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`
)

// call opens a stream to a processor, as Envoy does for each request.
func call(
	t *testing.T, processor *preflightextproc.Processor,
) extprocv3.ExternalProcessor_ProcessClient {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer(preflightextproc.Options(0)...)
	extprocv3.RegisterExternalProcessorServer(server, processor)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///envoy",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return listener.DialContext(ctx)
		}),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(256<<20),
			grpc.MaxCallSendMsgSize(256<<20)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	stream, err := extprocv3.NewExternalProcessorClient(conn).Process(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// ask sends a message and returns the answer.
func ask(
	t *testing.T, stream extprocv3.ExternalProcessor_ProcessClient, m *extprocv3.ProcessingRequest,
) *extprocv3.ProcessingResponse {
	t.Helper()
	if err := stream.Send(m); err != nil {
		t.Fatal(err)
	}
	answer, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// headers are those of a request to a host and path, followed by more: "name: value".
func headers(host, path string, more ...string) *extprocv3.ProcessingRequest {
	var list []*corev3.HeaderValue
	for _, h := range append([]string{
		":method: POST", ":authority: " + host, ":path: " + path, ":scheme: https",
		"content-type: application/json",
	}, more...) {
		name, value, _ := strings.Cut(h[1:], ": ")
		list = append(list, &corev3.HeaderValue{Key: h[:1] + name, RawValue: []byte(value)})
	}
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestHeaders{
		RequestHeaders: &extprocv3.HttpHeaders{Headers: &corev3.HeaderMap{Headers: list}},
	}}
}

func body(text string, end bool) *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestBody{
		RequestBody: &extprocv3.HttpBody{Body: []byte(text), EndOfStream: end},
	}}
}

// The body that comes back is accepted by a strict provider, and has the length that is said.
func TestRepair(t *testing.T) {
	var reports []*preflighthttp.Report
	processor := &preflightextproc.Processor{Transport: &preflighthttp.Transport{
		Report: func(_ context.Context, r *preflighthttp.Report) { reports = append(reports, r) },
	}}
	stream := call(t, processor)
	answer := ask(t, stream, headers("api.anthropic.com", "/v1/messages?beta=true"))
	if mode := answer.GetModeOverride().GetRequestBodyMode(); mode !=
		filterv3.ProcessingMode_BUFFERED {
		t.Fatalf("the mode is %v", mode)
	}
	// above gRPC's 4 MiB
	long := strings.Replace(dangling, `"a"`, `"`+strings.Repeat("a", 6<<20)+`"`, 1)
	common := ask(t, stream, body(long, true)).GetRequestBody().GetResponse()
	fixed := common.GetBodyMutation().GetBody()
	if violations, err := preflighttest.Violations("anthropic", fixed); err != nil ||
		len(violations) > 0 {
		t.Fatal(err, violations)
	}
	set := common.GetHeaderMutation().GetSetHeaders()
	if len(set) != 1 || set[0].GetHeader().GetKey() != "content-length" ||
		string(set[0].GetHeader().GetRawValue()) != strconv.Itoa(len(fixed)) {
		t.Fatal(set)
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err == nil {
		t.Fatal("the stream continues")
	}
	if len(reports) != 1 || !reports[0].Changed || reports[0].Path != "/v1/messages" {
		t.Fatal(reports)
	}
}

// Requests that are not for an LLM, or are left alone, pass without their bodies.
func TestSkip(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *extprocv3.ProcessingRequest
		skip preflighthttp.Reason
	}{
		{"another path", headers("api.anthropic.com", "/v1/models"), ""},
		{"another host", headers("shop.example", "/cart"), ""},
		{"an unknown host", headers("x.example", "/v1/messages"), preflighthttp.UnknownHost},
		{"signed", headers("api.anthropic.com", "/v1/messages", "authorization: AWS4-HMAC x"),
			preflighthttp.Signed},
		{"too large", headers("api.anthropic.com", "/v1/messages", "content-length: 99999999999"),
			preflighthttp.TooLarge},
		{"no path", headers("api.anthropic.com", ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var skipped preflighthttp.Reason
			stream := call(t, &preflightextproc.Processor{Transport: &preflighthttp.Transport{
				Report: func(_ context.Context, r *preflighthttp.Report) { skipped = r.Skipped },
			}})
			answer := ask(t, stream, c.m)
			if mode := answer.GetModeOverride().GetRequestBodyMode(); mode !=
				filterv3.ProcessingMode_NONE {
				t.Errorf("the mode is %v", mode)
			}
			// where Envoy does not allow the override, the body comes all the same
			common := ask(t, stream, body(dangling, true)).GetRequestBody().GetResponse()
			if common.GetBodyMutation() != nil {
				t.Error("the body was changed")
			}
			if skipped != c.skip {
				t.Errorf("skipped as %q", skipped)
			}
		})
	}
}

// Pieces of a body, valid bodies, and bodies beyond a limit stay as they are.
func TestUnchanged(t *testing.T) {
	full := preflighthttp.NewBudget(10)
	for _, c := range []struct {
		name      string
		transport preflighthttp.Transport
		pieces    []string
		skip      preflighthttp.Reason
	}{
		{"pieces", preflighthttp.Transport{}, []string{dangling[:20], dangling[20:]},
			preflighthttp.Partial},
		{"valid", preflighthttp.Transport{}, []string{valid}, ""},
		{"large", preflighthttp.Transport{MaxBody: 10}, []string{dangling}, preflighthttp.TooLarge},
		{"busy", preflighthttp.Transport{Budget: full}, []string{dangling}, preflighthttp.Busy},
		{"dry run", preflighthttp.Transport{DryRun: true}, []string{dangling}, ""},
		{"beyond repair", preflighthttp.Transport{}, []string{empty}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var skipped []preflighthttp.Reason
			c.transport.Report = func(_ context.Context, r *preflighthttp.Report) {
				skipped = append(skipped, r.Skipped)
			}
			stream := call(t, &preflightextproc.Processor{Transport: &c.transport})
			ask(t, stream, headers("api.anthropic.com", "/v1/messages"))
			for k, piece := range c.pieces {
				answer := ask(t, stream, body(piece, k == len(c.pieces)-1))
				if answer.GetRequestBody() == nil ||
					answer.GetRequestBody().GetResponse().GetBodyMutation() != nil {
					t.Error("the body was changed, or refused")
				}
			}
			if len(skipped) != 1 || skipped[0] != c.skip {
				t.Errorf("reports: %q", skipped)
			}
		})
	}
	if full.Used() != 0 {
		t.Error("the budget is not given back")
	}
}

// A refusal is an answer in the provider's own form.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		transport preflighthttp.Transport
		body      string
		status    int
		kind      string
	}{
		{preflighthttp.Transport{Unfixable: preflighthttp.Refuse}, empty, http.StatusBadRequest,
			"invalid_request_error"},
		{preflighthttp.Transport{
			Budget: preflighthttp.NewBudget(10), Busy: preflighthttp.Refuse,
		}, dangling, http.StatusServiceUnavailable, "overloaded_error"},
	} {
		stream := call(t, &preflightextproc.Processor{Transport: &c.transport})
		ask(t, stream, headers("api.anthropic.com", "/v1/messages"))
		answer := ask(t, stream, body(c.body, true)).GetImmediateResponse()
		if int(answer.GetStatus().GetCode()) != c.status ||
			!strings.Contains(string(answer.GetBody()), c.kind) {
			t.Errorf("%v", answer)
		}
	}
}

// Where Envoy has a name of its own, the provider is named by Host.
func TestHost(t *testing.T) {
	stream := call(t, &preflightextproc.Processor{
		Host: func(authority string) string {
			if authority == "llm.internal" {
				return "api.anthropic.com"
			}
			return authority
		},
	})
	answer := ask(t, stream, headers("llm.internal", "/v1/messages"))
	if answer.GetModeOverride().GetRequestBodyMode() != filterv3.ProcessingMode_BUFFERED {
		t.Fatal(answer)
	}
}

// Every message gets the answer of its kind.
func TestOtherMessages(t *testing.T) {
	stream := call(t, &preflightextproc.Processor{})
	answer := ask(t, stream, &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestTrailers{}})
	if answer.GetRequestTrailers() == nil {
		t.Error(answer)
	}
	answer = ask(t, stream, &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_ResponseHeaders{}})
	if answer.GetResponseHeaders() == nil {
		t.Error(answer)
	}
	answer = ask(t, stream, &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_ResponseBody{}})
	if answer.GetResponseBody() == nil {
		t.Error(answer)
	}
	answer = ask(t, stream, &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_ResponseTrailers{}})
	if answer.GetResponseTrailers() == nil {
		t.Error(answer)
	}
}

// Where a hook could not see a body, it does not pass, in any mode and not in part.
func TestHooksNotRun(t *testing.T) {
	hook := preflight.HookFunc("hide", func(m preflight.Message) preflight.Message { return m })
	full := preflighthttp.NewBudget(10)
	for _, c := range []struct {
		name      string
		transport preflighthttp.Transport
		mode      filterv3.ProcessingMode_BodySendMode
		host      string
		header    string
		pieces    []string
	}{
		{"pieces", preflighthttp.Transport{}, 0, "", "", []string{valid[:20]}},
		{"more than JSON", preflighthttp.Transport{}, filterv3.ProcessingMode_STREAMED, "", "",
			[]string{valid, `{"secret":1}`}},
		{"large", preflighthttp.Transport{MaxBody: 10}, 0, "", "", []string{dangling}},
		{"busy", preflighthttp.Transport{Budget: full}, 0, "", "", []string{dangling}},
		{"beyond repair", preflighthttp.Transport{}, 0, "", "", []string{empty}},
		{"no JSON", preflighthttp.Transport{}, 0, "", "", []string{"secret"}},
		{"unknown host", preflighthttp.Transport{}, 0, "a.example", "", []string{valid}},
		{"encoded", preflighthttp.Transport{}, 0, "", "content-encoding: gzip", nil},
	} {
		for _, let := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, let), func(t *testing.T) {
				transport := c.transport
				transport.Options.Hooks = []preflight.Hook{hook}
				if let {
					transport.Unfixable, transport.Busy =
						preflighthttp.SendUnchanged, preflighthttp.SendUnchanged
				}
				processor := &preflightextproc.Processor{Transport: &transport, Mode: c.mode}
				stream := call(t, processor)
				request := headers(cmp.Or(c.host, "api.anthropic.com"), "/v1/messages")
				if c.header != "" {
					request = headers("api.anthropic.com", "/v1/messages", c.header)
				}
				answer := ask(t, stream, request)
				for k, piece := range c.pieces {
					end := k == len(c.pieces)-1 && c.name != "pieces"
					answer = ask(t, stream, body(piece, end))
				}
				if refused := answer.GetImmediateResponse() != nil; refused == let {
					t.Errorf("%v", answer)
				}
			})
		}
	}
	if full.Used() != 0 {
		t.Error("the budget is not given back")
	}
}
