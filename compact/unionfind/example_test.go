package unionfind_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/provider"
)

// A query decides which clusters get the budget.
func ExampleStrategy() {
	profile := provider.Anthropic("")
	u := unionfind.Strategy{Keep: 3, Query: unionfind.Query{Text: "Which ticket was rack 3?", Top: 1}}
	history := lookups(20)
	result, err := u.Compact(context.Background(), history,
		compact.Limits{Budget: 2000, Profile: profile})
	if err != nil {
		fmt.Println(err)
		return
	}
	shown := 0
	for _, c := range result.Clusters {
		if c.Summary != "" {
			shown++
		}
	}
	fmt.Println("clusters:", len(result.Clusters), "shown:", shown)
	summary := compact.InputOf(result.Messages[1]).Text
	fmt.Println("knows the ticket:", strings.Contains(summary, "OPS-103"))
	// Output:
	// clusters: 7 shown: 1
	// knows the ticket: true
}

// A window grows with the session, is saved with it, and continues where it was.
func ExampleWindow() {
	ctx := context.Background()
	profile := provider.Anthropic("")
	config := unionfind.Config{
		GraduateAt: 4,
		EvictAt:    6,
		Limits:     compact.Limits{Budget: 1500, Profile: profile},
	}
	window, err := unionfind.NewWindow(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range lookups(10) {
		if err := window.Append(ctx, m); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := window.Resolve(ctx); err != nil { // in the background, if the summarizer is a model
		fmt.Println(err)
		return
	}
	saved, err := json.Marshal(window)
	if err != nil {
		fmt.Println(err)
		return
	}
	window, err = unionfind.Restore(saved, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := window.Render(ctx, unionfind.Query{Text: "Which ticket was rack 3?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(window.Len(), "messages in the window,", len(result.Messages), "in the request")
	fmt.Println("problems:", len(preflight.Check(result.Messages, profile, nil)), "within budget:",
		result.Tokens <= 1500)
	// Output:
	// 42 messages in the window, 8 in the request
	// problems: 0 within budget: true
}
