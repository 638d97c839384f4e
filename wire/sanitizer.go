package wire

import (
	"context"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is the fast path: bodies are decoded into memory that is reused from body to body. A
// valid body, as nearly all are, is checked by the same code as any other and returned: decoding
// into new memory took four fifths of the time. An invalid one is decoded again from the same scan,
// and repaired in the same memory: a copy of the body for its strings and a second tape were a
// quarter of all allocations.
//
// Strings share the body's memory here, or are in memory that is reused. Nothing that was read may
// leave this file: a Result holds copies, the slow path makes errors again, and callers whose own
// functions get messages always take the slow path.

// Sanitizer sanitizes one body after another and reuses its memory, about as much as the largest
// body took. The zero value is ready. It is for one goroutine at a time. The function Sanitize uses
// a pool of them, which the garbage collector may empty; a Sanitizer only saves that cost.
type Sanitizer struct {
	r       Request
	profile preflight.Profile // of the last format, model and Options.Portable

	format   *format
	model    string
	portable bool
}

// Sanitize is like the function Sanitize. For a valid body it allocates only the Result, and
// nothing if the Result does not escape; formats other than Anthropic's and OpenAI Chat may
// allocate for tool calls and results. The Result does not refer to the Sanitizer.
func (s *Sanitizer) Sanitize(ctx context.Context, body []byte, options *Options) (*Result, error) {
	out := new(Result)
	err := s.sanitize(ctx, body, options, out)
	return out, err
}

// sanitizers is the pool of the function Sanitize.
var sanitizers = sync.Pool{New: func() any { return new(Sanitizer) }}

// sanitizePooled is Sanitize with a Sanitizer from the pool.
func sanitizePooled(ctx context.Context, body []byte, options *Options, out *Result) error {
	s := sanitizers.Get().(*Sanitizer)
	err := s.sanitize(ctx, body, options, out)
	sanitizers.Put(s)
	return err
}

// noOptions replaces nil options. It is read-only.
var noOptions Options

func (s *Sanitizer) sanitize(
	ctx context.Context, body []byte, options *Options, out *Result,
) (err error) {
	if options == nil {
		options = &noOptions
	}
	if len(body) > 0 && !hasCallbacks(&options.Sanitize) && s.fastPath(ctx, body, options, out) {
		return nil
	}
	*out, err = repair(ctx, body, options)
	return err
}

// hasCallbacks reports whether functions of the caller get messages, which they may keep.
func hasCallbacks(o *preflight.Options) bool {
	return len(o.Hooks) > 0 || o.Pending != nil || o.Interrupted != nil || o.Boundary != nil
}

// fastPath sanitizes a body in reused memory. It returns false when the body cannot be read or
// repaired: errors may refer to the history, so the slow path makes them again in memory of its
// own.
func (s *Sanitizer) fastPath(ctx context.Context, body []byte, options *Options, out *Result) bool {
	r := &s.r
	defer s.release()
	if r.parse(body, options) != nil {
		return false
	}
	if s.valid(body, options) {
		*out = Result{Body: body, Provider: s.format.provider(), Model: s.model}
		return true
	}
	r.reset()
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

// valid reports whether a parsed body is valid. False may be wrong.
//
// Of long texts only the end is read: the scanner has checked the encoding, and the checks only
// need to know whether a text is blank and how it ends.
func (s *Sanitizer) valid(body []byte, options *Options) bool {
	r := &s.r
	if r.root.SubtreeFlags()&jsonscan.NeedsRepair != 0 {
		return false
	}
	r.doc.ViewStrings()
	s.setProfile(r.modelIn(options))
	r.read.reset(r)
	r.read.tailsOnly = !r.Profile.Content.RefuseControls
	r.decodeMessages(&r.read)
	if len(r.findings) > 0 { // known without encoding
		return false
	}
	if !preflight.Valid(r.Messages, &r.Profile, r.policyFor(&options.Sanitize)) {
		return false
	}
	_, err := r.encode(r.Messages)
	return err == nil && r.edits.Len() == 0
}

// setProfile finds the profile for a model, and caches the last one.
func (s *Sanitizer) setProfile(model string) {
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

// release drops the body and everything that was read from it.
func (s *Sanitizer) release() {
	r := &s.r
	r.doc.Release()
	r.reset()
	r.body, r.root, r.list = nil, jsonscan.Value{}, jsonscan.Value{}
	r.format, r.Provider, r.Model, r.Profile = nil, "", "", preflight.Profile{}
	r.State, r.policy = preflight.Request{}, preflight.Options{}
}
