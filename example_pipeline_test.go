package preflight_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// A pipeline of the caller's own: the default fixers, and one more.
func ExampleNewPipeline() {
	short := preflight.Fixer{
		Name: "keep-short",
		Doc:  "keeps only the last three messages",
		Fix: func(
			history []preflight.Message, _ *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			edit := preflight.NewEditor(history)
			for i := range len(history) - 3 {
				edit.Remove(i, "trimmed", "trimmed an early message")
			}
			return edit.Result()
		},
	}
	pipeline, err := preflight.NewPipeline(
		append([]preflight.Fixer{short}, preflight.DefaultFixers()...)...)
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

	res, err := pipeline.Run(context.Background(), history, profile, nil)
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
func ExamplePipeline_Run() {
	pipeline, err := preflight.NewPipeline(preflight.MergeRoles, preflight.DropEmpty)
	if err != nil {
		fmt.Println(err)
		return
	}
	history := []preflight.Message{user("go"), user("on"), call("c1"), user(""), user("stop")}

	res, err := pipeline.Run(context.Background(), history, provider.Portable(), nil)
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

// A pipeline of the caller's own certifies what it returns when Sanitize runs it: nothing is left
// open, or there is an error.
func ExamplePipeline_Sanitize() {
	pipeline, err := preflight.NewPipeline(preflight.MergeRoles)
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
func ExampleFixer_Apply() {
	history := []preflight.Message{user("go"), call("c1"), user("stop")}
	repaired, warnings := preflight.PairToolCalls.Apply(history, nil, nil)
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
