package preflightotel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	preflightotel "github.com/go-preflight/preflight/adapter/otel"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

const (
	dangling = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"SECRET"},{"role":"assistant","content":[` +
		`{"type":"text","text":"SECRET"},{"type":"tool_use","id":"toolu_SECRET","name":"run","input":{}}]},` +
		`{"role":"user","content":"b"}]}`
	valid = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"SECRET"}]}`
	signed = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"q"},{"role":"assistant","content":[` +
		`{"type":"thinking","thinking":"SECRET","signature":"c2ln"},{"type":"text","text":"a"}]},` +
		`{"role":"user","content":"n"}]}`
	refusal = "messages.1.content.0: Invalid `signature` in `thinking` block"
)

// provider refuses thinking.
func provider(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && strings.Contains(string(body), "thinking") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":%q}}`,
				refusal)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestReport(t *testing.T) {
	ctx := context.Background()
	reader := sdkmetric.NewManualReader()
	spans := tracetest.NewInMemoryExporter()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer("test")
	report, err := preflightotel.New(preflightotel.Config{
		MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := provider(t)
	client := &http.Client{Transport: &preflighthttp.Transport{
		Endpoints: []preflighthttp.Endpoint{{Provider: "anthropic"}},
		Remedies:  remedy.All(),
		Report:    report,
	}}
	for _, body := range []string{valid, dangling, dangling, signed, "SECRET", `{"messages":[]}`} {
		ctx, span := tracer.Start(ctx, "chat")
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/messages",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		span.End()
	}

	var got metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &got); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	var durations uint64
	for _, m := range got.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				sums[m.Name+" "+p.Attributes.Encoded(attribute.DefaultEncoder())] = p.Value
			}
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				durations += p.Count
			}
		}
	}
	const anthropic = "gen_ai.provider.name=anthropic,"
	for name, want := range map[string]int64{
		"preflight.requests " + anthropic + "preflight.outcome=valid":                              2, // signed is, at first
		"preflight.requests " + anthropic + "preflight.outcome=repaired":                           2,
		"preflight.requests " + anthropic + "preflight.outcome=skipped,preflight.skipped=not-json": 1,
		"preflight.requests " + anthropic + "preflight.outcome=unfixable":                          1,
		"preflight.skips " + anthropic + "preflight.skipped=not-json":                              1,
		"preflight.repairs " + anthropic +
			"preflight.class=lossy,preflight.code=dangling-removed,preflight.rule=anthropic/tool-result-missing": 2,
		"preflight.resends " + anthropic + "http.response.status_code=200," +
			"preflight.remedy=drop-reasoning," +
			"preflight.rule=anthropic/thinking-signature-invalid": 1,
	} {
		if sums[name] != want {
			t.Errorf("%s is %d, not %d; there are %v", name, sums[name], want, sums)
		}
	}
	if durations != 6 {
		t.Errorf("%d durations, not 6", durations)
	}
	metrics, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(metrics), "SECRET") || strings.Contains(string(metrics), "claude") {
		t.Error("the metrics hold content or a model")
	}
	checkSpans(t, spans.GetSpans())
}

func checkSpans(t *testing.T, spans tracetest.SpanStubs) {
	t.Helper()
	if len(spans) != 6 {
		t.Fatalf("%d spans", len(spans))
	}
	text := fmt.Sprint(spans)
	if strings.Contains(text, "SECRET") {
		t.Error("the spans hold content")
	}
	repaired := attribute.NewSet(spans[1].Attributes...)
	for name, want := range map[attribute.Key]string{
		"gen_ai.request.model": "claude-sonnet-4-5",
		"preflight.outcome":    "repaired",
		"preflight.changes":    "1",
		"preflight.provider":   "anthropic",
		"gen_ai.provider.name": "anthropic",

		"preflight.worst_class": "lossy",
		"preflight.rules":       `["anthropic/tool-result-missing"]`,
	} {
		if got, _ := repaired.Value(name); got.Emit() != want {
			t.Errorf("%s is %s, not %s", name, got.Emit(), want)
		}
	}
	if events := spans[3].Events; len(events) != 1 || events[0].Name != "preflight.resend" {
		t.Errorf("the resending is no event: %v", events)
	}
}

