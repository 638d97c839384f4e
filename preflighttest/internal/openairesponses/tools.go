package openairesponses

import (
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Names of tools.

func itemName(r *fake.Request, found fake.Found) {
	const limit, specimen = 128, "input[189].name"
	own := opened(r).own
	openai.Tools(r.Root, func(path, name string) {
		if own {
			openai.NameFaults(path, specimen, name, limit, found)
		}
	})
	for _, item := range opened(r).items {
		name, ok := item.object["name"].(string)
		if ok && (own || read.BlankID(name)) &&
			(item.kind == "function_call" || item.kind == "custom_tool_call") {
			openai.NameFaults(item.path+".name", specimen, name, limit, found)
		}
	}
}
