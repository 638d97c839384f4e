package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/compare"
)

// This file runs package preflighttest/compare on the peers. They have messages in types of their
// own, which do not hold all of a body. So that no loss of the way there and back is taken for one
// of a peer, each message that it does not change is the one of the body, to the byte.

// passing returns what a peer reads of a history, message by message, and what it makes of it.
type passing func(ctx context.Context, history []message) (read, repaired []message, err error)

// comparePeers prints a table for each peer.
func comparePeers(ctx context.Context, out io.Writer) error {
	print := func(name string, pass passing) error {
		table, err := compare.Run(ctx, "openai-chat", onBodies(pass))
		if err == nil {
			_, err = fmt.Fprintf(out, "== %s\n%s\n", name, table)
		}
		return err
	}
	err := print("eino", func(
		ctx context.Context, history []message,
	) (read, repaired []message, err error) {
		repaired, err = repairPatch(ctx, history)
		return fromEino(toEino(history)), repaired, err
	})
	if err != nil {
		return err
	}
	dir, err := install(ctx)
	if dir == "" {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"deepagents", "pi-ai"} {
		pass, stop, err := start(ctx, dir, name)
		if err != nil {
			return err
		}
		if err := errors.Join(print(name, pass), stop()); err != nil {
			return err
		}
	}
	return nil
}

// start starts a peer in JavaScript.
func start(ctx context.Context, dir, name string) (pass passing, stop func() error, err error) {
	cmd := exec.CommandContext(ctx, "node", "peers.mjs", name)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	said := bufio.NewReader(out)
	pass = func(_ context.Context, history []message) (read, repaired []message, err error) {
		line, err := json.Marshal(history)
		if err != nil {
			return nil, nil, err
		}
		if _, err := in.Write(append(line, '\n')); err != nil {
			return nil, nil, err
		}
		answer, err := said.ReadBytes('\n')
		if err != nil {
			return nil, nil, err
		}
		var got struct {
			Read, Repaired []message
			Error          string
		}
		if err := json.Unmarshal(answer, &got); err != nil {
			return nil, nil, err
		}
		if got.Error != "" {
			return nil, nil, errors.New(got.Error)
		}
		return got.Read, got.Repaired, nil
	}
	return pass, func() error { return errors.Join(in.Close(), cmd.Wait()) }, cmd.Start()
}

// onBodies is a peer as a sanitizer of request bodies.
func onBodies(pass passing) compare.Sanitizer {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil {
			return nil, err
		}
		var given []json.RawMessage
		if err := json.Unmarshal(members["messages"], &given); err != nil {
			return nil, err
		}
		h := &held{}
		history := make([]message, len(given))
		for k, raw := range given {
			if err := h.read(raw, &history[k]); err != nil {
				return nil, err
			}
		}
		read, repaired, err := pass(ctx, history)
		if err != nil {
			return nil, err
		}
		unchanged := map[string][]json.RawMessage{}
		for k, m := range read {
			unchanged[keyOf(m)] = append(unchanged[keyOf(m)], given[k])
		}
		sent := make([]json.RawMessage, len(repaired))
		for k, m := range repaired {
			key := keyOf(m)
			if same := unchanged[key]; len(same) > 0 {
				sent[k], unchanged[key] = same[0], same[1:]
			} else {
				sent[k] = h.restored(key)
			}
		}
		if members["messages"], err = json.Marshal(sent); err != nil {
			return nil, err
		}
		return json.Marshal(members)
	}
}

func keyOf(m message) string {
	data, _ := json.Marshal(m) // strings only
	return string(data)
}

// held has what no type of a peer holds: contents that are no text, and arguments that are no
// object. Names stand for them.
type held struct{ pairs []string }

func (h *held) name(raw json.RawMessage, format string) string {
	name := fmt.Sprintf(format, len(h.pairs)/2)
	quoted, _ := json.Marshal(name)
	h.pairs = append(h.pairs, string(quoted), string(raw))
	return name
}

// read reads a message of a body.
func (h *held) read(raw json.RawMessage, m *message) error {
	var given struct {
		Role       string          `json:"role"`
		Content    json.RawMessage `json:"content"`
		ToolCallID string          `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(raw, &given); err != nil {
		return err
	}
	*m = message{Role: given.Role, ToolCallID: given.ToolCallID}
	if json.Unmarshal(given.Content, &m.Content) != nil && len(given.Content) > 0 {
		m.Content = h.name(given.Content, "content %d")
	}
	for _, c := range given.ToolCalls {
		var text string
		var object map[string]any
		arguments := c.Function.Arguments
		if json.Unmarshal(arguments, &text) != nil || json.Unmarshal([]byte(text), &object) != nil {
			text = h.name(arguments, `{"arguments":%d}`)
		}
		m.ToolCalls = append(m.ToolCalls, call{c.ID, "function", function{c.Function.Name, text}})
	}
	return nil
}

// restored puts what is held into the JSON of a message.
func (h *held) restored(text string) json.RawMessage {
	return json.RawMessage(strings.NewReplacer(h.pairs...).Replace(text))
}
