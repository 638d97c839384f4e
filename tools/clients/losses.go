//go:build unix

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file finds out which parts of a conversation are in a request. A part counts only where its
// owner speaks: a prompt in a text of the user's, a text in one of the model's, and a result in one
// that answers the call it belongs to. Before and after a repair are measured alike.

// lostIn returns the markers of parts that a request does not have.
func lostIn(format string, markers []string, body []byte) ([]string, error) {
	request, err := wire.Decode(body, &wire.Options{Provider: format})
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	var user, model strings.Builder
	var calls []*preflight.ToolCall
	answered := map[string]bool{} // markers of results that answer their calls
	for _, m := range request.Messages {
		for _, part := range m.Parts {
			switch p := part.(type) {
			case *preflight.Text:
				if m.Role == preflight.RoleAssistant {
					fmt.Fprintln(&model, p.Text)
				} else {
					fmt.Fprintln(&user, p.Text)
				}
			case *preflight.ToolCall:
				calls = append(calls, p)
			case *preflight.ToolResult:
				for _, marker := range markers {
					if isResult(marker) && bytes.Contains(outputOf(p), []byte(marker)) &&
						slices.ContainsFunc(calls, func(c *preflight.ToolCall) bool {
							return answers(p, c) && bytes.Contains(c.Input, []byte(callMark(marker)))
						}) {
						answered[marker] = true
					}
				}
			}
		}
	}
	var lost []string
	for _, marker := range markers {
		there := strings.Contains(model.String(), marker)
		switch {
		case isResult(marker):
			there = answered[marker]
		case isPrompt(marker):
			there = strings.Contains(user.String(), marker)
		}
		if !there {
			lost = append(lost, marker)
		}
	}
	return lost, nil
}

// answers reports whether a result is that of a call. Gemini's may have no id.
func answers(result *preflight.ToolResult, call *preflight.ToolCall) bool {
	if result.CallID == "" && call.ID == "" {
		return result.Name == call.Name
	}
	return result.CallID == call.ID
}

// outputOf is what is in a result.
func outputOf(result *preflight.ToolResult) []byte {
	all := bytes.Clone(result.Output)
	for _, part := range result.Content {
		if text, is := part.(*preflight.Text); is {
			all = append(append(all, text.Text...), '\n')
		}
	}
	return all
}

func isResult(marker string) bool { return strings.HasPrefix(marker, "RES-") }
func isPrompt(marker string) bool { return strings.HasPrefix(marker, "PROMPT-") }

// callMark is what the arguments of a call have whose result has a marker.
func callMark(result string) string { return strings.Replace(result, "RES-", "RES-%s' ", 1) }

// storedCall is the same in a file: some results quote the command, but not from its beginning.
func storedCall(result string) string { return `"printf '` + callMark(result) }

func isCall(mark string) bool { return strings.Contains(mark, "%s") }

// callsOf returns the stored marks of the calls whose results are among some markers.
func callsOf(markers []string) []string {
	var calls []string
	for _, m := range markers {
		if isResult(m) {
			calls = append(calls, storedCall(m))
		}
	}
	return calls
}

// alone returns the results among some markers whose call is not among the calls that can be read.
func alone(markers, calls []string) []string {
	var all []string
	for _, m := range markers {
		if isResult(m) && !slices.Contains(calls, storedCall(m)) {
			all = append(all, m)
		}
	}
	return all
}

// without returns the markers that are not among others.
func without(markers, others []string) []string {
	return slices.DeleteFunc(slices.Clone(markers), func(m string) bool {
		return slices.Contains(others, m)
	})
}

// missing returns the markers that a text does not have.
func missing(markers []string, text []byte) []string {
	var all []string
	for _, m := range markers {
		if !bytes.Contains(text, []byte(m)) {
			all = append(all, m)
		}
	}
	return all
}
