package preflightbedrock_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"

	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
)

// TestStreams: the same over ConverseStream, whose answers are put together from events.
func TestStreams(t *testing.T) {
	ctx := context.Background()
	s := newSession(t, reply, preflighttest.Reply{Text: "Because."})
	stream := &bedrockruntime.ConverseStreamInput{
		ModelId:                      s.input.ModelId,
		System:                       s.input.System,
		ToolConfig:                   s.input.ToolConfig,
		InferenceConfig:              s.input.InferenceConfig,
		AdditionalModelRequestFields: s.input.AdditionalModelRequestFields,
		Messages:                     []types.Message{user(text("Build it."))},
	}
	answer, err := receive(ctx, s.client, stream)
	if err != nil {
		t.Fatal(err)
	}
	if kinds := fmt.Sprintf("%T", answer.Content[len(answer.Content)-1]); len(answer.Content) < 3 ||
		kinds != "*types.ContentBlockMemberToolUse" {
		t.Fatalf("%d blocks, the last a %s", len(answer.Content), kinds)
	}
	stream.Messages = append(stream.Messages, answer, user(text("Stop. Why does it take so long?")))

	_, err = receive(ctx, s.client, stream)
	requireRefused(t, err, "Expected toolResult blocks at messages.2.content for the following Ids")
	repaired, warnings, err := preflightbedrock.StreamInput(ctx, stream, nil)
	if err != nil || !slices.Equal(clienttest.Codes(warnings), []string{"dangling-answered"}) {
		t.Fatal(warnings, err)
	}
	answer, err = receive(ctx, s.client, repaired)
	if err != nil || answer.Content[0].(*types.ContentBlockMemberText).Value != "Because." {
		t.Fatalf("with preflight: %v", err)
	}
	requests := s.server.Requests()[1:]
	clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, map[int]int{0: 0, 1: 1})
}

// TestStreamFault: an exception of the fake's in the middle of a stream is the SDK's error of that
// name.
func TestStreamFault(t *testing.T) {
	cut := reply
	cut.Fault = &preflighttest.Fault{After: 6, Status: 429}
	s := newSession(t, cut)
	_, err := receive(context.Background(), s.client, &bedrockruntime.ConverseStreamInput{
		ModelId:  s.input.ModelId,
		Messages: []types.Message{user(text("Build it."))},
	})
	var throttled *types.ThrottlingException
	if !errors.As(err, &throttled) {
		t.Error(err)
	}
}

// receive puts an answer together from its events.
func receive(
	ctx context.Context,
	client *bedrockruntime.Client,
	input *bedrockruntime.ConverseStreamInput,
) (types.Message, error) {
	answer := types.Message{Role: types.ConversationRoleAssistant}
	output, err := client.ConverseStream(ctx, input)
	if err != nil {
		return answer, err
	}
	stream := output.GetStream()
	defer stream.Close()
	var block open
	for e := range stream.Events() {
		switch e := e.(type) {
		case *types.ConverseStreamOutputMemberContentBlockStart:
			if use, ok := e.Value.Start.(*types.ContentBlockStartMemberToolUse); ok {
				block.use = &types.ToolUseBlock{
					ToolUseId: use.Value.ToolUseId,
					Name:      use.Value.Name,
				}
			}
		case *types.ConverseStreamOutputMemberContentBlockDelta:
			block.add(e.Value.Delta)
		case *types.ConverseStreamOutputMemberContentBlockStop:
			b, err := block.close()
			if err != nil {
				return answer, err
			}
			answer.Content, block = append(answer.Content, b), open{}
		}
	}
	return answer, stream.Err()
}

// open is a block of which not all has arrived.
type open struct {
	use                *types.ToolUseBlock
	text               string // or the input of use
	thought, signature string
	redacted           []byte
}

func (o *open) add(delta types.ContentBlockDelta) {
	switch d := delta.(type) {
	case *types.ContentBlockDeltaMemberText:
		o.text += d.Value
	case *types.ContentBlockDeltaMemberToolUse:
		o.text += *d.Value.Input
	case *types.ContentBlockDeltaMemberReasoningContent:
		switch d := d.Value.(type) {
		case *types.ReasoningContentBlockDeltaMemberText:
			o.thought += d.Value
		case *types.ReasoningContentBlockDeltaMemberSignature:
			o.signature += d.Value
		case *types.ReasoningContentBlockDeltaMemberRedactedContent:
			o.redacted = append(o.redacted, d.Value...)
		}
	}
}

func (o *open) close() (types.ContentBlock, error) {
	switch {
	case o.use != nil:
		d := json.NewDecoder(strings.NewReader(o.text))
		d.UseNumber()
		var input map[string]any
		if err := d.Decode(&input); err != nil {
			return nil, err
		}
		for k, v := range input {
			if n, ok := v.(json.Number); ok {
				input[k] = smithydocument.Number(n)
			}
		}
		o.use.Input = document.NewLazyDocument(input)
		return &types.ContentBlockMemberToolUse{Value: *o.use}, nil
	case o.redacted != nil:
		return &types.ContentBlockMemberReasoningContent{
			Value: &types.ReasoningContentBlockMemberRedactedContent{Value: o.redacted},
		}, nil
	case o.signature != "":
		return &types.ContentBlockMemberReasoningContent{
			Value: &types.ReasoningContentBlockMemberReasoningText{
				Value: types.ReasoningTextBlock{
					Text:      aws.String(o.thought),
					Signature: aws.String(o.signature),
				}},
		}, nil
	}
	return text(o.text), nil
}
