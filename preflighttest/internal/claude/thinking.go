package claude

import (
	"slices"
	"strconv"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// Thinking blocks.

// Conversation is a request as Claude reads it.
type Conversation struct {
	Model    Model
	Thinking string // its mode
	Drops    bool   // thinking that is bound to something else is dropped, and not refused
	Turns    []Turn
	Waits    bool // the last turn waits for a tool of the provider, and goes back as it came
	Bound    *seal.Bound
}

// Turn is a run of messages of one role, which Claude reads as one.
type Turn struct {
	Role   string
	Last   int // the index of its last message
	Blocks []Block
}

// Block is a block of a turn.
type Block struct {
	Kind      string // the type, as Claude has it
	Place     string // in the notation of Claude's errors: messages.1.content.0
	At        func() string
	Text      string // of thinking
	Signature any    // of thinking
	Data      any    // of redacted thinking
	Unknown   bool   // nothing is known of it
}

// Thinks reports whether blocks of a type are thinking, withheld or not.
func Thinks(kind string) bool { return kind == "thinking" || kind == "redacted_thinking" }

func (b Block) thinks() bool { return Thinks(b.Kind) }

// fill returns the pairs that put the block's place into a text, and more.
func (b Block) fill(more ...string) []string {
	return append([]string{
		"messages.N.content.M", b.Place, "messages.N.content.0", b.Place, "messages.1.content.0", b.Place,
	}, more...)
}

// Unseal reads the seal of a block, as seal.OpenThinking does.
func (b Block) Unseal() (s seal.Thinking, ours, intact bool) {
	opaque := b.Signature
	if b.Kind == "redacted_thinking" {
		opaque = b.Data
	}
	return seal.OpenThinking(read.Text(opaque))
}

// genuine reports whether the block is as it was issued under the seal.
func (b Block) genuine(s seal.Thinking) bool { return s.Genuine(b.Kind, b.Text) }

// each calls f for every block of thinking, with the index of its turn.
func (c *Conversation) each(f func(turn int, b Block)) {
	for i, t := range c.Turns {
		for _, b := range t.Blocks {
			if b.thinks() {
				f(i, b)
			}
		}
	}
}

// latest returns the index of the last turn of the model, or -1.
func (c *Conversation) latest() int {
	for i, t := range slices.Backward(c.Turns) {
		if t.Role == "assistant" {
			return i
		}
	}
	return -1
}

// open returns the turns of the model that are not over: the last one, if nothing but results
// follows, and those from which results alone led to it.
func (c *Conversation) open() (open []Turn) {
	other := func(b Block) bool { return b.Kind != "tool_result" }
	for _, t := range slices.Backward(c.Turns) {
		if t.Role == "assistant" {
			open = append(open, t)
		} else if t.Role != "user" || slices.ContainsFunc(t.Blocks, other) {
			break
		}
	}
	slices.Reverse(open)
	return open
}

// SignatureRequired finds thinking without a signature.
func SignatureRequired(c *Conversation, found fake.Found) {
	c.each(func(_ int, b Block) {
		signature, ok := b.Signature.(string)
		if b.Kind == "thinking" && (!ok || signature == "" && b.Text != "") {
			found(b.At(), b.fill()...)
		}
	})
}

// Redacted finds withheld thinking without its data, or with damaged data.
func Redacted(c *Conversation, found fake.Found) {
	c.each(func(_ int, b Block) {
		s, ours, intact := b.Unseal()
		if data, ok := b.Data.(string); ok && b.Kind == "redacted_thinking" &&
			(data == "" || ours && (!intact || s.Kind != b.Kind)) {
			found(b.At(), b.fill()...)
		}
	})
}

// Modified looks at the latest turn of the model, whose thinking has to be there as it was issued:
// all of it, in order, unchanged. What no fake has issued is taken as it is; a damaged seal is the
// case of SignatureInvalid.
func Modified(c *Conversation, found fake.Found) {
	i := c.latest()
	if i < 0 {
		return
	}
	var issued []seal.Thinking
	var at []Block
	for _, b := range c.Turns[i].Blocks {
		if !b.thinks() {
			continue
		}
		s, ours, intact := b.Unseal()
		if !ours || !intact {
			return
		}
		if !b.genuine(s) {
			found(b.At(), b.fill()...)
			return
		}
		issued, at = append(issued, s), append(at, b)
	}
	if i := seal.Misplaced(issued); i >= 0 {
		found(at[i].At(), at[i].fill()...)
	}
}

// SignatureInvalid finds seals that were damaged, or that are on other thinking than their own: in
// the latest turn that is the case of Modified.
func SignatureInvalid(c *Conversation, found fake.Found) {
	latest := c.latest()
	c.each(func(turn int, b Block) {
		s, ours, intact := b.Unseal()
		if b.Kind == "thinking" && ours && !(intact && (turn == latest || b.genuine(s))) {
			found(b.At(), b.fill()...)
		}
	})
}

// Prefix finds thinking of models that bind it to what came before it.
func Prefix(c *Conversation, found fake.Found) {
	if c.Drops || !c.Model.Binds() {
		return
	}
	c.each(func(_ int, b Block) {
		s, _, intact := b.Unseal()
		if !intact {
			return
		}
		if what := s.Differs(c.Bound, b.Place); what != "" {
			found(b.At(), b.fill(
				"The `system` prompt differs from the one this block was created with.", what)...)
		}
	})
}

// Empty finds thinking that says nothing, and is not signed.
func Empty(c *Conversation, found fake.Found) {
	c.each(func(_ int, b Block) {
		if b.Kind == "thinking" && b.Text == "" && b.Signature == "" {
			found(b.At(), b.fill()...)
		}
	})
}

// Final finds thinking at the end of a turn that the model is to continue.
func Final(c *Conversation, found fake.Found) {
	n := len(c.Turns)
	if n == 0 || c.Waits || c.Turns[n-1].Role != "assistant" || len(c.Turns[n-1].Blocks) == 0 {
		return
	}
	t := c.Turns[n-1]
	if b := t.Blocks[len(t.Blocks)-1]; b.thinks() {
		found("messages["+strconv.Itoa(t.Last)+"]", append(Nth(t.Last),
			"cannot be `thinking`", "cannot be `"+b.Kind+"`")...)
	}
}

// Nth returns the pairs that put the number of a message into a text.
func Nth(i int) (pairs []string) {
	for _, specimen := range []string{"messages.N", "messages.0", "messages.1", "messages.2"} {
		pairs = append(pairs, specimen, "messages."+strconv.Itoa(i))
	}
	return pairs
}

// Disabled finds thinking in a turn that is not over, of a request that turns thinking off.
func Disabled(c *Conversation, found fake.Found) {
	if c.Thinking != "disabled" {
		return
	}
	for _, t := range c.open() {
		if i := slices.IndexFunc(t.Blocks, Block.thinks); i >= 0 {
			b := t.Blocks[i]
			found(b.At(), b.fill("cannot contain `thinking`", "cannot contain `"+b.Kind+"`")...)
			return
		}
	}
}

// Order finds turns with thinking that do not begin with it.
func Order(c *Conversation, found fake.Found) {
	if c.Thinking != "enabled" {
		return
	}
	for _, t := range c.Turns {
		if t.Role == "assistant" && len(t.Blocks) > 0 && !t.Blocks[0].thinks() &&
			!t.Blocks[0].Unknown && slices.ContainsFunc(t.Blocks, Block.thinks) {
			b := t.Blocks[0]
			found(b.At(), b.fill("Found `text`", "Found `"+b.Kind+"`")...)
		}
	}
}

// Leads checks a turn that continues after results. Its thinking is in front of its first calls;
// the provider does not think again before each of the later ones.
func Leads(c *Conversation, found fake.Found) {
	open := c.open()
	if c.Thinking != "enabled" || len(open) == 0 || c.Turns[len(c.Turns)-1].Role == "assistant" ||
		len(open[0].Blocks) == 0 {
		return
	}
	if b := open[0].Blocks[0]; !b.thinks() && !b.Unknown {
		found(b.At()+".type", b.fill("found `tool_use`", "found `"+b.Kind+"`")...)
	}
}
