// A client of charm.land/fantasy that ends in the middle of parallel calls: PROVIDER URL FILE
// PROMPT.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/openaicompat"

	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy" // preflight
)

func main() {
	name, url, file, prompt := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	var provider fantasy.Provider
	var err error
	model := "claude-sonnet-4-5"
	if name == "anthropic" {
		provider, err = anthropic.New(anthropic.WithAPIKey("none"), anthropic.WithBaseURL(url))
	} else {
		model = "gpt-4o"
		provider, err = openaicompat.New(openaicompat.WithAPIKey("none"),
			openaicompat.WithBaseURL(url+"/v1"))
	}
	check(err)
	provider = preflightfantasy.Provider(provider, nil, nil) // preflight
	llm, err := provider.LanguageModel(ctx, model)
	check(err)

	var history []fantasy.Message
	if stored, err := os.ReadFile(file); err == nil {
		check(json.Unmarshal(stored, &history))
	}
	save := func(messages ...fantasy.Message) {
		history = append(history, messages...)
		stored, err := json.Marshal(history)
		check(err)
		check(os.WriteFile(file, stored, 0o600))
	}
	said := fantasy.Message{Role: fantasy.MessageRoleAssistant}
	tool := func(name string, run func()) fantasy.AgentTool {
		return fantasy.NewAgentTool(name, "", func(
			context.Context, struct{}, fantasy.ToolCall,
		) (fantasy.ToolResponse, error) {
			run()
			return fantasy.NewTextResponse("port=8080"), nil
		})
	}
	agent := fantasy.NewAgent(llm, fantasy.WithTools(
		tool("read", func() {}),
		tool("stop", func() { save(said); os.Exit(3) }), // the process dies
	))
	before := history
	save(fantasy.NewUserMessage(prompt))
	result, err := agent.Stream(ctx, fantasy.AgentStreamCall{
		Prompt: prompt, Messages: before,
		OnToolCall: func(c fantasy.ToolCallContent) error {
			said.Content = append(said.Content, fantasy.ToolCallPart{
				ToolCallID: c.ToolCallID, ToolName: c.ToolName, Input: c.Input,
			})
			return nil
		},
	})
	check(err)
	for _, step := range result.Steps {
		save(step.Messages...)
	}
	fmt.Println(result.Response.Content.Text())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
