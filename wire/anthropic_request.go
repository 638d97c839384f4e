package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/cachepoint"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file checks an Anthropic request outside of its messages: thinking, the container, and
// how many cache breakpoints are left for the messages. Declared tools are in
// anthropic_tools.go.

func prepareAnthropic(r *Request) {
	if !r.whole() {
		r.prepareBareList()
		return
	}
	r.placeHeldSystem()
	// models of other vendors have rules for thinking that are not known
	if r.format.ownMembers || !r.Profile.Reasoning.Signed {
		return
	}
	if r.Model == "" && r.root.Has("anthropic_version") {
		// the model is in the address, and older ones take a prefill there
		r.Profile.Prefill.Refused = false
	}
	r.readThinking(r.root.Get("thinking"))
	switch r.State.Thinking {
	case provider.ThinkingBudget:
		r.Profile.Prefill.Refused = true
	case provider.ThinkingOff:
		r.dropThinkingEdits()
	}
	r.checkFallbacks()
	r.limitBreakpoints(r.mendTools())
	if !r.mayBeHeld() { // the server may have the tools
		r.mendReferences()
		r.dropContainer()
	}
}

// prepareBareList narrows the profile for a bare list of messages.
func (r *Request) prepareBareList() {
	if r.leadsWithSystem(r.Messages) {
		// there is no system field to move it to
		r.Profile.System.Placement = provider.SystemRefused
	}
}

// placeHeldSystem narrows the profile where the provider holds the system prompt: a system message
// at the start of the list comes midway. A body with a prompt of its own is left as it is.
func (r *Request) placeHeldSystem() {
	if r.holdsSystem() && !r.ownsSystem() && r.Profile.System.Placement == provider.SystemLeading {
		r.prepareBareList()
	}
}

// leadsWithSystem reports whether the history starts with a system message that holds more than
// settings.
func (r *Request) leadsWithSystem(messages []preflight.Message) bool {
	for i := range messages {
		if !isSystemRole(messages[i].Role) {
			return false
		}
		for _, p := range messages[i].Parts {
			if !r.setting(p) {
				return true
			}
		}
	}
	return false
}

// readThinking reads the setting of thinking. Under drop_block the server drops the reasoning of
// which the prefix was changed.
func (r *Request) readThinking(setting jsonscan.Value) {
	r.State.Thinking = r.thinking(setting.Get("type"))
	if setting.Get("block_binding").Get("prefix_mismatch_behavior").StrIs("drop_block") {
		r.Profile.Reasoning.Dropped = true
	}
}

// thinking returns the mode a request is in, by the type of its thinking member. A type that is not
// known, as between_tools was once, is not taken for another: no rule that depends on the mode
// applies.
func (r *Request) thinking(kind jsonscan.Value) provider.Thinking {
	switch {
	case !kind.Exists():
		return r.Profile.Reasoning.Default
	case kind.StrIs("enabled"):
		return provider.ThinkingBudget
	case kind.StrIs("adaptive"):
		return provider.ThinkingAdaptive
	case kind.StrIs("disabled"):
		return provider.ThinkingOff
	}
	return provider.ThinkingUnknown
}

// limitBreakpoints counts the breakpoints outside of the history: the messages may hold what is
// left of the limit, and after a short-lived breakpoint no long-lived one.
func (r *Request) limitBreakpoints(tools declaredTools) {
	if limit := r.Profile.Cache.Limit; limit > 0 {
		r.leaveBreakpoints(limit - tools.markers - r.markers())
	}
	if tools.short && r.Profile.Cache.LongFirst {
		r.shortenAll(".cache_control")
	}
}

// shortenAll makes every breakpoint of the history short-lived, after a short-lived one on the
// tools. member is the path from a block to its breakpoint.
func (r *Request) shortenAll(member string) {
	shorten := func(i, j, k int, cache *json.RawMessage) {
		if *cache != nil && cachepoint.Long(*cache) {
			*cache = cachepoint.Shorten(*cache)
			r.noteMessage(i, breakpointShortened(r.requestPath(preflight.At(i, j, k))+member))
		}
	}
	for i := range r.Messages {
		for j, p := range r.Messages[i].Parts {
			shorten(i, j, -1, cacheOf(p))
			if result, ok := p.(*preflight.ToolResult); ok {
				for k, c := range result.Content {
					shorten(i, j, k, cacheOf(c))
				}
			}
		}
	}
}

// noteMessage records a finding about message i, which has to be encoded again.
func (r *Request) noteMessage(i int, f finding) {
	f.at = preflight.At(i)
	r.sources[i].mend = true
	r.note(f)
}

// dropContainer drops the container of a request without a tool that runs in one.
func (r *Request) dropContainer() {
	v := r.root.Get("container")
	if !v.Exists() || v.Kind() == jsonscan.Null {
		return
	}
	tools := r.root.Get("tools")
	if tools.Exists() && tools.Kind() != jsonscan.Array && tools.Kind() != jsonscan.Null {
		return // of an unknown form
	}
	for t := tools.First(); t.Exists(); t = t.Next() {
		kind := t.Get("type")
		if kind.Exists() && kind.Kind() != jsonscan.String || !runsNoCode(kind.Str()) {
			return
		}
	}
	r.note(finding{
		code: codes.ContainerRemoved, rule: "anthropic/container-without-tool", path: "container",
		wrong: "a container is given, but no tool that runs in one",
		done:  "removed the container, since no tool runs in one",
	})
	r.deleteMember("container")
}

// codeless begin the types of tools that run in no container.
var codeless = []string{
	"advisor_", "bash_", "computer_", "memory_", "text_editor_", "tool_search_tool_",
}

// runsNoCode reports whether a tool is known to run in no container. Code execution runs in one,
// and so do the web tools since the version that filters results with code. A tool of an unknown
// type may.
func runsNoCode(kind string) bool {
	for _, tool := range []string{"web_search_", "web_fetch_"} {
		if date, ok := strings.CutPrefix(kind, tool); ok {
			version, err := strconv.Atoi(date)
			return err == nil && version < 20260209
		}
	}
	return slices.Contains([]string{"", "custom", "mcp_toolset"}, kind) ||
		slices.ContainsFunc(codeless, func(prefix string) bool {
			return strings.HasPrefix(kind, prefix)
		})
}

// disableThinking switches thinking off when missing reasoning is the only thing wrong with the
// history: no repair can make up reasoning that the provider accepts.
func disableThinking(r *Request, err error) bool {
	if !lacksReasoning(err) {
		return false
	}
	r.switchThinkingOff("thinking", func(_ *jsonscan.Edits, top *jsonscan.ObjectEdit) {
		top.SetMember("thinking", []byte(`{"type":"disabled"}`))
	})
	r.dropThinkingEdits()
	return true
}

// switchThinkingOff switches thinking off for the request; off edits the setting, which is at path.
func (r *Request) switchThinkingOff(path string, off change) {
	r.State.Thinking = provider.ThinkingOff
	r.changes = append(r.changes, off)
	r.note(finding{
		code: codes.ThinkingDisabled, problem: problems.ReasoningMissing,
		rule: r.ruleOf(problems.ReasoningMissing), path: path,
		wrong: "the open tool turn lacks the reasoning that thinking demands",
		done:  "switched thinking off, since the open tool turn lacks reasoning",
	})
}
