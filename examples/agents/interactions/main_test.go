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
	// without preflight, the provider: Request contains an invalid argument.
	// user: Why does that take so long?
	// preflight: input[2]: answered a tool call that has no result with an error result
	// model: Because it waits for a lock.
	//
	// == The process dies while a tool runs. Another one resumes the session from its file.
	// user: Then deploy it now.
	// model calls deploy
	// (stopped)
	// without preflight, the provider: Request contains an invalid argument.
	// user: Where were we?
	// preflight: input[8]: answered a tool call that has no result with an error result
	// model: You wanted to deploy.
	//
	// == A tool reads a secret. A hook keeps it from the model.
	// user: Which port does it use?
	// model calls read_config
	// preflight: input[15]: hook "redact" changed the message
	// model: It listens on port 8080.
	//
	// == The window is full: the oldest messages are removed, a call but not its result.
	// without preflight, the provider: Request contains an invalid argument.
	// user: Thanks.
	// preflight: input[0]: removed a result whose call is not in the history
	// model: You are welcome.
	//
	// == The user picks another provider, and a third one, and comes back.
	// user: Look again.
	// model calls read_config
	// preflight: input[6]: hook "redact" changed the message
	// model: It is the same.
	// user, to anthropic: What have we done?
	// model: You wanted to deploy.
	// user, to openai-responses: And the port?
	// model: It was 8080.
	// user, here again: And now?
	// model: Still here.
}
