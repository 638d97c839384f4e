// A client of firebase/genkit/go that ends in the middle of parallel calls: PROVIDER URL FILE
// PROMPT.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"

	preflightgenkit "github.com/go-preflight/preflight/adapter/genkit" // preflight
	"github.com/go-preflight/preflight/wire"                           // preflight
)

func main() {
	name, url, file, prompt := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	g := genkit.Init(ctx)
	plugin := &compat_oai.OpenAICompatible{Provider: name, APIKey: "none", BaseURL: url + "/v1"}
	plugin.Init(ctx)
	supports := &ai.ModelSupports{Multiturn: true, Tools: true, SystemRole: true}
	genkit.RegisterAction(g,
		plugin.DefineModel(name, "model", ai.ModelOptions{Label: name, Supports: supports}))
	tool := func(name string) ai.ToolRef {
		return genkit.DefineTool(g, name, "",
			func(*ai.ToolContext, struct{}) (string, error) { return "port=8080", nil })
	}

	var history []*ai.Message
	if stored, err := os.ReadFile(file); err == nil {
		check(json.Unmarshal(stored, &history))
	}
	response, err := genkit.Generate(ctx, g,
		ai.WithModelName(name+"/model"), ai.WithTools(tool("read"), tool("stop")),
		ai.WithMessages(history...), ai.WithPrompt(prompt), ai.WithReturnToolRequests(true),
		ai.WithMiddleware(preflightgenkit.Middleware(&wire.Options{Provider: name}, nil)), // preflight
	)
	check(err)
	stored, err := json.Marshal(response.History())
	check(err)
	check(os.WriteFile(file, stored, 0o600))
	for _, request := range response.ToolRequests() {
		if request.Name == "stop" {
			os.Exit(3) // the process dies
		}
	}
	fmt.Println(response.Text())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
