package preflighttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// agent is a small agent loop over Anthropic Messages: it asks the model, runs
// the tools that the model calls, and asks again until there is an answer.
type agent struct {
	url     string
	history []message
	run     func(ctx context.Context, tool string) (string, error)

	// prepare, unless nil, has the last word about the body of a request.
	prepare func(ctx context.Context, body []byte) ([]byte, error)
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
}

func (a *agent) say(ctx context.Context, text string) (string, error) {
	a.history = append(a.history, message{"user", []block{{Type: "text", Text: text}}})
	for {
		reply, err := a.ask(ctx)
		if err != nil {
			return "", err
		}
		a.history = append(a.history, reply)
		results := message{Role: "user"}
		for _, b := range reply.Content {
			switch b.Type {
			case "text":
				return b.Text, nil
			case "tool_use":
				output, err := a.run(ctx, b.Name)
				if err != nil {
					return "", err // the user has aborted: the call stays unanswered
				}
				results.Content = append(results.Content,
					block{Type: "tool_result", ToolUseID: b.ID, Content: output})
			}
		}
		a.history = append(a.history, results)
	}
}

func (a *agent) ask(ctx context.Context) (message, error) {
	body, err := json.Marshal(map[string]any{
		"model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": a.history,
		"tools": []any{
			map[string]any{"name": "deploy", "input_schema": map[string]any{"type": "object"}},
		},
	})
	if err == nil && a.prepare != nil {
		body, err = a.prepare(ctx, body)
	}
	if err != nil {
		return message{}, err
	}
	resp, err := http.Post(a.url+"/v1/messages", "application/json", bytes.NewReader(body))
	if err != nil {
		return message{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return message{}, err
	}
	var answer struct {
		message
		Error struct{ Message string }
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return message{}, err
	}
	if answer.Error.Message != "" {
		return message{}, fmt.Errorf("%s: %s", resp.Status, answer.Error.Message)
	}
	return answer.message, nil
}

// abortAndGoOn is the test of the agent: the user stops a tool, and continues
// talking.
func abortAndGoOn(prepare func(context.Context, []byte) ([]byte, error)) (string, error) {
	server, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		return "", err
	}
	defer server.Close()
	server.Script(
		preflighttest.Reply{Calls: []preflighttest.Call{{ID: "toolu_01", Name: "deploy"}}},
		preflighttest.Reply{Text: "As you like. Nothing is deployed."})
	aborted := errors.New("aborted")
	a := &agent{
		url:     server.URL,
		prepare: prepare,
		run:     func(context.Context, string) (string, error) { return "", aborted },
	}
	if _, err := a.say(context.Background(), "Deploy it."); !errors.Is(err, aborted) {
		return "", err
	}
	return a.say(context.Background(), "No, wait.")
}

// An agent whose user aborts a tool has a session that fails at every further
// request. The fake shows it in the provider's own words; with preflight in
// front of the request, the same test passes.
func Example() {
	_, err := abortAndGoOn(nil)
	fmt.Println(err)

	answer, err := abortAndGoOn(func(ctx context.Context, body []byte) ([]byte, error) {
		result, err := wire.Sanitize(ctx, body, nil)
		if err != nil {
			return nil, err
		}
		return result.Body, nil
	})
	fmt.Println(answer, err)
	// Output:
	// 400 Bad Request: messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
	// As you like. Nothing is deployed. <nil>
}
