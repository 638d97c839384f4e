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
	// without preflight, the provider: Expected toolResult blocks at messages.2.content for the following Ids: tooluse_…
	// user: Why does that take so long?
	// preflight: messages[1].content[1]: answered a tool call that has no result with an error result
	// model: Because it waits for a lock.
	//
	// == The process dies while a tool runs. Another one resumes the session from its file.
	// user: Then deploy it now.
	// model calls deploy
	// (stopped)
	// without preflight, the provider: Expected toolResult blocks at messages.6.content for the following Ids: tooluse_…
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
	// == The window is full: the oldest messages are removed, a call but not its result.
	// without preflight, the provider: The number of toolResult blocks at messages.0.content exceeds the number of toolUse blocks of previous turn.
	// user: Thanks.
	// preflight: messages[0].content[0]: removed a result whose call is not in the history
	// model: You are welcome.
}
