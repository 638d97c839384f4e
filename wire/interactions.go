package wire

import "github.com/go-preflight/preflight/internal/jsonscan"

// This file knows the bodies of Gemini's Interactions API, a format that this version does not
// read. They have their history in input, as Responses bodies do.

// interactionsFormat is the name of the format in errors.
const interactionsFormat = "gemini-interactions"

// isInteraction reports whether a body without a provider's name is in the Interactions format:
// ai.google.dev/gemini-api/docs/interactions.
func isInteraction(root jsonscan.Value) bool {
	if root.Kind() != jsonscan.Object || !root.Has("input") || root.Has("messages") {
		return false
	}
	if hasValue(root.Get("previous_interaction_id")) {
		return true
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
	if v.Get("role").StrIs("model") {
		return true
	}
	return oneOf(v.Get("type"), "user_input", "model_output", "thought", "function_result",
		"text", "image", "audio", "video", "document") && !v.Has("role")
}
