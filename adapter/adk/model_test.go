package preflightadk_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/session"
	"google.golang.org/genai"

	"github.com/go-preflight/preflight"
	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
)

// recording is a model that records the request that it is given.
type recording struct{ request *model.LLMRequest }

func (*recording) Name() string { return modelName }

func (r *recording) GenerateContent(
	_ context.Context, request *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	r.request = request
	return func(yield func(*model.LLMResponse, error) bool) {
		yield(&model.LLMResponse{Content: said("ok")}, nil)
	}
}

// broken is a request with a call that has no response.
func broken() *model.LLMRequest {
	return &model.LLMRequest{
		Model:    modelName,
		Contents: []*genai.Content{say("Build it."), calls("build", "test"), say("Stop.")},
		Config:   &genai.GenerateContentConfig{},
	}
}

// beyondRepair is a request with nothing to send.
func beyondRepair() *model.LLMRequest {
	return &model.LLMRequest{Model: modelName, Contents: []*genai.Content{nil}}
}

// ask has the model answer a request.
func ask(ctx context.Context, m model.LLM, request *model.LLMRequest) (err error) {
	for _, err = range m.GenerateContent(ctx, request, false) {
	}
	return err
}

// TestModel: a request that needs no repair is passed on as it is, another is repaired in a copy,
// and one that cannot be repaired is not passed on.
func TestModel(t *testing.T) {
	ctx := context.Background()
	var own recording
	m := preflightadk.Model(&own, answering, nil)
	valid := &model.LLMRequest{Model: modelName, Contents: []*genai.Content{say("Hello")}}
	if err := ask(ctx, m, valid); err != nil || own.request != valid || m.Name() != modelName {
		t.Errorf("%v, passed on %p, not %p", err, own.request, valid)
	}
	request := broken()
	if err := ask(ctx, m, request); err != nil || own.request == request {
		t.Errorf("%v, passed on %p", err, own.request)
	}
	if got, was := own.request.Contents, request.Contents; len(got) != 3 || got[0] != was[0] ||
		got[2].Parts[0].FunctionResponse == nil || len(was[2].Parts) != 1 {
		t.Errorf("repaired %v", got)
	}
	if own.request.Config != request.Config {
		t.Error("the config is another")
	}
	empty := &model.LLMRequest{Model: modelName}
	if err := ask(ctx, m, empty); err != nil || own.request != empty {
		t.Errorf("%v, passed on %p, not %p", err, own.request, empty)
	}
	own.request = nil
	if err := ask(ctx, m, beyondRepair()); !errors.Is(err, preflight.ErrEmptyHistory) ||
		own.request != nil {
		t.Errorf("%v, passed on %p", err, own.request)
	}
}

// TestGoogleModel: what ADK finds out about a model of its package gemini, it finds out about the
// one that repairs.
func TestGoogleModel(t *testing.T) {
	type google interface {
		GetGoogleLLMVariant() genai.Backend
		Client() *genai.Client
	}
	server := preflighttest.New(t, "gemini", nil)
	m := preflightadk.Model(newModel(t, server, modelName), nil, nil)
	if g, ok := m.(google); !ok || g.GetGoogleLLMVariant() != genai.BackendGeminiAPI ||
		g.Client() == nil {
		t.Error("the model is not recognized")
	}
	if _, ok := preflightadk.Model(&recording{}, nil, nil).(google); ok {
		t.Error("another model is taken for Google's")
	}
}

// TestBeforeModel: the callback of an agent repairs its requests, and ends the call of a model
// whose request cannot be repaired.
func TestBeforeModel(t *testing.T) {
	server := preflighttest.New(t, "gemini", nil)
	root := newAgent(t, llmagent.Config{
		Name: "builder", Model: newModel(t, server, modelName),
		BeforeModelCallbacks: []llmagent.BeforeModelCallback{
			preflightadk.BeforeModel(nil, nil),
		},
	})
	sessions := newSession(t, []*session.Event{
		event("user", say("Build it.")), event("builder", calls("build", "test")),
	})
	text, _, err := run(context.Background(), newRunner(t, root, sessions),
		agent.StreamingModeNone, say("Stop."))
	if err != nil || text != "ok" || len(server.Refused()) > 0 {
		t.Errorf("%q, %v, %v", text, err, server.Refused())
	}
	_, err = preflightadk.BeforeModel(nil, nil)(nil, beyondRepair())
	if !errors.Is(err, preflight.ErrEmptyHistory) {
		t.Errorf("%v", err)
	}
}

// TestTrace: the span of the call has an event for each repair.
func TestTrace(t *testing.T) {
	var spans tracetest.SpanRecorder
	tracer := trace.NewTracerProvider(trace.WithSpanProcessor(&spans)).Tracer("test")
	ctx, span := tracer.Start(context.Background(), "generate_content")
	if err := ask(ctx, preflightadk.Model(&recording{}, nil, nil), broken()); err != nil {
		t.Fatal(err)
	}
	span.End()
	events := spans.Ended()[0].Events()
	if len(events) != 3 || events[0].Name != "preflight" ||
		events[0].Attributes[0].Value.AsString() != "dangling-removed" {
		t.Errorf("%v", events)
	}
}

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
func TestFaultyReport(t *testing.T) {
	ctx := context.Background()
	entries := func(report clienttest.ReportFunc) (map[string]func() error, func() int) {
		own := &recording{}
		return map[string]func() error{
				"Model": func() error { return ask(ctx, preflightadk.Model(own, nil, report), broken()) },
				"Plugin": func() error {
					repair, err := preflightadk.Plugin(preflightadk.Config{Report: report})
					if err != nil {
						return err
					}
					root := newAgent(t, llmagent.Config{Name: "builder", Model: own})
					sessions := newSession(t, []*session.Event{
						event("user", say("Build it.")), event("builder", calls("build", "test")),
					})
					_, _, err = run(ctx, newRunner(t, root, sessions, repair),
						agent.StreamingModeNone, say("Stop."))
					return err
				},
			}, func() int {
				if own.request != nil {
					return 1
				}
				return 0
			}
	}
	clienttest.FaultyReport(t, entries)
}
