// Command openai-chat is a small agent on the Chat Completions of openai-go, with preflight in its
// loop. It runs offline, against a fake provider:
//
//	go run -C examples/agents ./openai-chat
package main

import (
	"context"
	"fmt"
	"io"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
)

// agent is an agent loop as there are many: a client, a history, and tools.
type agent struct {
	w       io.Writer
	client  openai.Client
	history []openai.ChatCompletionMessageParamUnion
}

// params is the request for the history.
func (a *agent) params() openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model: "gpt-5.4", Messages: a.history,
		Tools: []openai.ChatCompletionToolUnionParam{
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "deploy"}),
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "read_config"}),
		},
	}
}

// ask sends the history and takes in the answer.
func (a *agent) ask(ctx context.Context) (*openai.ChatCompletionMessage, error) {
	// This is all there is to it.
	params, warnings, err := preflightopenai.ChatParams(ctx, a.params(), story.Options())
	if err != nil {
		return nil, err
	}

	story.Tell(a.w, warnings)
	// what has been repaired need not be repaired again, and the prompt cache keeps hitting
	a.history = params.Messages
	completion, err := a.client.Chat.Completions.New(ctx, params)
	if err != nil {
		return nil, err
	}
	answer := completion.Choices[0].Message
	a.history = append(a.history, answer.ToParam())
	return &answer, nil
}

func (a *agent) Turn(ctx context.Context, text string) error {
	a.history = append(a.history, openai.UserMessage(text))
	for {
		answer, err := a.ask(ctx)
		if err != nil {
			return err
		}
		if answer.Content != "" {
			fmt.Fprintln(a.w, "model:", answer.Content)
		}
		if len(answer.ToolCalls) == 0 {
			return nil
		}
		for _, call := range answer.ToolCalls {
			fmt.Fprintln(a.w, "model calls", call.Function.Name)
			output, err := story.RunTool(ctx, call.Function.Name)
			if ctx.Err() != nil {
				return ctx.Err() // the call has no result now, and is in the history
			}
			if err != nil {
				output = "error: " + err.Error()
			}
			a.history = append(a.history, openai.ToolMessage(output, call.ID))
		}
	}
}

func (a *agent) SendAsIs(ctx context.Context) error {
	_, err := a.client.Chat.Completions.New(ctx, a.params())
	return err
}

func (a *agent) Save(file string) error { return story.Save(file, a.history) }

func (a *agent) Load(file string) error { return story.Load(file, &a.history) }

func (a *agent) Trim(n int) { a.history = a.history[n:] }

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("openai-chat", nil)
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
	}, 12)
}

func main() { story.Main("openai-chat", play) }
