package session

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file says with which settings a client sends a session, as far as the session shows it: what
// a provider refuses depends on the model and on the mode of thinking.

// sessionOf is session with the settings of the client.
func (c *client) sessionOf(l *log, messages []message) *Session {
	s := c.session(messages)
	model := ""
	for _, record := range l.objects() {
		if named := c.model(record); named != "" {
			model = named
		}
	}
	asked, known := false, false
	if c.thinks != nil {
		asked, known = c.thinks(l)
	}
	s.settings = settingsOf(c.format, model, known && asked || !known && thinks(messages))
	if c.sends != nil {
		s.settings = append(s.settings, c.sends(l)...)
	}
	s.betas = c.betas
	if says(messages, `"type":"fallback"`) { // the client would not have it otherwise
		s.betas = append(s.betas[:len(s.betas):len(s.betas)], "server-side-fallback")
	}
	return s
}

// says reports whether the JSON of a message holds a text.
func says(messages []message, text string) bool {
	return slices.ContainsFunc(messages, func(m message) bool {
		return bytes.Contains(m.json, []byte(text))
	})
}

// toolsOf returns a member with the tools that messages refer to: a client declares what its search
// for tools has found. list has the messages, one or more in an element.
func toolsOf(format string, list [][]byte) []byte {
	var tools [][]byte
	seen := map[string]bool{}
	for _, messages := range list {
		if format != "anthropic" || !bytes.Contains(messages, []byte(`"tool_reference"`)) {
			continue
		}
		textsIn(valueOf(array(messages)), "", func(member string, text jsonscan.Value) {
			if name := text.Str(); member == "tool_name" && !seen[name] {
				seen[name] = true
				tools = append(tools, object("name", name, "input_schema", object("type", "object")))
			}
		})
	}
	if tools == nil {
		return nil
	}
	return append([]byte(`,"tools":`), array(tools...)...)
}

// settingsOf returns members of a request, each with a comma before it.
func settingsOf(format, model string, thinks bool) []byte {
	if model == "" {
		return nil
	}
	settings := append([]byte(`,"model":`), quote(model)...)
	if format == "anthropic" && thinks && takesBudget(model) {
		settings = append(settings, `,"thinking":{"type":"enabled","budget_tokens":1024}`...)
	}
	return settings
}

// thinks reports whether the model has answered with thinking, so that the client asks for it.
func thinks(messages []message) bool {
	for _, m := range messages {
		if !bytes.Contains(m.json, []byte(`"thinking"`)) {
			continue
		}
		for _, block := range elements(valueOf(m.json).Get("content")) {
			if block.Get("type").StrIs("thinking") {
				return true
			}
		}
	}
	return false
}

// takesBudget reports whether clients set a budget for the thinking of a model of Anthropic's. From
// version 4.6 on, models decide themselves.
func takesBudget(model string) bool {
	_, name, found := strings.Cut(model, "claude-")
	if !found {
		return false
	}
	version := 0 // 4.5 is 405
	for _, piece := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '.' }) {
		n, err := strconv.Atoi(piece)
		switch {
		case err != nil || n > 99: // a name, or a date
		case version == 0:
			version = 100 * n
		case version%100 == 0:
			version += n
		}
	}
	return version > 0 && version < 406
}
