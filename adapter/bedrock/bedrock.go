// Package preflightbedrock puts preflight in front of the Converse API of aws-sdk-go-v2's
// service/bedrockruntime: right before a request is sent, its history is repaired wherever the
// service would refuse it. A client does it for all its requests, before they are signed:
//
//	client := bedrockruntime.NewFromConfig(cfg,
//		bedrockruntime.WithAPIOptions(preflightbedrock.Middleware(nil)))
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call, and get the warnings:
//
//	input, warnings, err := preflightbedrock.Input(ctx, input, nil)
//	output, err := client.Converse(ctx, input)
//
// StreamInput is Input for ConverseStream, and Messages repairs a history without its request.
// Marshal and Unmarshal store a history as JSON, which the SDK's types do not support.
//
// # What is preserved
//
// Everything that the SDK sends. A message that needs no repair comes back as the caller's own
// value, and a repaired one shares the blocks that did not change with the message it was made of.
// What was changed is only what a warning reports: signatures, redacted reasoning, cache points,
// media in bytes or in S3, guard content, documents and the spelling of their numbers stay.
// Messages are read and written by the SDK's own serializer, and what was read is written again to
// see that it is the same. The SDK has no raw JSON, so that a repair which its types cannot hold is
// an error that satisfies errors.Is with adapter.ErrInexact; and so is a message with a member of a
// union that the SDK does not know (types.UnknownUnionMember), since the SDK would send the message
// without it and say nothing.
//
// # What the SDK cannot do
//
// Numbers in documents (inputs of tools, results in JSON) keep all digits if they were received,
// read by Unmarshal, or given as document.Number of smithy-go. document.NewLazyDocument converts Go
// values: a float64 has 53 bits, and a json.Number becomes a string.
//
// A block of a kind that the SDK does not know is lost when an answer is received: the SDK puts a
// copy of the block before it, or nil, in its place, and preflight sees a repeated block.
//
// # Errors
//
// Errors are those of adapter.Format; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and do not write to their arguments.
package preflightbedrock

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. The model and the other settings of the request are not known to it,
// unless options name a model: Input knows them. options may be nil.
func Messages(
	ctx context.Context,
	messages []types.Message,
	options *wire.Options,
) ([]types.Message, []wire.Warning, error) {
	return format.Messages(ctx, messages, options)
}

// Input repairs a whole request: the history, by what the model and the rest of the request ask of
// it, and the few members beside it that can make a request fail with its history (the system
// prompt, the tools, thinking among the additional fields). What comes back is input itself when
// nothing had to change, and else a copy. The model of the request narrows the rules unless options
// name another; where it is the ARN of an inference profile, which does not name its model,
// let them. options may be nil. An input without messages, as one for a stored prompt may be,
// is an error that satisfies errors.Is with preflight.ErrEmptyHistory or wire.ErrNotARequest: it
// has no history to repair.
func Input(
	ctx context.Context,
	input *bedrockruntime.ConverseInput,
	options *wire.Options,
) (*bedrockruntime.ConverseInput, []wire.Warning, error) {
	var given bedrockruntime.ConverseInput
	if input != nil {
		given = *input
	}
	repaired, warnings, err := sanitize(ctx, given, options)
	if err != nil || len(warnings) == 0 {
		return input, nil, err
	}
	return &repaired, warnings, nil
}

// StreamInput is Input for ConverseStream.
func StreamInput(
	ctx context.Context,
	input *bedrockruntime.ConverseStreamInput,
	options *wire.Options,
) (*bedrockruntime.ConverseStreamInput, []wire.Warning, error) {
	var given bedrockruntime.ConverseInput
	if input != nil {
		given = bedrockruntime.ConverseInput{
			ModelId:                      input.ModelId,
			Messages:                     input.Messages,
			System:                       input.System,
			ToolConfig:                   input.ToolConfig,
			AdditionalModelRequestFields: input.AdditionalModelRequestFields,
		}
	}
	repaired, warnings, err := sanitize(ctx, given, options)
	if err != nil || len(warnings) == 0 {
		return input, nil, err
	}
	out := *input
	out.Messages = repaired.Messages
	out.System = repaired.System
	out.ToolConfig = repaired.ToolConfig
	out.AdditionalModelRequestFields = repaired.AdditionalModelRequestFields
	return &out, warnings, nil
}

// format is the format of the SDK's messages.
var format = &adapter.Format[types.Message]{
	Provider:  "bedrock",
	List:      "messages",
	Marshal:   marshal,
	Unmarshal: unmarshal,
}

// sanitize is Input on a copy.
func sanitize(
	ctx context.Context,
	input bedrockruntime.ConverseInput,
	options *wire.Options,
) (bedrockruntime.ConverseInput, []wire.Warning, error) {
	body, err := write(&input)
	if err != nil {
		return input, nil, blame(input.Messages, err)
	}
	var own wire.Options
	if options != nil {
		own = *options
	}
	if own.Model == "" && input.ModelId != nil {
		own.Model = *input.ModelId // it is part of the path, and not of the body
	}
	r, err := format.Request(ctx, body, input.Messages, &own)
	if err != nil {
		return input, nil, err
	}
	input.Messages = r.Messages
	if len(r.Members) > 0 {
		err = setMembers(&input, r.Members)
	}
	return input, r.Warnings, err
}

// blame names the message that is the reason why a request cannot be written, if it is one.
func blame(messages []types.Message, err error) error {
	for i, m := range messages {
		if _, e := marshal(m); e != nil {
			return &adapter.MessageError{Message: i, Err: e}
		}
	}
	return err
}

// setMembers sets members of a request, as adapter.Request has them.
func setMembers(input *bedrockruntime.ConverseInput, members map[string]json.RawMessage) error {
	present := make(map[string]json.RawMessage)
	for name, raw := range members {
		if raw != nil {
			present[name] = raw
		}
	}
	body, err := json.Marshal(present)
	if err != nil {
		return err
	}
	// The SDK can read requests for counting tokens, which have the members that can change and no
	// others.
	var read types.ConverseTokensRequest
	if err := readExactly(body, &read); err != nil {
		return fmt.Errorf("what had to be changed beside the messages: %w", err)
	}
	for name := range members {
		switch name {
		case "system":
			input.System = read.System
		case "toolConfig":
			input.ToolConfig = read.ToolConfig
		case "additionalModelRequestFields":
			input.AdditionalModelRequestFields = read.AdditionalModelRequestFields
		default:
			return fmt.Errorf("%w: %T has no place for %q", adapter.ErrInexact, *input, name)
		}
	}
	return nil
}