// Without a span, and with the global provider, reports do no harm.
func TestNothingConfigured(t *testing.T) {
	report, err := preflightotel.New(preflightotel.Config{})
	if err != nil {
		t.Fatal(err)
	}
	report(context.Background(), &preflighthttp.Report{Changed: true})
}

// TestLongModel: the name of a model that is none, but a text, is shortened.
func TestLongModel(t *testing.T) {
	report, err := preflightotel.New(preflightotel.Config{})
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewInMemoryExporter()
	ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer("test").
		Start(context.Background(), "chat")
	report(ctx, &preflighthttp.Report{Model: strings.Repeat("text ", 1<<18)})
	span.End()
	for _, a := range spans.GetSpans()[0].Attributes {
		if size := len(a.Value.Emit()); size > 1000 {
			t.Errorf("%s has %d bytes", a.Key, size)
		}
	}
}

// TestCallersAttributes: what the caller set on the span stays.
func TestCallersAttributes(t *testing.T) {
	report, err := preflightotel.New(preflightotel.Config{})
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewInMemoryExporter()
	ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer("test").
		Start(context.Background(), "chat")
	span.SetAttributes(attribute.String("gen_ai.request.model", "mine"))
	report(ctx, &preflighthttp.Report{Model: "other", Provider: "openai-chat"})
	report(ctx, &preflighthttp.Report{Model: "third", Provider: "mistral"})
	span.End()
	set := attribute.NewSet(spans.GetSpans()[0].Attributes...)
	for name, want := range map[attribute.Key]string{
		"gen_ai.request.model": "mine", "gen_ai.provider.name": "openai",
	} {
		if got, _ := set.Value(name); got.Emit() != want {
			t.Errorf("%s is %s, not %s", name, got.Emit(), want)
		}
	}
}

// TestVerdict: what the model did not get to see is counted by whose edit it was, and is on the
// span.
func TestVerdict(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	verdict, err := preflightotel.NewVerdict(preflightotel.Config{
		MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)),
	})
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewInMemoryExporter()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer("test")
	ctx, span := tracer.Start(context.Background(), "chat")
	said := &preflighthttp.Verdict{
		Report: &preflighthttp.Report{Provider: "openai-responses"},
		Transformations: []preflighthttp.Transformation{
			{Type: "removed", Reason: "prefix_mismatch", Path: "input[1]", Ours: true},
			{Type: "removed", Reason: "prefix_mismatch", Path: "input[2]"},
		},
	}
	verdict(ctx, said)
	span.End()
	said.Transformations = nil
	for k := range 200 { // of an upstream that says anything
		said.Transformations = append(said.Transformations,
			preflighthttp.Transformation{Type: "removed", Reason: fmt.Sprint("r", k)})
	}
	verdict(context.Background(), said)
	var got metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &got); err != nil {
		t.Fatal(err)
	}
	points := got.ScopeMetrics[0].Metrics[0].Data.(metricdata.Sum[int64]).DataPoints
	sums := map[string]int64{}
	for _, p := range points {
		sums[p.Attributes.Encoded(attribute.DefaultEncoder())] = p.Value
	}
	if len(sums) > 60 {
		t.Errorf("%d series", len(sums))
	}
	for _, by := range []string{"repair", "others"} {
		name := "gen_ai.provider.name=openai,preflight.by=" + by +
			",preflight.reason=prefix_mismatch,preflight.transformation=removed"
		if sums[name] != 1 {
			t.Errorf("%s is %d; there are %v", name, sums[name], sums)
		}
	}
	attributes := fmt.Sprint(spans.GetSpans()[0].Attributes)
	for _, want := range []string{"preflight.transformations", "preflight.transformations.repair"} {
		if !strings.Contains(attributes, want) {
			t.Errorf("the span has no %s: %s", want, attributes)
		}
	}
}
