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
	// == The user stops parallel calls, and the process ends.
	// user: Deploy it.
	// model calls read_config
	// model calls deploy
	// (stopped)
	// without preflight, the provider: messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_…. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
	//
	// == Another process resumes the session.
	// user: Where were we?
	// preflight: messages[1].parts[1]: answered a tool call that has no result with an error result
	// preflight: messages[2]: hook "redact" changed the message
	// model: You stopped me.
	//
	// == The user picks another provider.
	// user: What were you doing?
	// model: You were deploying.
	//
	// 1 refused, the one without preflight
}
