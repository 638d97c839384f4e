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
	// without preflight, the provider: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.
	//
	// == Another process resumes the session.
	// user: Where were we?
	// preflight: events[1].parts[0]: answered a tool call that has no result with an error result
	// preflight: events[1].parts[1]: answered a tool call that has no result with an error result
	// model: You stopped me.
	//
	// == A long-running tool is pending, and done later.
	// user: Ask my boss.
	// model calls approve
	// model: I wait for your boss.
	// model: It is approved.
	//
	// 6 requests, 1 refused
}
