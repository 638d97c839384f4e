package openaichat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Roles.

func system(r *fake.Request, found fake.Found) {
	if !strings.HasPrefix(r.Model, "o1-mini") && !strings.HasPrefix(r.Model, "o1-preview") {
		return
	}
	for _, m := range messagesOf(r) {
		if m.role == "system" || m.role == "developer" {
			found(m.path+".role", "messages[0]", m.path, "'system'", "'"+m.role+"'")
		}
	}
}

func roleMissing(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.object != nil && !read.Has(m.object, "role") {
			found(m.path+".role", "messages[0]", m.path)
		}
	}
}

var roles = []string{"system", "developer", "user", "assistant", "tool", "function"}

func roleUnknown(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if read.Has(m.object, "role") && !slices.Contains(roles, m.role) {
			found(m.path+".role", "'bogus'", fmt.Sprintf("'%v'", m.object["role"]))
		}
	}
}
