package preflightmcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
	preflightmcp "github.com/go-preflight/preflight/adapter/mcp"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file runs an agent loop with the tools of a real MCP server, against strict fakes.

// workshop is an MCP server, and a client of it.
type workshop struct {
	client  *mcp.ClientSession
	server  *mcp.ServerSession
	tools   []*mcp.Tool
	started chan struct{} // slow has begun
	ended   chan error    // slow was cancelled, with the error of its context
}

func open(t *testing.T) *workshop {
	t.Helper()
	w := &workshop{started: make(chan struct{}, 9), ended: make(chan error, 9)}
	server := mcp.NewServer(&mcp.Implementation{Name: "workshop", Version: "1"}, nil)
	schema := json.RawMessage(`{"type":"object"}`)
	for name, answer := range answers() {
		add := &mcp.Tool{
			Name: strings.ReplaceAll(strings.ReplaceAll(name, " ", "_"), ",", ""), InputSchema: schema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		}
		server.AddTool(add, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return answer.answer, nil
		})
	}
	for _, name := range []string{"slow_read", "slow_write"} {
		add := &mcp.Tool{Name: name, InputSchema: schema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: name == "slow_read"}}
		server.AddTool(add, func(
			ctx context.Context, _ *mcp.CallToolRequest,
		) (*mcp.CallToolResult, error) {
			w.started <- struct{}{}
			<-ctx.Done()
			w.ended <- ctx.Err()
			return nil, ctx.Err()
		})
	}
	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	var err error
	if w.server, err = server.Connect(ctx, there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	if w.client, err = client.Connect(ctx, here, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.client.Close() })
	for tool, err := range w.client.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		w.tools = append(w.tools, tool)
	}
	return w
}

// models are a model of each provider, of those whose fake knows it by name.
var models = map[string]string{
	"anthropic": "claude-sonnet-5", "openai-chat": "gpt-5.2", "openai-responses": "gpt-5.2",
	"gemini": "gemini-2.5-pro", "gemini-interactions": "gemini-2.5-pro",
	"bedrock": "anthropic.claude-sonnet-5",
	"mistral": "mistral-large-latest", "cohere": "command-a-03-2025", "ollama": "qwen3",
}

// paths are those of the providers' APIs.
var paths = map[string]string{
	"anthropic":           "/v1/messages",
	"openai-chat":         "/v1/chat/completions",
	"openai-responses":    "/v1/responses",
	"gemini":              "/v1beta/models/gemini-2.5-pro:generateContent",
	"gemini-interactions": "/v1beta/interactions",
	"bedrock":             "/model/anthropic.claude-sonnet-5/converse",
	"mistral":             "/v1/chat/completions",
	"cohere":              "/v2/chat",
	"ollama":              "/api/chat",
}

