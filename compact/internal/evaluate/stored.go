package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-preflight/preflight"
)

// This file evaluates sessions that the coding agent pi stored, a message a line. Nothing was
// planted in them, so that identifiers that are needed again, the prefix and the budget are all
// that is counted.

// storedMessage is a message of pi.
type storedMessage struct {
	Role    preflight.Role `json:"role"`
	Content []struct {
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"content"`
	CallID   string `json:"toolCallId"`
	ToolName string `json:"toolName"`
	IsError  bool   `json:"isError"`
}

// readStored reads the session in a file.
func readStored(file string) (working, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return working{}, err
	}
	s := working{session: session{name: filepath.Base(file)}}
	for _, line := range bytes.Split(data, []byte("\n")) {
		var record struct {
			Type    string        `json:"type"`
			Message storedMessage `json:"message"`
		}
		if json.Unmarshal(line, &record) != nil || record.Type != "message" {
			continue
		}
		if m := record.Message.neutral(); len(m.Parts) > 0 {
			s.history = append(s.history, m)
		}
	}
	if len(s.history) == 0 {
		return s, fmt.Errorf("%s: no session of pi", file)
	}
	return s, nil
}

// neutral returns the message without its thinking.
func (m storedMessage) neutral() preflight.Message {
	var said []preflight.Part
	for _, p := range m.Content {
		switch p.Type {
		case "text":
			said = append(said, &preflight.Text{Text: p.Text})
		case "toolCall":
			said = append(said, &preflight.ToolCall{ID: p.ID, Name: p.Name, Input: p.Arguments})
		}
	}
	if m.CallID == "" {
		return preflight.Message{Role: m.Role, Parts: said}
	}
	result := &preflight.ToolResult{
		CallID: m.CallID, Name: m.ToolName, Content: said, IsError: m.IsError,
	}
	return preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{result}}
}

// storedColumns are the columns of the table that need nothing planted.
var storedColumns = []string{
	"needed again", "prefix reused", "budget filled", "cost", "over budget", "broken rules",
}

// evaluateStored writes how the rivals that send a prefix again did over the sessions in files: in
// each, and in all together.
func evaluateStored(w io.Writer, files []string) error {
	ways := rivals()[:3]
	var all []needs
	for _, file := range files {
		s, err := readStored(file)
		if err != nil {
			return err
		}
		one, err := needIn([]working{s}, ways)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d messages, %d tokens\n\n", s.name, len(s.history), cost(s.history))
		needTable(one, ways, storedColumns).writeTo(w)
		all = append(all, one...)
	}
	if len(files) > 1 {
		fmt.Fprintf(w, "all %d\n\n", len(files))
		needTable(all, ways, storedColumns).writeTo(w)
	}
	return nil
}
