// Command transport is an agent on openai-go whose client repairs every request: preflight is
// registered once, and the loop knows nothing of it. Its tool is stopped, a result arrives late, it
// is stored and loaded, and its window is trimmed. It runs offline, against a fake provider:
//
//	go run -C examples/agents ./transport
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
)

// newClient is a client whose requests are repaired. The endpoint without a host and a path stands
// for any host, such as a gateway; the known ones of the providers need none.
func newClient(base string, report func(*preflighthttp.Report)) openai.Client {
	transport := &preflighthttp.Transport{
		Endpoints: []preflighthttp.Endpoint{{}},
		Sanitize:  preflight.Options{Dangling: preflight.DanglingAnswer},
		Report:    func(_ context.Context, r *preflighthttp.Report) { report(r) },
	}
	return openai.NewClient(option.WithBaseURL(base+"/v1"), option.WithAPIKey("none"),
		option.WithHTTPClient(&http.Client{Transport: transport}))
}

// agent is an agent loop as there are many.
type agent struct {
	client  openai.Client
	history []openai.ChatCompletionMessageParamUnion
}

// ask sends what the user says, and returns what the model says and the calls it makes.
func (a *agent) ask(
	ctx context.Context, text string,
) (string, []openai.ChatCompletionMessageToolCallUnion, error) {
	a.history = append(a.history, openai.UserMessage(text))
	completion, err := a.client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model: "gpt-5.4", Messages: a.history,
		Tools: []openai.ChatCompletionToolUnionParam{
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "deploy"}),
		},
	})
	if err != nil {
		return "", nil, err
	}
	answer := completion.Choices[0].Message
	a.history = append(a.history, answer.ToParam())
	return answer.Content, answer.ToolCalls, nil
}

// play runs the session and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("openai-chat", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	deploy := preflighttest.Reply{Calls: []preflighttest.Call{{Name: "deploy"}, {Name: "deploy"}}}
	server.Script(deploy, preflighttest.Reply{Text: "Stopped."}, preflighttest.Reply{Text: "Good."},
		preflighttest.Reply{Text: "Resumed."}, preflighttest.Reply{Text: "Still here."})
	a := &agent{client: newClient(server.URL, func(r *preflighthttp.Report) {
		for _, warning := range r.Warnings {
			fmt.Fprintln(w, " ", warning.Code, warning.Class())
		}
	})}

	// Two tools are called, and the user stops both.
	ctx := context.Background()
	_, calls, err := a.ask(ctx, "Deploy twice.")
	if err != nil {
		return err
	}
	if err := a.say(ctx, w, "Stop."); err != nil {
		return err
	}

	// The result of the first one arrives after the model has answered something else.
	a.history = append(a.history, openai.ToolMessage("deployed", calls[0].ID))
	if err := a.say(ctx, w, "It ran after all."); err != nil {
		return err
	}

	// The session is stored and loaded.
	stored, err := json.Marshal(a.history)
	if err != nil {
		return err
	}
	a.history = nil
	if err := json.Unmarshal(stored, &a.history); err != nil {
		return err
	}
	if err := a.say(ctx, w, "Where were we?"); err != nil {
		return err
	}

	// The oldest messages are dropped, among them the calls, but not the result.
	a.history = a.history[3:]
	if err := a.say(ctx, w, "And now?"); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d requests, %d refused\n", len(server.Requests()), len(server.Refused()))
	return nil
}

// say asks the model and tells what it says.
func (a *agent) say(ctx context.Context, w io.Writer, text string) error {
	answer, _, err := a.ask(ctx, text)
	fmt.Fprintf(w, "user: %s\nmodel: %s\n", text, answer)
	return err
}

func main() {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "transport:", err)
		os.Exit(1)
	}
}
