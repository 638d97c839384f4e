// Command bedrock is a small agent on the Converse API of aws-sdk-go-v2, with preflight in its
// loop. It runs offline, against a fake service:
//
//	go run -C examples/agents ./bedrock
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
)

// agent is an agent loop as there are many: a client, a history, and tools.
type agent struct {
	w       io.Writer
	client  *bedrockruntime.Client
	history []types.Message
}

// input is the request for the history.
func (a *agent) input() *bedrockruntime.ConverseInput {
	return &bedrockruntime.ConverseInput{
		ModelId: aws.String("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), Messages: a.history,
		AdditionalModelRequestFields: document.NewLazyDocument(map[string]any{
			"thinking": map[string]any{"type": "enabled", "budget_tokens": 1024},
		}),
		ToolConfig: &types.ToolConfiguration{
			Tools: []types.Tool{tool("deploy"), tool("read_config")},
		},
	}
}

// tool declares a tool.
func tool(name string) types.Tool {
	return &types.ToolMemberToolSpec{
		Value: types.ToolSpecification{
			Name: aws.String(name),
			InputSchema: &types.ToolInputSchemaMemberJson{
				Value: document.NewLazyDocument(map[string]any{"type": "object"}),
			},
		},
	}
}

// ask sends the history and takes in the answer.
func (a *agent) ask(ctx context.Context) (types.Message, error) {
	// This is all there is to it.
	input, warnings, err := preflightbedrock.Input(ctx, a.input(), story.Options())
	if err != nil {
		return types.Message{}, err
	}

	story.Tell(a.w, warnings)
	// what has been repaired need not be repaired again, and the prompt cache keeps hitting
	a.history = input.Messages
	output, err := a.client.Converse(ctx, input)
	if err != nil {
		return types.Message{}, err
	}
	answer, ok := output.Output.(*types.ConverseOutputMemberMessage)
	if !ok {
		return types.Message{}, fmt.Errorf("the answer is a %T", output.Output)
	}
	a.history = append(a.history, answer.Value)
	return answer.Value, nil
}

func (a *agent) Turn(ctx context.Context, text string) error {
	a.history = append(a.history, user(&types.ContentBlockMemberText{Value: text}))
	for {
		answer, err := a.ask(ctx)
		if err != nil {
			return err
		}
		var results []types.ContentBlock
		for _, block := range answer.Content {
			switch block := block.(type) {
			case *types.ContentBlockMemberText:
				fmt.Fprintln(a.w, "model:", block.Value)
			case *types.ContentBlockMemberToolUse:
				name := aws.ToString(block.Value.Name)
				fmt.Fprintln(a.w, "model calls", name)
				output, err := story.RunTool(ctx, name)
				if ctx.Err() != nil {
					return ctx.Err() // the call has no result now, and is in the history
				}
				results = append(results, result(block.Value.ToolUseId, output, err))
			}
		}
		if len(results) == 0 {
			return nil
		}
		a.history = append(a.history, user(results...))
	}
}

// user is a message of the user's.
func user(blocks ...types.ContentBlock) types.Message {
	return types.Message{Role: types.ConversationRoleUser, Content: blocks}
}

// result is what a tool said, or why it did not.
func result(id *string, output string, err error) types.ContentBlock {
	r := types.ToolResultBlock{ToolUseId: id}
	if err != nil {
		output, r.Status = err.Error(), types.ToolResultStatusError
	}
	r.Content = []types.ToolResultContentBlock{
		&types.ToolResultContentBlockMemberText{Value: output},
	}
	return &types.ContentBlockMemberToolResult{Value: r}
}

func (a *agent) SendAsIs(ctx context.Context) error {
	_, err := a.client.Converse(ctx, a.input())
	return err
}

// The SDK's types are not made for encoding/json, so that the adapter keeps them in a file.
func (a *agent) Save(file string) error {
	stored, err := preflightbedrock.Marshal(a.history)
	if err != nil {
		return err
	}
	return os.WriteFile(file, stored, 0o600)
}

func (a *agent) Load(file string) error {
	stored, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	a.history, err = preflightbedrock.Unmarshal(stored)
	return err
}

func (a *agent) Trim(n int) { a.history = a.history[n:] }

// play plays the story and tells it on w.
func play(w io.Writer) error {
	server, err := preflighttest.Start("bedrock", nil)
	if err != nil {
		return err
	}
	defer server.Close()
	server.Script(story.Replies()...)
	return story.Play(w, server, func() story.Agent {
		return &agent{
			w: w,
			client: bedrockruntime.New(bedrockruntime.Options{
				BaseEndpoint: aws.String(server.URL), Region: "us-east-1",
				Credentials: aws.CredentialsProviderFunc(
					func(context.Context) (aws.Credentials, error) {
						return aws.Credentials{AccessKeyID: "none", SecretAccessKey: "none"}, nil
					}),
			}),
		}
	}, 10)
}

func main() { story.Main("bedrock", play) }
