package openaichat

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Ids, names and arguments of calls.

func emptyCalls(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		c, ok := m.object["tool_calls"].([]any)
		if ok && len(c) == 0 && m.role == "assistant" { // ignored in other roles
			found(m.path+".tool_calls", "messages[1]", m.path, "messages[N]", m.path)
		}
	}
}

func idLength(r *fake.Request, found fake.Found) {
	const limit = 40
	judge := func(path, id string) {
		switch n := len([]rune(id)); {
		case read.BlankID(id):
			found.Says(path, openai.Empty(path))
		case n > limit:
			found(path, "messages[2].tool_calls[0].id", path, "length 41",
				fmt.Sprintf("length %d", n))
		}
	}
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			if id, ok := c.object["id"].(string); ok {
				judge(c.path+".id", id)
			}
		}
		if id, ok := m.object["tool_call_id"].(string); ok && m.role == "tool" {
			judge(m.path+".tool_call_id", id)
		}
	}
}

func functionName(r *fake.Request, found fake.Found) {
	const limit, specimen = 64, "tools[0].function.name"
	openai.Tools(r.Root,
		func(path, name string) { openai.NameFaults(path, specimen, name, limit, found) })
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			if name, ok := c.function["name"].(string); ok {
				openai.NameFaults(c.path+".function.name", specimen, name, limit, found)
			}
		}
		if name, ok := read.Object(m.object["function_call"])["name"].(string); ok {
			openai.NameFaults(m.path+".function_call.name", specimen, name, limit, found)
		}
	}
}

func messageName(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if name, ok := m.object["name"].(string); ok {
			openai.NameFaults(m.path+".name", "messages[1].name", name, 64, found)
		}
	}
}

func effort(r *fake.Request, found fake.Found) {
	effort := read.Text(r.Root["reasoning_effort"])
	if effort == "" || effort == "none" ||
		!strings.HasPrefix(r.Model, "gpt-5.4") && !strings.HasPrefix(r.Model, "gpt-6") {
		return
	}
	functions := false
	openai.Tools(r.Root, func(path, name string) { functions = true })
	if functions {
		found("tools")
	}
}

// arguments checks the type alone: OpenAI takes back the arguments
// that its own models cut off, and any other string.
func arguments(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			if a := c.function["arguments"]; a != nil && read.Kind(a) != "string" {
				path := c.path + ".function.arguments"
				found.Says(path, openai.Type(path, "a string", a))
			}
		}
	}
}
