// Package interactions is the fake of Gemini's Interactions API. What it refuses is listed in
// checks.go, in order. It remembers the interactions that it has answered, so that a request can
// continue one.
package interactions

import (
	"fmt"
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name: "gemini-interactions",
	Route: func(path string) (string, bool, bool) {
		return "", false, path == "/v1beta/interactions" || path == "/v1/interactions"
	},
	NotFound:  "The requested URL %s was not found on this server.",
	Malformed: malformed,
	Open:      open,
	Checks:    checks,
	Failure:   failure,
	Reply:     reply,
	Events:    events,
	Remember:  remember,
	Midway: func(v fake.Violation) fake.Event {
		return event("error", map[string]any{"error": map[string]any{
			"code": code(v.Status), "message": v.Message,
		}})
	},
}

// step is one element of the input, or of the content of a turn in it.
type step struct {
	object map[string]any
	kind   string
	role   string // of the turn that it is in, "" for none
	path   string
}

// request is a request, laid open for the checks.
type request struct {
	steps []step
	// what is known of the interaction that the request continues; nil if it continues none, or
	// one that nothing is known of
	before *held
	// the request continues an interaction
	continues bool
	// the ids in steps of types that nobody knows, which may be calls or results
	unknown read.Mentions
}

// held is what the server keeps of an interaction: the names of its calls by id, and which of them
// have their results.
type held struct {
	calls    map[string]string
	answered map[string]bool
}

func open(r *fake.Request) {
	r.ReadModel()
	o := &request{}
	if id := read.Text(r.Root["previous_interaction_id"]); id != "" {
		o.continues = true
		if r.Recall != nil {
			o.before, _ = r.Recall(id).(*held)
		}
	}
	for i, v := range read.Array(r.Root["input"]) {
		path := fmt.Sprintf("input[%d]", i)
		s := step{object: read.Object(v), path: path}
		s.kind, s.role = read.Text(s.object["type"]), read.Text(s.object["role"])
		if s.kind != "" || s.role == "" {
			o.add(s)
			continue
		}
		s.kind = "turn"
		o.add(s)
		for k, c := range read.Array(s.object["content"]) {
			inner := step{object: read.Object(c), role: s.role}
			inner.kind = read.Text(inner.object["type"])
			inner.path = fmt.Sprintf("%s.content[%d]", path, k)
			o.add(inner)
		}
	}
	r.Parsed = o
}

func (o *request) add(s step) {
	if !slices.Contains(kinds, s.kind) {
		o.unknown.AddIDs(s.object, len(o.steps))
	}
	o.steps = append(o.steps, s)
}

// kinds are the types of steps and contents that are known to be neither calls nor results of
// others.
var kinds = []string{
	"user_input", "model_output", "thought", "function_call", "function_result", "turn", "text",
	"image", "audio", "video", "document", "code_execution_call", "code_execution_result",
	"file_search_call", "file_search_result", "google_maps_call", "google_maps_result",
	"google_search_call", "google_search_result", "mcp_server_tool_call",
	"mcp_server_tool_result", "processing_call", "processing_result", "retrieval_call",
	"retrieval_result", "url_context_call", "url_context_result",
}

func opened(r *fake.Request) *request { return r.Parsed.(*request) }

func malformed(err *read.SyntaxError) fake.Violation {
	return fake.Violation{
		Message: fmt.Sprintf("Invalid JSON payload received. %s at line %d, column %d", err.Reason,
			err.Line, err.Col),
		Status: 400,
	}
}
