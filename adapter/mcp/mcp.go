// Package preflightmcp takes the tools of Model Context Protocol servers into an agent loop, with
// github.com/modelcontextprotocol/go-sdk: calls of the model go to a server, and what the server
// answers becomes a tool result for any provider.
//
//	options.Tools, err = preflightmcp.Tools(tools)              // of session.ListTools
//	options.Options.OpenCall = preflightmcp.OpenCall(tools)
//	…
//	for _, call := range response.Calls() {
//		result, err := preflightmcp.Call(ctx, session, call)
//		if err != nil {
//			return err // stopped, or the server is gone: the call stays open
//		}
//		history = append(history, result)
//	}
//
// A call that is stopped, or whose server is gone, has no result and stays open in the history.
// wire.Prepare or preflight.Sanitize then repairs it before the next request: it is answered if its
// tool can have side effects, which the server says of its tools, and else by the option.
//
// # What is preserved
//
// Everything. Text, images, audio and files in resources become parts of the result, and a link
// becomes text with its JSON, because no provider has a place for it. Structured content is the
// output of the result, unless a text of the content says the same. What only MCP knows
// (annotations, addresses of resources, _meta) is in the metadata of the parts under "mcp", is
// stored with them, and is sent to no provider. CallToolResult is the way back, after a store or a
// hook.
//
// # Errors
//
// A tool that fails has a result, which IsError marks, and so has a call that the server refuses,
// as it does for an unknown tool: the model can read why. ErrNeedsInput is that of a result that is
// none yet, adapter.ErrInexact that of one that MCP has no place for. The functions are safe for
// concurrent use, keep no state, and do not write to their arguments.
package preflightmcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// ErrNeedsInput is the error for a result with which the server asks for input first, where the
// client of the SDK does not give it by itself. The call stays open: mark it with
// preflight.AwaitingClient if the answer takes a while.
var ErrNeedsInput = errors.New("the server needs input before it has a result")

// Call has a server run a call, and returns a tool message with the result. Arguments that are no
// JSON object are not sent, and the result says so. The error is that of ctx, of the connection, or
// of Result: the call has no result then. A call that is stopped may have run.
func Call(
	ctx context.Context,
	session *mcp.ClientSession,
	call *preflight.ToolCall,
) (preflight.Message, error) {
	if session == nil || call == nil {
		return preflight.Message{}, errors.New("no session, or no call")
	}
	arguments := bytes.TrimSpace(call.Input)
	if len(arguments) == 0 {
		arguments = []byte("{}")
	}
	if arguments[0] != '{' || !json.Valid(arguments) {
		return preflight.ResultOf(call, "", errors.New("the arguments are not a JSON object")), nil
	}
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: call.Name, Arguments: json.RawMessage(arguments),
	})
	if refusal := (*jsonrpc.Error)(nil); errors.As(err, &refusal) && ctx.Err() == nil {
		return preflight.ResultOf(call, "", errors.New(refusal.Message)), nil
	}
	if err != nil {
		return preflight.Message{}, err
	}
	result, err := Result(call, answer)
	if err != nil {
		return preflight.Message{}, err
	}
	return preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{result}}, nil
}

// Tools describes the tools of a server to the model. The error is that of a schema that is not
// JSON.
func Tools(tools []*mcp.Tool) ([]wire.Tool, error) {
	out := make([]wire.Tool, 0, len(tools))
	for _, t := range tools {
		if t == nil {
			continue
		}
		made := wire.Tool{Name: t.Name, Description: t.Description}
		if t.InputSchema != nil {
			var err error
			if made.Schema, err = json.Marshal(t.InputSchema); err != nil {
				return nil, fmt.Errorf("the schema of tool %q: %w", t.Name, err)
			}
		}
		out = append(out, made)
	}
	return out, nil
}

// OpenCall is for preflight.Options: a call that was stopped is answered if its tool may have side
// effects, because the model would repeat a call that it does not see. These are all tools that the
// server does not declare to be read-only. Of a tool that is not listed nothing is known: as for
// calls that wait, the default applies.
func OpenCall(tools []*mcp.Tool) func(*preflight.ToolCall) preflight.Part {
	effects := make(map[string]bool)
	for _, t := range tools {
		if t != nil {
			effects[t.Name] = t.Annotations == nil || !t.Annotations.ReadOnlyHint
		}
	}
	return func(call *preflight.ToolCall) preflight.Part {
		if call.Awaiting != "" || !effects[call.Name] {
			return nil
		}
		return &preflight.ToolResult{}
	}
}
