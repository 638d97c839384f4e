package preflightadk

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/plugin"
	"google.golang.org/adk/session"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/toolconfirmation"
	"google.golang.org/genai"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/wire"
)

// This file has the plugin of a runner.

// Config says what a Plugin does. The zero value repairs requests.
type Config struct {
	// Options are those of the repair; nil for the defaults.
	Options *wire.Options
	// Report is told of each repair; nil for none.
	Report Report
	// Keep is the session service of the runner. With it, the calls of a session that have no
	// response are answered in the session before a message of the user is added to it: a session
	// only grows, so that this is how a repair can be kept. Calls of long-running tools, and those
	// that the message answers, stay open. nil leaves sessions as they are, and their requests are
	// repaired each time. A panic in it passes to the caller of the runner.
	Keep session.Service
}

// Plugin returns a plugin for runner.PluginConfig, which repairs the requests of all agents of the
// runner, before their own callbacks. The error is that of plugin.New.
func Plugin(config Config) (*plugin.Plugin, error) {
	own := plugin.Config{
		Name:                "preflight",
		BeforeModelCallback: BeforeModel(config.Options, config.Report),
	}
	if config.Keep != nil {
		own.OnUserMessageCallback = config.answerOpen
	}
	return plugin.New(own)
}

// answerOpen answers the open calls of the session. It does not change the message.
func (c *Config) answerOpen(
	ctx agent.InvocationContext,
	message *genai.Content,
) (*genai.Content, error) {
	s := ctx.Session()
	if s == nil {
		return nil, nil
	}
	calls := survey(s.Events(), message)
	var answers []*session.Event
	var warnings []wire.Warning
	for i := range s.Events().Len() {
		e := s.Events().At(i)
		open := calls.open(e)
		if len(open) == 0 {
			continue
		}
		answer := session.NewEventWithContext(ctx, e.InvocationID)
		answer.Author, answer.Branch = e.Author, e.Branch // as the agent would have
		answer.Content = &genai.Content{Role: genai.RoleUser}
		for _, part := range open {
			call := e.Content.Parts[part].FunctionCall
			answer.Content.Parts = append(answer.Content.Parts, c.response(call, calls))
			warnings = append(warnings, warning(i, part, call))
		}
		answers = append(answers, answer)
	}
	for _, answer := range answers {
		if err := c.Keep.AppendEvent(ctx, s, answer); err != nil {
			return nil, err
		}
	}
	trace(ctx, warnings)
	return nil, c.Report.Tell(ctx, warnings, nil)
}

// response answers an open call. One that waits for a confirmation gets the response that ADK gives
// it, which is lost if the client stops reading when it is asked.
func (c *Config) response(call *genai.FunctionCall, calls *sessionCalls) *genai.Part {
	text := pairing.DanglingText
	if c.Options != nil && c.Options.Options.DanglingText != "" {
		text = c.Options.Options.DanglingText
	}
	if calls.waiting[call.ID] {
		text = fmt.Sprintf("error tool %q %v", call.Name, tool.ErrConfirmationRequired)
	}
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{
		ID: call.ID, Name: call.Name, Response: map[string]any{"error": text},
	}}
}

// sessionCalls is what is known of the calls of a session, by their ids: ADK gives each call one.
type sessionCalls struct {
	answered map[string]bool // those with a response, or that ADK will run now
	waiting  map[string]bool // those that wait for a confirmation
}

// survey reads the events and the message that comes after them.
func survey(events session.Events, message *genai.Content) *sessionCalls {
	calls := &sessionCalls{answered: make(map[string]bool), waiting: make(map[string]bool)}
	for e := range events.All() {
		mark(calls.answered, e.Content)
	}
	now := make(map[string]bool)
	mark(now, message)
	for e := range events.All() {
		for _, p := range parts(e.Content) {
			if p.FunctionCall == nil || p.FunctionCall.Name != toolconfirmation.FunctionCallName {
				continue
			}
			of, err := toolconfirmation.OriginalCallFrom(p.FunctionCall)
			switch {
			case err != nil:
			case now[p.FunctionCall.ID]:
				now[of.ID] = true
			case !calls.answered[p.FunctionCall.ID]:
				calls.waiting[of.ID] = true
			}
		}
	}
	maps.Copy(calls.answered, now)
	return calls
}

// mark adds the ids of the responses in a content to answered.
func mark(answered map[string]bool, content *genai.Content) {
	for _, p := range parts(content) {
		if p.FunctionResponse != nil {
			answered[p.FunctionResponse.ID] = true
		}
	}
}

// parts returns the parts of a content, an empty one in place of nil.
func parts(content *genai.Content) []*genai.Part {
	if content == nil {
		return nil
	}
	out := slices.Clone(content.Parts)
	for i, p := range out {
		if p == nil {
			out[i] = &genai.Part{}
		}
	}
	return out
}

// credential is the call by which ADK asks its client for a credential.
const credential = "adk_request_credential"

// open returns the indices of an event's calls that have to be answered. Those that ADK makes
// itself, to ask its client, are never sent.
func (c *sessionCalls) open(e *session.Event) (open []int) {
	for i, p := range parts(e.Content) {
		call := p.FunctionCall
		if call == nil || call.ID == "" || c.answered[call.ID] ||
			call.Name == toolconfirmation.FunctionCallName || call.Name == credential ||
			slices.Contains(e.LongRunningToolIDs, call.ID) {
			continue
		}
		open = append(open, i)
	}
	return open
}

// warning returns that of a call that was answered in the session.
func warning(event, part int, call *genai.FunctionCall) wire.Warning {
	return wire.Warning{
		Warning: preflight.Warning{
			Code:       codes.DanglingAnswered,
			At:         preflight.At(event, part),
			ToolCallID: call.ID,
			Detail:     "answered a tool call that has no result with an error result",
		},
		Path: fmt.Sprintf("events[%d].parts[%d]", event, part),
	}
}
