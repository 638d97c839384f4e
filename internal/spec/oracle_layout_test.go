package spec

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file is a second reading of what an encoder does with tool results, for oracle_test.go.

// encoded is a history with its tool results in the messages where the provider has them.
func encoded(h []preflight.Message, p *preflight.Profile) []preflight.Message {
	if p.Pairing.ByName {
		h = withNames(h)
	}
	switch p.Pairing.ResultRole {
	case preflight.RoleUser:
		return inUserMessages(h, p)
	case preflight.RoleTool:
		return inToolMessages(h)
	}
	return h
}

// inUserMessages gives tool messages the role user, and joins them with their neighbours where
// those hold results, or may not be neighbours.
func inUserMessages(h []preflight.Message, p *preflight.Profile) []preflight.Message {
	var out []preflight.Message
	tool := false
	for _, m := range h {
		fromTool := m.Role == preflight.RoleTool
		if fromTool {
			m.Role = preflight.RoleUser
		}
		k := len(out) - 1
		neighbours := k >= 0 && (tool || fromTool) && m.Role == preflight.RoleUser &&
			out[k].Role == preflight.RoleUser
		merged := p.Turns.Neighbours == provider.NeighboursMerged && !p.Turns.NoTextAfterResults
		if neighbours && (merged || countResults(out[k]) > 0 && countResults(m) > 0) {
			out[k].Parts = append(append([]preflight.Part(nil), out[k].Parts...), m.Parts...)
			tool = true
			continue
		}
		out, tool = append(out, m), fromTool
	}
	return out
}

// inToolMessages gives each result a tool message of its own.
func inToolMessages(h []preflight.Message) []preflight.Message {
	var out []preflight.Message
	for _, m := range h {
		role := spelledRole(m.Role)
		if n := countResults(m); n == 0 || n == 1 && len(m.Parts) == 1 && role == preflight.RoleTool ||
			role != preflight.RoleUser && role != preflight.RoleTool {
			out = append(out, m)
			continue
		}
		for _, part := range m.Parts {
			piece := m
			piece.Parts = []preflight.Part{part}
			if asResult(part, false) != nil {
				piece.Role = preflight.RoleTool
			}
			out = append(out, piece)
		}
	}
	return out
}

func countResults(m preflight.Message) (n int) {
	for _, part := range m.Parts {
		if asResult(part, false) != nil {
			n++
		}
	}
	return n
}

// withNames gives results without a name that of the last call before them with their id.
func withNames(h []preflight.Message) []preflight.Message {
	names := map[string]string{}
	var out []preflight.Message
	for _, m := range h {
		parts := []preflight.Part{}
		for _, part := range m.Parts {
			if c, ok := part.(*preflight.ToolCall); ok && c != nil {
				names[c.ID] = c.Name
			}
			if r := asResult(part, false); r != nil && r.Name == "" && r.CallID != "" {
				x := *r
				x.Name = names[r.CallID]
				part = &x
			}
			parts = append(parts, part)
		}
		m.Parts = parts
		out = append(out, m)
	}
	return out
}
