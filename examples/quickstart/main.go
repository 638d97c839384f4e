// Quickstart plays what goes wrong in a day of an agent loop, on request bodies as they were about
// to be sent to Anthropic and to OpenAI Chat: what the provider would have answered, what preflight
// changed, and the request that went out instead.
//
//	go run ./examples/quickstart
package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

//go:embed bodies/*.json
var bodies embed.FS

// scenes tells what happened, in the order of the bodies.
var scenes = []struct{ file, story string }{
	{"1-aborted-tool", "the user pressed Escape while a tool was running"},
	{"2-trimmed-window", "the context window was trimmed in the middle of a tool call"},
	{"3-late-result", "the tool finished after the conversation had moved on"},
	{"4-duplicate-result", "an abort handler answered the call, and then the tool did"},
	{"5-double-send",
		"a stream died twice; its empty turns were stored, and the question was sent again"},
	{"6-healthy", "nothing at all"},
}

var providers = []string{"anthropic", "openai-chat"}

func main() {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func play(w io.Writer) error {
	for _, scene := range scenes {
		fmt.Fprintf(w, "━━ What happened: %s.\n", scene.story)
		for _, provider := range providers {
			body, err := bodies.ReadFile("bodies/" + scene.file + "." + provider + ".json")
			if err != nil {
				return err
			}
			if err := send(w, provider, body); err != nil {
				return fmt.Errorf("%s, %s: %w", scene.file, provider, err)
			}
		}
	}
	return nil
}

// send does what an agent loop does right before each request.
func send(w io.Writer, provider string, body []byte) error {
	before, err := wire.Check(body, nil)
	if err != nil {
		return err
	}
	result, err := wire.Sanitize(context.Background(), body, nil)
	if err != nil {
		return err
	}
	after, err := wire.Check(result.Body, nil)
	if err != nil {
		return err
	}
	if len(after.Violations) > 0 {
		return fmt.Errorf("%d violations are left", len(after.Violations))
	}
	fmt.Fprintf(w, "\n   %s\n", provider)
	if !result.Changed {
		fmt.Fprintf(w, "     sent as it is, byte for byte: %t\n\n", bytes.Equal(body, result.Body))
		return nil
	}
	if len(before.Violations) > 0 {
		v := before.Violations[0]
		if r, ok := rule.ByID(v.Rule); ok && r.Error != "" {
			fmt.Fprintf(w, "     without preflight  400: %s\n", shorten(r.Error))
		}
	}
	for _, warning := range result.Warnings {
		fmt.Fprintf(w, "     changed            %s: %s\n", warning.Path, warning.Detail)
	}
	fmt.Fprintln(w, "     sent instead")
	return printMessages(w, result.Body)
}

// printMessages prints the messages of a body, one per line.
func printMessages(w io.Writer, body []byte) error {
	var request struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	for _, m := range request.Messages {
		var line bytes.Buffer
		if err := json.Compact(&line, m); err != nil {
			return err
		}
		fmt.Fprintf(w, "       %s\n", shorten(line.String()))
	}
	fmt.Fprintln(w)
	return nil
}

func shorten(s string) string {
	const most = 150
	runes := []rune(strings.ReplaceAll(s, "\n", " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
