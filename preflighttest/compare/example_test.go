package compare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

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

func Example() {
	table, err := compare.Run(context.Background(), "anthropic", naive)
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(table.String()) {
		if strings.HasPrefix(line, "time") {
			break // it differs from run to run, and the bodies follow
		}
		fmt.Print(line)
	}
	// Output:
	// anthropic                                  of  yours  preflight
	// bodies that break a rule still refused     54     51          1
	// bodies that break a rule given an error    54      0          1
	// damaged sessions still refused            200    131          0
	// accepted bodies changed                   200     21          0
	// accepted bodies made refused              200      0          0
	// results and user texts lost              1275      0          0
	// results given to another call             665      0          0
	// words put into somebody's mouth           200      0          0
	// steps that changed what was sent before   214      3          1
}
