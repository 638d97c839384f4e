package preflightadk_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"testing"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/plugin"
	"google.golang.org/adk/session"
	"google.golang.org/genai"

	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file has sessions of the kinds that ADK's own tests of its contents have
// (contents_processor_test.go): what ADK makes of a session is sent as it is where Gemini takes it.

// capturing is a model that records the contents that it is given, and answers.
type capturing struct{ sent string }

func (c *capturing) Name() string { return "gemini-2.5-flash" }

func (c *capturing) GenerateContent(
	_ context.Context, request *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	sent, err := json.Marshal(request.Contents)
	c.sent = string(sent)
	return func(yield func(*model.LLMResponse, error) bool) {
		yield(&model.LLMResponse{Content: said("ok")}, err)
	}
}

// event is an event of a session.
func event(author string, content *genai.Content) *session.Event {
	e := session.NewEventWithContext(context.Background(), "earlier")
	e.Author, e.Content = author, content
	return e
}

func calls(names ...string) *genai.Content {
	c := &genai.Content{Role: genai.RoleModel}
	for _, name := range names {
		c.Parts = append(c.Parts,
			&genai.Part{FunctionCall: &genai.FunctionCall{ID: "adk-" + name, Name: name}})
	}
	return c
}

func results(output string, names ...string) *genai.Content {
	c := &genai.Content{Role: genai.RoleUser}
	for _, name := range names {
		response := map[string]any{"output": output}
		c.Parts = append(c.Parts, respond("adk-"+name, name, response).Parts...)
	}
	return c
}

func said(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleModel) }

func TestContents(t *testing.T) {
	live := func(in, out string) *session.Event {
		e := event("user", nil)
		if in != "" {
			e.InputTranscription = &genai.Transcription{Text: in}
		} else {
			e.Author, e.OutputTranscription = "builder", &genai.Transcription{Text: out}
		}
		return e
	}
	for _, c := range []struct {
		name   string
		only   llmagent.IncludeContents
		events []*session.Event
		ask    *genai.Content
		codes  []string
	}{
		{name: "no history"},
		{name: "user and agent", events: []*session.Event{
			event("user", say("Hello")), event("builder", said("Hi")),
		}},
		{name: "two messages of the user", events: []*session.Event{event("user", say("Hello"))}},
		{name: "another agent's words", events: []*session.Event{
			event("user", say("Hello")), event("reader", said("Read it.")),
		}},
		{name: "another agent's call and result", events: []*session.Event{
			event("user", say("Hello")), event("reader", calls("read")),
			event("reader", results("ok", "read")), event("reader", said("Done.")),
		}},
		{name: "another agent's call without a result", events: []*session.Event{
			event("user", say("Hello")), event("reader", calls("read")),
		}},
		{name: "a request for a confirmation and its answer are not sent", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("adk_request_confirmation")),
			event("user", results("yes", "adk_request_confirmation")),
		}},
		{name: "nor one for a credential", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("adk_request_credential")),
		}},
		{name: "events without content", events: []*session.Event{
			event("user", say("Hello")), event("builder", nil), event("builder", &genai.Content{}),
		}},
		{name: "transcriptions", events: []*session.Event{
			live("hello ", ""), live("world", ""), live("", "hi "), live("", "there"),
		}},
		{name: "an agent that speaks as the user", events: []*session.Event{
			event("builder", say("Read it.")), event("builder", calls("read")),
			event("builder", results("ok", "read")),
		}},
		{name: "a result that is late", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("read")),
			event("user", say("And?")), event("builder", said("Wait.")),
			event("builder", results("ok", "read")), event("builder", said("Done.")),
		}},
		{name: "a result that was pending first", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("read")),
			event("builder", results("pending", "read")), event("builder", said("Wait.")),
			event("user", results("done", "read")), event("builder", said("Done.")),
		}},
		{name: "the last message is such a result", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("read", "list")),
			event("builder", results("pending", "read", "list")), event("builder", said("Wait.")),
		}, ask: results("done", "read")},
		{name: "results of parallel calls in events of their own", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("read", "list")),
			event("builder", results("2", "list")), event("builder", results("1", "read")),
			event("builder", said("Done.")),
		}},
		{name: "one of parallel calls has no result", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("read", "list")),
			event("builder", results("2", "list")),
		}, codes: []string{"dangling-answered"}},
		{name: "no call has a result, which this model accepts", events: []*session.Event{
			event("user", say("Hello")), event("builder", calls("read", "list")),
		}},
		{name: "only the current turn", only: llmagent.IncludeContentsNone,
			events: []*session.Event{
				event("user", say("Hello")), event("builder", calls("read")),
			}},
		{name: "the current turn is a late result", only: llmagent.IncludeContentsNone,
			events: []*session.Event{
				event("user", say("Hello")), event("builder", calls("read")),
				event("builder", results("pending", "read")), event("builder", said("Wait.")),
			}, ask: genai.NewContentFromParts(append(results("done", "read").Parts,
				genai.NewPartFromText("And now?")), genai.RoleUser),
			codes: []string{"orphan-removed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.ask == nil {
				c.ask = say("Go on.")
			}
			play := func(m model.LLM, plugins ...*plugin.Plugin) {
				t.Helper()
				root := newAgent(t,
					llmagent.Config{Name: "builder", Model: m, IncludeContents: c.only})
				r := newRunner(t, root, newSession(t, c.events), plugins...)
				_, _, err := run(context.Background(), r, agent.StreamingModeNone, c.ask)
				if err != nil {
					t.Fatal(err)
				}
			}
			var without, with capturing
			play(&without)
			repair, codes := newPlugin(t, preflightadk.Config{Options: answering})
			play(&with, repair)
			if !slices.Equal(*codes, c.codes) {
				t.Errorf("reported %v, want %v", *codes, c.codes)
			}
			if same := with.sent == without.sent; same != (len(c.codes) == 0) {
				t.Errorf("the same: %v\n was %s\n is  %s", same, without.sent, with.sent)
			}
			server := preflighttest.New(t, "gemini", nil)
			play(newModel(t, server, with.Name()), repair) // or else it would be an error
		})
	}
}

// newSession is a store with a session of the events.
func newSession(t *testing.T, events []*session.Event) session.Service {
	t.Helper()
	ctx := context.Background()
	sessions := session.InMemoryService()
	made, err := sessions.Create(ctx,
		&session.CreateRequest{AppName: "app", UserID: "user", SessionID: "session"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		copied := *e
		if err := sessions.AppendEvent(ctx, made.Session, &copied); err != nil {
			t.Fatal(err)
		}
	}
	return sessions
}
