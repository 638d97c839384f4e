package preflighteino_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight"
	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/wire"
)

const secret = "alice@example.org"

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

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; after
// it, and after one that ends its goroutine, calls are as before.
func TestFaultyReport(t *testing.T) {
	ctx := context.Background()
	orphan := func() []*schema.Message {
		return []*schema.Message{schema.UserMessage("a"), schema.ToolMessage("b", "none")}
	}
	for name, fault := range map[string]func(){
		"panic": func() { panic(secret) }, "goexit": runtime.Goexit, "none": func() {},
	} {
		llm := &counting{}
		report := func(context.Context, []wire.Warning, error) { fault() }
		chat := preflighteino.ChatModel(llm, nil, report)
		for entry, call := range map[string]func() error{
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
		} {
			llm.calls = 0
			returned, ended := false, make(chan struct{})
			var err error
			go func() {
				defer close(ended)
				err = call()
				returned = true
			}()
			<-ended
			switch {
			case returned == (name == "goexit"):
				t.Errorf("%s, %s: returned: %v", entry, name, returned)
			case name == "none":
				if err != nil {
					t.Errorf("%s: %v", entry, err)
				}
			case llm.calls > 0:
				t.Errorf("%s, %s: the model was called", entry, name)
			case name == "panic" && entry != "Rewriter" &&
				(!errors.Is(err, preflight.ErrHook) || strings.Contains(err.Error(), secret)):
				t.Errorf("%s: %v", entry, err)
			}
		}
	}
}
