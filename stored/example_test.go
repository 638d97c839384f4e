package stored_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/stored"
)

// Before a history is stored: what a provider's tool returned shrinks, and so does what would not
// fit into a row.
func ExamplePersist() {
	listing := json.RawMessage(`{"content":"` + strings.Repeat("x", 200_000) + `","num_lines":421}`)
	history := []preflight.Message{
		user("view it"),
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
			&preflight.ToolCall{
				ID:               "srvtoolu_1",
				Name:             "code_execution",
				Input:            json.RawMessage(`{"command":"view"}`),
				ProviderExecuted: true,
			},
			&preflight.ToolResult{CallID: "srvtoolu_1", ProviderExecuted: true, Output: listing},
		}},
	}
	res, err := stored.Persist(context.Background(), history, stored.PersistOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	output := string(res.Messages[1].Parts[1].(*preflight.ToolResult).Output)
	fmt.Println(output[len(output)-58:])
	fmt.Println(res.Warnings[0].Code, res.Warnings[0].ToolCallID)
	// Output:
	// … [truncated, original length: 200000]","num_lines":421}
	// truncated srvtoolu_1
}

// When a session continues: the framework's own system message is removed, the call that has no
// result is removed, and the two prompts around it become one turn.
func ExampleResume() {
	history := []preflight.Message{
		{
			Role:  preflight.RoleSystem,
			Parts: []preflight.Part{&preflight.Text{Text: "You are helpful."}},
		},
		user("build it"), call("c1"), user("stop"),
	}
	options := stored.FrameworkOptions()
	res, err := stored.Resume(context.Background(), history, nil, &options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range res.Messages {
		fmt.Println(m.Role, len(m.Parts))
	}
	fmt.Println(res.Changed, res.CallIDs(codes.DanglingRemoved))
	// Output:
	// user 2
	// true [c1]
}

// When the user aborts: nothing that was done or said is lost.
func ExampleAbort() {
	res, err := stored.Abort([]preflight.Message{user("build it"), call("c1")}, "I will now", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range res.Messages[2:] {
		fmt.Println(m.Role, preflight.PartKind(m.Parts[0]))
	}
	fmt.Println(res.CallIDs(codes.DanglingAnswered))
	// Output:
	// tool tool_result
	// assistant text
	// [c1]
}

// A question that was never answered becomes text; every other interrupted call is answered.
func ExampleRepairInterrupted() {
	options := preflight.Options{Dangling: preflight.DanglingAnswer}
	options.OpenCall = func(c *preflight.ToolCall) preflight.Part {
		switch c.Name {
		case "pick_a_color":
			return c // the client answers it later
		case "ask_user":
			return &preflight.Text{Text: "May I deploy?"}
		}
		return nil
	}
	history := []preflight.Message{{Role: preflight.RoleAssistant, Parts: []preflight.Part{
		&preflight.ToolCall{
			ID:   "c1",
			Name: "ask_user",
		}, &preflight.ToolCall{ID: "c2", Name: "deploy"},
		&preflight.ToolCall{ID: "c3", Name: "pick_a_color"},
	}}}
	res, err := stored.RepairInterrupted(context.Background(), history, &options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range res.Warnings {
		fmt.Println(w.ToolCallID, w.Code)
	}
	// Output:
	// c1 dangling-replaced
	// c2 dangling-answered
	// c2 arguments-repaired
	// c3 arguments-repaired
}
