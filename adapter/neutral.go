package adapter

import (
	"cmp"
	"context"
	"maps"
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
	// Read converts one of the caller's messages.
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

// Sources returns the caller's messages that parts were read from, each once, in their order. A
// message that others were joined to has several.
func (o Origin[T]) Sources(parts []preflight.Part) []*T {
	var out []*T
	seen := make(map[*T]bool)
	for _, p := range parts {
		if from, _ := o(p); from != nil && !seen[from] {
			seen[from] = true
			out = append(out, from)
		}
	}
	return out
}

// Union returns the entries of all maps, for the metadata of joined messages; of a key that several
// have, that of the first. It returns the first map if the others add nothing, and writes to none.
func Union[M ~map[K]V, K comparable, V any](first M, others ...M) M {
	out := first
	for _, m := range others {
		for k, v := range m {
			if _, ok := out[k]; ok {
				continue
			}
			if len(out) == len(first) {
				out = make(M, len(first)+1)
				maps.Copy(out, first)
			}
			out[k] = v
		}
	}
	return out
}

// Messages repairs a history, as Format.Messages does: what did not change are the caller's own
// values. options.Betas are for request bodies. Of the rules of the provider those about the form
// of a request are left to the framework, which builds it: what message holds tool results, the
// merging of messages where the provider keeps results in user messages, and what has to be sent
// back with reasoning (its signature, or a field that is empty), for which the types have no place.
// Positions and paths in the warnings count in messages, and in the parts that Read makes of them.
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
	result, err := preflight.Sanitize(ctx, history, profile, &options.Options)
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

// profile returns what the provider accepts of what a framework passes on unchanged.
func (n *Neutral[T]) profile(options *wire.Options) (*preflight.Profile, error) {
	name, measured := options.Provider, options.Measured
	if name == "" && measured != nil {
		name = measured.Provider
	}
	// which knows vendors' names, too
	empty, err := wire.Decode([]byte("[]"), &wire.Options{Provider: cmp.Or(name, n.Provider)})
	if err != nil {
		return nil, err
	}
	p, _ := provider.ByName(empty.Provider, options.Model)
	if base := measured.Profile(""); base != nil && formatOf(base) == formatOf(p) {
		measured.Apply(p)
	}
	if options.Portable {
		*p = p.Portable()
	}
	if p.Pairing.ResultRole != preflight.RoleTool {
		p.Pairing.ResultRole = preflight.RoleTool
		if p.Turns.Neighbours == provider.NeighboursMerged {
			p.Turns.Neighbours = provider.NeighboursJoined
		}
		p.Roles = []preflight.Role{
			preflight.RoleSystem, preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool,
		}
	}
	p.Pairing.OneResultPerMessage, p.Pairing.AsGiven = true, true
	if p.Content.RefuseEmptyText && !slices.Contains(p.Content.NeedsText, preflight.RoleTool) {
		// an empty result would be sent as an empty text
		p.Content.NeedsText = append(slices.Clone(p.Content.NeedsText), preflight.RoleTool)
	}
	p.Items = provider.ItemRules{} // a message is no item
	p.Reasoning.Signed = false
	p.Reasoning.Bound = false
	p.Tools.CallSignature = ""
	p.Reasoning.Replay = provider.ReplayFree
	if n.Adjust != nil {
		err = call("Neutral.Adjust", func() { n.Adjust(p) })
	}
	return p, err
}

// read converts the caller's messages.
func (n *Neutral[T]) read(messages []T) ([]preflight.Message, error) {
	history := make([]preflight.Message, len(messages))
	for i, m := range messages {
		var err error
		if history[i], err = n.readOne(m); err != nil {
			return nil, &MessageError{Message: i, Err: err}
		}
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

// formatOf returns the format of a provider's messages.
func formatOf(p *preflight.Profile) string { return cmp.Or(p.Format, p.Provider) }

// rebuild makes the caller's messages of the repaired ones.
func (n *Neutral[T]) rebuild(
	messages []T,
	history []preflight.Message,
	result *preflight.Result,
) ([]T, error) {
	inside := contents(history)
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
		places := placesOf(m, result.PartOrigins[i], history, inside)
		written, err := n.write(m, from, func(p preflight.Part) (*T, int) {
			at, ok := places[preflight.CarriedBy(p)]
			if !ok {
				return nil, -1
			}
			return &messages[at.Message()], at.Part()
		})
		if err != nil {
			return nil, &MessageError{Message: index, Reading: true, Err: err}
		}
		out = append(out, written)
	}
	return out, nil
}

// places has, for parts that are told apart by their address, the message that each was read from,
// and its index there: among the parts of the message, or in the content of its tool result.
type places map[*preflight.Carried]preflight.Position

// contents has the places of the parts in tool results.
func contents(history []preflight.Message) places {
	all := make(places)
	for i, m := range history {
		for _, p := range m.Parts {
			for k, c := range contentOf(p) {
				all[preflight.CarriedBy(c)] = preflight.At(i, k)
			}
		}
	}
	return all
}

func contentOf(p preflight.Part) []preflight.Part {
	if r, ok := p.(*preflight.ToolResult); ok && r != nil {
		return r.Content
	}
	return nil
}

// placesOf has the places of the parts of a repaired message, whose origins are from, and of those
// in its tool results. A repaired part in a result was read from the one that had its index.
func placesOf(
	m preflight.Message,
	from []preflight.Position,
	history []preflight.Message,
	inside places,
) places {
	all := make(places, len(m.Parts))
	for j, p := range m.Parts {
		at := from[j]
		if at.Message() < 0 {
			continue
		}
		was := history[at.Message()].Parts[at.Part()]
		content := contentOf(p)
		for k, c := range content {
			if place, ok := inside[preflight.CarriedBy(c)]; ok {
				all[preflight.CarriedBy(c)] = place
			} else if len(content) == len(contentOf(was)) {
				all[preflight.CarriedBy(c)] = preflight.At(at.Message(), k)
			}
		}
		key := preflight.CarriedBy(p)
		if place, ok := inside[key]; ok && preflight.CarriedBy(was) != key {
			at = place // it has left its result
		}
		all[key] = at
	}
	return all
}

// same reports whether a message is the one that was read: it has the very same parts.
func same(a, b preflight.Message) bool {
	return a.Role == b.Role && a.Name == b.Name &&
		slices.EqualFunc(a.Parts, b.Parts, func(p, q preflight.Part) bool {
			return preflight.CarriedBy(p) == preflight.CarriedBy(q)
		})
}

// pathed returns warnings with the paths of their positions.
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
