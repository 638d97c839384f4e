package wire

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is the short way for bodies that are valid already, which nearly all are: they are read into memory that is kept
// from body to body, judged by the same code as any other, and returned. Decoding into fresh memory was four fifths of the
// time Sanitize took for them.

// Sanitizer sanitizes one body after the other and keeps its memory in between: about as much as the largest body takes. The
// zero value is ready. It is for one goroutine at a time. The package's own Sanitize draws on a pool of them, so that a
// Sanitizer of one's own saves no more than the pool's emptying by the garbage collector costs.
type Sanitizer struct {
	r       Request
	profile preflight.Profile // of the last format and model
	format  *format
	model   string
}

// Sanitize is like the function Sanitize. A body that is valid costs no allocation but that of the Result, and not even that
// where the Result does not leave the caller. The Result does not refer to the Sanitizer.
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
	if s.valid(body, options) {
		*out = Result{Body: body, Provider: s.format.provider(), Model: s.model}
		return nil
	}
	*out, err = repair(ctx, body, options)
	return err
}

// valid reports whether a body is valid, and nobody asked for a closer look. When it says no the body may be valid all the
// same.
//
// Strings share the body's memory here, and of long texts only the end is read: whether a text is Unicode the scanner saw, and
// beyond that texts are only asked whether they are blank, and what they end in. Nothing that is read may therefore leave this
// function, so that callers who have hooks, or decide about single calls, take the long way.
func (s *Sanitizer) valid(body []byte, options *Options) bool {
	if len(body) == 0 || len(options.Sanitize.Hooks) > 0 || options.Sanitize.Pending != nil {
		return false
	}
	r := &s.r
	defer s.release()
	if r.parse(body, options) != nil || r.root.SubtreeFlags()&jsonscan.NeedsRepair != 0 {
		return false
	}
	r.doc.ViewStrings()
	s.settleProfile(r.modelIn(options))
	n := r.list.Len() + 1
	r.Messages, r.sources = slices.Grow(r.Messages, n), slices.Grow(r.sources, n)
	r.read.reset(r)
	r.read.brief = !r.Profile.RefuseControls
	r.decodeMessages(&r.read)
	if len(r.findings) > 0 || r.dropped || len(r.changes) > 0 || r.homelessSystem(r.Messages) {
		return false
	}
	if !preflight.Valid(r.Messages, &r.Profile, &options.Sanitize) {
		return false
	}
	written, err := r.encode(r.Messages)
	return err == nil && len(written.found) == 0 && len(written.body) == len(body) && &written.body[0] == &body[0]
}

// settleProfile finds the profile for a model, which is the last one nearly always.
func (s *Sanitizer) settleProfile(model string) {
	r := &s.r
	if s.format != r.format || s.model != model {
		s.format, s.model = r.format, strings.Clone(model)
		s.profile = s.format.profile()
		if s.model != "" {
			s.profile = s.profile.ForModel(s.model)
		}
	}
	r.Profile, r.Model = s.profile, s.model
}

// release lets go of the body, and of everything that was read from it.
func (s *Sanitizer) release() {
	r := &s.r
	r.doc.Release()
	r.edits.Reset()
	r.top.Reset(jsonscan.Value{})
	clear(r.Messages)
	clear(r.lead)
	clear(r.declared)
	r.read.reset(nil)
	*r = Request{
		declared: r.declared, doc: r.doc, edits: r.edits, top: r.top, lead: r.lead[:0], read: r.read,
		Messages: r.Messages[:0], sources: r.sources[:0],
	}
}
