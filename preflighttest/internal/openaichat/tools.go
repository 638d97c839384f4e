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

// ids calls f for the id of each call, and for those in results.
func ids(r *fake.Request, f func(path, id string)) {
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			if id, ok := c.object["id"].(string); ok {
				f(c.path+".id", id)
			}
		}
		if id, ok := m.object["tool_call_id"].(string); ok && m.role == "tool" {
			f(m.path+".tool_call_id", id)
		}
	}
}

func idLength(r *fake.Request, found fake.Found) {
	const limit = 40
	ids(r, func(path, id string) {
		switch n := len([]rune(id)); {
		case read.BlankID(id):
			found.Says(path, openai.Empty(path))
		case n > limit:
			found(path, "messages[2].tool_calls[0].id", path, "length 41",
				fmt.Sprintf("length %d", n))
		}
	})
}

// names calls f for the name of each function that is declared or called.
func names(r *fake.Request, f func(path, name string)) {
	openai.Tools(r.Root, f)
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			if name, ok := c.function["name"].(string); ok {
				f(c.path+".function.name", name)
			}
		}
	}
}

func functionName(r *fake.Request, found fake.Found) {
	const limit, specimen = 64, "tools[0].function.name"
	judge := func(path, name string) { openai.NameFaults(path, specimen, name, limit, found) }
	names(r, judge)
	for _, m := range messagesOf(r) {
		if name, ok := read.Object(m.object["function_call"])["name"].(string); ok {
			judge(m.path+".function_call.name", name)
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
