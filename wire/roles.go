package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file has the roles of messages, in any of their spellings.

// roleOfParts guesses the role of a message without one.
func roleOfParts(parts []preflight.Part) preflight.Role {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.ToolCall, *preflight.Reasoning:
			return preflight.RoleAssistant
		case *preflight.ToolResult:
			if p.ProviderExecuted {
				return preflight.RoleAssistant
			}
			return preflight.RoleUser
		}
	}
	return preflight.RoleUser
}

// roleByMembers guesses the role of a message without one. result is a member that only tools'
// messages have.
func roleByMembers(v jsonscan.Value, result string) preflight.Role {
	switch {
	case v.Get(result).Kind() == jsonscan.String:
		return preflight.RoleTool
	case v.Get("tool_calls").Len() > 0:
		return preflight.RoleAssistant
	}
	return preflight.RoleUser
}

// isSystemRole reports whether a role is system in any of its spellings.
func isSystemRole(r preflight.Role) bool {
	s := strings.ToLower(strings.TrimSpace(string(r)))
	return s == "system" || s == "developer"
}

// isToolRole reports whether a role is a spelling of the tool's that the provider does not have.
func isToolRole(d *decoder, r preflight.Role) bool {
	neutral, _ := r.Neutral()
	return neutral == preflight.RoleTool && !slices.Contains(d.r.Profile.Roles, r)
}
