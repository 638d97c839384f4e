package adapter

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs messages of frameworks that talk to many providers, whose types are in no
// provider's format.

// Neutral ties a message type that is in no wire format to preflight's own. A message of the type
// is one message of a chat: tool results are messages of their own, and the framework converts them
// to what its provider requires. The methods are safe for concurrent use if the functions are.
type Neutral[T any] struct {
	// Provider names the rules to use when the options name no provider, one of wire.Providers.
	Provider string
	// Read converts one of the caller's messages, and leaves the metadata of parts empty.
	Read func(T) (preflight.Message, error)
	// Write makes one of the caller's messages. from is the one that m was made of, nil for an
	// inserted one; it may not be changed. origin gives, for a part of m, the caller's message that
	// the part was read from, with its index among the parts that Read made of that (inside a tool
	// result: among its content); nil for a new part. A part whose origin is known may still have
	// been repaired.
	Write func(m preflight.Message, from *T, origin Origin[T]) (T, error)
	// Adjust takes rules out of the profile that are about what the type has no place for, such as
	// names of files; nil for none.
	Adjust func(*preflight.Profile)
}

// Origin says where a part of a repaired message was read from: the message, and the index of the
// part. See Neutral.Write.
type Origin[T any] func(preflight.Part) (from *T, part int)

// originKey is the metadata under which a part says where it was read from.
const originKey = "adapter"

// Messages repairs a history, as Format.Messages does: what did not change are the caller's own
// values. Of the rules of the provider those about the form of a request are left to the framework,
// which builds it: what message holds tool results, the merging of messages where the provider
// keeps results in user messages, and what has to be sent back with reasoning (its signature, or a
// field that is empty), for which the types have no place. Positions and paths in the warnings
// count in messages, and in the parts that Read makes of them.
//
// The error is a *MessageError, wire.ErrUnknownProvider, or one of preflight.Sanitize;
// messages then come back as they are. The cost is linear in the history.
func (n *Neutral[T]) Messages(
	ctx context.Context,
	messages []T,
	options *wire.Options,
) ([]T, []wire.Warning, error) {
	if options == nil {
		options = &wire.Options{}
	}
	profile, err := n.profile(options)
	if err != nil {
		return messages, nil, err
	}
	history, err := n.read(messages)
	if err != nil {
		return messages, nil, err
	}
	keepLayout(history, profile)
	result, err := preflight.Sanitize(ctx, history, profile, &options.Policies)
	if err != nil {
		return messages, nil, err
	}
	out := messages[:len(messages):len(messages)]
	if result.Changed {
		out, err = n.rebuild(messages, history, &result)
	}
	if err != nil {
		return messages, nil, err
	}
	keep(ctx, messages, out)
	return out, pathed(result.Warnings), nil
}

// profile is what the provider accepts of what a framework passes on unchanged.
func (n *Neutral[T]) profile(options *wire.Options) (*preflight.Profile, error) {
	name := options.Provider
	if name == "" {
		name = n.Provider
	}
	// which knows vendors' names, too
	empty, err := wire.Decode([]byte("[]"), &wire.Options{Provider: name})
	if err != nil {
		return nil, err
	}
	p, _ := provider.ByName(empty.Provider, options.Model)
	if p.Pairing.ResultRole != preflight.RoleTool {
		p.Pairing.ResultRole = preflight.RoleTool
		if p.Turns.Neighbours == provider.NeighboursMerged {
			p.Turns.Neighbours = provider.NeighboursJoined
		}
		p.Roles = []preflight.Role{
			preflight.RoleSystem, preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool,
		}
	}
	p.Pairing.OneResultPerMessage = true
	if p.Content.RefuseEmptyText && !slices.Contains(p.Content.NeedsText, preflight.RoleTool) {
		// an empty result would be sent as an empty text
		p.Content.NeedsText = append(slices.Clone(p.Content.NeedsText), preflight.RoleTool)
	}
	p.Items = provider.ItemRules{} // a message is none
	p.Reasoning.Signed = false
	p.Reasoning.Bound = false
	p.Tools.CallSignature = ""
	p.Reasoning.Replay = provider.ReplayFree
	if n.Adjust != nil {
		err = call("Neutral.Adjust", func() { n.Adjust(p) })
	}
	return p, err
}

