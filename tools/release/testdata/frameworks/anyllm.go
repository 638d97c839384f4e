// An agent on mozilla-ai/any-llm-go that ends in the middle of parallel calls: PROVIDER URL FILE
// PROMPT.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	anyllm "github.com/mozilla-ai/any-llm-go"
	"github.com/mozilla-ai/any-llm-go/providers/anthropic"
	"github.com/mozilla-ai/any-llm-go/providers/openai"

	preflightanyllm "github.com/go-preflight/preflight/adapter/anyllm" // preflight
)

func main() {
	name, url, file, prompt := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	var provider anyllm.Provider
	var err error
	model := "claude-sonnet-4-5"
	if name == "anthropic" {
		provider, err = anthropic.New(anyllm.WithAPIKey("none"), anyllm.WithBaseURL(url))
	} else {
		model = "gpt-4o"
		provider, err = openai.New(anyllm.WithAPIKey("none"), anyllm.WithBaseURL(url+"/v1"))
	}
	check(err)
	provider = preflightanyllm.Provider(provider, nil, nil) // preflight

	var history []anyllm.Message
	if stored, err := os.ReadFile(file); err == nil {
		check(json.Unmarshal(stored, &history))
	}
	save := func(m anyllm.Message) {
		history = append(history, m)
		stored, err := json.Marshal(history)
		check(err)
		check(os.WriteFile(file, stored, 0o600))
	}
	save(anyllm.Message{Role: anyllm.RoleUser, Content: prompt})
	ctx = preflightanyllm.Keep(ctx, &history) // preflight
	for {
		completion, err := provider.Completion(ctx,
			anyllm.CompletionParams{Model: model, Messages: history})
		check(err)
		answer := completion.Choices[0].Message
		save(answer)
		if len(answer.ToolCalls) == 0 {
			fmt.Println(answer.ContentString())
			return
		}
		for _, call := range answer.ToolCalls {
			if call.Function.Name == "stop" {
				os.Exit(3) // the process dies
			}
			save(anyllm.Message{
				Role: anyllm.RoleTool, ToolCallID: call.ID, Content: "port=8080",
			})
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
