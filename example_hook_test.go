package preflight_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
)

// A hook redacts a secret. It may change the message it is given: it has a copy.
func ExampleHook() {
	redact := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			for _, p := range m.Parts {
				if t, ok := p.(*preflight.Text); ok {
					t.Text = strings.ReplaceAll(t.Text, "hunter2", "[redacted]")
				}
			}
			return m, nil
		},
	}
	profile := preflight.OpenAIChat()

	res, err := preflight.Sanitize(context.Background(), []preflight.Message{user("The password is hunter2.")}, &profile,
		&preflight.Options{Hooks: []preflight.Hook{redact}})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	fmt.Println(res.Warnings[0].At, res.Warnings[0].Detail)
	// Output:
	// user: The password is [redacted].
	// messages[0] hook "redact" changed the message
}
