package preflightadk_test

import (
	"context"
	"fmt"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/model/gemini"
	"google.golang.org/adk/plugin"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/session"
	"google.golang.org/genai"

	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The user has stopped a tool: the call has no response.
func ExampleRequest() {
	request := &model.LLMRequest{
		Model: "gemini-1.5-pro",
		Contents: []*genai.Content{
			genai.NewContentFromText("Build it.", genai.RoleUser),
			genai.NewContentFromParts([]*genai.Part{
				genai.NewPartFromText("Building."), genai.NewPartFromFunctionCall("build", nil),
			}, genai.RoleModel),
			genai.NewContentFromText("Stop. What is the time?", genai.RoleUser),
		},
	}
	request, warnings, err := preflightadk.Request(context.Background(), request, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range request.Contents {
		fmt.Println(c.Role, c.Parts[0].Text)
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// user Build it.
	// model Building.
	// user Stop. What is the time?
	// contents[1].parts[1] removed a tool call that has no result
}

// A plugin repairs the requests of a runner, and keeps the repair in the session.
func ExamplePlugin() {
	server, err := preflighttest.Start("gemini", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	server.Script(
		preflighttest.Reply{Calls: []preflighttest.Call{{Name: "build", Arguments: "{}"}}},
		preflighttest.Reply{Text: "You stopped me."},
	)
	ctx := context.Background()
	llm, err := gemini.NewModel(ctx, "gemini-3-pro-preview", &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	builder, err := llmagent.New(llmagent.Config{Name: "builder", Model: llm})
	if err != nil {
		fmt.Println(err)
		return
	}

	sessions := session.InMemoryService()
	repair, err := preflightadk.Plugin(preflightadk.Config{
		Keep: sessions,
		Report: func(_ context.Context, warnings []wire.Warning, err error) {
			for _, w := range warnings {
				fmt.Println("preflight:", w.Path, w.Detail)
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := runner.New(runner.Config{
		AppName: "app", Agent: builder, SessionService: sessions, AutoCreateSession: true,
		PluginConfig: runner.PluginConfig{Plugins: []*plugin.Plugin{repair}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e, err := range r.Run(ctx, "user", "session",
		genai.NewContentFromText("Build it.", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if e.Content.Parts[0].FunctionCall != nil {
			break // the user has stopped the agent
		}
	}
	for e, err := range r.Run(ctx, "user", "session",
		genai.NewContentFromText("What happened?", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("model:", e.Content.Parts[0].Text)
	}
	// Output:
	// preflight: events[1].parts[0] answered a tool call that has no result with an error result
	// model: You stopped me.
}
