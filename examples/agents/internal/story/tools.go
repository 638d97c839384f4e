package story

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// Secret is in the configuration that a tool reads.
const Secret = "hunter2"

// running, when it is not nil, is called as soon as a tool runs that takes long: this is when the
// user stops it.
var running func()

// RunTool runs a tool that the model called.
func RunTool(ctx context.Context, name string) (string, error) {
	switch name {
	case "deploy":
		if running != nil {
			running()
		}
		<-ctx.Done()
		return "", ctx.Err()
	case "read_config":
		return "port=8080 token=" + Secret, nil
	}
	return "", fmt.Errorf("there is no tool %q", name)
}

// Options are how the example agents want their history repaired.
//
// Their tools have side effects, so that a call that was stopped is answered and not removed: the
// model shall know that it ran. And the outputs of their tools pass a hook.
func Options() *wire.Options {
	return &wire.Options{
		Options: preflight.Options{
			Dangling:     preflight.DanglingAnswer,
			DanglingText: "The user has stopped this tool while it ran.",
			Hooks:        []preflight.Hook{{Name: "redact", Message: redact}},
		},
	}
}

// redact takes the secret out of the results of tools, whatever the provider's form for them is. A
// hook may change the message that it is given, which is a copy.
func redact(_ context.Context, m preflight.Message) (preflight.Message, error) {
	for _, p := range m.Parts {
		result, ok := p.(*preflight.ToolResult)
		if !ok {
			continue
		}
		result.Output = bytes.ReplaceAll(result.Output, []byte(Secret), []byte("[redacted]"))
		for _, c := range result.Content {
			if t, ok := c.(*preflight.Text); ok {
				t.Text = strings.ReplaceAll(t.Text, Secret, "[redacted]")
			}
		}
	}
	return m, nil
}

// Tell tells on w what was repaired. Warnings hold no content of messages, so that they can go to
// any log.
func Tell(w io.Writer, warnings []wire.Warning) {
	for _, warning := range warnings {
		fmt.Fprintf(w, "preflight: %s: %s\n", warning.Path, warning.Detail)
	}
}
