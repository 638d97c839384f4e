package mistral

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Ids and names of tools.

var (
	nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	nine     = regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)

	anyID = regexp.MustCompile(`\S`)
)

func functionName(r *fake.Request, found fake.Found) {
	look := func(path string, name any) {
		if s, ok := name.(string); ok && !nameForm.MatchString(s) {
			found(path, "name was a.b but", "name was "+s+" but")
		}
	}
	for i, t := range read.Array(r.Root["tools"]) {
		look(
			fmt.Sprintf("tools[%d].function.name", i),
			read.Object(read.Object(t)["function"])["name"],
		)
	}
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			look(c.path+".function.name", c.function["name"])
		}
		if m.role == "tool" {
			look(m.path+".name", m.object["name"])
		}
	}
}

// id lets Mistral Small have ids of any form, as the hosted API was seen
// to do.
func id(r *fake.Request, found fake.Found) {
	form := nine
	if strings.HasPrefix(r.Model, "mistral-small") {
		form = anyID
	}
	look := func(path string, id any) {
		if s, ok := id.(string); !ok && id == nil {
			found.Says(path, "Tool call id has to be defined in serving mode.")
		} else if ok && !form.MatchString(s) {
			found(path, "call_abc123", s)
		}
	}
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			look(c.path+".id", c.object["id"])
		}
		if m.role == "tool" {
			look(m.path+".tool_call_id", m.object["tool_call_id"])
		}
	}
}
