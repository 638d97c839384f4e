package wire

import (
	"context"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is the short way: bodies are read into memory that is kept from body to body. Those
// that are valid already, as nearly all are, are judged by the same code as any other, and
// returned: decoding into fresh memory was four fifths of the time Sanitize took for them. The
// others are read once more, from what the scanner found the first time, and repaired in that
// memory, too: a copy of the body for its strings and a second tape were a quarter of all that was
// allocated for them.
//
// Strings share the body's memory here, or stand in memory that is used again. Nothing that is read
// may therefore leave this file: what a Result holds is copied, errors are made anew the long way,
// and callers whose own functions get to see messages take the long way altogether.

// Sanitizer sanitizes one body after the other and keeps its memory in between: about as much as
// the largest body takes. The zero value is ready. It is for one goroutine at a time. The package's
// own Sanitize draws on a pool of them, so that a Sanitizer of one's own saves no more than the
// pool's emptying by the garbage collector costs.
type Sanitizer struct {
	r       Request
	profile preflight.Profile // of the last format, model and Options.Portable

	format   *format
	model    string
	portable bool
}

// Sanitize is like the function Sanitize. A body that is valid costs no allocation but that of the
// Result, and not even that where the Result does not leave the caller; formats other than
// Anthropic's and OpenAI Chat may allocate for tool calls and results. The Result does not refer to
// the Sanitizer.
func (s *Sanitizer) Sanitize(ctx context.Context, body []byte, options *Options) (*Result, error) {
	out := new(Result)
	err := s.sanitize(ctx, body, options, out)
	return out, err
}

// sanitizers is what the function Sanitize draws on.
var sanitizers = sync.Pool{New: func() any { return new(Sanitizer) }}

func pooled(ctx context.Context, body []byte, options *Options, out *Result) error {
	s := sanitizers.Get().(*Sanitizer)
	err := s.sanitize(ctx, body, options, out)
	sanitizers.Put(s)
	return err
}

// noOptions is what nil options stand for. Nobody writes to it.
var noOptions Options

func (s *Sanitizer) sanitize(ctx context.Context, body []byte, options *Options, out *Result) (err error) {
	if options == nil {
		options = &noOptions
	}
	if len(body) > 0 && !watched(&options.Sanitize) && s.short(ctx, body, options, out) {
		return nil
	}
	*out, err = repair(ctx, body, options)
	return err
}

// watched reports whether functions of the caller get to see messages, which they may keep.
func watched(o *preflight.Options) bool {
	return len(o.Hooks) > 0 || o.Pending != nil || o.Interrupted != nil || o.Boundary != nil
}

// short sanitizes a body in the memory that is kept. It is false when the body cannot be read or
// repaired: the error, which may quote the history, is made anew in memory of its own.
func (s *Sanitizer) short(ctx context.Context, body []byte, options *Options, out *Result) bool {
	r := &s.r
	defer s.release()
	if r.parse(body, options) != nil {
		return false
	}
	if s.valid(body, options) {
		*out = Result{Body: body, Provider: s.format.provider(), Model: s.model}
		return true
	}
	r.again()
	r.read.reset(r)
	if r.decode(options, &r.read, (*jsonscan.Doc).ViewStrings) != nil {
		return false
	}
	repaired, err := r.repair(ctx, body, options)
	if err != nil {
		return false
	}
	repaired.Model = strings.Clone(repaired.Model)
	for k := range repaired.Warnings {
		w := &repaired.Warnings[k]
		w.ToolCallID = strings.Clone(w.ToolCallID)
	}
	*out = repaired
	return true
}

// valid reports whether a parsed body is valid. When it says no the body may be valid all the same.
//
// Of long texts only the end is read here: whether a text is Unicode the scanner saw, and beyond
// that texts are only asked whether they are blank, and what they end in.
func (s *Sanitizer) valid(body []byte, options *Options) bool {
	r := &s.r
	if r.root.SubtreeFlags()&jsonscan.NeedsRepair != 0 {
		return false
	}
	r.doc.ViewStrings()
	s.settleProfile(r.modelIn(options))
	r.read.reset(r)
	r.read.brief = !r.Profile.Content.RefuseControls
	r.decodeMessages(&r.read)
	if len(r.findings) > 0 { // to find it out from what encode writes would take longer
		return false
	}
	if !preflight.Valid(r.Messages, &r.Profile, r.policyFor(&options.Sanitize)) {
		return false
	}
	_, err := r.encode(r.Messages)
	return err == nil && r.edits.Len() == 0
}

// settleProfile finds the profile for a model, which is the last one nearly always.
func (s *Sanitizer) settleProfile(model string) {
	r := &s.r
	if s.format != r.format || s.model != model || s.portable != r.portable {
		s.format, s.model, s.portable = r.format, strings.Clone(model), r.portable
		s.profile = *s.format.profile(s.model)
		if r.portable {
			s.profile = s.profile.Portable()
		}
	}
	r.Profile, r.State, r.Model = s.profile, preflight.Request{}, s.model
}

// release lets go of the body, and of everything that was read from it.
func (s *Sanitizer) release() {
	r := &s.r
	r.doc.Release()
	r.again()
	r.body, r.root, r.list = nil, jsonscan.Value{}, jsonscan.Value{}
	r.format, r.Provider, r.Model, r.Profile = nil, "", "", preflight.Profile{}
	r.State, r.policy = preflight.Request{}, preflight.Options{}
}
