// Command interactions is a small agent on the Interactions API of google.golang.org/genai, with
// preflight in its loop. At the end the session goes on at two other providers, and comes back. It
// runs offline, against fake providers:
//
//	go run -C examples/agents ./interactions
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"google.golang.org/genai"
	"google.golang.org/genai/interactions/models/interactions"
	"google.golang.org/genai/interactions/models/operations"

	"github.com/go-preflight/preflight"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

const (
	format = "gemini-interactions"
	model  = "gemini-3.7-flash"
)

// agent is an agent loop that keeps its history itself: a client, the steps, and tools.
type agent struct {
	w      io.Writer
	client *genai.Client
	steps  []interactions.Step
}

// params is the request for the history.
func (a *agent) params() interactions.CreateModelInteraction {
	input, store := interactions.NewInteractionsInput(a.steps), false
	params := interactions.CreateModelInteraction{Model: model, Input: &input, Store: &store}
	for _, name := range []string{"deploy", "read_config"} {
		params.Tools = append(params.Tools, interactions.NewTool(interactions.Function{Name: &name}))
	}
	return params
}

// send sends a request and returns the steps of the answer.
func (a *agent) send(
	ctx context.Context, params interactions.CreateModelInteraction,
) ([]interactions.Step, error) {
	response, err := a.client.Interactions.Create(ctx, operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(params),
	})
	if err != nil {
		return nil, err
	}
	return response.Interaction.Steps, nil
}

// ask sends the history and takes in the answer.
func (a *agent) ask(ctx context.Context) ([]interactions.Step, error) {
	// This is all there is to it.
	params, warnings, err := preflightgenai.Interaction(ctx, a.params(), story.Options())
	if err != nil {
		return nil, err
	}

	story.Tell(a.w, warnings)
	// what has been repaired need not be repaired again, and the prompt cache keeps hitting
	a.steps = params.Input.ArrayOfStep
	answer, err := a.send(ctx, params)
	a.steps = append(a.steps, answer...)
	return answer, err
}

func (a *agent) Turn(ctx context.Context, text string) error {
	a.steps = append(a.steps, interactions.NewStep(interactions.UserInputStep{
		Content: []interactions.Content{
			interactions.NewContent(interactions.TextContent{Text: text}),
		},
	}))
	for done := false; !done; {
		answer, err := a.ask(ctx)
		if err != nil {
			return err
		}
		done = true
		for _, step := range answer {
			switch {
			case step.FunctionCallStep != nil:
				call := step.FunctionCallStep
				fmt.Fprintln(a.w, "model calls", call.Name)
				output, err := story.RunTool(ctx, call.Name)
				if ctx.Err() != nil {
					return ctx.Err() // the call has no result now, and is in the history
				}
				a.steps = append(a.steps, resultOf(call, output, err))
				done = false
			case step.ModelOutputStep != nil:
				for _, content := range step.ModelOutputStep.Content {
					if content.TextContent != nil {
						fmt.Fprintln(a.w, "model:", content.TextContent.Text)
					}
				}
			}
		}
	}
	return nil
}

// resultOf is the step with what came of a call.
func resultOf(call *interactions.FunctionCallStep, output string, err error) interactions.Step {
	failed := err != nil
	if failed {
		output = err.Error()
	}
	return interactions.NewStep(interactions.FunctionResultStep{
		CallID: call.ID, Name: &call.Name, IsError: &failed,
		Result: interactions.NewFunctionResultStepResultUnion(output),
	})
}

func (a *agent) SendAsIs(ctx context.Context) error {
	_, err := a.send(ctx, a.params())
	return err
}

func (a *agent) Save(file string) error { return story.Save(file, a.steps) }

func (a *agent) Load(file string) error { return story.Load(file, &a.steps) }

func (a *agent) Trim(n int) { a.steps = a.steps[n:] }

// elsewhere continues the session at another provider: the history in messages of no provider, to
// which the question and the answer are added.
func (a *agent) elsewhere(
	provider, url, text string, history []preflight.Message,
) ([]preflight.Message, error) {
	fmt.Fprintf(a.w, "user, to %s: %s\n", provider, text)
	history = append(history, preflight.Message{
		Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: text}},
	})
	options := &wire.RequestOptions{
		MaxTokens: 1024, Tools: []wire.Tool{{Name: "deploy"}, {Name: "read_config"}},
	}
	prepared, err := wire.Prepare(context.Background(), provider, "some-model", history, options)
	if err != nil {
		return nil, err
	}
	answer, err := http.Post(url, "application/json", bytes.NewReader(prepared.Body))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	response, err := wire.DecodeResponse(provider, body)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(a.w, "model:", response.Text())
	return append(history, response.Messages...), nil
}

// handOff continues the session at two other providers, and then here again.
func (a *agent) handOff() error {
	fmt.Fprintln(a.w, "\n== The user picks another provider, and a third one, and comes back.")
	fmt.Fprintln(a.w, "user: Look again.")
	if err := a.Turn(context.Background(), "Look again."); err != nil {
		return err
	}
	body, err := json.Marshal(a.params())
	if err != nil {
		return err
	}
	request, err := wire.Decode(body, &wire.Options{Provider: format})
	if err != nil {
		return err
	}
	history := request.Messages
	for _, next := range []struct{ provider, path, text, says string }{
		{"anthropic", "/v1/messages", "What have we done?", "You wanted to deploy."},
		{"openai-responses", "/v1/responses", "And the port?", "It was 8080."},
	} {
		server, err := preflighttest.Start(next.provider, nil)
		if err != nil {
			return err
		}
		defer server.Close()
		server.Script(preflighttest.Reply{Text: next.says})
		history, err = a.elsewhere(next.provider, server.URL+next.path, next.text, history)
		if err != nil {
			return err
		}
	}

	prepared, err := wire.Prepare(context.Background(), format, model, history, nil)
	if err != nil {
		return err
	}
	var back struct{ Input []interactions.Step }
	if err := json.Unmarshal(prepared.Body, &back); err != nil {
		return err
	}
	if !bytes.Contains(prepared.Body, []byte(`"signature":`)) {
		return errors.New("the thought has lost its signature")
	}
	a.steps = back.Input
	fmt.Fprintln(a.w, "user, here again: And now?")
	return a.Turn(context.Background(), "And now?")
}

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start(format, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	server.Script(append(story.Replies(),
		preflighttest.Reply{
			Reasoning: "It may have changed.", Calls: []preflighttest.Call{{Name: "read_config"}},
		},
		preflighttest.Reply{Text: "It is the same."}, preflighttest.Reply{Text: "Still here."})...)
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend:     genai.BackendGeminiAPI,
		APIKey:      "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		return err
	}
	var last *agent
	open := func() story.Agent {
		last = &agent{w: w, client: client}
		return last
	}
	if err := story.Play(w, server, open, 15); err != nil {
		return err
	}
	return last.handOff()
}

func main() { story.Main("interactions", play) }