// read converts the caller's messages; the parts record where they are from. They are copies, since
// Read may return parts that it uses again.
func (n *Neutral[T]) read(messages []T) ([]preflight.Message, error) {
	history := make([]preflight.Message, len(messages))
	for i, m := range messages {
		var err error
		if history[i], err = n.readOne(m); err != nil {
			return nil, &MessageError{Message: i, Err: err}
		}
		history[i].Parts = marked(history[i].Parts, i)
	}
	return history, nil
}

func (n *Neutral[T]) readOne(message T) (m preflight.Message, err error) {
	defer contain.Panic("Neutral.Read", &err)
	return n.Read(message)
}

func (n *Neutral[T]) write(
	m preflight.Message,
	from *T,
	origin Origin[T],
) (message T, err error) {
	defer contain.Panic("Neutral.Write", &err)
	return n.Write(m, from, origin)
}

// keepLayout marks messages as decoded from the provider's format, so that the messages that hold
// the results are judged: no encoder of ours puts them elsewhere.
func keepLayout(history []preflight.Message, profile *preflight.Profile) {
	format := profile.Format
	if format == "" {
		format = profile.Provider
	}
	for i := range history {
		if len(history[i].Native.JSON) == 0 {
			history[i].Native = preflight.Native{Format: format, JSON: json.RawMessage("{}")}
		}
	}
}

// marked returns copies of parts that record where they are from, and so those in tool results.
func marked(parts []preflight.Part, message int) []preflight.Part {
	out := markedOnce(parts, message)
	for _, p := range out {
		if r, ok := p.(*preflight.ToolResult); ok && r != nil {
			r.Content = markedOnce(r.Content, message) // no deeper: a result may hold itself
		}
	}
	return out
}

func markedOnce(parts []preflight.Part, message int) []preflight.Part {
	out := make([]preflight.Part, len(parts))
	for k, p := range parts {
		out[k] = preflight.CopyPart(p)
		if c := preflight.CarriedBy(out[k]); c != nil {
			c.Meta = preflight.Metadata{originKey: fmt.Appendf(nil, "[%d,%d]", message, k)}
		}
	}
	return out
}

// rebuild makes the caller's messages of the repaired ones.
func (n *Neutral[T]) rebuild(
	messages []T,
	history []preflight.Message,
	result *preflight.Result,
) ([]T, error) {
	origin := func(p preflight.Part) (*T, int) {
		var at [2]int
		c := preflight.CarriedBy(p)
		if c == nil || json.Unmarshal(c.Meta[originKey], &at) != nil || at[0] < 0 ||
			at[0] >= len(messages) || !within(history[at[0]], at[1]) {
			return nil, -1
		}
		return &messages[at[0]], at[1]
	}
	out := make([]T, 0, len(result.Messages))
	for i, m := range result.Messages {
		index, from := -1, (*T)(nil)
		if made := result.Origins[i]; len(made) > 0 {
			index, from = made[0], &messages[made[0]]
		}
		if from != nil && same(m, history[index]) {
			out = append(out, *from)
			continue
		}
		written, err := n.write(m, from, origin)
		if err != nil {
			return nil, &MessageError{Message: index, Reading: true, Err: err}
		}
		out = append(out, written)
	}
	return out, nil
}

// within reports whether k is the index of a part of m, or of the content of its tool result.
func within(m preflight.Message, k int) bool {
	if k >= 0 && k < len(m.Parts) {
		return true
	}
	for _, p := range m.Parts {
		if r, ok := p.(*preflight.ToolResult); ok && k >= 0 && k < len(r.Content) {
			return true
		}
	}
	return false
}

// same reports whether a message is the one that was read: it has the very same parts.
func same(a, b preflight.Message) bool {
	return a.Role == b.Role && a.Name == b.Name && slices.Equal(a.Parts, b.Parts)
}

// pathed are warnings with the paths of their positions.
func pathed(warnings []preflight.Warning) []wire.Warning {
	if len(warnings) == 0 {
		return nil
	}
	out := make([]wire.Warning, len(warnings))
	for i, w := range warnings {
		out[i] = wire.Warning{Warning: w, Path: w.At.String()}
	}
	return out
}
