package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file is the part of the oracle that judges what hosts of OpenAI's Chat format take.

// judgeHost is a second reading of the hosts' own rules, by their names; "" when nothing is wrong.
// open says that calls may stay without a result.
func judgeHost(h []preflight.Message, p *preflight.Profile, open bool) string {
	called := false
	for i, m := range h {
		role, before := writtenRole(m, 0), preflight.Role("")
		if i > 0 {
			before = writtenRole(h[i-1], len(h[i-1].Parts)-1)
		}
		calls := callsOf(m.Parts, false)
		called = called || len(calls) > 0
		words, reasons, media := content(m.Parts)
		if p.Tools.NoTools && called {
			return "a tool call, for a model that knows none"
		}
		is := func(prefix string) bool { return strings.HasPrefix(p.Model, prefix) }
		switch p.Provider {
		case "mistral":
			switch {
			case role == "system" && (before == "assistant" || before == "tool"):
				return "Unexpected role 'system'"
			case role == "tool" && before != "tool" && before != "assistant":
				return "Unexpected role 'tool'"
			case role == "assistant" && !words && len(calls) == 0:
				return "Assistant message must have either content or tool_calls"
			case is("voxtral") && slices.Contains(mediaKinds(m.Parts), "image"):
				return "Image input is not enabled for this model"
			case (is("ministral") || is("mistral-")) &&
				slices.Contains(mediaKinds(m.Parts), "audio"):
				return "Audio input is not enabled for this model"
			}
			for _, c := range calls {
				if !nineAlnum.MatchString(c.ID) && !is("mistral-small") {
					return "Tool call id was " + c.ID
				}
			}
		case "deepseek":
			switch {
			case (is("deepseek-v4") || is("deepseek-reasoner")) && called && role == "assistant" &&
				!reasons:
				return "The reasoning_content in the thinking mode must be passed back"
			case is("deepseek-r1") && reasons:
				return "reasoning_content"
			case media && !is("deepseek-v4-flash-vision") && (is("deepseek-v4-flash") ||
				is("deepseek-chat") || is("deepseek-r1") || is("deepseek-reasoner")):
				return "unknown variant `image_url`"
			}
		case "cohere":
			if media && (is("command-r7b") || is("command-a-reasoning")) {
				return "image content is not supported for this model"
			}
		case "moonshot":
			switch {
			case !words && len(calls) == 0:
				return fmt.Sprintf("the message at position %d must not be empty", i)
			case len(calls) > 0 && !reasons && !thoughtless.MatchString(p.Model):
				return "reasoning_content is missing in assistant tool call message"
			}
		case "glm", "chat-template":
			if p.Provider == "glm" && !words && len(calls) == 0 {
				return "messages illegal"
			}
			apart := p.Provider == "glm" && !is("glm-5") // glm-4.5-flash was recorded
			if role == before && role != "tool" && role != "system" && !apart {
				return "roles must alternate"
			}
			if p.Provider == "chat-template" && role == "system" && i > 0 {
				return "System message must be at the beginning."
			}
			mistral := is("mistral") || is("ministral") || is("devstral") || is("magistral")
			if p.Provider == "chat-template" && mistral && role == "user" && before == "tool" {
				return "conversation roles must alternate user and assistant roles except for " +
					"tool calls and results"
			}
			if p.Provider == "chat-template" {
				if broken := judgeTemplate(m, p.Model); broken != "" {
					return broken
				}
			}
			if strings.Contains(p.Model, "llama-3") && len(calls) > 1 && !open {
				return "This model only supports single tool-calls at once!"
			}
			if strings.HasPrefix(p.Model, "zephyr") && role != "user" && role != "assistant" {
				return "Only user and assistant roles are supported!"
			}
		case "groq":
			if media && (is("gpt-oss") || is("compound")) {
				return "messages[0].content must be a string"
			}
			if reasons && strings.HasPrefix(p.Model, "kimi-k2-instruct") {
				return "reasoning is not supported with this model"
			}
		case "xai":
			if len(m.Parts) == 0 {
				return "Each message must have at least one content element."
			}
		case "minimax":
			if !words && len(calls) == 0 {
				return "chat content is empty"
			}
		}
	}
	return ""
}

// judgeTemplate is a second reading of what the templates of families of local models take.
func judgeTemplate(m preflight.Message, model string) string {
	for _, c := range callsOf(m.Parts, false) {
		if nineLetters.MatchString(model) && !nineAlnum.MatchString(c.ID) {
			return "Tool call IDs should be alphanumeric strings with length 9!"
		}
	}
	vision := strings.Contains(model, "vision")
	for _, kind := range mediaKinds(m.Parts) {
		if textAlone.MatchString(model) && !vision ||
			picturesAlone.MatchString(model) && kind != "image" {
			return "media in a prompt that has none of this kind"
		}
	}
	return ""
}

// mediaKinds are the kinds of media among parts and in results.
func mediaKinds(parts []preflight.Part) (kinds []string) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Media:
			kind := p.Kind
			if kind == "" {
				kind, _, _ = strings.Cut(p.MediaType, "/")
			}
			kinds = append(kinds, kind)
		case *preflight.ToolResult:
			kinds = append(kinds, mediaKinds(p.Content)...)
		}
	}
	return kinds
}

// writtenRole is the role of the message in which part k of m is written: a result in a user
// message becomes a tool message.
func writtenRole(m preflight.Message, k int) preflight.Role {
	if k >= 0 && k < len(m.Parts) && asResult(m.Parts[k], false) != nil {
		return preflight.RoleTool
	}
	return spelledRole(m.Role)
}

// content says whether parts hold anything but empty text and reasoning, whether they hold
// reasoning, and media.
func content(parts []preflight.Part) (words, reasons, media bool) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			words = words || p.Text != ""
		case *preflight.Reasoning:
			reasons, words = true, words || p.Text != "" || p.Signed()
		case *preflight.Media:
			media, words = true, true
		case *preflight.ToolResult:
			inner, _, m := content(p.Content)
			words, media = words || inner || len(p.Output) > 0, media || m
		default:
			words = true
		}
	}
	return words, reasons, media
}
