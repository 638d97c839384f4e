// Package gpt is an agent loop on openai-go. Its client repairs every request: see NewClient. The
// loop knows nothing of it.
package gpt

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/go-preflight/preflight"
	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// Agent asks the model and runs its tools.
type Agent struct {
	Client openai.Client
	// Params are the model, the tools, and the history in Messages, after the system prompt.
	Params openai.ChatCompletionNewParams
	Tools  map[string]func(context.Context, json.RawMessage) (string, error)
	// Approval reports whether a person has to approve a call first. It then waits for Answer.
	Approval func(tool, id string) bool
}

// The tools have side effects: the model shall know of a call that was stopped.
var choices = preflight.Options{Dangling: preflight.DanglingAnswer}

// NewClient returns a client that repairs every request.
func NewClient(options ...option.RequestOption) openai.Client {
	transport := &preflighthttp.Transport{
		Options: choices,
		Report: func(ctx context.Context, r *preflighthttp.Report) {
			if r.Changed {
				slog.InfoContext(ctx, "repaired", "request", r)
			}
		},
	}
	repair := option.WithMiddleware(preflightopenai.Middleware(transport))
	return openai.NewClient(append(options, repair)...)
}

// Run adds what the user says to the history, and asks the model until it calls no more tools. It
// returns what the model says.
func (a *Agent) Run(ctx context.Context, prompt string) (string, error) {
	a.add(openai.UserMessage(prompt))
	for {
		completion, err := a.Client.Chat.Completions.New(ctx, a.Params)
		if err != nil {
			return "", err
		}
		answer := completion.Choices[0].Message
		a.add(answer.ToParam())
		done := true
		for _, call := range answer.ToolCalls {
			if a.Approval(call.Function.Name, call.ID) {
				continue
			}
			output, err := a.Tools[call.Function.Name](ctx, json.RawMessage(call.Function.Arguments))
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			a.Answer(call.ID, output, err)
			done = false
		}
		if done {
			return answer.Content, nil
		}
	}
}

// Answer adds the result of a call to the history, whenever it arrives.
func (a *Agent) Answer(id, output string, err error) {
	if err != nil {
		output = "error: " + err.Error()
	}
	a.add(openai.ToolMessage(output, id))
}

func (a *Agent) add(m openai.ChatCompletionMessageParamUnion) {
	a.Params.Messages = append(a.Params.Messages, m)
}

// Trim keeps the system prompt and the last n messages.
func (a *Agent) Trim(n int) {
	all := a.Params.Messages
	a.Params.Messages = append(all[:1:1], all[max(1, len(all)-n):]...)
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
		Provider: "openai-chat", Model: a.Params.Model, Options: choices,
	})
	if err != nil {
		return err
	}
	params, err := preflightopenai.ChatParamsFromJSON(converted.Body)
	if err != nil {
		return err
	}
	a.Params.Messages = params.Messages
	return nil
}
