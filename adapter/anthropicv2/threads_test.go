package preflightanthropicv2_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file drives the SDK's threads, whose requests are only what is new.

// TestNewThread: a thread with tools runs through the transport: nothing of it is changed, also
// after the server forgot it, and no result is lost.
func TestNewThread(t *testing.T) {
	server := preflighttest.New(t, "anthropic", &preflighttest.Options{Remember: true})
	var changed int
	thread := newThread(t, server, &preflighthttp.Transport{
		Report: func(_ context.Context, r *preflighthttp.Report) {
			if r.Changed || r.Err != nil {
				changed++
			}
		},
	})
	last, forgot := "", false
	said := runThread(t, server, thread, func(turn int, id string) {
		if last = id; turn == 3 && !forgot { // twice, and the client sends no more threads
			server.Forget()
			forgot = true
		}
	})
	if changed > 0 {
		t.Errorf("%d requests were changed", changed)
	}
	requireSaid(t, said, string(server.Conversation(last)))
	deltas := 0
	for _, r := range server.Requests() {
		if strings.Contains(string(r.Body), `"continue"`) && r.Refusal == nil {
			deltas++
		}
	}
	if deltas < 4 {
		t.Errorf("only %d requests were what is new", deltas)
	}
}

// TestNewThreadElsewhere: where the host has no threads, the client is told, and sends everything.
func TestNewThreadElsewhere(t *testing.T) {
	server := preflighttest.New(t, "anthropic", nil)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	thread := newThread(t, server, &preflighthttp.Transport{
		Endpoints: []preflighthttp.Endpoint{{Host: u.Host, Provider: "deepseek-anthropic"}},
	})
	said := runThread(t, server, thread, func(int, string) {})
	got := server.Requests()
	for _, r := range got {
		if r.Refusal != nil || strings.Contains(string(r.Body), `"continue"`) {
			t.Errorf("%v: %s", r.Refusal, r.Body)
		}
	}
	requireSaid(t, said, string(got[len(got)-1].Body))
}

// newThread is a thread of the SDK with a tool, through a transport.
func newThread(
	t *testing.T, server *preflighttest.Server, transport *preflighthttp.Transport,
) *anthropic.BetaMessageThread {
	t.Helper()
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"),
		option.WithMaxRetries(0), option.WithMiddleware(preflightanthropicv2.Middleware(transport)))
	return client.Beta.Messages.NewThread(anthropic.BetaMessageThreadCreateParams{
		Model: "claude-opus-4-8", MaxTokens: 4096,
		Tools: []anthropic.BetaToolUnionParam{{OfTool: &anthropic.BetaToolParam{Name: "run"}}},
		UnsupportedRequestBehavior: anthropic.
			BetaMessageThreadUnsupportedRequestBehaviorContinueUnthreaded,
	})
}

// runThread runs some turns with and without calls, and returns what the user and the tools said.
// after is called with the number of the turn and the id of its answer.
func runThread(
	t *testing.T, server *preflighttest.Server, thread *anthropic.BetaMessageThread,
	after func(turn int, id string),
) (said []string) {
	t.Helper()
	run := preflighttest.Call{Name: "run"}
	for turn := range 6 {
		server.Script(
			preflighttest.Reply{Text: "Looking.", Calls: []preflighttest.Call{run, run}},
			preflighttest.Reply{Text: "Done."},
		)
		text := fmt.Sprintf("question %d", turn)
		said = append(said, text)
		next := anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(text))
		for range 2 {
			answer, err := thread.Send(context.Background(),
				anthropic.BetaMessageThreadSendParams{Messages: []anthropic.BetaMessageParam{next}})
			if err != nil {
				t.Fatal(err)
			}
			var results []anthropic.BetaContentBlockParamUnion
			for _, block := range answer.Content {
				if block.Type == "tool_use" {
					said = append(said, "result of "+block.ID)
					results = append(results,
						anthropic.NewBetaToolResultBlock(block.ID, "result of "+block.ID, false))
				}
			}
			next = anthropic.NewBetaUserMessage(results...)
			after(turn, answer.ID)
		}
	}
	return said
}

// requireSaid fails unless a conversation has all that was said, once and in order.
func requireSaid(t *testing.T, said []string, conversation string) {
	t.Helper()
	at := 0
	for _, text := range said {
		quoted, _ := json.Marshal(text)
		k := strings.Index(conversation[at:], string(quoted))
		if k < 0 || strings.Count(conversation, string(quoted)) != 1 {
			t.Fatalf("%s is missing, or not there once, or not in order: %s", quoted, conversation)
		}
		at += k
	}
}
