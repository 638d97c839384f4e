package wire

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file is the fast path: bodies are decoded into memory that is reused from body to body, and
// texts stay unread until a repair needs them. Otherwise it does what the slow path does.
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
	measured *provider.Measured
}

// Sanitize is like the function Sanitize. For a valid body it allocates only the Result, and
// nothing if the Result does not escape. The Result does not refer to the Sanitizer.
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
	if s == nil { // here, so that Sanitize can be inlined and its Result stay on the stack
		return sanitizePooled(ctx, body, options, out)
	}
	if options == nil {
		options = &noOptions
	}
	if len(body) > 0 && !hasCallbacks(&options.Options) && s.fastPath(ctx, body, options, out) {
		return nil
	}
	*out, err = repair(ctx, body, options)
	return err
}

// hasCallbacks reports whether functions of the caller get messages, which they may keep.
func hasCallbacks(o *preflight.Options) bool {
	return len(o.Hooks) > 0 || len(o.Fixers) > 0 || o.OpenCall != nil || o.Vouch != nil ||
		o.AllowURL != nil
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
	r.private = true
	r.read.reset(r)
	if r.doc.Root().SubtreeFlags()&ambiguous != 0 {
		if r.decode(options, &r.read, (*jsonscan.Doc).ViewStrings) != nil {
			return false
		}
		r.Model = strings.Clone(r.Model)
	} else {
		r.doc.ViewStrings()
		s.setProfile(r.modelIn(options))
		r.read.mayWait = r.textsMayWait()
		if r.decodeMessages(&r.read) != nil {
			return false
		}
	}
	repaired, err := r.repair(ctx, body, options)
	if err != nil {
		return false
	}
	for k := range repaired.Warnings {
		w := &repaired.Warnings[k]
		w.ToolCallID = strings.Clone(w.ToolCallID)
	}
	for k := range repaired.Left {
		repaired.Left[k].own()
	}
	*out = repaired
	return true
}

// textsMayWait reports whether texts may stay unread: those of models that refuse control
// characters or channel tags are searched for them, unless the body cannot hold any. None may if
// one is no valid Unicode, as of signed reasoning that nobody may write anew.
func (r *Request) textsMayWait() bool {
	if r.doc.Root().SubtreeFlags()&ambiguous != 0 {
		return false
	}
	c := r.Profile.Content
	if !c.RefuseControls && !c.RefuseChannelTags {
		return true
	}
	const del = 0x7F // the control character that JSON holds unescaped
	return r.doc.Root().SubtreeFlags()&jsonscan.HasOddEscape == 0 &&
		!(c.RefuseControls && bytes.IndexByte(r.body, del) >= 0) &&
		!(c.RefuseChannelTags && bytes.Contains(r.body, []byte("|channel|")))
}

// setProfile finds the profile for a model, and caches the last one.
func (s *Sanitizer) setProfile(model string) {
	r := &s.r
	if s.format != r.format || s.model != model || s.portable != r.portable ||
		s.measured != r.measured {
		s.format, s.model, s.portable = r.format, strings.Clone(model), r.portable
		s.measured = r.measured
		s.profile = r.profileFor(s.model)
	}
	r.Profile, r.State, r.Model = s.profile, preflight.Request{}, s.model
}

// release drops the body and everything that was read from it.
func (s *Sanitizer) release() {
	r := &s.r
	r.doc.Release()
	r.reset()
	r.private, r.out = false, writer{}
	r.measured = nil
	r.body, r.root, r.list = nil, jsonscan.Value{}, jsonscan.Value{}
	r.format, r.Provider, r.Model, r.Profile = nil, "", "", preflight.Profile{}
	r.State, r.options = preflight.Request{}, preflight.Options{}
}
