package preflightollama

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/go-preflight/preflight/adapter"
)

// This file makes messages of repaired JSON.

// message returns the message that is sent as raw. The SDK's own reader makes float64 of the
// numbers in arguments: they are read here.
func message(raw []byte, _ *api.Message) (api.Message, error) {
	var m api.Message
	raw, bare, calls, err := takeArguments(raw)
	if err == nil {
		err = json.Unmarshal(bare, &m)
	}
	if err != nil {
		return m, err
	}
	for i, written := range calls {
		if m.ToolCalls[i].Function.Arguments, err = arguments(written); err != nil {
			return m, err
		}
	}
	written, err := json.Marshal(m)
	if err != nil {
		return m, err
	}
	if !adapter.Equal(raw, written) {
		return m, fmt.Errorf("%w: %T", adapter.ErrInexact, m)
	}
	return m, nil
}

// takeArguments returns a message whose calls say their index, which the SDK always sends; the same
// without arguments; and the arguments.
func takeArguments(raw []byte) (whole, bare []byte, taken []json.RawMessage, err error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, nil, nil, err
	}
	if m["tool_calls"] == nil {
		return raw, raw, nil, nil
	}
	var calls []map[string]json.RawMessage
	if err := json.Unmarshal(m["tool_calls"], &calls); err != nil {
		return nil, nil, nil, err
	}
	functions := make([]map[string]json.RawMessage, len(calls))
	for i, call := range calls {
		if err := json.Unmarshal(call["function"], &functions[i]); err != nil {
			return nil, nil, nil, err
		}
		if functions[i] == nil {
			return nil, nil, nil, fmt.Errorf("%w: a tool call without a function",
				adapter.ErrInexact)
		}
		if functions[i]["index"] == nil {
			functions[i]["index"] = json.RawMessage("0")
		}
		taken = append(taken, functions[i]["arguments"])
	}
	if whole, err = withFunctions(m, calls, functions); err != nil {
		return nil, nil, nil, err
	}
	for _, function := range functions {
		delete(function, "arguments")
	}
	bare, err = withFunctions(m, calls, functions)
	return whole, bare, taken, err
}

// withFunctions returns a message whose calls are of these functions.
func withFunctions(
	m map[string]json.RawMessage,
	calls, functions []map[string]json.RawMessage,
) (out []byte, err error) {
	for i, call := range calls {
		if call["function"], err = json.Marshal(functions[i]); err != nil {
			return nil, err
		}
	}
	if m["tool_calls"], err = json.Marshal(calls); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// arguments returns those of an object, in its order and with its numbers as they are spelled.
func arguments(raw json.RawMessage) (api.ToolCallFunctionArguments, error) {
	out := api.NewToolCallFunctionArguments()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return out, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return out, err
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return out, err
		}
		name, ok := key.(string)
		if !ok {
			return out, fmt.Errorf("%w: arguments that are no object", adapter.ErrInexact)
		}
		out.Set(name, value)
	}
	return out, nil
}
