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
	// claude: Let me look.
	// claude calls read_config
	// (the user switches to GPT)
	// preflight: thinking: left out a setting that is not carried over
	// preflight: messages[1].content[0]: removed reasoning of another provider, which this one cannot verify
	// gpt: It listens on port 8080.
	// What GPT was sent:
	//   {"role":"system","content":[{"type":"text","text":"You are terse."}]}
	//   {"role":"user","content":[{"type":"text","text":"Which port does it use?"}]}
	//   {"role":"assistant","content":[{"type":"text","text":"Let me look."}],"tool_calls":[{"id":"toolu_…","type":"function","function":{"name":"read_config","arguments":"{}"}}]}
	//   {"role":"tool","tool_call_id":"toolu_…","content":[{"type":"text","text":"port=8080"}]}
}
