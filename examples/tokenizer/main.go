// Tokenizer compacts a long conversation with the tokens of a real tokenizer, the one of gpt-4o,
// and shows how far the estimate is from it.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/tiktoken-go/tokenizer"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/provider"
)

// counter counts the tokens of messages with a tokenizer.
type counter struct{ codec tokenizer.Codec }

// Count counts texts, calls and results with the tokenizer, and everything else as tokens.Estimate
// does, with OpenAI's formula for pictures. Four tokens are for the frame of the message.
func (c counter) Count(m preflight.Message) int {
	n := 4
	var others []preflight.Part
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *preflight.Text:
			n += c.text(p.Text)
		case *preflight.ToolCall:
			n += c.text(p.Name) + c.text(string(p.Input))
		case *preflight.ToolResult:
			n += c.text(string(p.Output))
			for _, leaf := range p.Content {
				if t, ok := leaf.(*preflight.Text); ok {
					n += c.text(t.Text)
				} else {
					others = append(others, leaf)
				}
			}
		default:
			others = append(others, p)
		}
	}
	if len(others) > 0 {
		n += tokens.EstimateWith(tokens.OpenAITiles)(preflight.Message{Parts: others})
	}
	return n
}

func (c counter) text(s string) int {
	n, err := c.codec.Count(s)
	if err != nil {
		return (len(s) + 3) / 4
	}
	return n
}

func main() {
	codec, err := tokenizer.ForModel(tokenizer.GPT4o)
	if err != nil {
		log.Fatal(err)
	}
	count := counter{codec}.Count
	history := conversation(300)
	limits := compact.Limits{Budget: 3000, Count: count, Profile: provider.OpenAIChat("gpt-4o")}
	result, err := compact.Flat{}.Compact(context.Background(), history, limits)
	if err != nil {
		log.Fatal(err)
	}
	counted, estimated := 0, 0
	for _, m := range history {
		counted, estimated = counted+count(m), estimated+tokens.Estimate(m)
	}
	fmt.Printf("history: %d messages, %d tokens (estimated %d)\n", len(history), counted, estimated)
	fmt.Printf("request: %d messages, %d tokens\n", len(result.Messages), result.Tokens)
}

// conversation is a conversation of so many messages.
func conversation(n int) []preflight.Message {
	var h []preflight.Message
	for k := range n {
		text := fmt.Sprintf("Der Behälter %d wiegt %d kg und steht in Halle %d.", k, 37*k%101, k%7)
		if k%2 == 0 {
			h = append(h, preflight.UserText(text))
		} else {
			h = append(h, preflight.AssistantText(text))
		}
	}
	return h
}
