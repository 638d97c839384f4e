package preflightgenai_test

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/preflighttest"
)

// The user has stopped a tool: the call has no response.
func ExampleRequest() {
	history := []*genai.Content{
		genai.NewContentFromText("Build it.", genai.RoleUser),
		genai.NewContentFromParts([]*genai.Part{
			genai.NewPartFromText("Building."), genai.NewPartFromFunctionCall("build", nil),
		}, genai.RoleModel),
		genai.NewContentFromText("Stop. What is the time?", genai.RoleUser),
	}
	contents, _, warnings, err := preflightgenai.Request(context.Background(), "gemini-1.5-pro",
		history, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range contents {
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

// The client repairs each request, and what it repaired is kept in the history of the agent.
func ExampleHTTPClient() {
	server, err := preflighttest.Start("gemini", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
		HTTPClient:  preflightgenai.HTTPClient(nil, nil),
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	history := []*genai.Content{
		genai.NewContentFromText("Build it.", genai.RoleUser),
		genai.NewContentFromFunctionCall("build", map[string]any{}, genai.RoleModel),
		genai.NewContentFromText("Stop. What is the time?", genai.RoleUser),
	}
	ctx = preflightgenai.Keep(ctx, &history)
	answer, err := client.Models.GenerateContent(ctx, "gemini-1.5-flash", history, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	history = append(history, answer.Candidates[0].Content)
	for _, c := range history {
		fmt.Println(c.Role, c.Parts[0].Text)
	}
	// Output:
	// user Build it.
	// model ok
}
