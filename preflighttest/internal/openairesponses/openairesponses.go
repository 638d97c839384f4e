// Package openairesponses is the fake of OpenAI Responses, and those of hosts that speak
// its format (hosts.go). What it refuses is listed in checks.go, in order.
package openairesponses

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name:      "openai-responses",
	Route:     func(path string) (string, bool, bool) { return "", false, path == "/v1/responses" },
	NotFound:  "Invalid URL (POST %s)",
	Malformed: openai.Malformed,
	Open:      open,
	Checks:    checks,
	Param:     func(path string) string { return path },
	Failure:   openai.Failure,
	Reply:     reply,
	Events:    events,
	Midway: func(v fake.Violation) fake.Event {
		return fake.Event{
			Name: "error",
			Data: string(fake.Marshal(map[string]any{
				"type": "error", "code": "server_error", "message": v.Message, "param": nil,
				"sequence_number": 0,
			})),
		}
	},
}

// item is one item of the input.
type item struct {
	object map[string]any
	kind   string // the type, "message" for an item that has a role alone
	role   string
	id     string
	path   string

	// called is the id of the call that an item makes or answers; hasCall says
	// that it is a string.
	called  string
	hasCall bool
}

// request is a Responses request, laid open for the checks.
type request struct {
	items []item
	store bool
	own   bool // OpenAI's own rules hold, which other hosts do not enforce
	azure bool // the host is Azure

	// before has for each item that the model produced the reasoning in front
	// of the run of such items, and after for each reasoning the item after
	// the run of reasoning, or nil.
	before, after []*item
}

func open(r *fake.Request) {
	r.ReadModel()
	o := &request{store: r.Root["store"] != false, own: ownModel(r.Model)}
	for i, v := range read.Array(r.Root["input"]) {
		item := item{object: read.Object(v), path: fmt.Sprintf("input[%d]", i)}
		item.kind = read.Text(item.object["type"])
		item.role = read.Text(item.object["role"])
		item.id = read.Text(item.object["id"])
		if !read.Has(item.object, "type") && read.Has(item.object, "role") {
			item.kind = "message"
		} else if !read.Has(item.object, "type") && read.Kind(item.object["id"]) == "string" &&
			!slices.ContainsFunc(ofOthers,
				func(name string) bool { _, there := item.object[name]; return there }) {
			item.kind = "item_reference" // whose type is optional
		}
		item.called, item.hasCall = item.object["call_id"].(string)
		if item.kind == "local_shell_call_output" && !read.Has(item.object, "call_id") {
			// OpenAI's types have the id here (openai-go v3.95.0), its guide and the
			// server call_id (https://github.com/openai/openai-agents-python/pull/1855)
			item.called, item.hasCall = item.object["id"].(string)
			item.id = ""
		}
		o.items = append(o.items, item)
	}
	o.before, o.after = runs(o.items)
	r.Parsed = o
}

// ofOthers are members by which an item without a type is no reference.
var ofOthers = []string{"call_id", "content", "arguments", "encrypted_content", "summary"}

func opened(r *fake.Request) *request { return r.Parsed.(*request) }

// runs finds what belongs together by position.
func runs(items []item) (before, after []*item) {
	before, after = make([]*item, len(items)), make([]*item, len(items))
	var reasoning, produced *item
	for i := range items {
		switch item := &items[i]; {
		case item.reasons():
			reasoning = item
		case item.produced():
			before[i] = reasoning
		default:
			reasoning = nil
		}
	}
	for i := len(items) - 1; i >= 0; i-- {
		switch item := &items[i]; {
		case item.kind == "reasoning":
			after[i] = produced
		case item.produced(), item.reasons(): // what a reference is to, may have been led to
			produced = item
		default:
			produced = nil
		}
	}
	return before, after
}

// reasons reports whether the item is reasoning, or a reference to it.
func (i item) reasons() bool {
	return i.kind == "reasoning" || i.kind == "item_reference" && strings.HasPrefix(i.id, "rs")
}

// produced reports whether the item may be one that the model produces after
// its reasoning: an answer or a call, what replaces one, or an item of another
// kind, of which nobody knows whether reasoning led to it. What certainly does
// not come from the model are messages of others and outputs.
func (i item) produced() bool {
	if i.kind == "message" {
		return i.role == "assistant"
	}
	return !i.reasons() && (served(i) || !strings.HasSuffix(i.kind, "_output"))
}

// continues reports whether the history, or its beginning, is stored.
func continues(r *fake.Request) bool {
	return r.Root["previous_response_id"] != nil || r.Root["conversation"] != nil
}
