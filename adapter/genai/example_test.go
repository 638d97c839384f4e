package preflightgenai_test

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
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
	contents, _, warnings, err := preflightgenai.Request(context.Background(), "gemini-2.5-pro",
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
