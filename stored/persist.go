package stored

import (
	"context"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
)

// This file makes a history small enough to store.

// Options are what Persist removes, shortens and keeps.
type Options struct {
	// Policies are the options that Persist has in common with Sanitize.
	Policies preflight.Options `json:"policies,omitzero"`
	// MaxBytes is the greatest size of a message as json.Marshal writes it, in bytes; 0 is no
	// limit.
	MaxBytes int `json:"max_bytes,omitempty"`
}

// The limits of PersistOptions.
const (
	defaultMaxString = 500       // UTF-16 units of a string in a provider-executed payload
	defaultMaxBytes  = 1_800_000 // of a message as JSON: 10 % below the 2 MB that hosts allow a row
)

// PersistOptions returns the options of Persist: metadata of single responses is removed, strings
// in provider-executed results keep their first 500 UTF-16 units, and a message is at most 1.8 MB
// of JSON. These are the limits and the form of Cloudflare's Agents SDK; without HeadOnly, a string
// keeps its end too.
func PersistOptions() Options {
	return Options{
		Policies: preflight.Options{
			StripEphemeral: true, MaxString: defaultMaxString, HeadOnly: true,
		},
		MaxBytes: defaultMaxBytes,
	}
}

// persistPipeline strips metadata before it drops reasoning that has no metadata left.
var persistPipeline = pipelineOf(
	fixer.StripEphemeral, fixer.ClearBindings, fixer.StripSystem,
	fixer.DropEmptyReasoning, fixer.TruncateProviderExecuted,
)

// Persist makes a history small enough to store: it strips metadata of single responses, drops
// empty reasoning, shortens the payloads of provider-executed tools, runs the hooks, repeats these
// steps on what the hooks returned, and fits each message into Options.MaxBytes. It is idempotent.
//
// Persist applies no provider's rules: a stored history may end with an open call, hold consecutive
// messages of one role, or be empty. Sanitize a loaded history before sending it.
//
// Nil options are PersistOptions. Of the policies, StripEphemeral, ClearMeta, StripSystem,
// MaxString, HeadOnly, TruncateInputs, Boundary, Fixers, Hooks and Strict count.
//
// MaxBytes is the size of one message as json.Marshal writes it, in bytes of UTF-8, with its native
// JSON. json.Marshal escapes <, > and & with six bytes each. In a larger message, tool results are
// shortened first, then texts and unsigned reasoning, the oldest first: to 1000 and 500 units, then
// to 100, then to 3, half at the beginning and half at the end. Opaque payloads are kept, and so
// are arguments unless TruncateInputs is set. The warnings have the code codes.CutToSize. Native
// JSON of a changed part is rewritten, so that text a hook redacted is not stored there; native
// JSON that a hook changed is kept as the hook returned it.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrTooLarge,
// preflight.ErrHook, ErrAmbiguous, ErrPipeline or the error of ctx, or reports that a message
// cannot be encoded as JSON. Strings that are not valid UTF-8 do not survive JSON: repair them
// first. The cost is linear in the history, except that members of oversized JSON outputs are
// sorted by size.
func Persist(
	ctx context.Context, history []preflight.Message, options *Options,
) (preflight.Result, error) {
	if options == nil {
		o := PersistOptions()
		options = &o
	}
	res, err := run(ctx, persistPipeline, history, &preflight.Profile{}, &options.Policies)
	if err != nil {
		return res, err
	}
	var all []sources
	if res.Changed {
		all = sourcesOf(history, &res)
		rewriteNatives(&res, all)
	}
	if options.MaxBytes > 0 {
		if err := fitSize(&res, all, options); err != nil {
			return unchanged(history), err
		}
	}
	return res, nil
}
