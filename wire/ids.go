package wire

import (
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file makes ids for formats whose calls and results may have none, Ollama's and its like:
// the matcher finds the call of such a result by the tool's name and by position, and both get
// an id that is never written into a body.

// madeIDPrefix starts such ids.
const madeIDPrefix = "noid:"

// isMadeID reports whether an id was made for a call without one.
func isMadeID(id string) bool { return strings.HasPrefix(id, madeIDPrefix) }

// byName is how calls and results are matched in these formats.
var byName = preflight.Profile{
	IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
	Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
	Pairing: provider.PairingRules{ByName: true},
}

// makeIDs gives calls without an id one that is made of their number and tool, and gives results
// without an id the ids of their calls.
func (r *Request) makeIDs() {
	var pairs []preflight.Pair
	if r.resultsWithoutID {
		r.resultsWithoutID = false
		pairs = preflight.Pairs(r.Messages, &byName)
	}
	n := 0
	for i := range r.Messages {
		for _, p := range r.Messages[i].Parts {
			if c, ok := p.(*preflight.ToolCall); ok && c.ID == "" {
				n++
				c.ID = madeIDPrefix + strconv.Itoa(n) + ":" + r.Profile.RepairToolName(c.Name)
			}
		}
	}
	for _, pair := range pairs {
		if result, ok := pair.Part.(*preflight.ToolResult); ok && result.CallID == "" {
			if call, ok := pair.Counterpart.(*preflight.ToolCall); ok && r.sameTool(call, result) {
				result.CallID = call.ID
			}
			result.Meta = preflight.Metadata{r.format.name: quoted(result.CallID)}
		}
	}
}

// sameTool reports whether a result can be of the same tool as a call. A result of another tool
// that matches only by position is left to the fixer, which warns.
func (r *Request) sameTool(c *preflight.ToolCall, result *preflight.ToolResult) bool {
	p := &r.Profile
	return result.Name == "" || result.Name == c.Name ||
		p.RepairToolName(result.Name) == p.RepairToolName(c.Name)
}

// foundByName reports whether the reader found the call of a result without its id.
func foundByName(r *preflight.ToolResult) bool {
	return string(r.Meta[ollamaName]) == string(quoted(r.CallID))
}

// nameResults names the tool of results without an id that a reader would not match to their calls:
// their neighbours may have changed since they were decoded.
func nameResults(r *Request, messages []preflight.Message) []preflight.Message {
	const rounds = 3 // a name can change how a reader matches the other results
	wanted := preflight.Pairs(messages, &r.Profile)
	for range rounds {
		read := preflight.Pairs(asWritten(messages), &byName)
		changed := false
		for k, pair := range wanted {
			call, ok := pair.Counterpart.(*preflight.ToolCall)
			if !ok {
				continue
			}
			at := &messages[pair.At.Message()].Parts[pair.At.Part()]
			result, ok := (*at).(*preflight.ToolResult)
			if !ok || result.CallID == "" || !writtenWithoutID(result) ||
				result.Name == call.Name && result.Meta == nil {
				continue
			}
			if read[k].CounterpartAt == pair.CounterpartAt && r.sameTool(call, result) {
				continue
			}
			if !changed {
				messages, changed = withOwnParts(messages), true
				at = &messages[pair.At.Message()].Parts[pair.At.Part()]
			}
			x := *result
			x.Name, x.Meta = call.Name, nil
			*at = &x
		}
		if !changed {
			break
		}
	}
	return messages
}

// writtenWithoutID reports whether a result is written without the id of its call.
func writtenWithoutID(r *preflight.ToolResult) bool { return isMadeID(r.CallID) || foundByName(r) }

// asWritten returns messages with the ids that are written.
func asWritten(messages []preflight.Message) []preflight.Message {
	out := withOwnParts(messages)
	for i := range out {
		for j, p := range out[i].Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				if isMadeID(p.ID) {
					x := *p
					x.ID = ""
					out[i].Parts[j] = &x
				}
			case *preflight.ToolResult:
				if writtenWithoutID(p) && p.CallID != "" {
					x := *p
					x.CallID = ""
					out[i].Parts[j] = &x
				}
			}
		}
	}
	return out
}

// withOwnParts returns a copy of messages whose lists of parts can be written to.
func withOwnParts(messages []preflight.Message) []preflight.Message {
	out := make([]preflight.Message, len(messages))
	for i := range messages {
		out[i] = messages[i]
		out[i].Parts = append([]preflight.Part(nil), messages[i].Parts...)
	}
	return out
}
