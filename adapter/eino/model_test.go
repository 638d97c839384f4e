package preflighteino_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

// This file has what an agent of eino's needs: a model and a tool. The model is one of ours, since
// the components of eino-ext are modules with requirements of their own; it sends the members that
// OpenAI's Chat Completions has in common with eino.

type chatModel struct {
	url   string
	tools []*schema.ToolInfo
}

func (m *chatModel) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return &chatModel{m.url, tools}, nil
}

type chatMessage struct {
	Role       schema.RoleType   `json:"role"`
	Content    any               `json:"content"`
	Name       string            `json:"name,omitempty"`
	ToolCalls  []schema.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string            `json:"tool_call_id,omitempty"`
}

func (m *chatModel) Generate(
	ctx context.Context,
	input []*schema.Message,
	opts ...model.Option,
) (*schema.Message, error) {
	request := map[string]any{"model": "gpt-5.4"}
	var messages []chatMessage
	for _, in := range input {
		messages = append(messages,
			chatMessage{in.Role, in.Content, in.Name, in.ToolCalls, in.ToolCallID})
	}
	request["messages"] = messages
	var tools []map[string]any
	for _, t := range model.GetCommonOptions(&model.Options{Tools: m.tools}, opts...).Tools {
		tools = append(tools, map[string]any{
			"type": "function",
			"function": map[string]any{
				"name":       t.Name,
				"parameters": map[string]any{"type": "object"},
			},
		})
	}
	if tools != nil {
		request["tools"] = tools
	}
	body, err := json.Marshal(request)
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
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(string(answer))
	}
	var completion struct {
		Choices []struct{ Message schema.Message }
	}
	if err := json.Unmarshal(answer, &completion); err != nil {
		return nil, err
	}
	return &completion.Choices[0].Message, nil
}

func (m *chatModel) Stream(
	ctx context.Context,
	input []*schema.Message,
	opts ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	answer, err := m.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{answer}), nil
}

// run is a tool that always works.
type run struct{}

func (run) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: "run", Desc: "Runs a command."}, nil
}

func (run) InvokableRun(
	context.Context,
	string,
	...tool.Option,
) (string, error) {
	return "ok", nil
}
