package compact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// A session grows; its requests begin with the request before, until the next compaction.
func ExampleSession() {
	ctx := context.Background()
	session, err := compact.NewSession(compact.SessionConfig{
		Limits: compact.Limits{Budget: 1000, Profile: provider.Anthropic("claude-opus-5-5")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	requests := 0
	var last compact.Result
	for _, m := range lookups(20) {
		if m.Role == preflight.RoleAssistant { // a request was sent before it
			if last, err = session.Render(ctx); err != nil {
				fmt.Println(err)
				return
			}
			// go session.Resolve(ctx), if a model writes the summaries
			requests++
		}
		if err := session.Append(ctx, m); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("requests:", requests, "compactions:", session.Compactions())
	fmt.Println("messages:", session.Len(), "in the last request:", len(last.Messages))
	sources, err := session.Expand(ctx, last.Clusters[0].Sources)
	fmt.Println("the summary replaces", len(sources), "messages,", err)
	// Output:
	// requests: 40 compactions: 8
	// messages: 82 in the last request: 10
	// the summary replaces 71 messages, <nil>
}

// A session as a hook compacts request bodies. The functions of the adapters take the same options,
// so this is also the way to compact the messages of an SDK: keep the whole history, and send what
// comes back.
func ExampleSession_hook() {
	session, err := compact.NewSession(compact.SessionConfig{
		Limits: compact.Limits{Budget: 600, Profile: provider.OpenAIChat("gpt-4.1")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fit := func(ctx context.Context, history []preflight.Message) ([]preflight.Message, error) {
		if err := session.Append(ctx, history[session.Len():]...); err != nil {
			return nil, err
		}
		result, err := session.Render(ctx)
		return result.Messages, err
	}
	options := &wire.Options{Options: preflight.Options{
		Hooks: []preflight.Hook{{Name: "compact", History: fit}},
	}}
	var messages []string // grows, and is never compacted itself
	for i := range 60 {
		question, err := json.Marshal(fmt.Sprintf("Is host h%d up? It was slow on Monday.", i))
		if err != nil {
			fmt.Println(err)
			return
		}
		messages = append(messages, `{"role":"user","content":`+string(question)+`}`)
		body := `{"model":"gpt-4.1","messages":[` + strings.Join(messages, ",") + `]}`
		sent, err := wire.Sanitize(context.Background(), []byte(body), options)
		if err != nil {
			fmt.Println(err)
			return
		}
		if i == 59 {
			fmt.Println("smaller:", len(sent.Body) < len(body), "compactions:", session.Compactions())
		}
		messages = append(messages, `{"role":"assistant","content":"Yes, it answers again."}`)
	}
	// Output:
	// smaller: true compactions: 11
}
