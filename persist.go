package preflight

import (
	"context"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file prepares a history for storage.

// The limits of PersistOptions.
const (
	DefaultMaxString = 500       // UTF-16 units a string in a provider-executed payload keeps
	DefaultMaxBytes  = 1_800_000 // bytes of a message's JSON form: 10 % below the 2 MB of a SQLite row in common hosts
)

// PersistOptions are the options of Persist: per-response metadata goes, strings in provider-executed results keep 500
// UTF-16 units, and a message takes at most 1.8 MB.
func PersistOptions() Options {
	return Options{StripEphemeral: true, MaxString: DefaultMaxString, MaxBytes: DefaultMaxBytes}
}

// DropEmptyReasoning removes reasoning that holds nothing: no text but white space, no signature, no opaque payload, and no
// metadata (where some decoders keep those). It is part of Persist; in Sanitize the profile says what reasoning is refused.
var DropEmptyReasoning = Fixer{
	Name:   "drop-empty-reasoning",
	Doc:    "removes reasoning without text, signature, payload or metadata",
	repair: dropEmptyReasoning,
	always: true,
}

func dropEmptyReasoning(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if r, ok := p.(*Reasoning); ok && blank(r.Text) && !r.Signed() && !holdsMeta(r.Meta) {
				d.drop(i, j, note{code: CodeReasoningRemoved, problem: ProblemReasoningEmpty, detail: "removed reasoning without anything in it"})
			}
		}
	}
	d.commit()
}

// holdsMeta reports whether metadata says anything: an entry that is null or an empty object does not.
func holdsMeta(meta Metadata) bool {
	for _, raw := range meta {
		doc, err := jsonscan.Parse(raw)
		if err != nil {
			return len(raw) > 0 // whatever it is
		}
		if v := doc.Root(); v.Kind() != jsonscan.Null && (v.Kind() != jsonscan.Object || v.Len() > 0) {
			return true
		}
	}
	return false
}

// persistFixers in the order that decides: metadata goes before reasoning is judged by what it has left.
var persistFixers = []Fixer{StripEphemeral, ClearBindings, StripSystem, DropEmptyReasoning, TruncateProviderExecuted, TruncateOlder}

// Persist makes a history small and safe to store: it strips per-response metadata, drops empty reasoning, shortens the
// payloads of provider-executed tools, runs the caller's hooks, runs the steps before once more over what the hooks
// returned, and fits each message into Options.MaxBytes. Every step may be repeated without effect.
//
// It enforces no provider's rules: a stored history may end with an open call, hold neighbours of one role, or be empty.
// Sanitize what is loaded before it is sent.
//
// Nil options are PersistOptions; start from these to change one. Of the options, StripEphemeral, KeepEncrypted, ClearMeta,
// StripSystem, MaxString, TruncateInputs, KeepOutputs, Unit, Boundary, Older, MaxBytes, Hooks and Strict count.
//
// MaxBytes counts bytes of UTF-8 of the JSON form of one message (Message.MarshalJSON), native JSON included. Of a message
// over it, tool results are shortened first, then texts and unsigned reasoning, the oldest first, until it fits: to 1000 and
// 500 units, if that is not enough to 100, and to 3. What is opaque stays; so do arguments, unless TruncateInputs is set.
// The warnings (CodeCutToSize) say what was cut. Native JSON of what was changed is brought up to date, so that what a hook
// redacts is not stored there.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrTooLarge, ErrHook, ErrAmbiguous or
// ErrPipeline, or says that a message has no JSON form. Strings that are not valid UTF-8 do not survive JSON: repair them
// first. The cost is linear in the history, but for sorting the members of oversized JSON outputs by size.
func Persist(ctx context.Context, history []Message, options *Options) (Result, error) {
	if options == nil {
		o := PersistOptions()
		options = &o
	}
	p := preset{fixers: persistFixers, profile: &Profile{}, finish: func(_ *run, d *draft) error {
		d.mirrorNatives()
		return d.fitSize()
	}}
	return p.run(ctx, history, options)
}
