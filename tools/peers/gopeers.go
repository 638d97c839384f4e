package main

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/patchtoolcalls"
	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight"
	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file has preflight and the peers that are written in Go.

// peer is a sanitizer.
type peer struct {
	name string
	// prepare returns a pass that sanitizes a history, which was put into the peer's types before.
	prepare func(ctx context.Context, history []message) (pass func() error, err error)
	// repair returns what the peer makes of a history.
	repair func(ctx context.Context, history []message) ([]message, error)
}

var peers = []peer{
	{"preflight", prepareNeutral, repairWire},
	{"preflight-wire", prepareWire, repairWire},
	{"preflight-eino", prepareAdapter, repairAdapter},
	{"eino", preparePatch, repairPatch},
}

var chat = &wire.Options{Provider: "openai-chat"}

// prepareNeutral sanitizes neutral messages.
func prepareNeutral(ctx context.Context, history []message) (func() error, error) {
	body, err := bodyOf(history)
	if err != nil {
		return nil, err
	}
	r, err := wire.Decode(body, chat)
	if err != nil {
		return nil, err
	}
	profile := provider.OpenAIChat("gpt-4o")
	return func() error {
		_, err := preflight.Sanitize(ctx, r.Messages, profile, nil)
		return err
	}, nil
}

// prepareWire sanitizes a request body.
func prepareWire(ctx context.Context, history []message) (func() error, error) {
	body, err := bodyOf(history)
	return func() error {
		_, err := wire.Sanitize(ctx, body, chat)
		return err
	}, err
}

func repairWire(ctx context.Context, history []message) ([]message, error) {
	body, err := bodyOf(history)
	if err != nil {
		return nil, err
	}
	result, err := wire.Sanitize(ctx, body, chat)
	if err != nil {
		return nil, err
	}
	var request struct{ Messages []message }
	err = json.Unmarshal(result.Body, &request)
	return request.Messages, err
}

// prepareAdapter sanitizes messages of eino.
func prepareAdapter(ctx context.Context, history []message) (func() error, error) {
	given := toEino(history)
	return func() error {
		_, _, err := preflighteino.Messages(ctx, given, chat)
		return err
	}, nil
}

func repairAdapter(ctx context.Context, history []message) ([]message, error) {
	repaired, _, err := preflighteino.Messages(ctx, toEino(history), chat)
	return fromEino(repaired), err
}

// preparePatch is eino's own middleware.
func preparePatch(ctx context.Context, history []message) (func() error, error) {
	middleware, err := patchtoolcalls.New(ctx, nil)
	if err != nil {
		return nil, err
	}
	state := &adk.ChatModelAgentState{Messages: toEino(history)}
	return func() error {
		_, _, err := middleware.BeforeModelRewriteState(ctx, state, nil)
		return err
	}, nil
}

func repairPatch(ctx context.Context, history []message) ([]message, error) {
	middleware, err := patchtoolcalls.New(ctx, nil)
	if err != nil {
		return nil, err
	}
	_, state, err := middleware.BeforeModelRewriteState(ctx,
		&adk.ChatModelAgentState{Messages: toEino(history)}, nil)
	if err != nil {
		return nil, err
	}
	return fromEino(state.Messages), nil
}

func toEino(history []message) []*schema.Message {
	out := make([]*schema.Message, len(history))
	for i, m := range history {
		out[i] = &schema.Message{
			Role: schema.RoleType(m.Role), Content: m.Content, ToolCallID: m.ToolCallID,
		}
		for _, c := range m.ToolCalls {
			out[i].ToolCalls = append(out[i].ToolCalls, schema.ToolCall{
				ID: c.ID, Type: c.Type,
				Function: schema.FunctionCall{
					Name: c.Function.Name, Arguments: c.Function.Arguments,
				},
			})
		}
	}
	return out
}

func fromEino(history []*schema.Message) []message {
	out := make([]message, len(history))
	for i, m := range history {
		out[i] = message{Role: string(m.Role), Content: m.Content, ToolCallID: m.ToolCallID}
		for _, c := range m.ToolCalls {
			out[i].ToolCalls = append(out[i].ToolCalls,
				call{c.ID, "function", function{c.Function.Name, c.Function.Arguments}})
		}
	}
	return out
}
