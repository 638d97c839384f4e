package explain_test

import (
	"fmt"

	"github.com/go-preflight/preflight/rule/explain"
)

func ExampleText() {
	e, ok := explain.Text("litellm.BadRequestError: AnthropicException - " +
		"{\"error\":{\"message\":\"messages.3.content.1: unexpected `tool_use_id` found in " +
		"`tool_result` blocks: toolu_01A. Each `tool_result` block must have a corresponding " +
		"`tool_use` block in the previous message.\"}}")
	fmt.Println(ok, e.Rule.ID, e.Via, e.Paths, e.IDs, e.Rule.Coverage)
	// Output:
	// true anthropic/tool-result-orphan [litellm] [messages[3].content[1]] [toolu_01A] repaired
}
