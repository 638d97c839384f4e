// Command adk is a small agent on google.golang.org/adk, with preflight as a plugin of its runner.
// It runs offline, against a fake provider:
//
//	go run -C examples/agents ./adk
package main

import (
	"context"
	"fmt"
	"io"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model/gemini"
	"google.golang.org/adk/plugin"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/session"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/genai"

	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// newAgent is an agent with a tool that is quick, one that is slow, and one that takes days.
func newAgent(ctx context.Context, url string) (agent.Agent, error) {
	llm, err := gemini.NewModel(ctx, "gemini-3-pro-preview", &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		return nil, err
	}
	var tools []tool.Tool
	for _, config := range []functiontool.Config{
		{Name: "read_config"}, {Name: "deploy"}, {Name: "approve", IsLongRunning: true},
	} {
		made, err := functiontool.New(config,
			func(ctx agent.ToolContext, _ struct{}) (map[string]any, error) {
				if config.IsLongRunning {
					return map[string]any{"status": "pending"}, nil
				}
				output, err := story.RunTool(ctx, config.Name)
				return map[string]any{"output": output}, err
			})
		if err != nil {
			return nil, err
		}
		tools = append(tools, made)
	}
	return llmagent.New(llmagent.Config{Name: "builder", Model: llm, Tools: tools})
}

// newRunner is a runner of the agent; with repair, preflight is a plugin of it.
func newRunner(
	w io.Writer, root agent.Agent, sessions session.Service, repair bool,
) (*runner.Runner, error) {
	config := runner.Config{
		AppName: "app", Agent: root, SessionService: sessions, AutoCreateSession: true,
	}
	if repair {
		// This is all there is to it.
		made, err := preflightadk.Plugin(preflightadk.Config{
			Options: story.Options(),
			Report: func(_ context.Context, warnings []wire.Warning, _ error) {
				story.Tell(w, warnings)
			},
			Keep: sessions,
		})
		if err != nil {
			return nil, err
		}
		config.PluginConfig.Plugins = []*plugin.Plugin{made}
	}
	return runner.New(config)
}

// turn gives the runner a message, stops it at a call of the tool named stop, and returns the last
// call.
func turn(
	ctx context.Context, w io.Writer, r *runner.Runner, message *genai.Content, stop string,
) (last *genai.FunctionCall, err error) {
	for e, err := range r.Run(ctx, "user", "session", message, agent.RunConfig{}) {
		if err != nil {
			return last, err
		}
		for _, p := range e.Content.Parts {
			switch {
			case p.FunctionCall != nil:
				last = p.FunctionCall
				fmt.Fprintln(w, "model calls", last.Name)
				if last.Name == stop {
					fmt.Fprintln(w, "(stopped)")
					return last, nil
				}
			case p.Text != "" && !p.Thought:
				fmt.Fprintln(w, "model:", p.Text)
			}
		}
	}
	return last, nil
}

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("gemini", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	server.Script(
		preflighttest.Reply{Calls: []preflighttest.Call{{Name: "read_config"}, {Name: "deploy"}}},
		preflighttest.Reply{Text: "You stopped me."},
		preflighttest.Reply{Calls: []preflighttest.Call{{Name: "approve"}}},
		preflighttest.Reply{Text: "I wait for your boss."},
		preflighttest.Reply{Text: "It is approved."},
	)
	ctx := context.Background()
	sessions := session.InMemoryService()
	root, err := newAgent(ctx, server.URL)
	if err != nil {
		return err
	}

	fmt.Fprintln(w, "== The user stops parallel calls, and the process ends.")
	plain, err := newRunner(w, root, sessions, false)
	if err != nil {
		return err
	}
	say := func(text string) *genai.Content {
		fmt.Fprintln(w, "user:", text)
		return genai.NewContentFromText(text, genai.RoleUser)
	}
	if _, err := turn(ctx, w, plain, say("Deploy it."), "deploy"); err != nil {
		return err
	}
	if _, err := turn(ctx, w, plain, say("Are you there?"), ""); err == nil {
		return fmt.Errorf("the session was accepted as it is")
	}
	fmt.Fprintln(w, "without preflight, the provider:", server.Refused()[0].Refusal.Message)

	fmt.Fprintln(w, "\n== Another process resumes the session.")
	r, err := newRunner(w, root, sessions, true)
	if err != nil {
		return err
	}
	if _, err := turn(ctx, w, r, say("Where were we?"), ""); err != nil {
		return err
	}

	fmt.Fprintln(w, "\n== A long-running tool is pending, and done later.")
	call, err := turn(ctx, w, r, say("Ask my boss."), "")
	if err != nil {
		return err
	}
	done := genai.NewPartFromFunctionResponse(call.Name, map[string]any{"status": "approved"})
	done.FunctionResponse.ID = call.ID
	_, err = turn(ctx, w, r, genai.NewContentFromParts([]*genai.Part{done}, genai.RoleUser), "")
	fmt.Fprintf(w, "\n%d requests, %d refused\n", len(server.Requests()), len(server.Refused()))
	return err
}

func main() { story.Main("adk", play) }
