package preflight

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
)

func TestSmoke(t *testing.T) {
	a := Anthropic().ForModel("claude-sonnet-4-5")
	o := OpenAIChat()
	for name, h := range map[string][]Message{
		"dangling": {{Role: RoleUser, Parts: []Part{&Text{Text: "q"}}}, {Role: RoleAssistant, Parts: []Part{&Text{Text: "hm"}, &ToolCall{ID: "c1", Name: "f", Input: json.RawMessage("{}")}}}, {Role: RoleUser, Parts: []Part{&Text{Text: "next"}}}},
		"late":     {{Role: RoleUser, Parts: []Part{&Text{Text: "q"}}}, {Role: RoleAssistant, Parts: []Part{&ToolCall{ID: "c1", Name: "f", Input: json.RawMessage("{}")}, &ToolCall{ID: "c2", Name: "f", Input: json.RawMessage("{}")}}}, {Role: RoleUser, Parts: []Part{&Text{Text: "wait"}}}, {Role: RoleAssistant, Parts: []Part{&Text{Text: "waiting"}}}, {Role: RoleUser, Parts: []Part{&ToolResult{CallID: "c1", Content: []Part{&Text{Text: "late"}}}}}},
		"nothing":  {{Role: RoleUser, Parts: []Part{&Text{Text: ""}}}},
		"system":   {{Role: RoleUser, Parts: []Part{&Text{Text: "q"}}}, {Role: RoleSystem, Parts: []Part{&Text{Text: "s"}}}, {Role: RoleAssistant, Parts: []Part{&Text{Text: "a"}}}},
	} {
		for _, p := range []*Profile{&a, &o} {
			r, err := Sanitize(context.Background(), h, p, nil)
			fmt.Println("==", name, p.Provider, err)
			for _, v := range Check(h, p) {
				fmt.Println("   V", v.At, v.Rule, v.Detail)
			}
			for _, w := range r.Warnings {
				fmt.Println("   W", w.At, w.Code, w.Rule, w.Detail)
			}
			for i, m := range r.Messages {
				fmt.Print("   ", m.Role)
				for _, x := range m.Parts {
					switch x := x.(type) {
					case *Text:
						fmt.Printf(" %q", x.Text)
					default:
						fmt.Printf(" %s:%s", PartKind(x), partID(x))
					}
				}
				if r.Origins != nil {
					fmt.Print(r.Origins[i])
				}
				fmt.Println()
			}
			r2, err := Sanitize(context.Background(), r.Messages, p, nil)
			fmt.Println("  again", err, r2.Changed)
		}
	}
}
