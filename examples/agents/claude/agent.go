// Package claude is an agent loop on anthropic-sdk-go. The adapter repairs the history before each
// request: see ask.
package claude

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/go-preflight/preflight"
	preflightanthropic "github.com/go-preflight/preflight/adapter/anthropic"
	"github.com/go-preflight/preflight/wire"
)

// Agent asks the model and runs its tools.
type Agent struct {
	Client anthropic.Client
	// Params are the model, the system prompt, the tools, and the history in Messages.
	Params anthropic.MessageNewParams
	Tools  map[string]func(context.Context, json.RawMessage) (string, error)
	// Approval reports whether a person has to approve a call first. It then waits for Answer.
	Approval func(tool, id string) bool
}

// The tools have side effects: the model shall know of a call that was stopped.
var options = &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}

// Run adds what the user says to the history, and asks the model until it calls no more tools. It
// returns what the model says.
func (a *Agent) Run(ctx context.Context, prompt string) (string, error) {
	a.add(anthropic.NewUserMessage(anthropic.NewTextBlock(prompt)))
	for {
		answer, err := a.ask(ctx)
		if err != nil {
			return "", err
		}
		text, done := "", true
		for _, block := range answer.Content {
			switch block := block.AsAny().(type) {
			case anthropic.TextBlock:
				text += block.Text
			case anthropic.ToolUseBlock:
				if a.Approval(block.Name, block.ID) {
					continue
				}
				output, err := a.Tools[block.Name](ctx, block.Input)
				if ctx.Err() != nil {
					return "", ctx.Err()
				}
				a.Answer(block.ID, output, err)
				done = false
			}
		}
		if done {
			return text, nil
		}
	}
}

// Answer adds the result of a call to the history, whenever it arrives.
func (a *Agent) Answer(id, output string, err error) {
	if err != nil {
		output = err.Error()
	}
	a.add(anthropic.NewUserMessage(anthropic.NewToolResultBlock(id, output, err != nil)))
}

// ask sends the history to the model, repaired.
func (a *Agent) ask(ctx context.Context) (*anthropic.Message, error) {
	params, warnings, err := preflightanthropic.Params(ctx, a.Params, options)
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		slog.InfoContext(ctx, "repaired", "warnings", warnings)
	}
	a.Params.Messages = params.Messages
	answer, err := a.Client.Messages.New(ctx, params)
	if err != nil {
		return nil, err
	}
	a.add(answer.ToParam())
	return answer, nil
}

func (a *Agent) add(m anthropic.MessageParam) { a.Params.Messages = append(a.Params.Messages, m) }

// Trim keeps the last n messages.
func (a *Agent) Trim(n int) {
	a.Params.Messages = a.Params.Messages[max(0, len(a.Params.Messages)-n):]
}

// Save stores the history.
func (a *Agent) Save(file string) error {
	data, err := json.Marshal(a.Params.Messages)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// Load reads a stored history.
func (a *Agent) Load(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, &a.Params.Messages)
}

// Request returns the next request, with which an agent of another provider can continue.
func (a *Agent) Request() ([]byte, error) { return json.Marshal(a.Params) }

// Continue takes over a session from an agent of another provider: its next request.
func (a *Agent) Continue(ctx context.Context, request []byte) error {
	converted, err := wire.Convert(ctx, request, "", &wire.Options{
		Provider: "anthropic", Model: a.Params.Model, Options: options.Options,
	})
	if err != nil {
		return err
	}
	params, err := preflightanthropic.ParamsFromJSON(converted.Body)
	if err != nil {
		return err
	}
	a.Params.System, a.Params.Messages = params.System, params.Messages
	return nil
}
