// Command mcp is a small agent whose tools are those of a Model Context Protocol server. It runs
// offline, with a server in memory and fake providers:
//
//	go run -C examples/agents ./mcp
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
	preflightmcp "github.com/go-preflight/preflight/adapter/mcp"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// agent is an agent loop on net/http, with the tools of an MCP server.
type agent struct {
	w       io.Writer
	session *mcp.ClientSession
	options wire.RequestOptions
	history []preflight.Message
}

// open starts the server, whose deploy tool runs until it is stopped, and an agent that uses it.
func open(ctx context.Context, w io.Writer, stop func()) (*agent, error) {
	server := mcp.NewServer(&mcp.Implementation{Name: "workshop", Version: "1"}, nil)
	for _, name := range []string{"read_config", "deploy"} {
		tool := &mcp.Tool{
			Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: name == "read_config"},
		}
		mcp.AddTool(server, tool, func(
			ctx context.Context, _ *mcp.CallToolRequest, _ struct{},
		) (*mcp.CallToolResult, any, error) {
			if name == "deploy" {
				stop()
			}
			output, err := story.RunTool(ctx, name)
			return &mcp.CallToolResult{Content: []mcp.Content{
				&mcp.TextContent{Text: output},
			}}, nil, err
		})
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(ctx, here, nil)
	if err != nil {
		return nil, err
	}
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}

	// This is what preflight takes from the server.
	a := &agent{w: w, session: session}
	a.options = wire.RequestOptions{MaxTokens: 1000, Options: story.Options().Options}
	a.options.Tools, err = preflightmcp.Tools(listed.Tools)
	a.options.Options.Dangling = preflight.DanglingRemove // of tools that only read
	a.options.Options.OpenCall = preflightmcp.OpenCall(listed.Tools)
	return a, err
}

// turn has a provider answer, until it calls no more tools or ctx ends.
func (a *agent) turn(ctx context.Context, provider, url, text string) error {
	fmt.Fprintln(a.w, "user:", text)
	a.history = append(a.history, preflight.UserText(text))
	for {
		request, err := wire.Prepare(ctx, provider, "some-model", a.history, &a.options)
		if err != nil {
			return err
		}
		a.history = request.Messages // what is repaired is kept
		story.Tell(a.w, request.Warnings)
		answer, err := post(ctx, url, request.Body)
		if err != nil {
			return err
		}
		response, err := wire.DecodeResponse(provider, answer)
		if err != nil {
			return err
		}
		a.history = append(a.history, response.Messages...)
		if text := response.Text(); text != "" {
			fmt.Fprintln(a.w, "model:", text)
		}
		if len(response.Calls()) == 0 {
			return nil
		}
		for _, call := range response.Calls() {
			fmt.Fprintln(a.w, "model calls", call.Name)
			result, err := preflightmcp.Call(ctx, a.session, call)
			if err != nil {
				return err // the call stays open, and is repaired before the next request
			}
			a.history = append(a.history, result)
		}
	}
}

func post(ctx context.Context, url string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	out, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	return out, err
}

// play plays the story and tells it on w.
func play(w io.Writer) error {
	claude, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		return err
	}
	defer claude.Close()
	claude.Script(preflighttest.Reply{
		Calls: []preflighttest.Call{{Name: "read_config"}, {Name: "deploy"}},
	}, preflighttest.Reply{Text: "You stopped me."})
	gpt, err := preflighttest.Start("openai-responses", nil)
	if err != nil {
		return err
	}
	defer gpt.Close()
	gpt.Script(preflighttest.Reply{Text: "You were deploying."})

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	a, err := open(context.Background(), w, stop)
	if err != nil {
		return err
	}
	defer a.session.Close()

	fmt.Fprintln(w, "== The user stops parallel calls, and the process ends.")
	err = a.turn(ctx, "anthropic", claude.URL+"/v1/messages", "Deploy it.")
	if !errors.Is(err, context.Canceled) {
		return errors.Join(errors.New("the agent was not stopped"), err)
	}
	fmt.Fprintln(w, "(stopped)")
	if err := story.Restart(&a.history); err != nil {
		return err
	}
	asIs, err := wire.Encode("anthropic", "some-model", a.history, &a.options)
	if err != nil {
		return err
	}
	if _, err := post(context.Background(), claude.URL+"/v1/messages", asIs); err == nil {
		return errors.New("the session was accepted as it is")
	}
	fmt.Fprintln(w, "without preflight, the provider:",
		story.ShortIDs(claude.Refused()[0].Refusal.Message))

	fmt.Fprintln(w, "\n== Another process resumes the session.")
	ctx = context.Background()
	err = a.turn(ctx, "anthropic", claude.URL+"/v1/messages", "Where were we?")
	if err != nil {
		return err
	}

	fmt.Fprintln(w, "\n== The user picks another provider.")
	err = a.turn(ctx, "openai-responses", gpt.URL+"/v1/responses", "What were you doing?")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d refused, the one without preflight\n",
		len(claude.Refused())+len(gpt.Refused()))
	return nil
}

func main() { story.Main("mcp", play) }
