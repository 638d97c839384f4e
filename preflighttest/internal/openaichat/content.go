package openaichat

import (
	"fmt"
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Content that is missing or too long.

func stringMax(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		openai.LongStrings(m.object["content"], m.path+".content", func(path string, length int) {
			found(path, "messages[5].content", path, "10605342", fmt.Sprint(length))
		})
	}
}

func contentNull(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if c, ok := m.object["content"].([]any); ok && len(c) == 0 && len(m.calls) == 0 {
			path := m.path + ".content"
			found.Says(path, openai.EmptyArray(path))
		}
		if read.Has(m.object, "content") || !slices.Contains(roles, m.role) {
			continue
		}
		_, there := m.object["content"]
		switch path := m.path + ".content"; {
		case m.role == "function" && there: // required, and may be null
		case m.role == "assistant" && (len(m.calls) > 0 || read.Has(m.object, "function_call") ||
			read.Has(m.object, "refusal") || read.Has(m.object, "audio")):
		case m.role == "developer" && !there:
			found.Says(path, openai.Missing(path))
		case m.role == "developer":
			found.Says(path, openai.Type(path, "one of a string or array of objects", nil))
		default:
			found(path)
		}
	}
}
