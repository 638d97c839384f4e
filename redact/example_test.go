package redact_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
)

// A hook that hides a secret wherever a person, a model or a tool may have written it: here in the
// arguments of a call.
func ExampleMessage() {
	hide := func(text string) string { return strings.ReplaceAll(text, "hunter2", "[secret]") }
	hook := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, hide), nil
		},
	}
	login := &preflight.ToolCall{ID: "1", Name: "login", Input: []byte(`{"password":"hunter2"}`)}
	history := []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Log in."}}},
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{login}},
		{Role: preflight.RoleTool, Parts: []preflight.Part{&preflight.ToolResult{
			CallID: "1", Content: []preflight.Part{&preflight.Text{Text: "done"}},
		}}},
	}

	result, err := preflight.Sanitize(context.Background(), history, nil,
		&preflight.Options{Hooks: []preflight.Hook{hook}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(result.Messages[1].Parts[0].(*preflight.ToolCall).Input))
	// Output:
	// {"password":"[secret]"}
}

// The same before a history is stored. The JSON that a part was decoded from is redacted with it.
func ExampleMessage_stored() {
	secret := regexp.MustCompile(`sk-[a-z0-9]+`)
	options := stored.PersistOptions()
	options.Options.Hooks = []preflight.Hook{{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, func(text string) string {
				return secret.ReplaceAllString(text, "[secret]")
			}), nil
		},
	}}
	history := []preflight.Message{preflight.UserText("Use sk-abc123.")}

	result, err := stored.Persist(context.Background(), history, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Messages[0].Parts[0].(*preflight.Text).Text)
	fmt.Println(result.Warnings[0].Code, result.Warnings[0].At)
	// Output:
	// Use [secret].
	// hook messages[0]
}
