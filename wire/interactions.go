package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes the format of Gemini's Interactions API. The input is a text, one content, a
// list of contents, of turns or of steps: google.golang.org/genai/interactions. Each element
// becomes one message. A step is what one side did: user_input and model_output hold contents, and
// a thought, a call and a result are steps of their own. A turn has a role and any of these in its
// content.

const interactions = "gemini-interactions"

func interactionsFormat() *format {
	return &format{
		name:          interactions,
		profile:       provider.GeminiInteractions,
		list:          "input",
		plain:         true,
		single:        true,
		mayBeUnlisted: true,
		system:        "system_instruction",
		systemText:    true,
		systemRule:    ruleStepRole,
		decode:        decodeInteraction,
		encodeFor:     encodeInteraction,
		decodeSystem:  decodeInstructions,
		encodeSystem:  encodeInstructions,
		prepare:       prepareInteraction,
		complete:      completeInteraction,
		opaque:        opaqueStep,
		signs:         signs{items: onlySteps},
	}
}

// ruleStepRole is about who speaks in a step or a turn.
const ruleStepRole = "gemini-interactions/roles"

// onlySteps are the types of steps that no Responses item has.
var onlySteps = []string{
	"user_input", "model_output", "thought", "function_result", "code_execution_call",
	"code_execution_result", "file_search_result", "google_maps_call", "google_maps_result",
	"google_search_call", "google_search_result", "mcp_server_tool_call",
	"mcp_server_tool_result", "processing_call", "processing_result", "retrieval_call",
	"retrieval_result", "url_context_call", "url_context_result",
}

// onlyInteractions are members of requests that those to the Responses API do not have.
var onlyInteractions = []string{
	"previous_interaction_id", "system_instruction", "generation_config", "agent", "agent_config",
	"response_modalities", "webhook_config", "continuation_token",
}

// contentTypes are the types of contents.
var contentTypes = []string{"text", "image", "audio", "video", "document"}

// isInteraction reports whether a body without a provider's name is in the Interactions format, and
// not in that of OpenAI's Responses, which has its history in input, too.
func isInteraction(root jsonscan.Value) bool {
	switch {
	case root.Kind() == jsonscan.Array:
		for v := root.First(); v.Exists(); v = v.Next() {
			if oneOf(v.Get("type"), onlySteps...) {
				return true
			}
		}
		return false
	case root.Kind() != jsonscan.Object, root.Has("messages"):
		return false
	}
	for _, key := range onlyInteractions {
		if hasValue(root.Get(key)) && (root.Has("input") || key == "previous_interaction_id") {
			return true
		}
	}
	input := root.Get("input")
	if input.Kind() == jsonscan.Object {
		return isInteractionPart(input)
	}
	for v := first(input); v.Exists(); v = v.Next() {
		if isInteractionPart(v) {
			return true
		}
	}
	return false
}

// isInteractionPart reports whether an element of the input is a step, a turn or content that
// Responses bodies do not have.
func isInteractionPart(v jsonscan.Value) bool {
	kind := v.Get("type")
	switch {
	case v.Get("role").StrIs("model"), oneOf(kind, onlySteps...):
		return true
	case kind.StrIs("function_call"):
		return v.Get("arguments").Kind() == jsonscan.Object && v.Has("id") && !v.Has("call_id")
	}
	return isContent(v)
}

// isContent reports whether an element of the input is content by itself.
func isContent(v jsonscan.Value) bool {
	return oneOf(v.Get("type"), contentTypes...) && !v.Has("role")
}

// isTurn reports whether an element of the input is a turn.
func isTurn(v jsonscan.Value) bool { return v.Has("role") && !v.Has("type") }

// opaqueStep lists the signature of a step.
func opaqueStep(step jsonscan.Value) []string {
	if hasValue(step.Get("signature")) {
		return []string{"signature"}
	}
	return nil
}

// prepareInteraction adjusts the profile to the form of the input, and repairs the names of
// declared tools.
func prepareInteraction(r *Request) {
	r.renameSteps()
	turns, steps := false, false
	for v := first(r.list); v.Exists(); v = v.Next() {
		turns = turns || isTurn(v) && !v.Get("role").StrIs("tool") && !v.Has("tool_calls")
		steps = steps || hasType(v)
	}
	if !turns {
		return
	}
	r.turns = !steps
	r.Profile.Items.OnePartPerMessage = false // turns hold what would be steps of their own
	r.Profile.Pairing.OneResultPerMessage = false
	if r.Profile.Pairing.ResultRole = ""; !steps {
		r.Profile.Pairing.ResultRole = preflight.RoleUser
	}
}

// renameSteps gives declared and allowed functions names that the profile accepts.
func (r *Request) renameSteps() {
	for k, t := range r.root.Get("tools").All() {
		if t.Get("type").StrIs("function") {
			r.renameTool(t.Get("name"), "", func() string { return indexed("tools", k) + ".name" })
		}
	}
	const allowed = "generation_config.tool_choice.allowed_tools.tools"
	for k, name := range valueAt(r.root, allowed).All() {
		r.renameTool(name, "", func() string { return indexed(allowed, k) })
	}
}

// completeInteraction makes steps of texts and contents that are elements of the input, or the
// whole input, if anything else is in the input now.
func completeInteraction(r *Request, messages []preflight.Message) []preflight.Message {
	bare := 0
	for i := range messages {
		if isBare(&messages[i]) {
			bare++
		}
	}
	if bare == 0 || !r.onlyBare() || bare == len(messages)-leadingSystem(messages) {
		return messages
	}
	out := make([]preflight.Message, 0, len(messages))
	joined := false // the last message of out is made of such contents
	for i := range messages {
		m := messages[i]
		n := len(out)
		switch {
		case !isBare(&m):
			joined = false
		case joined:
			out[n-1].Parts = append(slices.Clip(out[n-1].Parts), m.Parts...)
			continue
		default:
			joined, m.Native = true, preflight.Native{}
		}
		out = append(out, m)
	}
	return out
}

// onlyBare reports whether the input was decoded from texts and contents alone.
func (r *Request) onlyBare() bool {
	for s := range r.sources {
		if r.sources[s].index >= 0 && !isBare(&r.Messages[s]) {
			return false
		}
	}
	return true
}

// isBare reports whether a message was decoded from a text or from content that is no step.
func isBare(m *preflight.Message) bool {
	native := m.Native
	return m.Role == preflight.RoleUser && native.Format == interactions && len(native.JSON) > 0 &&
		(native.JSON[0] != '{' || isContent(valueOf(native.JSON)))
}
