package preflightmcp_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
	preflightmcp "github.com/go-preflight/preflight/adapter/mcp"
)

type file struct {
	Name string `json:"name"`
}

// The model calls a tool of a server, which answers with a text and a picture.
func ExampleCall() {
	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "show"}, func(
		_ context.Context, _ *mcp.CallToolRequest, f file,
	) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: "This is " + f.Name + "."},
			&mcp.ImageContent{MIMEType: "image/png", Data: []byte("…")},
		}}, nil, nil
	})
	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		fmt.Println(err)
		return
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(ctx, here, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()

	call := &preflight.ToolCall{ID: "call_1", Name: "show", Input: []byte(`{"name":"logo.png"}`)}
	message, err := preflightmcp.Call(ctx, session, call)
	if err != nil {
		fmt.Println(err) // the call stays open
		return
	}
	result := message.Parts[0].(*preflight.ToolResult)
	fmt.Println(message.Role, result.CallID, len(result.Content))
	fmt.Println(result.Content[0].(*preflight.Text).Text)
	fmt.Println(result.Content[1].(*preflight.Media).MediaType)
	// Output:
	// tool call_1 2
	// This is logo.png.
	// image/png
}
