package preflightadk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"testing"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/genai"

	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/preflighttest"
)

// chatModel is a model.LLM of another provider, which sends contents to OpenAI's Chat Completions
// as they are.
type chatModel struct{ url string }

func (chatModel) Name() string { return "gpt-5.4" }

type (
	chatFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	chatCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
	chatMessage struct {
		Role       string     `json:"role"`
		Content    string     `json:"content"`
		ToolCalls  []chatCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
	}
)

// chatMessages are the messages of a content.
func chatMessages(c *genai.Content) (out []chatMessage, err error) {
	m := chatMessage{Role: "user"}
	if c.Role == genai.RoleModel {
		m.Role = "assistant"
	}
	for _, p := range c.Parts {
		m.Content += p.Text
		if call := p.FunctionCall; call != nil {
			arguments, err := json.Marshal(call.Args)
			if err != nil {
				return nil, err
			}
			if call.Args == nil {
				arguments = []byte("{}")
			}
			m.ToolCalls = append(m.ToolCalls,
				chatCall{call.ID, "function", chatFunction{call.Name, string(arguments)}})
		}
		if r := p.FunctionResponse; r != nil {
			output, err := json.Marshal(r.Response)
			if err != nil {
				return nil, err
			}
			out = append(out,
				chatMessage{Role: "tool", Content: string(output), ToolCallID: r.ID})
		}
	}
	if m.Content != "" || len(m.ToolCalls) > 0 {
		out = append(out, m)
	}
	return out, nil
}

// GenerateContent implements model.LLM.
func (m chatModel) GenerateContent(
	ctx context.Context, request *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) { yield(m.send(ctx, request)) }
}

func (m chatModel) send(
	ctx context.Context, request *model.LLMRequest,
) (*model.LLMResponse, error) {
	var messages []chatMessage
	for _, c := range request.Contents {
		made, err := chatMessages(c)
		if err != nil {
			return nil, err
		}
		messages = append(messages, made...)
	}
	body, err := json.Marshal(map[string]any{"model": m.Name(), "messages": messages})
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+"/v1/chat/completions",
		bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(post)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(string(raw))
	}
	var answer struct {
		Choices []struct{ Message chatMessage }
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	out := &genai.Content{Role: genai.RoleModel}
	said := answer.Choices[0].Message
	if said.Content != "" {
		out.Parts = append(out.Parts, genai.NewPartFromText(said.Content))
	}
	for _, c := range said.ToolCalls {
		p := &genai.Part{FunctionCall: &genai.FunctionCall{ID: c.ID, Name: c.Function.Name}}
		if err := json.Unmarshal([]byte(c.Function.Arguments), &p.FunctionCall.Args); err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, p)
	}
	return &model.LLMResponse{Content: out}, nil
}

// TestSwitch: a session goes on with a model of another provider, and back, each time after its
// parallel calls were stopped.
func TestSwitch(t *testing.T) {
	both := preflighttest.Reply{Calls: []preflighttest.Call{call("read"), call("stop")}}
	google := preflighttest.New(t, "gemini", nil)
	google.Script(preflighttest.Reply{Calls: []preflighttest.Call{call("read")}},
		preflighttest.Reply{Text: "Read."}, both, preflighttest.Reply{Text: "I am back."})
	openai := preflighttest.New(t, "openai-chat", nil)
	openai.Script(preflighttest.Reply{Text: "I am new."}, both)

	stop := func() {}
	tools := []tool.Tool{
		newTool(t, functiontool.Config{Name: "read"}, works),
		newTool(t, functiontool.Config{Name: "stop"},
			func() (map[string]any, error) { stop(); return nil, context.Canceled }),
	}
	sessions := stored(t, "file:switch?mode=memory&cache=shared")
	say := func(m model.LLM, text string) (string, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		stop = cancel
		root := newAgent(t, llmagent.Config{Name: "builder", Model: m, Tools: tools})
		answer, _, err := run(ctx, newRunner(t, root, sessions), agent.StreamingModeNone,
			say(text))
		return answer, err
	}

	gemini := preflightadk.Model(newModel(t, google, modelName), answering, nil)
	chat := *answering
	chat.Provider = "openai-chat"
	gpt := preflightadk.Model(chatModel{openai.URL}, &chat, nil)
	if text, err := say(gemini, "Read it."); err != nil || text != "Read." {
		t.Fatalf("%q, %v", text, err)
	}
	if _, err := say(gemini, "Build it."); err == nil {
		t.Fatal("the run was not stopped")
	}
	if _, err := say(chatModel{openai.URL}, "Why?"); err == nil {
		t.Fatal("another provider takes the session as it is")
	}
	refused := len(openai.Refused())
	if text, err := say(gpt, "Why?"); err != nil || text != "I am new." {
		t.Fatalf("%q, %v", text, err)
	}
	if _, err := say(gpt, "Then build it."); err == nil {
		t.Fatal("the run was not stopped")
	}
	if text, err := say(gemini, "Are you there?"); err != nil || text != "I am back." {
		t.Fatalf("%q, %v", text, err)
	}
	if n := len(openai.Refused()) - refused + len(google.Refused()); n > 0 {
		t.Errorf("%d refused", n)
	}
}
