// Command switch is a session that changes its provider in the middle: it starts with Claude on
// anthropic-sdk-go and continues with GPT on openai-go. It runs offline, against fake providers:
//
//	go run -C examples/agents ./switch
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// play tells on w what happens.
func play(w io.Writer) error {
	ctx := context.Background()
	claude, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		return err
	}
	defer claude.Close()
	claude.Script(preflighttest.Reply{
		Reasoning: "The configuration knows.",
		Text:      "Let me look.",
		Calls:     []preflighttest.Call{{Name: "read_config"}},
	})
	gpt, err := preflighttest.Start("openai-chat", nil)
	if err != nil {
		return err
	}
	defer gpt.Close()
	gpt.Script(preflighttest.Reply{Text: "It listens on port 8080."})

	// The session starts with Claude, who thinks and calls a tool.
	params := anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 4096,
		Thinking: anthropic.ThinkingConfigParamOfEnabled(1024),
		System:   []anthropic.TextBlockParam{{Text: "You are terse."}},
		Tools: []anthropic.ToolUnionParam{
			{
				OfTool: &anthropic.ToolParam{
					Name:        "read_config",
					InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{}},
				},
			},
		},
		Messages: []anthropic.MessageParam{
			anthropic.NewUserMessage(anthropic.NewTextBlock("Which port does it use?")),
		},
	}
	anthropicClient := anthropic.NewClient(anthropicoption.WithBaseURL(claude.URL),
		anthropicoption.WithAPIKey("none"))
	answer, err := anthropicClient.Messages.New(ctx, params)
	if err != nil {
		return err
	}
	params.Messages = append(params.Messages, answer.ToParam())
	for _, block := range answer.Content {
		switch block := block.AsAny().(type) {
		case anthropic.TextBlock:
			fmt.Fprintln(w, "claude:", block.Text)
		case anthropic.ToolUseBlock:
			fmt.Fprintln(w, "claude calls", block.Name)
			params.Messages = append(params.Messages,
				anthropic.NewUserMessage(anthropic.NewToolResultBlock(block.ID, "port=8080",
					false)))
		}
	}

	// Before Claude can go on, the user picks another model.
	fmt.Fprintln(w, "(the user switches to GPT)")
	next, warnings, err := handOver(ctx, params)
	if err != nil {
		return err
	}
	story.Tell(w, warnings)
	openaiClient := openai.NewClient(openaioption.WithBaseURL(gpt.URL+"/v1"),
		openaioption.WithAPIKey("none"))
	completion, err := openaiClient.Chat.Completions.New(ctx, next)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "gpt:", completion.Choices[0].Message.Content)

	fmt.Fprintln(w, "What GPT was sent:")
	return show(w, next)
}

// handOver is a request to Claude as one to GPT.
func handOver(
	ctx context.Context,
	params anthropic.MessageNewParams,
) (openai.ChatCompletionNewParams, []wire.Warning, error) {
	var next openai.ChatCompletionNewParams
	body, err := json.Marshal(params)
	if err != nil {
		return next, nil, err
	}
	converted, err := wire.Convert(ctx, body, &wire.ConvertOptions{
		From:     "anthropic",
		To:       "openai-chat",
		Model:    "gpt-5.4",
		Sanitize: story.Options().Sanitize,
	})
	if err != nil {
		return next, nil, err
	}
	// The SDK reads what it knows of a request. Messages are kept as they are, so that nothing in
	// them can be lost.
	if err := json.Unmarshal(converted.Body, &next); err != nil {
		return next, nil, err
	}
	var list struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(converted.Body, &list); err != nil {
		return next, nil, err
	}
	next.Messages = nil
	for _, raw := range list.Messages {
		next.Messages = append(next.Messages,
			param.Override[openai.ChatCompletionMessageParamUnion](raw))
	}
	return next, converted.Warnings, nil
}

// show prints the messages of a request.
func show(w io.Writer, params openai.ChatCompletionNewParams) error {
	for _, m := range params.Messages {
		raw, err := json.Marshal(m)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %s\n", story.ShortIDs(string(raw)))
	}
	return nil
}

func main() {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "switch:", err)
		os.Exit(1)
	}
}
