// Command genai is a small agent on google.golang.org/genai, with preflight in its loop. It runs
// offline, against a fake provider:
//
//	go run -C examples/agents ./genai
package main

import (
	"context"
	"fmt"
	"io"

	"google.golang.org/genai"

	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
)

const model = "gemini-3-pro-preview"

// agent is an agent loop as there are many: a client, a history, and tools.
type agent struct {
	w       io.Writer
	client  *genai.Client
	history []*genai.Content
}

// config is what every request has beside the history.
func (a *agent) config() *genai.GenerateContentConfig {
	return &genai.GenerateContentConfig{
		Tools: []*genai.Tool{
			{
				FunctionDeclarations: []*genai.FunctionDeclaration{
					{Name: "deploy"},
					{Name: "read_config"},
				},
			},
		},
	}
}

// ask sends the history and takes in the answer.
func (a *agent) ask(ctx context.Context) (*genai.Content, error) {
	// This is all there is to it.
	contents, config, warnings, err := preflightgenai.Request(ctx, model, a.history, a.config(),
		story.Options())
	if err != nil {
		return nil, err
	}

	story.Tell(a.w, warnings)
	// what has been repaired need not be repaired again, and the prompt cache keeps hitting
	a.history = contents
	response, err := a.client.Models.GenerateContent(ctx, model, contents, config)
	if err != nil {
		return nil, err
	}
	answer := response.Candidates[0].Content
	a.history = append(a.history, answer)
	return answer, nil
}

func (a *agent) Turn(ctx context.Context, text string) error {
	a.history = append(a.history, genai.NewContentFromText(text, genai.RoleUser))
	for {
		answer, err := a.ask(ctx)
		if err != nil {
			return err
		}
		var results []*genai.Part
		for _, part := range answer.Parts {
			switch {
			case part.FunctionCall != nil:
				fmt.Fprintln(a.w, "model calls", part.FunctionCall.Name)
				output, err := story.RunTool(ctx, part.FunctionCall.Name)
				if ctx.Err() != nil {
					return ctx.Err() // the call has no result now, and is in the history
				}
				response := map[string]any{"output": output}
				if err != nil {
					response = map[string]any{"error": err.Error()}
				}
				result := genai.NewPartFromFunctionResponse(part.FunctionCall.Name, response)
				result.FunctionResponse.ID = part.FunctionCall.ID
				results = append(results, result)
			case part.Text != "" && !part.Thought:
				fmt.Fprintln(a.w, "model:", part.Text)
			}
		}
		if len(results) == 0 {
			return nil
		}
		a.history = append(a.history, genai.NewContentFromParts(results, genai.RoleUser))
	}
}

func (a *agent) SendAsIs(ctx context.Context) error {
	_, err := a.client.Models.GenerateContent(ctx, model, a.history, a.config())
	return err
}

func (a *agent) Save(file string) error { return story.Save(file, a.history) }

func (a *agent) Load(file string) error { return story.Load(file, &a.history) }

func (a *agent) Trim(n int) { a.history = a.history[n:] }

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("gemini", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	server.Script(story.Replies()...)
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend:     genai.BackendGeminiAPI,
		APIKey:      "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		return err
	}
	return story.Play(w, server, func() story.Agent { return &agent{w: w, client: client} }, 10)
}

func main() { story.Main("genai", play) }
