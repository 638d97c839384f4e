package provider

import (
	"strings"

	"github.com/go-preflight/preflight/internal/work"
)

// Role names the author of a message. The neutral roles are system, user, assistant and tool; a
// decoder may leave a provider's own spelling (developer, function, model, human…) in place. A role
// that a profile does not list is mapped to the neutral one it means.
type Role string

// Neutral returns the neutral role for the spelling of a role; known is false for an unknown
// spelling, which means the user.
func (r Role) Neutral() (neutral Role, known bool) {
	work.Done()
	switch r {
	case "system", "user", "assistant", "tool":
		return r, true
	}
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "system", "developer":
		return "system", true
	case "user", "human":
		return "user", true
	case "assistant", "ai", "model", "bot":
		return "assistant", true
	case "tool", "function":
		return "tool", true
	}
	return "user", false
}
