package stored

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
)

// This file makes a history small enough to store.

// Options are what Persist removes, shortens and keeps. Package fixer says more of the fields that
// have the names of its fixers.
type Options struct {
	// StripEphemeral removes metadata of single responses, as preflight.Fixers.StripEphemeral does.
	StripEphemeral bool `json:"strip_ephemeral,omitempty"`
	// StripSystem removes system messages, as preflight.Fixers.StripSystem does.
	StripSystem bool `json:"strip_system,omitempty"`
	// ClearMeta lists metadata to remove, as for fixer.ClearMeta.
	ClearMeta []string `json:"clear_meta,omitempty"`
	// MaxString is the greatest length of a string in the results of tools that the provider runs,
	// as for fixer.Truncate; 0 is no limit.
	MaxString int `json:"max_string,omitempty"`
	// HeadOnly makes MaxString keep the beginning only.
	HeadOnly bool `json:"head_only,omitempty"`
	// TruncateInputs applies MaxString to the inputs of these tools, too, and MaxBytes to those of
	// all finished calls.
	TruncateInputs bool `json:"truncate_inputs,omitempty"`
	// Boundary returns where a text may be cut, as for fixer.Truncate.
	Boundary func(s string, n int) int `json:"-"`
	// MaxBytes is the greatest size of a message as json.Marshal writes it, in bytes; 0 is no
	// limit.
	MaxBytes int `json:"max_bytes,omitempty"`
	// Options are the options that Persist has in common with Sanitize: Fixers, Hooks, Strict and
	// Untrusted count.
	Options preflight.Options `json:"options,omitzero"`
}

// UnmarshalJSON reads options. Members that are not known are errors, as for preflight.Options.
func (o *Options) UnmarshalJSON(data []byte) error {
	if o == nil {
		return errors.New("stored: Options cannot be read into nil")
	}
	type plain Options // without this method
	read := plain(*o)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	*o = Options(read)
	return nil
}

// The limits of PersistOptions.
const (
	defaultMaxString = 500       // UTF-16 units of a string in a provider-executed payload
	defaultMaxBytes  = 1_800_000 // of a message as JSON: 10 % below the 2 MB that hosts allow a row
)

// PersistOptions returns the options that Persist is made for: metadata of single responses is
// removed, strings in provider-executed results keep their first 500 UTF-16 units, and a message is
// at most 1.8 MB of JSON. These are the limits and the form of Cloudflare's Agents SDK; without
// HeadOnly, a string keeps its end too.
func PersistOptions() Options {
	return Options{
		StripEphemeral: true, MaxString: defaultMaxString, HeadOnly: true,
		MaxBytes: defaultMaxBytes,
	}
}

// Fixers returns the fixers of package fixer that the options ask for. Add them to the Fixers of
// preflight.Options to send no more than is stored.
func (o Options) Fixers() (fixers []preflight.Fixer) {
	if o.StripEphemeral {
		fixers = append(fixers, preflight.Fixers.StripEphemeral)
	}
	if len(o.ClearMeta) > 0 {
		fixers = append(fixers, fixer.ClearMeta(o.ClearMeta...))
	}
	if o.StripSystem {
		fixers = append(fixers, preflight.Fixers.StripSystem)
	}
	if o.MaxString > 0 {
		fixers = append(fixers, fixer.Truncate{
			MaxString: o.MaxString, HeadOnly: o.HeadOnly, Inputs: o.TruncateInputs,
			Boundary: o.Boundary,
		}.Fixer())
	}
	return fixers
}

// Persist makes a history small enough to store: with PersistOptions, it strips metadata of single
// responses, drops empty reasoning, shortens the payloads of provider-executed tools, runs the
// hooks, repeats these steps on what the hooks returned, and fits each message into
// Options.MaxBytes. The zero Options only drop empty reasoning. Persist is
// idempotent.
//
// Persist applies no provider's rules: a stored history may end with an open call, hold consecutive
// messages of one role, or be empty. Sanitize a loaded history before sending it.
//
// MaxBytes is the size of one message as json.Marshal writes it, in bytes of UTF-8, with its native
// JSON. json.Marshal escapes <, > and & with six bytes each. In a larger message, tool results are
// shortened first, then texts and unsigned reasoning, the oldest first: results to 1000 units and
// texts to 500, then both to 100, then to 3, half at the beginning and half at the end. Opaque
// payloads are kept, and so are arguments unless TruncateInputs is set. The warnings have the code
// codes.CutToSize. Native JSON of a changed part is rewritten, so that text a hook redacted is not
// stored there; native JSON that a hook changed is kept as the hook returned it.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrTooLarge,
// preflight.ErrHook, ErrAmbiguous, ErrPipeline or the error of ctx, or reports that a message
// cannot be encoded as JSON. Strings that are not valid UTF-8 do not survive JSON: repair them
// first. The cost is linear in the history, except that members of oversized JSON outputs are
// sorted by size.
func Persist(
	ctx context.Context, history []preflight.Message, options Options,
) (preflight.Result, error) {
	// some reasoning is empty only without its metadata
	steps := append(options.Fixers(), preflight.Fixers.DropEmptyReasoning)
	res, err := run(ctx, pipelineOf(steps...), history, &preflight.Profile{}, &options.Options)
	if err != nil {
		return res, err
	}
	if options.MaxBytes > 0 {
		if err := fitSize(&res, history, &options); err != nil {
			return unchanged(history), err
		}
	}
	return res, nil
}
