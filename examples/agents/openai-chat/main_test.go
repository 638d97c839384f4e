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
	// without preflight, the provider: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_…
	// user: Why does that take so long?
	// preflight: messages[1].tool_calls[0]: answered a tool call that has no result with an error result
	// model: Because it waits for a lock.
	//
	// == The process dies while a tool runs. Another one resumes the session from its file.
	// user: Then deploy it now.
	// model calls deploy
	// (stopped)
	// without preflight, the provider: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_…
	// user: Where were we?
	// preflight: messages[6].tool_calls[0]: answered a tool call that has no result with an error result
	// model: You wanted to deploy.
	//
	// == A tool reads a secret. A hook keeps it from the model.
	// user: Which port does it use?
	// model calls read_config
	// preflight: messages[12]: hook "redact" changed the message
	// model: It listens on port 8080.
	//
	// == The window is full: the oldest messages are removed, a call but not its result.
	// without preflight, the provider: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.
	// user: Thanks.
	// preflight: messages[0]: removed a result whose call is not in the history
	// model: You are welcome.
}
