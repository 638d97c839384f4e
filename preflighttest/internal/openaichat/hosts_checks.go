package openaichat

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Checks that several hosts make.

// needsText finds messages that say nothing: an assistant message may have calls instead, and media
// are said, too.
func needsText(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if slices.Contains(roles, m.role) && len(m.calls) == 0 && saysNothing(m) {
			found(m.path + ".content")
		}
	}
}

// saysNothing reports whether a message has neither text nor another part.
func saysNothing(m message) bool {
	if read.Has(m.object, "refusal") || read.Has(m.object, "audio") ||
		read.Has(m.object, "function_call") ||
		m.role == "assistant" && read.Text(m.object["reasoning_content"]) != "" {
		return false
	}
	switch content := m.object["content"].(type) {
	case nil:
		return true
	case string:
		return content == ""
	case []any:
		for _, p := range content {
			part := read.Object(p)
			if read.Text(part["type"]) != "text" || read.Text(part["text"]) != "" {
				return false
			}
		}
		return true
	}
	return false
}

// bare reports whether a message has no content: it is missing, null or an empty list.
func (m message) bare() bool {
	list, isList := m.object["content"].([]any)
	return m.object["content"] == nil || isList && len(list) == 0
}

// reasoningAlone finds assistant messages that have reasoning and no content at all.
func reasoningAlone(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.role == "assistant" && len(m.calls) == 0 && m.bare() &&
			read.Text(m.object["reasoning_content"]) != "" {
			found(m.path + ".content")
		}
	}
}

// lacksReasoning reports whether an assistant message comes without its reasoning, which may be
// empty. Of a mode of thinking that is not known, nobody can say what it asks for.
func lacksReasoning(r *fake.Request, m message) bool {
	_, ok := m.object["reasoning_content"].(string)
	return m.role == "assistant" && !ok &&
		!hasUnknownType(r.Root["thinking"], "enabled", "disabled", "auto", "adaptive")
}

// asObjects finds arguments that are not the JSON text of an object.
func asObjects(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			s, ok := c.function["arguments"].(string)
			if _, err := read.Decode([]byte(s)); ok && err != nil {
				found(c.path + ".function.arguments")
			}
		}
	}
}

// blankIDs finds ids that are blank; no length is too long.
func blankIDs(r *fake.Request, found fake.Found) {
	idLength(r, func(path string, edits ...string) {
		if edits[0] == fake.OwnWords {
			found(path, edits...)
		}
	})
}

// spacesAsIDs finds ids of white space; an empty one is none.
func spacesAsIDs(r *fake.Request, found fake.Found) {
	ids(r, func(path, id string) {
		if id != "" && strings.TrimSpace(id) == "" {
			found.Says(path, openai.Empty(path))
		}
	})
}

// namelessFunctions finds functions without a name, of which white space is none; no other name is
// refused.
func namelessFunctions(r *fake.Request, found fake.Found) {
	names(r, func(path, name string) {
		if strings.TrimSpace(name) == "" {
			found.Says(path, openai.Empty(path))
		}
	})
}

// fewerResults finds turns with fewer results than calls: calls that share an
// id take one each.
func fewerResults(r *fake.Request, found fake.Found) {
	runs(r, func(call message, results []message) {
		open := map[string]int{}
		for _, m := range results {
			open[read.Text(m.object["tool_call_id"])]++
		}
		for _, c := range call.calls {
			if open[c.id]--; open[c.id] < 0 {
				found(call.path, "call_XXXX", c.id)
			}
		}
	})
}

// furtherResults finds results beyond the calls that have their id.
func furtherResults(r *fake.Request, found fake.Found) {
	runs(r, func(call message, results []message) {
		open, called := map[string]int{}, map[string]bool{}
		for _, c := range call.calls {
			open[c.id]++
			called[c.id] = true
		}
		for _, m := range results {
			id := read.Text(m.object["tool_call_id"])
			if open[id]--; open[id] < 0 && called[id] {
				found(m.path+".tool_call_id", "call_00_abc", id)
			}
		}
	})
}

// servesModel reports whether the model's name, without its vendor's, begins so.
func servesModel(r *fake.Request, start string) bool {
	name := strings.ToLower(r.Model)
	return strings.HasPrefix(name[strings.LastIndexByte(name, '/')+1:], start)
}
