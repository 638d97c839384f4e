package preflight_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
)

// show prints a history, one message per line.
func show(history []preflight.Message) {
	for _, m := range history {
		var parts []string
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				parts = append(parts, p.Text)
			case *preflight.ToolCall:
				parts = append(parts, "call "+p.ID)
			case *preflight.ToolResult:
				text, _ := p.Content[0].(*preflight.Text)
				parts = append(parts, "result "+p.CallID+": "+text.Text)
			}
		}
		fmt.Printf("%s: %s\n", m.Role, strings.Join(parts, " | "))
	}
}

func user(text string) preflight.Message {
	return preflight.Message{
		Role:  preflight.RoleUser,
		Parts: []preflight.Part{&preflight.Text{Text: text}},
	}
}

func call(id string) preflight.Message {
	return preflight.Message{Role: preflight.RoleAssistant, Parts: []preflight.Part{
		&preflight.ToolCall{ID: id, Name: "run", Input: json.RawMessage(`{"command":"make"}`)},
	}}
}

func result(id, text string) preflight.Message {
	return preflight.Message{Role: preflight.RoleUser, Parts: []preflight.Part{
		&preflight.ToolResult{CallID: id, Content: []preflight.Part{&preflight.Text{Text: text}}},
	}}
}

// The history of the package comment.
func Example() {
	history := []preflight.Message{
		preflight.UserText("Why does the build fail?"),
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{
			ID: "toolu_1", Name: "run", Input: json.RawMessage(`{"command":"make"}`)}}},
		preflight.UserText("Stop."),
	}
	profile := provider.Anthropic("claude-sonnet-4-5")
	result, err := preflight.Sanitize(context.Background(), history, profile, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(result.Messages)
	for _, w := range result.Warnings {
		fmt.Println(w.At, w.Code)
	}
	// Output:
	// user: Why does the build fail? | Stop.
	// messages[1].parts[0] dangling-removed
	// messages[2] messages-merged
}

