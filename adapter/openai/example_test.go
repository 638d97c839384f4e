package preflightopenai_test

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"

	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
)

// The window was trimmed between a call and its result.
func ExampleChatParams() {
	params := openai.ChatCompletionNewParams{
		Model: "gpt-5.4",
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.ToolMessage("ok", "call_1"), openai.AssistantMessage("Built."),
			openai.UserMessage("Thanks."),
		},
	}
	params, warnings, err := preflightopenai.ChatParams(context.Background(), params, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(params.Messages), "messages")
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// 2 messages
	// messages[0] removed a result whose call is not in the history
}
