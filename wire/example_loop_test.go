package wire_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// ExamplePrepare repairs a history, in which a call has no result, and writes the request.
func ExamplePrepare() {
	history := []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Weather?"}}},
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
			&preflight.Text{Text: "A moment."},
			&preflight.ToolCall{ID: "toolu_1", Name: "weather", Input: json.RawMessage(`{}`)},
		}},
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Well?"}}},
	}
	request, err := wire.Prepare(context.Background(), "anthropic", "claude-sonnet-4-5", history,
		&wire.RequestOptions{MaxTokens: 1000, Tools: []wire.Tool{{Name: "weather"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range request.Warnings {
		fmt.Println(w.Path, w.Code)
	}
	fmt.Println(string(request.Body))
	// Output:
	// messages[1].parts[1] dangling-removed
	// {"model":"claude-sonnet-4-5","max_tokens":1000,"tools":[{"name":"weather","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"Weather?"},{"role":"assistant","content":"A moment."},{"role":"user","content":"Well?"}]}
}

// ExampleDecodeResponse reads what a model said, as messages to append to the history.
func ExampleDecodeResponse() {
	response, err := wire.DecodeResponse("anthropic", []byte(`{"type":"message","content":[
		{"type":"text","text":"I look."},
		{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Oslo"}}],
		"stop_reason":"tool_use"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Text())
	for _, call := range response.Calls() {
		fmt.Println(call.Name, string(call.Input))
	}
	// Output:
	// I look.
	// weather {"city":"Oslo"}
}

// ExampleEncode writes a request without repairing the history.
func ExampleEncode() {
	history := []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Hi."}}},
	}
	body, err := wire.Encode("gemini", "", history, &wire.RequestOptions{System: "Be brief."})
	fmt.Println(string(body), err)
	// Output:
	// {"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"systemInstruction":{"parts":[{"text":"Be brief."}]}} <nil>
}

// ExampleSanitize repairs a request body. A valid one comes back as the same bytes.
func ExampleSanitize() {
	body := []byte(`{"messages":[{"role":"user","content":"hi"},
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}]}`)
	result, err := wire.Sanitize(context.Background(), body, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range result.Warnings {
		fmt.Println(w.Path, w.Code)
	}
	fmt.Println(string(result.Body))
	// Output:
	// messages[1].content[0] dangling-removed
	// {"messages":[{"role":"user","content":"hi"}]}
}

// ExampleCheck lists what is wrong with a request body.
func ExampleCheck() {
	body := []byte(`{"messages":[{"role":"user","content":"hi"},
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}]}`)
	report, err := wire.Check(body, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range report.Violations {
		fmt.Println(v.Path, v.Rule)
	}
	// Output:
	// messages[1] anthropic/prefill-unsupported
	// messages[1].content[0] anthropic/tool-result-missing
}