// ask has a provider answer the history of an agent, and adds the answer to it. It returns the
// repairs, and the calls that the model makes.
func (w *workshop) ask(
	t *testing.T, server *preflighttest.Server, provider string, history *[]preflight.Message,
) ([]wire.Warning, []*preflight.ToolCall) {
	t.Helper()
	tools, err := preflightmcp.Tools(w.tools)
	if err != nil {
		t.Fatal(err)
	}
	request, err := wire.Prepare(context.Background(), provider, models[provider], *history,
		&wire.RequestOptions{
			MaxTokens: 1000, Tools: tools,
			Options: preflight.Options{OpenCall: preflightmcp.OpenCall(w.tools)},
		})
	if err != nil {
		t.Fatalf("%s: %v", provider, err)
	}
	answer, err := http.Post(server.URL+paths[provider], "application/json",
		bytes.NewReader(request.Body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, %s\n%s", provider, err, body, request.Body)
	}
	response, err := wire.DecodeResponse(provider, body)
	if err != nil {
		t.Fatal(err)
	}
	*history = append(request.Messages, response.Messages...)
	return request.Warnings, response.Calls()
}

// TestResults: what a server answers is accepted by every provider, and the model can read it.
func TestResults(t *testing.T) {
	w := open(t)
	for _, provider := range preflighttest.Providers() {
		server := preflighttest.New(t, provider, nil)
		for _, tool := range w.tools {
			if strings.HasPrefix(tool.Name, "slow") {
				continue
			}
			server.Script(preflighttest.Reply{Calls: []preflighttest.Call{{Name: tool.Name}}},
				preflighttest.Reply{Text: "ok"})
			history := []preflight.Message{preflight.UserText("Look.")}
			_, calls := w.ask(t, server, provider, &history)
			if len(calls) != 1 {
				t.Fatalf("%s: %d calls", tool.Name, len(calls))
			}
			m, err := preflightmcp.Call(context.Background(), w.client, calls[0])
			if err != nil {
				t.Fatal(err)
			}
			history = append(history, m)
			w.ask(t, server, provider, &history)
			sent := server.Requests()
			body := string(sent[len(sent)-1].Body)
			for tools, want := range map[string]string{
				"text": "port=8080", "error": "no such file", "structured_alone": "8080",
				"structured_and_another_text": "The port is", "link": "file:///a.go",
				"text_resource": "package a",
			} {
				if tools == tool.Name && !strings.Contains(body, want) {
					t.Errorf("%s, %s: sent %s", provider, tool.Name, body)
				}
			}
			if n := strings.Count(body, "8080"); tool.Name == "structured_and_as_text" && n != 1 {
				t.Errorf("%s: sent %d times in %s", provider, n, body)
			}
		}
		if refused := server.Refused(); len(refused) > 0 {
			t.Error(refused[0].Refusal)
		}
	}
}

// TestStopped: parallel calls are stopped, the server learns of it, the agent is restarted, and
// continues with another provider. A call that only reads is removed, one that may have written is
// answered.
func TestStopped(t *testing.T) {
	w := open(t)
	for _, provider := range preflighttest.Providers() {
		server := preflighttest.New(t, provider, nil)
		server.Script(preflighttest.Reply{Calls: []preflighttest.Call{
			{Name: "text"}, {Name: "slow_read"}, {Name: "slow_write"},
		}})
		history := []preflight.Message{preflight.UserText("Build it.")}
		_, calls := w.ask(t, server, provider, &history)
		ctx, stop := context.WithCancel(context.Background())
		type outcome struct {
			message preflight.Message
			err     error
		}
		outcomes := make(chan outcome, len(calls))
		for _, call := range calls {
			go func() {
				m, err := preflightmcp.Call(ctx, w.client, call)
				outcomes <- outcome{m, err}
			}()
		}
		<-w.started
		<-w.started
		first := <-outcomes
		if first.err != nil {
			t.Fatal(first.err)
		}
		history = append(history, first.message)
		stop()
		for range 2 {
			if o := <-outcomes; !errors.Is(o.err, context.Canceled) {
				t.Errorf("%v, %v", o.message, o.err)
			}
			if err := <-w.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the server was not told: %v", err)
			}
		}

		raw, err := json.Marshal(history)
		if err != nil {
			t.Fatal(err)
		}
		for _, next := range preflighttest.Providers() {
			var resumed []preflight.Message
			if err := json.Unmarshal(raw, &resumed); err != nil {
				t.Fatal(err)
			}
			resumed = append(resumed, preflight.UserText("Why?"))
			other := preflighttest.New(t, next, nil)
			warnings, _ := w.ask(t, other, next, &resumed)
			var removed, answered int
			for _, w := range warnings {
				switch w.Code {
				case "dangling-removed":
					removed++
				case "dangling-answered":
					answered++
				}
			}
			// Gemini signs calls or turns, so that these are not cut.
			signed := provider == "gemini" || provider == "gemini-interactions" && next == provider
			wrong := answered != 1 && !signed || removed+answered != 2
			if next == "ollama" { // which takes calls without results
				wrong = removed+answered > 0
			}
			if wrong || len(other.Refused()) > 0 {
				t.Errorf("%s to %s: %v", provider, next, warnings)
			}
			resumed = append(resumed, preflight.UserText("And?"))
			if warnings, _ = w.ask(t, other, next, &resumed); len(warnings) > 0 {
				t.Errorf("%s to %s again: %v", provider, next, warnings)
			}
		}
	}
}

// TestRefused: what the server refuses, and what is not sent, the model can read. A server that is
// gone leaves the call open.
func TestRefused(t *testing.T) {
	w := open(t)
	ctx := context.Background()
	text := func(m preflight.Message) string {
		r := m.Parts[0].(*preflight.ToolResult)
		return fmt.Sprint(r.IsError, " ", r.CallID, " ", r.Content[0].(*preflight.Text).Text)
	}
	for name, c := range map[string]struct {
		call preflight.ToolCall
		want string
	}{
		"unknown": {preflight.ToolCall{ID: "1", Name: "missing"}, `true 1 unknown tool "missing"`},
		"cut off": {
			preflight.ToolCall{ID: "2", Name: "text", Input: []byte(`{"a":`)},
			"true 2 the arguments are not a JSON object",
		},
		"a list": {
			preflight.ToolCall{ID: "3", Name: "text", Input: []byte(`[]`)},
			"true 3 the arguments are not a JSON object",
		},
		"none": {
			preflight.ToolCall{ID: "4", Name: "text", Input: []byte(" ")},
			"false 4 port=8080 <b> & more",
		},
	} {
		m, err := preflightmcp.Call(ctx, w.client, &c.call)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if text(m) != c.want {
			t.Errorf("%s: %v, %v", name, err, m)
		}
	}
	if err := w.server.Close(); err != nil {
		t.Fatal(err)
	}
	if m, err := preflightmcp.Call(ctx, w.client, &preflight.ToolCall{Name: "text"}); err == nil {
		t.Errorf("the server is gone: %v", m)
	}
}
