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
	// without preflight, the provider: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.
	// user: Why does that take so long?
	// preflight: contents[1].parts[1]: answered a tool call that has no result with an error result
	// model: Because it waits for a lock.
	//
	// == The process dies while a tool runs. Another one resumes the session from its file.
	// user: Then deploy it now.
	// model calls deploy
	// (stopped)
	// without preflight, the provider: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.
	// user: Where were we?
	// preflight: contents[5].parts[1]: answered a tool call that has no result with an error result
	// model: You wanted to deploy.
	//
	// == A tool reads a secret. A hook keeps it from the model.
	// user: Which port does it use?
	// model calls read_config
	// preflight: contents[10]: hook "redact" changed the message
	// model: It listens on port 8080.
	//
	// == The window is full: the oldest messages are removed, a call but not its result.
	// without preflight, the provider: Please ensure that function response turn comes immediately after a function call turn.
	// user: Thanks.
	// preflight: contents[0].parts[0]: removed a result whose call is not in the history
	// model: You are welcome.
}
