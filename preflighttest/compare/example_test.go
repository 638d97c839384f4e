package compare_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/compare"
)

// naive is the repair that many agents have: it removes results whose call is nowhere, and answers
// calls whose result is nowhere.
func naive(_ context.Context, body []byte) ([]byte, error) {
	var request map[string]any
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	messages, _ := request["messages"].([]any)
	ids := map[string]map[any]bool{"tool_use": {}, "tool_result": {}}
	each := func(do func(message map[string]any, blocks []any)) {
		for _, m := range messages {
			message, _ := m.(map[string]any)
			blocks, _ := message["content"].([]any)
			do(message, blocks)
		}
	}
	each(func(_ map[string]any, blocks []any) {
		for _, b := range blocks {
			switch block, _ := b.(map[string]any); block["type"] {
			case "tool_use":
				ids["tool_use"][block["id"]] = true
			case "tool_result":
				ids["tool_result"][block["tool_use_id"]] = true
			}
		}
	})
	var fixed []any
	each(func(message map[string]any, blocks []any) {
		var kept, answers []any
		for _, b := range blocks {
			block, _ := b.(map[string]any)
			if block["type"] == "tool_result" && !ids["tool_use"][block["tool_use_id"]] {
				continue
			}
			kept = append(kept, b)
			if block["type"] == "tool_use" && !ids["tool_result"][block["id"]] {
				answers = append(answers, map[string]any{"type": "tool_result",
					"tool_use_id": block["id"], "content": "interrupted"})
			}
		}
		if blocks != nil {
			message["content"] = kept
		}
		fixed = append(fixed, message)
		if answers != nil {
			fixed = append(fixed, map[string]any{"role": "user", "content": answers})
		}
	})
	request["messages"] = fixed
	return json.Marshal(request)
}

// The table of the README: the repair of forty lines and the one of a good engineer, each measured
// beside preflight.
func ExampleRun() {
	var tables []*compare.Table
	for _, repair := range []compare.Sanitizer{naive, competent} {
		table, err := compare.Run(context.Background(), "anthropic", repair)
		if err != nil {
			fmt.Println(err)
			return
		}
		tables = append(tables, table)
	}
	fmt.Printf("%-40s %4s %6s %9s %9s\n", "anthropic", "of", "forty", "competent", "preflight")
	for k, row := range tables[0].Rows {
		if row.Measure == compare.Growth {
			continue // it differs from run to run
		}
		fmt.Printf("%-40s %4d %6d %9d %9d\n",
			row.Measure, row.Of, row.Yours, tables[1].Rows[k].Yours, row.Preflight)
	}
	// Output:
	// anthropic                                  of  forty competent preflight
	// bodies that break a rule still refused     54     51        44         1
	// broken bodies answered with an error       54      0         0         1
	// damaged sessions still refused            200    167        48         0
	// accepted bodies changed                   200     21         0         0
	// accepted bodies made refused              200      0         0         0
	// results and user texts lost              1384      0        67         0
	// results given to another call             833      0         0         0
	// words attributed to another speaker       200      0         0         0
	// sessions with texts in another order      200      0         0         0
	// steps that rewrote messages sent before   249      3         3         6
}
