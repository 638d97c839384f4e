package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

const dangling = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
	`{"role":"user","content":"a"},{"role":"assistant","content":[` +
	`{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},` +
	`{"role":"user","content":"b"}]}`

// It repairs a body over a connection, writes a line about it, and ends an open stream within the
// drain: meanwhile it is not serving, by its own word.
func TestRun(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	out, printed := io.Pipe()
	var logged bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{
			"--listen", "127.0.0.1:0", "--host", "llm.internal=api.anthropic.com", "--log",
			"--drain-delay", "50ms",
		}, printed, &logged)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(line)
	conn, err := grpc.NewClient(words[len(words)-1],
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	health := grpc_health_v1.NewHealthClient(conn)
	limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	watch, err := health.Watch(limit, new(grpc_health_v1.HealthCheckRequest))
	if err != nil {
		t.Fatal(err)
	}
	if state, err := watch.Recv(); err != nil ||
		state.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Fatal(state, err)
	}
	stream, err := extprocv3.NewExternalProcessorClient(conn).Process(limit)
	if err != nil {
		t.Fatal(err)
	}
	var list []*corev3.HeaderValue
	for _, h := range [][2]string{
		{":method", "POST"}, {":authority", "LLM.internal:443"}, {":path", "/v1/messages"},
	} {
		list = append(list, &corev3.HeaderValue{Key: h[0], RawValue: []byte(h[1])})
	}
	send := func(m *extprocv3.ProcessingRequest) *extprocv3.ProcessingResponse {
		if err := stream.Send(m); err != nil {
			t.Fatal(err)
		}
		answer, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	send(&extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestHeaders{
		RequestHeaders: &extprocv3.HttpHeaders{Headers: &corev3.HeaderMap{Headers: list}},
	}})
	stop() // the stream is open, and is served to its end
	if state, err := watch.Recv(); err != nil ||
		state.GetStatus() != grpc_health_v1.HealthCheckResponse_NOT_SERVING {
		t.Fatal(state, err)
	}
	answer := send(&extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestBody{
		RequestBody: &extprocv3.HttpBody{Body: []byte(dangling), EndOfStream: true},
	}})
	fixed := string(answer.GetRequestBody().GetResponse().GetBodyMutation().GetBody())
	if fixed == "" || strings.Contains(fixed, "tool_use") {
		t.Fatal(answer)
	}
	_ = stream.CloseSend()
	cancel() // the watch, too, is a stream
	if got := <-code; got != 0 {
		t.Fatal(got, logged.String())
	}
	if !strings.Contains(logged.String(), `"changed":true`) ||
		strings.Contains(logged.String(), `"content"`) {
		t.Fatal(logged.String())
	}
}

// The flags are listed on standard output, as they are written everywhere, and so they are in
// errors.
func TestHelp(t *testing.T) {
	var out, err bytes.Buffer
	if code := run(context.Background(), []string{"--help"}, &out, &err); code != 0 || err.Len() > 0 {
		t.Fatal(code, err.String())
	}
	if list := out.String(); !strings.Contains(list, "\n  --listen ADDRESS\n") ||
		strings.Contains(list, "\n  -l") {
		t.Fatal(list)
	}
	run(context.Background(), []string{"--nothing"}, io.Discard, &err)
	if want := "preflight-extproc: flag provided but not defined: --nothing; " +
		"--help lists the flags\n"; err.String() != want {
		t.Fatal(err.String())
	}
}

// Wrong usage has the code 2.
func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"x"}, {"--nothing"}, {"--host", "x"}, {"--mode", "BUFFERED"}, {"--unfixable", "x"},
		{"--busy", "x"}, {"--max-held", "1"},
	} {
		var err bytes.Buffer
		if code := run(context.Background(), args, io.Discard, &err); code != 2 || err.Len() == 0 {
			t.Error(args, code, err.String())
		}
	}
}
