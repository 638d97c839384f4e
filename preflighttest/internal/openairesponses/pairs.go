package openairesponses

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Calls and their outputs, and approvals.

// answers are the types of items that answer calls.
var answers = map[string]string{
	"function_call":    "function_call_output",
	"custom_tool_call": "custom_tool_call_output",
	"computer_call":    "computer_call_output",
	"local_shell_call": "local_shell_call_output",
	"shell_call":       "shell_call_output",
	"apply_patch_call": "apply_patch_call_output",
	"tool_search_call": "tool_search_output",
}

// served reports whether the server answers a call itself.
func served(item item) bool {
	return strings.HasPrefix(item.kind, "tool_search_") &&
		read.Text(item.object["execution"]) != "client"
}

// pair matches each output to the first call with its id that precedes
// it and has no output yet. It returns the partner of each item, or -1.
func pair(items []item) (partner []int) {
	partner = slices.Repeat([]int{-1}, len(items))
	open := map[string][]int{}     // the calls without an output, by type of the output and id
	shells := map[string]string{}  // the ids of local shell calls by those of their items
	functions := map[string]bool{} // the ids of function calls
	for i, item := range items {
		id := item.called
		if !item.hasCall || served(item) {
			continue
		}
		if answer := answers[item.kind]; answer != "" {
			open[answer+" "+id] = append(open[answer+" "+id], i)
			functions[id] = functions[id] || item.kind == "function_call"
			if item.kind == "local_shell_call" && item.id != "" {
				shells[item.id] = id
			}
			continue
		}
		kind := item.kind
		for _, other := range []string{"tool_search_output", "local_shell_call_output"} {
			// which a function's may stand in for: Codex sends it for a local shell
			if item.kind == "function_call_output" && !functions[id] &&
				len(open[kind+" "+id]) == 0 {
				kind = other
			}
		}
		if of, ok := shells[id]; ok && kind == "local_shell_call_output" &&
			len(open[kind+" "+id]) == 0 && !read.Has(item.object, "call_id") {
			id = of
		}
		if calls := open[kind+" "+id]; len(calls) > 0 {
			partner[calls[0]], partner[i] = i, calls[0]
			open[kind+" "+id] = calls[1:]
		}
	}
	return partner
}

// unknown returns the ids of calls in items of a type that nobody knows, which may
// be calls or outputs, in references, which may be to them, and in the searches of
// the server, of which it is not known what they answer.
func (i item) unknown() (ids []string) {
	_, known := itemTypes[i.kind]
	client := answers[i.kind] != "" || strings.HasSuffix(i.kind, "_output")
	if known && !served(i) && (client || i.kind == "message" || i.kind == "reasoning") {
		return nil
	}
	return []string{i.id, read.Text(i.object["call_id"])}
}

// unknownIDs are these ids, with the items that have them.
func unknownIDs(items []item) *read.Mentions {
	var u read.Mentions
	for i, item := range items {
		for _, id := range item.unknown() {
			u.Add(id, i)
		}
	}
	return &u
}

// mayBeAnswered reports of each call without an output whether an item that nothing is known of may
// be its output, or that of a call with its id before it, whose output is its own then.
func mayBeAnswered(items []item, partner []int) []bool {
	may := make([]bool, len(items))
	open := map[string][]int{} // the calls so far without an output, by id
	spare := map[string]int{}  // how many of them items that nothing is known of may answer
	for i, item := range items {
		for _, id := range item.unknown() {
			spare[id] = min(spare[id]+1, len(open[id]))
		}
		switch id := item.called; {
		case answers[item.kind] != "":
			open[id] = append(open[id], i)
		case partner[i] >= 0:
			open[id] = slices.DeleteFunc(open[id], func(call int) bool { return call == partner[i] })
			spare[id] = min(spare[id], len(open[id]))
		}
	}
	for id, calls := range open {
		for _, call := range calls[:spare[id]] {
			may[call] = true
		}
	}
	return may
}

func outputOrphan(r *fake.Request, found fake.Found) {
	if continues(r) {
		return // the call may be stored
	}
	items := opened(r).items
	partner := pair(items)
	called, unknown := map[string]bool{}, unknownIDs(items)
	referred := false // so may a call be that is not here
	for i, item := range items {
		called[item.called] = called[item.called] || answers[item.kind] != ""
		referred = referred || !item.named() && opened(r).store
		if referred && !called[item.called] || unknown.To(i, item.called) {
			continue
		}
		if item.hasCall && partner[i] < 0 && !served(item) &&
			(strings.HasSuffix(item.kind, "_call_output") || item.kind == "tool_search_output") {
			found(item.path, "call_XXXX", item.called)
		}
	}
}

func outputMissing(r *fake.Request, found fake.Found) {
	items := opened(r).items
	partner := pair(items)
	excused := mayBeAnswered(items, partner)
	for i, item := range items {
		id := item.called
		if !item.hasCall || partner[i] >= 0 || excused[i] || answers[item.kind] == "" ||
			served(item) || read.Truth(item.object["async"]) {
			continue
		}
		switch item.kind {
		case "custom_tool_call":
			found.Says(item.path, "Custom tool call output is missing for call id: "+id+".")
		case "tool_search_call", "local_shell_call":
			found(item.path, "function call", strings.ReplaceAll(item.kind, "_", " "), "call_XXXX",
				id)
		default:
			found(item.path, "call_XXXX", id)
		}
	}
}

// approvalOrphan: microsoft/agent-framework#7452 and, for references to
// what the server has, vercel/ai#18605.
func approvalOrphan(r *fake.Request, found fake.Found) {
	chained := read.Has(r.Root, "previous_response_id") || read.Has(r.Root, "conversation")
	asked, answered := map[string]bool{}, map[string]bool{}
	for _, item := range opened(r).items {
		if item.kind == "mcp_approval_response" {
			answered[read.Text(item.object["approval_request_id"])] = true
		} else {
			asked[read.Text(item.object["id"])] = true
		}
	}
	for _, item := range opened(r).items {
		id := read.Text(item.object["approval_request_id"])
		if item.kind == "mcp_approval_response" && !chained && !asked[id] {
			found.Says(item.path, "No approval request found with id "+id+".")
		}
		reference := read.Text(item.object["id"])
		if item.kind == "item_reference" && chained && answered[reference] {
			found.Says(item.path, "Duplicate item found with id "+reference+".")
		}
	}
}
