package preflighteino_test

import (
	"context"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// counting is a model that counts its calls.
type counting struct {
	model.ToolCallingChatModel
	calls int
}

func (c *counting) Generate(
	context.Context, []*schema.Message, ...model.Option,
) (*schema.Message, error) {
	c.calls++
	return schema.AssistantMessage("ok", nil), nil
}

func (c *counting) Stream(
	context.Context, []*schema.Message, ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	c.calls++
	return schema.StreamReaderFromArray([]*schema.Message{schema.AssistantMessage("ok", nil)}), nil
}

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
func TestFaultyReport(t *testing.T) {
	ctx := context.Background()
	orphan := func() []*schema.Message {
		return []*schema.Message{schema.UserMessage("a"), schema.ToolMessage("b", "none")}
	}
	entries := func(report clienttest.ReportFunc) (map[string]func() error, func() int) {
		llm := &counting{}
		chat := preflighteino.ChatModel(llm, nil, report)
		return map[string]func() error{
			"Generate": func() error { _, err := chat.Generate(ctx, orphan()); return err },
			"Stream":   func() error { _, err := chat.Stream(ctx, orphan()); return err },
			"Middleware": func() error {
				state := adk.ChatModelAgentState{Messages: orphan()}
				return preflighteino.Middleware(nil, report).BeforeChatModel(ctx, &state)
			},
			"Rewriter": func() error {
				if out := preflighteino.Rewriter(nil, report)(ctx, orphan()); len(out) != 1 {
					t.Errorf("the rewriter returned %v", out)
				}
				return nil
			},
		}, func() int { return llm.calls }
	}
	clienttest.FaultyReport(t, entries, "Rewriter")
}
