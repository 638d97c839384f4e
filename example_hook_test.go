package preflight_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
)

// A hook redacts a secret in every text of a message: redact.Message also reaches tool results,
// arguments and reasoning. A hook may change the message it is given, too: it has a copy.
func ExampleHook() {
	hook := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, func(text string) string {
				return strings.ReplaceAll(text, "hunter2", "[redacted]")
			}), nil
		},
	}
	profile := provider.OpenAIChat("")

	res, err := preflight.Sanitize(
		context.Background(),
		[]preflight.Message{user("The password is hunter2.")},
		profile,
		&preflight.Options{Hooks: []preflight.Hook{hook}},
	)
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

// A hook that redacts secrets wherever a model, a tool or a person may have put them, before the
// history is stored. The JSON a part was decoded from is redacted with it.
func ExampleHook_redact() {
	secret := regexp.MustCompile(`sk-[a-z0-9]+`)
	hook := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, func(text string) string {
				return secret.ReplaceAllString(text, "[secret]")
			}), nil
		},
	}
	options := stored.PersistOptions()
	options.Policies.Hooks = []preflight.Hook{hook}

	res, err := stored.Persist(
		context.Background(),
		[]preflight.Message{user("Use sk-abc123.")},
		&options,
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	fmt.Println(res.Warnings[0].Code, res.Warnings[0].At)
	// Output:
	// user: Use [secret].
	// hook messages[0]
}

// A hook that drops what only this application puts into its histories: here, the listing of a
// directory that every turn repeats. The last one stays, so the hook needs the whole history.
func ExampleHook_dropBloat() {
	const head = "<listing>"
	keepLast := preflight.Hook{
		Name: "keep-last-listing",
		History: func(_ context.Context, history []preflight.Message) ([]preflight.Message, error) {
			seen := false
			for i := len(history) - 1; i >= 0; i-- {
				for _, p := range history[i].Parts {
					t, ok := p.(*preflight.Text)
					if !ok || !strings.HasPrefix(t.Text, head) {
						continue
					}
					if seen {
						t.Text = "(an earlier listing)"
					}
					seen = true
				}
			}
			return history, nil
		},
	}
	profile := provider.OpenAIChat("")
	res, err := preflight.Sanitize(
		context.Background(),
		[]preflight.Message{user(head + " a b"), user("go on"), user(head + " a b c")},
		profile,
		&preflight.Options{Hooks: []preflight.Hook{keepLast}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	// Output:
	// user: (an earlier listing)
	// user: go on
	// user: <listing> a b c
}

// A hook that tags messages, and one that removes those with a tag: the zero Message removes the
// message.
func ExampleHook_tag() {
	const key = "app"
	tag := preflight.Hook{
		Name: "tag",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			if m.Role == preflight.RoleUser && m.Meta[key] == nil {
				m.Meta = preflight.Metadata{key: json.RawMessage(`{"draft":true}`)}
			}
			return m, nil
		},
	}
	dropDrafts := preflight.Hook{
		Name: "drop-drafts",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			if string(m.Meta[key]) == `{"draft":true}` {
				return preflight.Message{}, nil
			}
			return m, nil
		},
	}
	history := []preflight.Message{
		user("a draft"),
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.Text{Text: "a reply"}}},
	}
	for _, hooks := range [][]preflight.Hook{{tag}, {tag, dropDrafts}} {
		res, err := stored.Persist(
			context.Background(),
			history,
			&stored.Options{Policies: preflight.Options{Hooks: hooks}},
		)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(res.Messages), string(res.Messages[0].Meta[key]), len(res.Warnings))
	}
	// Output:
	// 2 {"draft":true} 1
	// 1  2
}
