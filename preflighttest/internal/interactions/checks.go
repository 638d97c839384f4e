package interactions

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// What the API refuses, in order. Little of it is on record in its words, so that the texts are
// those of the API for any fault.

const invalid = "Request contains an invalid argument."

var checks = []fake.Check{
	{Find: schema},
	{Find: unknownInteraction},
	{Rule: "gemini-interactions/roles", Text: invalid, Find: roles},
	{Rule: "gemini-interactions/required-members", Text: invalid, Find: members},
	{Rule: "gemini-interactions/result-media", Find: resultMedia},
	{Rule: "gemini-interactions/result-orphan", Text: invalid, Find: orphan},
	{Rule: "gemini-interactions/result-missing", Text: invalid, Find: missing},
}

func schema(r *fake.Request, found fake.Found) {
	switch read.Kind(r.Root["input"]) {
	case "string", "object", "array":
	case "null":
		if !opened(r).continues {
			found.Says("input", "input is required.")
		}
	default:
		found.Says("input", invalid)
	}
	for _, s := range opened(r).steps {
		if s.object == nil {
			found.Says(s.path, invalid)
		}
	}
}

// unknownInteraction wants an interaction that the server has answered and stored.
func unknownInteraction(r *fake.Request, found fake.Found) {
	if o := opened(r); o.continues && r.Recall != nil && o.before == nil {
		found.Says("previous_interaction_id", "The interaction was not found.")
	}
}

func roles(r *fake.Request, found fake.Found) {
	for _, s := range opened(r).steps {
		if s.kind == "turn" && s.role != "user" && s.role != "model" {
			found(s.path)
		}
	}
}

// members wants what a call and a result cannot be without.
func members(r *fake.Request, found fake.Found) {
	for _, s := range opened(r).steps {
		switch s.kind {
		case "function_call":
			arguments := read.Kind(s.object["arguments"])
			if read.BlankID(read.Text(s.object["id"])) || arguments != "object" && arguments != "null" {
				found(s.path)
			}
		case "function_result":
			if read.BlankID(read.Text(s.object["call_id"])) {
				found(s.path)
			}
		}
	}
}

// resultMedia: models up to 2.5 take no media in results.
func resultMedia(r *fake.Request, found fake.Found) {
	if !strings.HasPrefix(strings.TrimPrefix(r.Model, "models/"), "gemini-2") {
		return
	}
	media := []string{"image", "audio", "video", "document"}
	for _, s := range opened(r).steps {
		if s.kind == "function_result" && slices.ContainsFunc(read.Array(s.object["result"]),
			func(v any) bool { return slices.Contains(media, read.Text(read.Object(v)["type"])) }) {
			found(s.path)
		}
	}
}

// pair matches each result to the first call with its id before it that has none yet. It returns
// the partner of each step, or -1, and which results answer a call that the server holds.
func (o *request) pair() (partner []int, ofHeld map[int]bool) {
	partner, ofHeld = slices.Repeat([]int{-1}, len(o.steps)), map[int]bool{}
	open, taken := map[string][]int{}, map[string]bool{}
	for i, s := range o.steps {
		switch s.kind {
		case "function_call":
			id := read.Text(s.object["id"])
			open[id] = append(open[id], i)
		case "function_result":
			id := read.Text(s.object["call_id"])
			switch calls := open[id]; {
			case len(calls) > 0:
				partner[calls[0]], partner[i], open[id] = i, calls[0], calls[1:]
			case o.holds(id) && !taken[id]:
				taken[id], ofHeld[i] = true, true
			}
		}
	}
	return partner, ofHeld
}

// holds reports whether the server may hold an open call.
func (o *request) holds(id string) bool {
	if o.before == nil {
		return o.continues
	}
	_, called := o.before.calls[id]
	return called && !o.before.answered[id]
}

func orphan(r *fake.Request, found fake.Found) {
	o := opened(r)
	partner, held := o.pair()
	for i, s := range o.steps {
		if s.kind == "function_result" && partner[i] < 0 && !held[i] &&
			!o.unknown.To(i, read.Text(s.object["call_id"])) {
			found(s.path)
		}
	}
}

func missing(r *fake.Request, found fake.Found) {
	o := opened(r)
	partner, held := o.pair()
	for i, s := range o.steps {
		if s.kind == "function_call" && partner[i] < 0 &&
			!o.unknown.From(i, read.Text(s.object["id"])) {
			found(s.path)
		}
	}
	if o.before == nil {
		return
	}
	answered := map[string]bool{}
	for i := range held {
		answered[read.Text(o.steps[i].object["call_id"])] = true
	}
	for id := range o.before.calls {
		if !o.before.answered[id] && !answered[id] {
			found("previous_interaction_id")
			return
		}
	}
}

// remember returns what the server keeps of an answered request, and under which id. It keeps
// nothing where the request says so.
func remember(t *fake.Turn) (id string, kept any) {
	if t.Request.Root["store"] == false {
		return "", nil
	}
	o := opened(t.Request)
	now := &held{calls: map[string]string{}, answered: map[string]bool{}}
	if o.before != nil {
		for id, name := range o.before.calls {
			now.calls[id] = name
		}
		for id := range o.before.answered {
			now.answered[id] = true
		}
	}
	for _, s := range o.steps {
		switch s.kind {
		case "function_call":
			now.calls[read.Text(s.object["id"])] = read.Text(s.object["name"])
		case "function_result":
			now.answered[read.Text(s.object["call_id"])] = true
		}
	}
	for _, c := range called(t) {
		now.calls[c.ID] = c.Name
		delete(now.answered, c.ID)
	}
	return interactionID(t), now
}
