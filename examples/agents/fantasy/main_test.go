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
	// user: Are you there?
	// without preflight, the provider: messages.1: `tool_use` ids were found without `tool_result` blocks
	//
	// == Another process resumes the session, and is stopped again.
	// user: Where were we?
	// preflight: messages[1].parts[0]: answered a tool call that has no result with an error result
	// preflight: messages[1].parts[1]: answered a tool call that has no result with an error result
	// model: You stopped me.
	// user: Then deploy it.
	// preflight: messages[1].parts[0]: answered a tool call that has no result with an error result
	// preflight: messages[1].parts[1]: answered a tool call that has no result with an error result
	// model calls read_config
	// model calls deploy
	// (stopped)
	//
	// == The user picks another provider.
	// user: What were you doing?
	// preflight: messages[1].parts[0]: answered a tool call that has no result with an error result
	// preflight: messages[1].parts[1]: answered a tool call that has no result with an error result
	// preflight: messages[5].parts[0]: answered a tool call that has no result with an error result
	// preflight: messages[5].parts[1]: answered a tool call that has no result with an error result
	// model: You were deploying.
	//
	// 1 refused, the one without preflight
}
