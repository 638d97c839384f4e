// Package preflightlangchaingo puts preflight in front of the models of tmc/langchaingo: right
// before a model is called, the history is repaired wherever its provider would refuse it. A model
// does it for all its calls, streamed or not:
//
//	options := &wire.Options{Provider: "anthropic"}
//	llm = preflightlangchaingo.Model(llm, options, report)
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call:
//
//	messages, warnings, err := preflightlangchaingo.Messages(ctx, messages, options)
//	response, err := llm.GenerateContent(ctx, messages)
//
// # Which provider serves the model
//
// langchaingo talks to many providers, and a message does not say to which. The options do:
// Provider is one of wire.Providers (OpenAI's Chat Completions when it is empty), and Model narrows
// it to a model.
//
// # What is preserved
//
// Everything. A message that needs no repair comes back as the caller's own value, with the
// caller's own slice of parts; a repaired one has a slice of its own, in which the parts that still
// say the same are the caller's. What was changed is only what a warning reports, and paths in
// warnings count in the caller's messages and parts: messages[3].parts[1] is messages[3].Parts[1].
// A repair for which langchaingo has no part is an error that satisfies errors.Is with
// adapter.ErrInexact.
//
// Results of several tools in one message, which langchaingo's OpenAI model refuses, become
// messages of their own.
//
// # Errors
//
// Errors are those of adapter.Neutral; on error Messages returns what it was given, unchanged. It
// is safe for concurrent use, keeps no state, and does not write to its arguments.
package preflightlangchaingo

import (
	"context"

	"github.com/tmc/langchaingo/llms"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. options may be nil.
func Messages(
	ctx context.Context,
	messages []llms.MessageContent,
	options *wire.Options,
) ([]llms.MessageContent, []wire.Warning, error) {
	return neutral.Messages(ctx, messages, options)
}

var neutral = &adapter.Neutral[llms.MessageContent]{
	Provider: "openai-chat",
	Read:     read,
	Write:    write,
	Adjust:   adjust,
}

// adjust takes the rules about names of media out of a profile: langchaingo has no names. And of
// several system messages langchaingo's models for Google send only the last.
func adjust(p *preflight.Profile) {
	p.System.Single = p.System.Single || p.Provider == "gemini"
	m := &p.Media
	m.FileNeedsName, m.DocumentNeedsTitle, m.UniqueTitles = false, false, false
	m.Title = provider.Pattern{}
}

// roles are langchaingo's roles in the neutral words. Of those with the same meaning the first is
// written.
var roles = []struct {
	own     llms.ChatMessageType
	neutral preflight.Role
}{
	{llms.ChatMessageTypeSystem, preflight.RoleSystem},
	{llms.ChatMessageTypeHuman, preflight.RoleUser},
	{llms.ChatMessageTypeGeneric, preflight.RoleUser},
	{llms.ChatMessageTypeAI, preflight.RoleAssistant},
	{llms.ChatMessageTypeTool, preflight.RoleTool},
	{llms.ChatMessageTypeFunction, preflight.RoleTool},
}

// readRole returns a role in the neutral words; one that is not langchaingo's is left for the
// repair.
func readRole(own llms.ChatMessageType) preflight.Role {
	for _, r := range roles {
		if r.own == own {
			return r.neutral
		}
	}
	return preflight.Role(own)
}

// writeRole returns the role of a message made of from: the one it had if that means the same.
func writeRole(role preflight.Role, from *llms.MessageContent) llms.ChatMessageType {
	if from != nil && readRole(from.Role) == role {
		return from.Role
	}
	for _, r := range roles {
		if r.neutral == role {
			return r.own
		}
	}
	return llms.ChatMessageType(role)
}

func read(m llms.MessageContent) (preflight.Message, error) {
	out := preflight.Message{Role: readRole(m.Role)}
	for _, p := range m.Parts {
		out.Parts = append(out.Parts, readPart(p))
	}
	return out, nil
}

// write makes a message of parts, which are the caller's where they still say the same.
func write(
	m preflight.Message,
	from *llms.MessageContent,
	origin adapter.Origin[llms.MessageContent],
) (llms.MessageContent, error) {
	out := llms.MessageContent{
		Role:  writeRole(m.Role, from),
		Parts: make([]llms.ContentPart, 0, len(m.Parts)),
	}
	for _, p := range m.Parts {
		var was llms.ContentPart
		if source, k := origin(p); source != nil && k < len(source.Parts) {
			was = source.Parts[k]
		}
		part, err := writePart(p, was)
		if err != nil {
			return out, err
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}
