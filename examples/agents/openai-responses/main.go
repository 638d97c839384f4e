// Command openai-responses is a small agent on the Responses API of openai-go, with preflight in
// its loop. The provider stores nothing, so that the history with its encrypted reasoning is the
// agent's. It runs offline, against a fake provider:
//
//	go run -C examples/agents ./openai-responses
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
)

// agent is an agent loop as there are many: a client, a history, and tools.
type agent struct {
	w       io.Writer
	client  openai.Client
	history responses.ResponseInputParam
}

// params is the request for the history.
func (a *agent) params() responses.ResponseNewParams {
	return responses.ResponseNewParams{
		Model: "gpt-5.4", Store: openai.Bool(false),
		Include: []responses.ResponseIncludable{
			responses.ResponseIncludableReasoningEncryptedContent,
		},
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: a.history},
		Tools: []responses.ToolUnionParam{
			responses.ToolParamOfFunction("deploy", nil, false),
			responses.ToolParamOfFunction("read_config", nil, false),
		},
	}
}

// ask sends the history and takes in the answer.
func (a *agent) ask(ctx context.Context) ([]responses.ResponseOutputItemUnion, error) {
	// This is all there is to it.
	params, warnings, err := preflightopenai.ResponseParams(ctx, a.params(), story.Options())
	if err != nil {
		return nil, err
	}

	story.Tell(a.w, warnings)
	// what has been repaired need not be repaired again, and the prompt cache keeps hitting
	a.history = params.Input.OfInputItemList
	response, err := a.client.Responses.New(ctx, params)
	if err != nil {
		return nil, err
	}
	for _, item := range response.Output {
		a.add(json.RawMessage(item.RawJSON()))
	}
	return response.Output, nil
}

// add appends an item as it is: the SDK has no lossless way from an output item to an input item
// but this.
func (a *agent) add(item json.RawMessage) {
	a.history = append(a.history, param.Override[responses.ResponseInputItemUnionParam](item))
}

func (a *agent) Turn(ctx context.Context, text string) error {
	a.history = append(a.history,
		responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser))
	for {
		output, err := a.ask(ctx)
		if err != nil {
			return err
		}
		called := false
		for _, item := range output {
			switch item := item.AsAny().(type) {
			case responses.ResponseOutputMessage:
				for _, content := range item.Content {
					fmt.Fprintln(a.w, "model:", content.Text)
				}
			case responses.ResponseFunctionToolCall:
				called = true
				fmt.Fprintln(a.w, "model calls", item.Name)
				output, err := story.RunTool(ctx, item.Name)
				if ctx.Err() != nil {
					return ctx.Err() // the call has no result now, and is in the history
				}
				if err != nil {
					output = "error: " + err.Error()
				}
				result := responses.ResponseInputItemParamOfFunctionCallOutput(output)
				result.OfFunctionCallOutput.CallID = openai.String(item.CallID)
				a.history = append(a.history, result)
			}
		}
		if !called {
			return nil
		}
	}
}

func (a *agent) SendAsIs(ctx context.Context) error {
	_, err := a.client.Responses.New(ctx, a.params())
	return err
}

func (a *agent) Save(file string) error { return story.Save(file, a.history) }

// Load reads the items as they are: the SDK cannot read all that it writes.
func (a *agent) Load(file string) error {
	stored, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(stored, &items); err != nil {
		return err
	}
	for _, item := range items {
		a.add(item)
	}
	return nil
}

func (a *agent) Trim(n int) { a.history = a.history[n:] }

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("openai-responses", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	server.Script(story.Replies()...)
	return story.Play(w, server, func() story.Agent {
		return &agent{
			w: w,
			client: openai.NewClient(option.WithBaseURL(server.URL+"/v1"),
				option.WithAPIKey("none")),
		}
	}, 15)
}

func main() { story.Main("openai-responses", play) }
