// Quickstart plays what goes wrong in a day of an agent loop, on request bodies as they were about
// to be sent to Anthropic and to OpenAI Chat: what the provider would have answered, what preflight
// changed, and the messages before and after, as a diff.
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
	"slices"
	"strings"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

//go:embed bodies/*.json
var bodies embed.FS

// scene is something that happened, in the order of the bodies.
type scene struct {
	file, story string
	why         string // what is sent may surprise; why it is right
}

var scenes = []scene{
	{"1-aborted-tool", "the user pressed Escape while a tool was running",
		"the default removes the call; with Options.Dangling = preflight.DanglingAnswer it stays, " +
			"and the model reads that it was interrupted"},
	{"2-trimmed-window", "the context window was trimmed in the middle of a tool call",
		"it starts with the assistant, and both providers accept that: Anthropic once " +
			"demanded a user message first and no longer does. No words are made up for the user"},
	{"3-late-result", "the tool finished after the conversation had moved on",
		"the assistant has spoken since, so the call moves down to its result and not the result up: " +
			"what was sent before stays as it was, and a prompt cache still fits"},
	{"4-duplicate-result", "an abort handler answered the call, and then the tool did",
		"what the tool said counts more than the placeholder"},
	{"5-double-send",
		"a stream died twice; its empty turns were stored, and the question was sent again",
		"no text of the user is removed, not even what looks like a repetition"},
	{"6-healthy", "nothing at all", ""},
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
		if scene.why != "" {
			fmt.Fprintf(w, "\n   Why: %s.\n", scene.why)
		}
		fmt.Fprintln(w)
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
		fmt.Fprintf(w, "     sent as it is, byte for byte: %t\n", bytes.Equal(body, result.Body))
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
	return printDiff(w, body, result.Body)
}

// printDiff prints the messages of two bodies, one per line: with a minus those that are only in
// the first, with a plus those that are only in the second.
func printDiff(w io.Writer, before, after []byte) error {
	old, err := messages(before)
	if err != nil {
		return err
	}
	sent, err := messages(after)
	if err != nil {
		return err
	}
	for len(old) > 0 || len(sent) > 0 {
		switch {
		case len(old) > 0 && len(sent) > 0 && old[0] == sent[0]:
			fmt.Fprintf(w, "         %s\n", shorten(old[0]))
			old, sent = old[1:], sent[1:]
		case len(old) > 0 && !slices.Contains(sent, old[0]):
			fmt.Fprintf(w, "       - %s\n", shorten(old[0]))
			old = old[1:]
		default: // the next old message comes later
			fmt.Fprintf(w, "       + %s\n", shorten(sent[0]))
			sent = sent[1:]
		}
	}
	return nil
}

// messages returns the messages of a body, each on one line.
func messages(body []byte) ([]string, error) {
	var request struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	var lines []string
	for _, m := range request.Messages {
		var line bytes.Buffer
		if err := json.Compact(&line, m); err != nil {
			return nil, err
		}
		lines = append(lines, line.String())
	}
	return lines, nil
}

func shorten(s string) string {
	const most = 120
	runes := []rune(strings.ReplaceAll(s, "\n", " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
