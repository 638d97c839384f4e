package preflightbedrock

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/go-preflight/preflight/adapter"
)

// This file turns messages into the JSON that the SDK sends for them, and makes messages of such
// JSON.

// Marshal writes a history as the JSON array that Converse takes for it, to be kept in a file: the
// SDK's types are not made for encoding/json. The error is an *adapter.MessageError. The cost is
// linear in the JSON.
func Marshal(messages []types.Message) ([]byte, error) {
	list := make([]json.RawMessage, len(messages))
	for i, m := range messages {
		var err error
		if list[i], err = marshal(m); err != nil {
			return nil, &adapter.MessageError{Message: i, Err: err}
		}
	}
	return bytesOf(list), nil
}

// Unmarshal reads what Marshal has written, or another such array. What the SDK's types cannot hold
// all of is an *adapter.MessageError that satisfies errors.Is with adapter.ErrInexact. The cost is
// linear in the JSON.
func Unmarshal(data []byte) ([]types.Message, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("a history is an array of messages: %w", err)
	}
	messages := make([]types.Message, len(list))
	for i, raw := range list {
		if err := readExactly(raw, &messages[i]); err != nil {
			return nil, &adapter.MessageError{Message: i, Reading: true, Err: err}
		}
	}
	return messages, nil
}

// bytesOf returns a JSON array of list, whose bytes stay as they are.
func bytesOf(list []json.RawMessage) []byte {
	out := []byte{'['}
	for i, raw := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return append(out, ']')
}

// marshal returns the JSON that the SDK sends for a message.
func marshal(m types.Message) ([]byte, error) { return write(&m) }

// unmarshal returns the message for which the SDK sends raw. It shares the blocks that did not
// change with from.
func unmarshal(raw []byte, from *types.Message) (types.Message, error) {
	var parts struct {
		Role    types.ConversationRole
		Content []json.RawMessage
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return types.Message{}, err
	}
	own, err := ownBlocks(from)
	if err != nil {
		return types.Message{}, err
	}
	m := types.Message{Role: parts.Role, Content: make([]types.ContentBlock, 0, len(parts.Content))}
	for _, raw := range parts.Content {
		b, ok := own[string(raw)]
		if !ok {
			if b, err = block(raw); err != nil {
				return types.Message{}, err
			}
		}
		m.Content = append(m.Content, b)
	}
	return m, sentAs(&m, raw)
}

// ownBlocks returns the blocks of a message by their JSON; those that are nil are not sent.
func ownBlocks(from *types.Message) (map[string]types.ContentBlock, error) {
	if from == nil {
		return nil, nil
	}
	raw, err := marshal(*from)
	if err != nil {
		return nil, err
	}
	var sent struct{ Content []json.RawMessage }
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, err
	}
	own := make(map[string]types.ContentBlock, len(sent.Content))
	for _, b := range from.Content {
		if b != nil && len(sent.Content) > 0 {
			own[string(sent.Content[0])] = b
			sent.Content = sent.Content[1:]
		}
	}
	return own, nil
}

// block returns the block for which the SDK sends raw.
func block(raw json.RawMessage) (types.ContentBlock, error) {
	var m types.Message
	message := bytes.Join([][]byte{[]byte(`{"content":[`), raw, []byte(`]}`)}, nil)
	if err := readExactly(message, &m); err != nil {
		return nil, err
	}
	return m.Content[0], nil
}
