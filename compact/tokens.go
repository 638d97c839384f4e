package compact

import "github.com/go-preflight/preflight"

// This file counts tokens, roughly, for callers who have no tokenizer at hand.

// TokenCounter counts the tokens of one message. A history costs the sum over its messages. It must
// return the same number for equal messages, never a negative one, and be safe for concurrent use.
// A text that is a part of another should not count for more.
type TokenCounter func(preflight.Message) int

// frameTokens is what a message costs beside its content: role and delimiters.
const frameTokens = 4

// EstimateTokens is the default TokenCounter: a token for each four bytes of content, rounded up,
// and four for the frame of the message. It does not use a model's tokenizer. The estimate is about
// right for English prose; code and JSON cost up to half as much again, and text in scripts of
// three bytes a letter up to a third more or less, depending on the model.
//
// A picture counts by its size in pixels and not by its bytes: width × height / 750, at most 1600,
// which is Anthropic's formula (https://docs.claude.com/en/docs/build-with-claude/vision). One
// whose size is not known (an address, the id of a file, a format other than PNG, JPEG and GIF)
// counts 1600. EstimateWith takes the formulas of other providers.
//
// A page of a PDF counts 2250 tokens; where its pages are compressed, and cannot be counted, each
// 50,000 bytes are one. A second of sound counts 32 (https://ai.google.dev/gemini-api/docs/audio),
// at the rate in a WAV header or else at 128 kbit/s. Other media count by the size of their data.
func EstimateTokens(m preflight.Message) int { return estimate(m, anthropicPicture) }

func estimate(m preflight.Message, picture func(width, height int) int) int {
	n, media := 0, 0
	eachString(m.Parts, func(s string) { n += len(s) })
	eachMedia(m.Parts, func(p *preflight.Media) {
		if isPicture(p) {
			n -= len(p.Data) + len(p.URL) + len(p.FileID)
			media = plus(media, max(0, min(picture(pictureSize(p)), mostTokens)))
		} else if tokens, ok := mediaTokens(p); ok {
			n -= len(p.Data)
			media = plus(media, tokens)
		}
	})
	return plus(frameTokens+bytesToTokens(n), media)
}

func bytesToTokens(n int) int { return (n + 3) / 4 }

// textTokens is what a text costs inside a message.
func (l Limits) textTokens(s string) int {
	return max(0, l.count(textMessage(s))-l.count(textMessage("")))
}

func textMessage(s string) preflight.Message {
	return preflight.Message{
		Role:  preflight.RoleUser,
		Parts: []preflight.Part{&preflight.Text{Text: s}},
	}
}

// eachString calls f with every string of the parts that a provider is sent.
func eachString(parts []preflight.Part, f func(string)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				f(p.Text)
			}
		case *preflight.Reasoning:
			if p != nil {
				f(p.Text)
				f(p.Signature)
				f(p.Opaque)
			}
		case *preflight.ToolCall:
			if p != nil {
				f(p.ID)
				f(p.Name)
				f(string(p.Input))
				f(p.Signature)
			}
		case *preflight.ToolResult:
			if p != nil {
				f(p.CallID)
				f(p.Name)
				f(string(p.Output))
				eachLeaf(p.Content, f)
			}
		case *preflight.Media, *preflight.Other:
			eachLeaf([]preflight.Part{p}, f)
		}
	}
}

// eachLeaf does the same for the parts of a tool result; deeper nesting is not a shape any provider
// has.
func eachLeaf(parts []preflight.Part, f func(string)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				f(p.Text)
			}
		case *preflight.Media:
			if p != nil {
				f(p.Data)
				f(p.URL)
				f(p.FileID)
				f(p.Name)
			}
		case *preflight.Other:
			if p != nil {
				f(string(p.Native.JSON))
			}
		}
	}
}
