package session

import "github.com/go-preflight/preflight/internal/jsonscan"

// This file restores calls in sessions of the Copilot CLI.

// restoreCopilotCalls writes the calls of a lost message again, if they have results: a call is
// also in the event that its tool began to run.
func restoreCopilotCalls(l *log, r *Report) {
	events := copilotEvents(l)
	called, ended := map[string]bool{}, map[string]bool{}
	for _, event := range events {
		switch id := event.str("data", "toolCallId"); event.str("type") {
		case "assistant.message":
			for _, call := range elements(event.at("data", "toolRequests")) {
				called[call.Get("toolCallId").Str()] = true
			}
		case "tool.user_requested":
			called[id] = true
		case copilotResult:
			ended[id] = true
		}
	}
	var runs []*line // of one message
	before := map[*line]*line{}
	restore := func() {
		if len(runs) == 0 {
			return
		}
		before[runs[0]] = copilotCalls(runs)
		r.add(Finding{
			Code: CodeOrphanResult, Lines: numbered(runs...),
			Problem: "the message with the call is not in the file, so the client " +
				r.does("drop") + " the result",
			Fix: "write the call again, as it was run",
		})
		runs = nil
	}
	for _, event := range events {
		switch id := event.str("data", "toolCallId"); event.str("type") {
		case "assistant.message", "user.message":
			restore()
		case "tool.execution_start":
			if id != "" && !called[id] && ended[id] && event.str("data", "toolName") != "" &&
				event.at("data", "arguments").Kind() == jsonscan.Object {
				called[id] = true
				runs = append(runs, event)
			}
		}
	}
	restore()
	if len(before) == 0 {
		return
	}
	var lines []*line
	for _, event := range l.lines {
		if message := before[event]; message != nil {
			lines = append(lines, message)
		}
		lines = append(lines, event)
	}
	l.lines = lines
}

// copilotCalls returns a message with the calls of some runs.
func copilotCalls(runs []*line) *line {
	first := runs[0]
	var calls [][]byte
	for _, run := range runs {
		calls = append(calls, object("toolCallId", run.at("data", "toolCallId"),
			"name", run.at("data", "toolName"), "arguments", run.at("data", "arguments"),
			"type", "function"))
	}
	data := object("messageId", derivedID(first.str("id"), "message"), "content", "",
		"toolRequests", array(calls...))
	return newLine(0, object("type", "assistant.message", "data", data,
		"id", derivedID(first.str("id"), "calls"), "timestamp", first.at("timestamp"),
		"parentId", first.at("parentId")))
}
