package preflighteino_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// client is a chat model in one that repairs.
var client = clienttest.Client[*schema.Message]{
	Provider: "openai-chat",
	New: func(_ *testing.T, url string, report clienttest.Report) clienttest.Sender[*schema.Message] {
		m := preflighteino.ChatModel(&chatModel{url: url}, nil,
			func(_ context.Context, warnings []wire.Warning, _ error) { report(warnings) })
		return clienttest.Sender[*schema.Message]{
			Whole: func(ctx context.Context, history []*schema.Message) (string, error) {
				answer, err := m.Generate(ctx, history)
				if err != nil {
					return "", err
				}
				return answer.Content, nil
			},
			Streamed: func(ctx context.Context, history []*schema.Message) (text string, err error) {
				stream, err := m.Stream(ctx, history)
				if err != nil {
					return "", err
				}
				defer stream.Close()
				for {
					chunk, err := stream.Recv()
					if errors.Is(err, io.EOF) {
						return text, nil
					}
					if err != nil {
						return "", err
					}
					text += chunk.Content
				}
			},
		}
	},
	Broken: func() []*schema.Message {
		return []*schema.Message{
			schema.UserMessage("Build it."),
			schema.AssistantMessage("Building <main> & more.", []schema.ToolCall{{
				ID: "call_1", Type: "function",
				Function: schema.FunctionCall{Name: "build", Arguments: "{}"},
			}}),
			schema.UserMessage("Stop."),
		}
	},
	Keep: preflighteino.Keep,
	Same: func(a, b *schema.Message) bool { return a == b },
}

func TestChatModel(t *testing.T) { client.Run(t) }

// TestChatModelInAgent: an agent binds its tools to the model, which repairs each of its calls.
func TestChatModelInAgent(t *testing.T) {
	server, s := newSession(t, sessions[0])
	before := len(server.Requests())
	server.Script(call, preflighttest.Reply{Text: "Done."})
	var codes []string
	m := preflighteino.ChatModel(&chatModel{url: server.URL}, answering,
		func(_ context.Context, warnings []wire.Warning, err error) {
			codes = append(codes, clienttest.Codes(warnings)...)
		})
	agent, err := react.NewAgent(context.Background(), &react.AgentConfig{
		ToolCallingModel: m,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{run{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Generate(context.Background(), s.history); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(codes, "dangling-answered") || len(server.Refused()) > 0 {
		t.Errorf("%v %v", codes, server.Refused())
	}
	if len(server.Requests()) == before {
		t.Error("nothing was sent")
	}
	if name, ok := components.GetType(m); !ok || name == "" {
		t.Error("the model has no name in traces")
	}
	_, err = m.Generate(context.Background(), []*schema.Message{nil})
	if err == nil {
		t.Error("a history beyond repair was sent")
	}
}
