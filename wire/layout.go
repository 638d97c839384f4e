package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file puts tool results into the messages where the format has them. A history of the
// caller's own may hold them in tool messages, each with any number of results, or in user
// messages.
//
//	tool: results a and b    for Anthropic  one user message with both
//	                         for Chat       a tool message for each

// layout returns messages with their tool results where the format has them, and with the names of
// their tools where the format needs those. It is messages itself if they are there already.
// Messages that were decoded from the format are left alone.
func (r *Request) layout(messages []preflight.Message) []preflight.Message {
	messages = r.withoutEmpty(messages)
	if r.Profile.Pairing.ByName {
		messages = withNames(messages)
	}
	if r.Profile.Items.OnePartPerMessage || !r.anyMisplaced(messages) {
		return messages // the encoder of items writes results of any message
	}
	out := make([]preflight.Message, 0, len(messages))
	tools := false // the last message of out was made of a tool message
	for i := range messages {
		m := messages[i]
		switch {
		case r.Profile.Pairing.ResultRole == preflight.RoleUser:
			fromTool := r.misplaced(&m)
			if fromTool {
				m.Role = preflight.RoleUser
			}
			if n := len(out); n > 0 && r.joins(&out[n-1], &m, tools, fromTool) {
				if !tools {
					out[n-1].Parts = slices.Clone(out[n-1].Parts)
				}
				out[n-1] = joinedMessages(out[n-1], m)
				tools = true
				continue
			}
			if fromTool {
				m.Parts = slices.Clone(m.Parts)
			}
			out, tools = append(out, m), fromTool
		case r.misplaced(&m):
			out = append(out, apart(m)...)
		default:
			out = append(out, m)
		}
	}
	return out
}

// withoutEmpty returns messages without those of the caller's own that have no parts: they say
// nothing, but could part calls from their results. If that is all messages, they stay.
func (r *Request) withoutEmpty(messages []preflight.Message) []preflight.Message {
	empty := 0
	for i := range messages {
		if isEmptyMessage(&messages[i]) {
			empty++
		}
	}
	if empty == 0 || empty == len(messages) {
		return messages
	}
	out := make([]preflight.Message, 0, len(messages)-empty)
	for i := range messages {
		if !isEmptyMessage(&messages[i]) {
			out = append(out, messages[i])
		}
	}
	return out
}

func isEmptyMessage(m *preflight.Message) bool {
	return len(m.Parts) == 0 && len(m.Native.JSON) == 0
}

func (r *Request) anyMisplaced(messages []preflight.Message) bool {
	for i := range messages {
		if r.misplaced(&messages[i]) {
			return true
		}
	}
	return false
}

// misplaced reports whether the results of a message have to be in other messages.
func (r *Request) misplaced(m *preflight.Message) bool {
	if len(m.Native.JSON) > 0 &&
		(m.Native.Format == r.format.name || m.Native.Format == foreignFormat) {
		return false
	}
	switch r.Profile.Pairing.ResultRole {
	case preflight.RoleUser:
		return m.Role == preflight.RoleTool || m.Role == roleFunction
	case preflight.RoleTool:
		return (m.Role == preflight.RoleUser || m.Role == roleFunction) &&
			slices.ContainsFunc(m.Parts, isResult) ||
			m.Role == preflight.RoleTool && len(m.Parts) > 1
	}
	return false
}

func isResult(p preflight.Part) bool {
	r, ok := p.(*preflight.ToolResult)
	return ok && r != nil && !r.ProviderExecuted
}

// joins reports whether b, the message after a, becomes one user message with it. tools tells that
// a was made of a tool message, fromTool the same of b.
func (r *Request) joins(a, b *preflight.Message, tools, fromTool bool) bool {
	if a.Role != preflight.RoleUser || b.Role != preflight.RoleUser || !tools && !fromTool {
		return false
	}
	if n := len(a.Parts); n > 0 && isResult(a.Parts[n-1]) &&
		slices.ContainsFunc(b.Parts, isResult) {
		return true
	}
	turns := &r.Profile.Turns
	return turns.Neighbours == provider.NeighboursMerged && !turns.NoTextAfterResults
}

// joinedMessages returns a with the parts of b appended. It keeps the JSON of the one that has any.
func joinedMessages(a, b preflight.Message) preflight.Message {
	a.Parts = append(a.Parts, b.Parts...)
	if len(a.Native.JSON) == 0 {
		a.Native = b.Native
	}
	if a.Name == "" {
		a.Name = b.Name
	}
	return a
}

// apart returns a message as a tool message for each of its results, and a user message for each
// run of its other parts.
func apart(m preflight.Message) []preflight.Message {
	var out []preflight.Message
	content := false // the last message takes further content
	for _, p := range m.Parts {
		piece := m
		piece.Role, piece.Parts = preflight.RoleUser, []preflight.Part{p}
		switch {
		case isResult(p):
			piece = preflight.Message{Role: preflight.RoleTool, Parts: piece.Parts}
		case content:
			last := &out[len(out)-1]
			last.Parts = append(last.Parts, p)
			continue
		}
		content = !isResult(p)
		out = append(out, piece)
	}
	return out
}

// withParts returns messages with each part that is not nil replaced by what f returns for it:
// messages itself if f returns every part as it is.
func withParts(
	messages []preflight.Message, f func(preflight.Part) preflight.Part,
) []preflight.Message {
	out := messages
	for i := range messages {
		for j, p := range messages[i].Parts {
			if isNil(p) {
				continue // it may be one that cannot be compared
			}
			replaced := f(p)
			if replaced == p {
				continue
			}
			if &out[0] == &messages[0] {
				out = slices.Clone(messages)
			}
			if &out[i].Parts[0] == &messages[i].Parts[0] {
				out[i].Parts = slices.Clone(messages[i].Parts)
			}
			out[i].Parts[j] = replaced
		}
	}
	return out
}

// withNames returns messages in which results without a name have that of the last call before
// them with their id.
func withNames(messages []preflight.Message) []preflight.Message {
	nameless := func(p preflight.Part) bool {
		r, ok := p.(*preflight.ToolResult)
		return ok && r.Name == "" && r.CallID != "" && len(r.Native.JSON) == 0
	}
	if !slices.ContainsFunc(messages, func(m preflight.Message) bool {
		return slices.ContainsFunc(m.Parts, nameless)
	}) {
		return messages
	}
	names := make(map[string]string)
	messages = withOwnParts(messages)
	for i := range messages {
		for j, p := range messages[i].Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				names[p.ID] = p.Name
			case *preflight.ToolResult:
				if name := names[p.CallID]; name != "" && nameless(p) {
					named := *p
					named.Name = name
					messages[i].Parts[j] = &named
				}
			}
		}
	}
	return messages
}
