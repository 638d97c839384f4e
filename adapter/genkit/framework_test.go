package preflightgenkit_test

import (
	"context"
	"slices"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/tracing"
	genkitsession "github.com/firebase/genkit/go/core/x/session"
	"github.com/firebase/genkit/go/genkit"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/go-preflight/preflight/preflighttest"
)

// This file has what Genkit does around a generation: its tracer, flows and sessions.

// TestTracer: each repair is an event of a span that Genkit made, and has no content.
func TestTracer(t *testing.T) {
	var spans tracetest.SpanRecorder
	tracing.TracerProvider().RegisterSpanProcessor(&spans)
	defer tracing.TracerProvider().UnregisterSpanProcessor(&spans)
	server := preflighttest.New(t, "openai-chat", nil)
	server.Script(both, preflighttest.Reply{Text: "You stopped me."})
	s := newSession(t, map[string]*preflighttest.Server{"gpt": server})
	s.stopped(t, "gpt")
	repair, _ := middleware(t, answering)
	if _, err := s.ask("gpt", "Why?", false, repair); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, span := range spans.Ended() {
		for _, e := range span.Events() {
			if e.Name != "preflight" {
				continue
			}
			for _, a := range e.Attributes {
				if a.Value.AsString() != "" {
					got = append(got, string(a.Key)+"="+a.Value.AsString())
				}
			}
		}
	}
	const rule = "preflight.rule=openai-chat/tool-result-missing"
	want := []string{
		"preflight.code=dangling-answered", "preflight.class=lossless", rule,
		"preflight.path=messages[1].parts[0]",
		"preflight.code=dangling-answered", "preflight.class=lossless", rule,
		"preflight.path=messages[1].parts[1]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// chat is the state of a session of Genkit.
type chat struct {
	Messages []*ai.Message `json:"messages"`
}

// TestSession: a flow keeps the history in a session of Genkit. After a restart, what the store has
// is repaired once: the history of the response is the repaired one.
func TestSession(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	server.Script(both, preflighttest.Reply{Text: "You stopped me."},
		preflighttest.Reply{Text: "Done."})
	s := newSession(t, map[string]*preflighttest.Server{"gpt": server})
	repair, codes := middleware(t, answering)
	ctx := context.Background()
	store := genkitsession.NewInMemoryStore[chat]()
	_, err := genkitsession.New(ctx, genkitsession.WithID[chat]("1"),
		genkitsession.WithStore(store))
	if err != nil {
		t.Fatal(err)
	}
	flow := genkit.DefineFlow(s.g, "chat", func(ctx context.Context, prompt string) (string, error) {
		own := genkitsession.FromContext[chat](ctx)
		response, err := genkit.Generate(ctx, s.g, ai.WithModelName("gpt/model"),
			ai.WithTools(s.tools...), ai.WithMessages(own.State().Messages...),
			ai.WithPrompt(prompt), repair, ai.WithReturnToolRequests(prompt == "Build it."))
		if err != nil {
			return "", err
		}
		return response.Text(), own.UpdateState(ctx, chat{response.History()})
	})
	for _, turn := range []struct {
		says, answer string
		repaired     []string
	}{
		{"Build it.", "", nil}, // and the process ends
		{"Why?", "You stopped me.", []string{"dangling-answered", "dangling-answered"}},
		{"Go on.", "Done.", nil},
	} {
		*codes = nil
		own, err := genkitsession.Load(ctx, store, "1")
		if err != nil {
			t.Fatal(err)
		}
		answer, err := flow.Run(genkitsession.NewContext(ctx, own), turn.says)
		if err != nil || answer != turn.answer || !slices.Equal(*codes, turn.repaired) {
			t.Fatalf("%q: %q, %v; reported %v", turn.says, answer, err, *codes)
		}
	}
	if refused := server.Refused(); len(refused) > 0 {
		t.Error(refused[0].Refusal)
	}
}
