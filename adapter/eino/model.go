package preflighteino

import (
	"context"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight/wire"
)

// This file repairs histories inside a model.

// ChatModel returns a model that repairs the messages of every call, and then has m answer. A
// history that cannot be repaired ends the call with the error of Messages. The caller's messages
// stay as they are: Keep writes the repaired ones back. options and report may be nil. A panic in m
// passes to the caller.
func ChatModel(
	m model.ToolCallingChatModel,
	options *wire.Options,
	report Report,
) model.ToolCallingChatModel {
	return &chatModel{m, options, report}
}

// chatModel is a ChatModel.
type chatModel struct {
	model   model.ToolCallingChatModel
	options *wire.Options
	report  Report
}

// Generate implements model.BaseChatModel.
func (m *chatModel) Generate(
	ctx context.Context,
	input []*schema.Message,
	options ...model.Option,
) (*schema.Message, error) {
	input, err := m.repair(ctx, input)
	if err != nil {
		return nil, err
	}
	return m.model.Generate(ctx, input, options...)
}

// Stream implements model.BaseChatModel.
func (m *chatModel) Stream(
	ctx context.Context,
	input []*schema.Message,
	options ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	input, err := m.repair(ctx, input)
	if err != nil {
		return nil, err
	}
	return m.model.Stream(ctx, input, options...)
}

// WithTools implements model.ToolCallingChatModel.
func (m *chatModel) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	with, err := m.model.WithTools(tools)
	if err != nil {
		return nil, err
	}
	return &chatModel{with, m.options, m.report}, nil
}

// GetType implements components.Typer.
func (m *chatModel) GetType() string {
	if name, ok := components.GetType(m.model); ok {
		return name
	}
	return "Preflight"
}

// IsCallbacksEnabled implements components.Checker.
func (m *chatModel) IsCallbacksEnabled() bool { return components.IsCallbacksEnabled(m.model) }

func (m *chatModel) repair(
	ctx context.Context,
	input []*schema.Message,
) ([]*schema.Message, error) {
	input, warnings, err := Messages(ctx, input, m.options)
	return input, m.report.Tell(ctx, warnings, err)
}
