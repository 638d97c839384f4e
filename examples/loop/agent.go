package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// Agent is an agent loop on nothing but net/http. Its history is a slice of neutral messages, the
// same for every provider.
type Agent struct {
	Model   Model
	Options wire.RequestOptions // the system prompt, the tools, the limits
	Tools   map[string]func(context.Context, json.RawMessage) (string, error)
	// Approval reports whether a person has to approve a call first. It then waits for Answer.
	Approval func(*preflight.ToolCall) bool
	History  []preflight.Message
}

// Model is a model at an address.
type Model struct {
	Provider string // one of wire.Providers
	Name     string
	URL      string
	Header   http.Header // with the key
}

// Run adds what the user says to the history, and asks the model until it calls no more tools. It
// returns what the model says. If ctx ends, the history is left as it is: what is missing is
// repaired before the next request.
func (a *Agent) Run(ctx context.Context, prompt string) (string, error) {
	a.History = append(a.History, preflight.UserText(prompt))
	for {
		response, err := a.ask(ctx)
		if err != nil {
			return "", err
		}
		a.History = append(a.History, response.Messages...)
		waiting := len(response.Calls()) == 0
		for _, call := range response.Calls() {
			if a.Approval != nil && a.Approval(call) {
				call.Awaiting, waiting = preflight.AwaitingApproval, true
				continue
			}
			output, err := a.call(ctx, call)
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			a.Answer(call, output, err)
		}
		if waiting {
			return response.Text(), nil
		}
	}
}

// call runs the tool of a call. A model also calls tools that it does not have, and reads that
// then.
func (a *Agent) call(ctx context.Context, call *preflight.ToolCall) (string, error) {
	tool := a.Tools[call.Name]
	if tool == nil {
		return "", fmt.Errorf("there is no tool %q", call.Name)
	}
	return tool(ctx, call.Input)
}

// Answer adds the result of a call to the history, whenever it arrives. An error is a result, too,
// for the model to read.
func (a *Agent) Answer(call *preflight.ToolCall, output string, err error) {
	a.History = append(a.History, preflight.ResultOf(call, output, err))
}

// ask sends the history to the model.
func (a *Agent) ask(ctx context.Context) (*wire.Response, error) {
	m := &a.Model
	request, err := wire.Prepare(ctx, m.Provider, m.Name, a.History, &a.Options)
	if err != nil {
		return nil, err
	}
	a.History = request.Messages // each damage is repaired once
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL,
		bytes.NewReader(request.Body))
	if err != nil {
		return nil, err
	}
	post.Header = m.Header.Clone()
	answer, err := http.DefaultClient.Do(post)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", answer.Status, body)
	}
	return wire.DecodeResponse(m.Provider, body)
}

// Save stores the history.
func (a *Agent) Save(ctx context.Context, file string) error {
	result, err := stored.Persist(ctx, a.History, stored.PersistOptions())
	if err != nil {
		return err
	}
	data, err := json.Marshal(result.Messages)
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
	return json.Unmarshal(data, &a.History)
}
