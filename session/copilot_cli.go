package session

import (
	"cmp"
	"crypto/sha256"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// copilotCLI is the GitHub Copilot CLI, measured with version 1.0.102. A session is a log of events
// in order: an answer has its calls in toolRequests, and a result is an event of its own.
//
// Events of a subagent are between those of the agent that called it, and name it. Commands that
// the user typed have events like those of tools, and no call.
//
// On resume it skips lines that are no JSON, answers calls without a result and drops results
// without a call. An answer that is in the file twice is sent twice. It leaves out a blank answer
// and reasoning without a signature, and replaces lone surrogates.
var copilotCLI = client{
	name:     "copilot-cli",
	title:    "Copilot CLI",
	programs: []string{"copilot"},
	lock:     "inuse.*.lock",
	places:   []Place{{"COPILOT_HOME", ".copilot", "session-state"}},
	format:   "anthropic",
	starts:   []string{`{"type":"`},
	habits:   []habits{{from: "1.0.102", to: "1.0.102", dropsOrphans: true}},
	version:  func(l *line) string { return l.str("data", "copilotVersion") },
	knows: func(l *line) bool {
		return l.at("data").Kind() == jsonscan.Object && l.at("type").Exists() &&
			l.at("id").Exists() && l.at("parentId").Exists() && l.at("timestamp").Exists()
	},
	says:     []string{"data"},
	emptied:  saysNothing,
	id:       "id",
	compacts: func(l *line) bool { return strings.HasPrefix(l.str("type"), "session.compaction") },
	hooked:   func(l *line) bool { return strings.HasPrefix(l.str("type"), "hook.") },
	model:    copilotModel,
	formatOf: copilotFormat,
	repair:   repairCopilot,
	read:     readCopilot,
}

// copilotFormat returns the format of the next request: that of Chat messages, which has the fewest
// rules, for a model that is not Anthropic's.
func copilotFormat(l *log) string {
	model := ""
	for _, event := range l.objects() {
		model = cmp.Or(copilotModel(event), model)
	}
	if model == "" || strings.Contains(model, "claude") {
		return "anthropic"
	}
	return "openai-chat"
}

func copilotModel(l *line) string {
	return cmp.Or(l.str("data", "model"), l.str("data", "selectedModel"))
}

// ofCopilot reports whether an event is of the agent that the user talks to.
func ofCopilot(event *line) bool {
	return event.str("agentId") == "" && event.str("data", "parentToolCallId") == ""
}

// copilotEvents returns the events of that agent, in order.
func copilotEvents(l *log) (events []*line) {
	for _, event := range l.objects() {
		if ofCopilot(event) {
			events = append(events, event)
		}
	}
	return events
}

// saysNothing reports whether a message of Copilot's has nothing to send.
func saysNothing(event *line) bool {
	data := event.at("data")
	return oneOf(event.at("type"), "user.message", "assistant.message") &&
		isEmpty(data.Get("content")) && isEmpty(data.Get("transformedContent")) &&
		isEmpty(data.Get("attachments")) && isEmpty(data.Get("toolRequests")) &&
		isEmpty(data.Get("reasoningBlocks").Get("blocks"))
}

const copilotResult = "tool.execution_complete"

// repairCopilot drops second copies of events, and moves results that come after other messages or
// before their call.
func repairCopilot(l *log, r *Report) {
	seen := map[digest]bool{}
	for _, event := range l.objects() {
		if id := event.str("id"); id != "" {
			sum := sha256.Sum256(event.raw)
			if seen[sum] {
				event.dropped = true
				problem := "the event is in the file twice"
				if oneOf(event.at("type"), "assistant.message", "user.message") && ofCopilot(event) {
					problem = r.twice("the message", l)
				}
				r.add(Finding{
					Code: CodeDoubledLine, Lines: numbered(event),
					Problem: problem, Fix: "remove the second one",
				})
			}
			seen[sum] = true
		}
	}
	restoreCopilotCalls(l, r)
	called := map[string]*line{}
	var message *line // the last answer or prompt
	after := map[*line][]*line{}
	typed := map[string]bool{} // calls of the user's
	var orphans []*line        // results that come before their call, or whose call is lost
	for _, event := range copilotEvents(l) {
		switch event.str("type") {
		case "tool.user_requested":
			typed[event.str("data", "toolCallId")] = true
		case "assistant.message":
			message = event
			for _, call := range elements(event.at("data", "toolRequests")) {
				called[call.Get("toolCallId").Str()] = event
			}
		case "user.message":
			message = event
		case copilotResult:
			to := called[event.str("data", "toolCallId")]
			if to == nil {
				orphans = append(orphans, event)
			}
			if to == nil || to == message {
				continue
			}
			after[to] = append(after[to], event)
			r.add(Finding{
				Code: CodeOutOfOrder, Lines: numbered(event),
				Problem: "the result comes after other messages than its call",
				Fix:     "move the result after its call",
			})
		}
	}
	for _, event := range orphans {
		switch id := event.str("data", "toolCallId"); {
		case typed[id]:
		case called[id] == nil:
			r.orphan(event)
		default:
			after[called[id]] = append(after[called[id]], event)
			r.add(Finding{
				Code: CodeOutOfOrder, Lines: numbered(event),
				Problem: "the result comes before its call, so the client " + r.does("drop") + " it",
				Fix:     "move the result after its call",
			})
		}
	}
	l.moveAfter(after)
}

// copilotInterrupted is the text of the results that the client makes up.
const copilotInterrupted = "Tool execution was interrupted before a result was recorded."

// readCopilot writes the events as Anthropic messages.
func readCopilot(l *log) (messages []message, lost []int) {
	events := copilotEvents(l)
	calls, results, typed := map[string]bool{}, map[string]*line{}, map[string]bool{}
	for _, event := range events {
		if event.str("type") == "tool.user_requested" {
			typed[event.str("data", "toolCallId")] = true
		}
		for _, call := range elements(event.at("data", "toolRequests")) {
			calls[call.Get("toolCallId").Str()] = true
		}
		if id := event.str("data", "toolCallId"); event.str("type") == copilotResult {
			if calls[id] {
				results[id] = event
			} else if !typed[id] {
				lost = append(lost, numbered(event)...)
			}
		}
	}
	put := func(role string, blocks [][]byte, from ...origin) {
		if len(blocks) > 0 {
			messages = l.add(messages, blockMessage(role, blocks, from))
		}
	}
	for _, event := range events {
		data := event.at("data")
		switch event.str("type") {
		case "user.message":
			name := "transformedContent"
			if !data.Has(name) {
				name = "content"
			}
			text := data.Get(name)
			put("user", [][]byte{object("type", "text", "text", wellFormed(text))}, origin{
				record: event, path: []any{"data", name}, index: asText,
			})
		case "assistant.message":
			blocks, said := copilotBlocks(event)
			var answers [][]byte
			from := []origin{}
			for _, call := range elements(data.Get("toolRequests")) {
				id := call.Get("toolCallId").Str()
				result := results[id]
				if result == nil {
					answers = append(answers, resultBlock(id, quote(copilotInterrupted), true))
					from = append(from, origin{})
					continue
				}
				answer, inner := copilotAnswer(id, result)
				from = append(from, origin{record: result, path: []any{"data"}, inner: inner})
				answers = append(answers, answer)
			}
			put("assistant", blocks, said...)
			put("user", answers, from...)
		}
	}
	return messages, lost
}

// copilotBlocks returns the reasoning, text and calls of an answer, and where they are from.
func copilotBlocks(event *line) (blocks [][]byte, from []origin) {
	data := event.at("data")
	for k, block := range elements(data.Get("reasoningBlocks").Get("blocks")) {
		if block.Get("type").StrIs("thinking") && block.Get("signature").Str() == "" {
			continue
		}
		blocks = append(blocks, wellFormed(block))
		from = append(from, origin{
			record: event, path: []any{"data", "reasoningBlocks", "blocks"}, index: k,
		})
	}
	if text := data.Get("content"); strings.TrimSpace(text.Str()) != "" {
		blocks = append(blocks, object("type", "text", "text", wellFormed(text)))
		from = append(from, origin{record: event, path: []any{"data", "content"}, index: asText})
	}
	for k, call := range elements(data.Get("toolRequests")) {
		blocks = append(blocks, callBlock(call.Get("toolCallId").Str(), call.Get("name").Str(),
			valueOf(wellFormed(call.Get("arguments")))))
		from = append(from, origin{record: event, path: []any{"data", "toolRequests"}, index: k})
	}
	return blocks, from
}

// copilotAnswer returns a result as it is sent, and the place of its text.
func copilotAnswer(id string, result *line) (answer []byte, text []any) {
	text = []any{"data", "result", "content"}
	failed := follow(result.root(), text).Kind() != jsonscan.String
	if failed {
		text = []any{"data", "error", "message"}
	}
	return resultBlock(id, wellFormed(follow(result.root(), text)), failed), text
}
