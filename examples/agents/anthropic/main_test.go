package main

import (
	"fmt"
	"os"
)

func Example() {
	if err := play(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// == The user stops a tool while it runs, and asks something else.
	// user: Deploy it.
	// model calls deploy
	// (stopped)
	// without preflight, the provider: messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_…. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
	// user: Why does that take so long?
	// preflight: messages[1].content[1]: answered a tool call that has no result with an error result
	// model: Because it waits for a lock.
	//
	// == The process dies while a tool runs. Another one resumes the session from its file.
	// user: Then deploy it now.
	// model calls deploy
	// (stopped)
	// without preflight, the provider: messages.5: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_…. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
	// user: Where were we?
	// preflight: messages[5].content[1]: answered a tool call that has no result with an error result
	// model: You wanted to deploy.
	//
	// == A tool reads a secret. A hook keeps it from the model.
	// user: Which port does it use?
	// model calls read_config
	// preflight: messages[10]: hook "redact" changed the message
	// model: It listens on port 8080.
	//
	// == The window is full, and the oldest messages go: the call goes, its result stays.
	// without preflight, the provider: messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_…. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
	// user: Thanks.
	// preflight: messages[0].content[0]: removed a result whose call is not in the history
	// model: You are welcome.
}
