// Command anthropic is a small agent on anthropic-sdk-go, with preflight in its loop. It runs
// offline, against a fake provider:
//
//	go run -C examples/agents ./anthropic
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	preflightanthropic "github.com/go-preflight/preflight/adapter/anthropic"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
)

// agent is an agent loop as there are many: a client, a history, and tools.
type agent struct {
	w       io.Writer
	client  anthropic.Client
	history []anthropic.MessageParam
}

// params is the request for the history.
func (a *agent) params() anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 4096, Messages: a.history,
		Thinking: anthropic.ThinkingConfigParamOfEnabled(1024),
		Tools: []anthropic.ToolUnionParam{
			{OfTool: &anthropic.ToolParam{Name: "deploy"}},
			{OfTool: &anthropic.ToolParam{Name: "read_config"}},
		},
	}
}

// ask sends the history and takes in the answer.
func (a *agent) ask(ctx context.Context) (*anthropic.Message, error) {
	// This is all there is to it.
	params, warnings, err := preflightanthropic.Params(ctx, a.params(), story.Options())
	if err != nil {
		return nil, err
	}

	story.Tell(a.w, warnings)
	// what has been repaired need not be repaired again, and the prompt cache keeps hitting
	a.history = params.Messages
	answer, err := a.client.Messages.New(ctx, params)
	if err != nil {
		return nil, err
	}
	a.history = append(a.history, answer.ToParam())
	return answer, nil
}

func (a *agent) Turn(ctx context.Context, text string) error {
	a.history = append(a.history, anthropic.NewUserMessage(anthropic.NewTextBlock(text)))
	for {
		answer, err := a.ask(ctx)
		if err != nil {
			return err
		}
		var results []anthropic.ContentBlockParamUnion
		for _, block := range answer.Content {
			switch block := block.AsAny().(type) {
			case anthropic.TextBlock:
				fmt.Fprintln(a.w, "model:", block.Text)
			case anthropic.ToolUseBlock:
				fmt.Fprintln(a.w, "model calls", block.Name)
				output, err := story.RunTool(ctx, block.Name)
				if ctx.Err() != nil {
					return ctx.Err() // the call has no result now, and is in the history
				}
				results = append(results,
					anthropic.NewToolResultBlock(block.ID, output, err != nil))
			}
		}
		if len(results) == 0 {
			return nil
		}
		a.history = append(a.history, anthropic.NewUserMessage(results...))
	}
}

func (a *agent) SendAsIs(ctx context.Context) error {
	_, err := a.client.Messages.New(ctx, a.params())
	return err
}

func (a *agent) Save(file string) error {
	stored, err := json.Marshal(a.history)
	if err != nil {
		return err
	}
	return os.WriteFile(file, stored, 0o600)
}

func (a *agent) Load(file string) error {
	stored, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(stored, &a.history)
}

func (a *agent) Trim(n int) { a.history = a.history[n:] }

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	server.Script(story.Replies()...)
	return story.Play(w, server, func() story.Agent {
		return &agent{
			w:      w,
			client: anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none")),
		}
	}, 10)
}

func main() {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "anthropic:", err)
		os.Exit(1)
	}
}
