package preflight_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
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
