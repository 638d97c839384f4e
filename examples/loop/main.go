// Command loop is an agent on nothing but net/http and the neutral messages of preflight: its tool
// is aborted, a call waits for approval, it is stored and loaded, its window is trimmed, and the
// provider changes. It runs offline, against fake providers that are stricter than the real ones:
//
//	go run ./examples/loop
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

func main() {
	if err := play(os.Stdout, "anthropic", "openai-responses"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// play runs a session that starts with one provider and ends with another, and tells on w what
// happens.
func play(w io.Writer, from, to string) error {
	first, second, err := startBoth(from, to)
	if err != nil {
		return err
	}
	defer first.Close()
	defer second.Close()
	first.Script(
		preflighttest.Reply{Reasoning: "Both.", Text: "Reading.", Calls: []preflighttest.Call{
			{Name: "read", Arguments: `{"file":"a"}`}, {Name: "read", Arguments: `{"file":"b"}`},
		}},
		preflighttest.Reply{Text: "You stopped me."},
		preflighttest.Reply{Calls: []preflighttest.Call{{Name: "delete"}}},
		preflighttest.Reply{Text: "I wait for your approval."},
		preflighttest.Reply{Text: "It is deleted."},
	)
	second.Script(
		preflighttest.Reply{Calls: []preflighttest.Call{{Name: "read", Arguments: `{"file":"c"}`}}},
		preflighttest.Reply{Text: "Done."},
	)

	// The user stops the agent while its second tool runs.
	ctx, stop := context.WithCancel(context.Background())
	agent := newAgent(modelAt(first, from))
	runs := 0
	agent.Tools["read"] = func(context.Context, json.RawMessage) (string, error) {
		if runs++; runs == 2 {
			stop()
		}
		return "port=8080", nil
	}
	if _, err := agent.Run(ctx, "Read both files."); !errors.Is(err, context.Canceled) {
		return errors.Join(errors.New("the agent was not stopped"), err)
	}
	fmt.Fprintln(w, "stopped")

	// It continues, and wants to do what a person has to approve.
	ctx = context.Background()
	var call *preflight.ToolCall
	agent.Approval = func(c *preflight.ToolCall) bool {
		if c.Name == "delete" {
			call = c
		}
		return c.Name == "delete"
	}
	if err := say(ctx, w, agent, "Go on.", "Delete it.", "What are you doing?"); err != nil {
		return err
	}

	// The approved call has its result three turns later.
	agent.Answer(call, "deleted", nil)
	if err := say(ctx, w, agent, "I have approved it."); err != nil {
		return err
	}

	// The program ends, and another one continues with another provider and a smaller window.
	dir, err := os.MkdirTemp("", "loop")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "session.json")
	if err := agent.Save(ctx, file); err != nil {
		return err
	}
	agent = newAgent(modelAt(second, to))
	if err := agent.Load(file); err != nil {
		return err
	}
	agent.History = agent.History[len(agent.History)/2:]
	if err := say(ctx, w, agent, "Read the last file."); err != nil {
		return err
	}
	refused := len(first.Refused()) + len(second.Refused())
	fmt.Fprintf(w, "%d requests, %d refused\n", len(first.Requests())+len(second.Requests()),
		refused)
	return nil
}

// say runs the agent with each of the prompts.
func say(ctx context.Context, w io.Writer, agent *Agent, prompts ...string) error {
	for _, prompt := range prompts {
		answer, err := agent.Run(ctx, prompt)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "user: %s\nmodel: %s\n", prompt, answer)
	}
	return nil
}

// newAgent is an agent with two tools.
func newAgent(model Model) *Agent {
	return &Agent{
		Model: model,
		Options: wire.RequestOptions{
			System: "You are terse.", MaxTokens: 1000,
			Tools: []wire.Tool{{Name: "read"}, {Name: "delete"}},
			// the model learns that a call was interrupted, and does not make it again
			Options: preflight.Options{Dangling: preflight.DanglingAnswer},
		},
		Tools: map[string]func(context.Context, json.RawMessage) (string, error){
			"read":   func(context.Context, json.RawMessage) (string, error) { return "x=1", nil },
			"delete": func(context.Context, json.RawMessage) (string, error) { return "ok", nil },
		},
	}
}

// endpoint is a model of a provider, and the address of its API on the provider's host.
type endpoint struct{ model, path string }

var endpoints = map[string]endpoint{
	"anthropic":           {"claude-sonnet-5", "/v1/messages"},
	"openai-chat":         {"gpt-5.2", "/v1/chat/completions"},
	"openai-responses":    {"gpt-5.2", "/v1/responses"},
	"gemini":              {"gemini-2.5-pro", "/v1beta/models/gemini-2.5-pro:generateContent"},
	"gemini-interactions": {"gemini-2.5-pro", "/v1beta/interactions"},
	"bedrock":             {"anthropic.claude-sonnet-5", "/model/anthropic.claude-sonnet-5/converse"},
	"mistral":             {"mistral-large-latest", "/v1/chat/completions"},
	"cohere":              {"command-a-03-2025", "/v2/chat"},
	"ollama":              {"qwen3", "/api/chat"},
}

// modelAt is a model of a fake provider.
func modelAt(server *preflighttest.Server, provider string) Model {
	e := endpoints[provider]
	return Model{
		Provider: provider, Name: e.model, URL: server.URL + e.path,
		Header: http.Header{"Content-Type": {"application/json"}},
	}
}

// startBoth starts two fake providers.
func startBoth(from, to string) (first, second *preflighttest.Server, err error) {
	if first, err = preflighttest.Start(from, nil); err != nil {
		return nil, nil, err
	}
	if second, err = preflighttest.Start(to, nil); err != nil {
		first.Close()
		return nil, nil, err
	}
	return first, second, nil
}
