package preflightextproc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/go-preflight/preflight"
	preflightextproc "github.com/go-preflight/preflight/adapter/extproc"
	"github.com/go-preflight/preflight/preflighthttp"
)

// secret is in the values of panics.
const secret = "alice@example.org"

// After a function of the caller that panics or ends its goroutine, the stream has a typed error
// that quotes nothing, the budget has its bytes back, and the next request is repaired.
func TestFaultyFunctions(t *testing.T) {
	faults := map[string]func(){
		"panic": func() { panic(fmt.Errorf("the host is %s", secret)) }, "goexit": runtime.Goexit,
	}
	for _, function := range []string{"Host", "Report", "hook"} {
		for kind, fault := range faults {
			t.Run(function+" "+kind, func(t *testing.T) {
				failing := true
				called := func(name string) {
					if failing && name == function {
						fault()
					}
				}
				p := &preflightextproc.Processor{
					Host: func(authority string) string { called("Host"); return authority },
					Transport: &preflighthttp.Transport{
						Budget: preflighthttp.NewBudget(1 << 20),
						Report: func(context.Context, *preflighthttp.Report) { called("Report") },
					},
				}
				p.Transport.Options.Hooks = []preflight.Hook{{Name: "h", Message: func(
					_ context.Context, m preflight.Message,
				) (preflight.Message, error) {
					called("hook")
					return m, nil
				}}}
				answers, err := process(p)
				if function == "hook" && kind == "panic" { // refused, as any that cannot be repaired
					if err != nil || answers[len(answers)-1].GetImmediateResponse() == nil {
						t.Fatal(answers, err)
					}
				} else if !errors.Is(err, preflight.ErrHook) || status.Code(err) != codes.Internal {
					t.Fatal(err)
				}
				if strings.Contains(fmt.Sprint(answers, err), secret) {
					t.Errorf("%v %v", answers, err)
				}
				if used := p.Transport.Budget.Used(); used != 0 {
					t.Errorf("%d bytes of the budget are not given back", used)
				}
				failing = false
				answers, err = process(p)
				if err != nil || answers[1].GetRequestBody().GetResponse().GetBodyMutation() == nil {
					t.Errorf("the next request: %v %v", answers, err)
				}
			})
		}
	}
}

// process gives a processor a request that has to be repaired.
func process(p *preflightextproc.Processor) ([]*extprocv3.ProcessingResponse, error) {
	s := &stream{given: []*extprocv3.ProcessingRequest{
		headers("api.anthropic.com", "/v1/messages"), body(dangling, true),
	}}
	err := p.Process(s)
	return s.answers, err
}

// stream is one of messages that are in memory.
type stream struct {
	grpc.ServerStream
	given   []*extprocv3.ProcessingRequest
	answers []*extprocv3.ProcessingResponse
}

func (*stream) Context() context.Context { return context.Background() }

func (s *stream) Recv() (*extprocv3.ProcessingRequest, error) {
	if len(s.given) == 0 {
		return nil, io.EOF
	}
	next := s.given[0]
	s.given = s.given[1:]
	return next, nil
}

func (s *stream) Send(answer *extprocv3.ProcessingResponse) error {
	s.answers = append(s.answers, answer)
	return nil
}