// A user stopped a tool, and its result arrived after the conversation had moved on.
func ExampleSanitize() {
	history := []preflight.Message{
		user("Why does the build fail?"),
		call("toolu_1"),
		user("Are you there?"),
		result("toolu_1", "undefined: main"),
	}
	profile := provider.Anthropic("claude-sonnet-4-5")

	res, err := preflight.Sanitize(context.Background(), history, profile, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	for _, w := range res.Warnings {
		fmt.Printf("%s: %s\n", w.At, w.Detail)
	}
	// Output:
	// user: Why does the build fail?
	// assistant: call toolu_1
	// user: result toolu_1: undefined: main | Are you there?
	// messages[3].parts[0]: moved a result to the call it answers
}

// A tool with side effects: the model should know that it ran, not run it again.
func ExampleSanitize_answer() {
	history := []preflight.Message{
		user("Send the mail."),
		call("toolu_1"),
		user("Stop!"),
	}
	profile := provider.Anthropic("")

	res, err := preflight.Sanitize(context.Background(), history, profile, &preflight.Options{
		Dangling:     preflight.DanglingAnswer,
		DanglingText: "The user interrupted this call; it may have taken effect.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	// Output:
	// user: Send the mail.
	// assistant: call toolu_1
	// user: result toolu_1: The user interrupted this call; it may have taken effect. | Stop!
}

// A session that moves from one provider to another, or into a store: what comes out suits all of
// them.
func ExamplePortable() {
	history := []preflight.Message{
		{
			Role:  preflight.RoleAssistant,
			Parts: []preflight.Part{&preflight.Text{Text: "How can I help?"}},
		},
		user("Why does the build fail?"),
		user("It worked yesterday."),
		call("functions.run:0"),
		result("functions.run:0", "undefined: main"),
	}
	// nil means Portable
	res, err := preflight.Sanitize(context.Background(), history, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	// Output:
	// user: (conversation resumed)
	// assistant: How can I help?
	// user: Why does the build fail? | It worked yesterday.
	// assistant: call functions_run_0_acef037b
	// user: result functions_run_0_acef037b: undefined: main
}

// Check only reads.
func ExampleCheck() {
	history := []preflight.Message{user("Why does the build fail?"), call("call_1"), user("Stop.")}
	profile := provider.OpenAIChat("")

	for _, v := range preflight.Check(history, profile, nil) {
		fmt.Printf("%s: %s (%s)\n", v.At, v.Detail, v.Rule)
	}
	// Output:
	// messages[1].parts[0]: the tool call has no result right after it (openai-chat/tool-result-missing)
}

// A pipeline of the caller's own: the default fixers, and one more.
func ExampleNewPipeline() {
	short := preflight.Fixer{
		Name: "keep-short",
		Fix: func(
			history []preflight.Message, _ *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			edit := fixer.NewEditor(history)
			for i := range len(history) - 3 {
				edit.Remove(i, "trimmed", "trimmed an early message")
			}
			return edit.Result()
		},
	}
	pipeline, err := preflight.NewPipeline(
		append([]preflight.Fixer{short}, preflight.Fixers.Defaults()...)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	history := []preflight.Message{
		user("one"),
		call("c1"),
		result("c1", "cut from its call"),
		user("two"),
		user("three"),
	}
	profile := provider.Anthropic("")

	res, err := pipeline.Sanitize(context.Background(), history, profile, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	for _, w := range res.Warnings {
		fmt.Println(w.At, w.Detail)
	}
	// Output:
	// user: two
	// user: three
	// messages[0] trimmed an early message
	// messages[1] trimmed an early message
	// messages[2].parts[0] removed a result whose call is not in the history
}

// A pipeline of two fixers makes their repairs and lists what they leave open.
func ExampleOptions_leaveOpen() {
	pipeline, err := preflight.NewPipeline(preflight.Fixers.MergeRoles, preflight.Fixers.DropEmpty)
	if err != nil {
		fmt.Println(err)
		return
	}
	history := []preflight.Message{user("go"), user("on"), call("c1"), user(""), user("stop")}

	res, err := pipeline.Sanitize(context.Background(), history, provider.Portable(),
		&preflight.Options{LeaveOpen: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	for _, v := range res.Open {
		fmt.Println("open:", v.At, v.Detail)
	}
	// Output:
	// user: go | on
	// assistant: call c1
	// user: stop
	// open: messages[1].parts[0] the tool call has no result right after it
}

// What a pipeline of the caller's own returns is valid: a problem that its fixers leave is an error.
func ExamplePipeline_Sanitize() {
	pipeline, err := preflight.NewPipeline(preflight.Fixers.MergeRoles)
	if err != nil {
		fmt.Println(err)
		return
	}
	history := []preflight.Message{user("go"), call("c1"), user("stop")}

	_, err = pipeline.Sanitize(context.Background(), history, provider.Anthropic(""), nil)
	fmt.Println(errors.Is(err, preflight.ErrUnfixable))
	// Output: true
}

// A fixer alone, without the rest.
func ExampleFixer() {
	history := []preflight.Message{user("go"), call("c1"), user("stop")}
	repaired, warnings := preflight.Fixers.PairToolCalls.Apply(history, nil, nil)
	show(repaired)
	fmt.Println(warnings[0].Code, warnings[0].ToolCallID)
	// Output:
	// user: go
	// user: stop
	// dangling-removed c1
}

// A profile is data: copy one, change a field, use it.
func ExampleProfile() {
	strict := provider.OpenAIChat("")
	// a server with the same API that insists on alternation
	strict.Turns.Neighbours = provider.NeighboursMerged
	strict.Turns.UserFirst = true

	res, err := preflight.Sanitize(
		context.Background(),
		[]preflight.Message{user("one"), user("two")},
		strict,
		nil,
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	// Output:
	// user: one | two
}

// What the ContextSanitizer article does, with its fallback.
func Example_contextSanitizer() {
	options := preflight.Options{Trailing: preflight.TrailingStrip, FallbackToLastUser: true}
	res, err := preflight.Sanitize(context.Background(),
		[]preflight.Message{
			user("first"),
			user("second"),
			call("c1"),
			user("never mind"),
		}, provider.Portable(), &options)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	// Output:
	// user: first | second | never mind
}

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
			stored.Options{Options: preflight.Options{Hooks: hooks}},
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
