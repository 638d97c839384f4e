package mistral

import (
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The order of roles.

func prefix(r *fake.Request, found fake.Found) {
	messages := messagesOf(r)
	for i, m := range messages {
		if m.role == "assistant" && read.Truth(m.object["prefix"]) && i < len(messages)-1 {
			found(m.path + ".prefix")
		}
	}
}

// order reports messages of the roles that follow one of the others.
func order(r *fake.Request, found fake.Found, roles, after []string, specimens ...string) {
	messages := messagesOf(r)
	for i := 1; i < len(messages); i++ {
		m, before := messages[i], messages[i-1]
		if slices.Contains(roles, m.role) && slices.Contains(after, before.role) {
			found(m.path, "role '"+specimens[0]+"' after", "role '"+m.role+"' after",
				"after role '"+specimens[1]+"'", "after role '"+before.role+"'")
		}
	}
}

func orderSystem(r *fake.Request, found fake.Found) {
	order(r, found, []string{"system"}, []string{"assistant", "tool"}, "system", "assistant")
}

func toolAfterUser(r *fake.Request, found fake.Found) {
	order(r, found, []string{"tool"}, []string{"user", "system"}, "tool", "user")
}

// lastRole lets a system message come last, as the validator does.
func lastRole(r *fake.Request, found fake.Found) {
	messages := messagesOf(r)
	if n := len(messages); n > 0 && messages[n-1].role == "assistant" &&
		!read.Truth(messages[n-1].object["prefix"]) {
		found(messages[n-1].path)
	}
}
