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
	// == A tool beside another waits for the user, and the process ends.
	// user: Deploy it.
	// model calls deploy (which waits for you)
	// user: Are you there?
	// without preflight, the provider: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'
	//
	// == Another process resumes the session.
	// user: Where were we?
	// preflight: messages[1].parts[0]: answered a tool call that has no result
	// preflight: messages[1].parts[1]: answered a waiting tool call with a placeholder
	// model: I wait for you.
	// user: Then deploy it.
	// model calls deploy (which waits for you)
	//
	// == The user picks another provider.
	// user: What are you doing?
	// preflight: messages[7].parts[0]: answered a tool call that has no result
	// preflight: messages[7].parts[1]: answered a waiting tool call with a placeholder
	// preflight: messages[1].parts[0]: changed a tool call's id to one the provider accepts
	// preflight: messages[1].parts[1]: changed a tool call's id to one the provider accepts
	// preflight: messages[2].parts[0]: changed a tool result's id to the new id of its call
	// preflight: messages[3].parts[0]: changed a tool result's id to the new id of its call
	// preflight: messages[7].parts[0]: changed a tool call's id to one the provider accepts
	// preflight: messages[7].parts[1]: changed a tool call's id to one the provider accepts
	// preflight: messages[8]: changed a tool result's id to the new id of its call
	// preflight: messages[8]: changed a tool result's id to the new id of its call
	// model: You have not let me deploy.
	//
	// 1 refused, the one without preflight
}
