package stored

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/respell"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file shortens messages until they are small enough for a store.

// ErrTooLarge: a message is over Options.MaxBytes, and shortening its results and texts is not
// enough. The error is a *preflight.Error with Message.
var ErrTooLarge = errors.New("a message is too large to store")

// budgetSteps are the limits of a tool result and of a text, step by step. Each step is applied to
// the whole message, and only when the step before was not enough.
var budgetSteps = []struct{ output, text int }{{1000, 500}, {100, 100}, {3, 3}}

// fitSize shortens every message of res whose JSON form is larger than options.MaxBytes until it
// fits: tool results first, then texts, each oldest first, and at last, if TruncateInputs is set,
// the arguments of finished calls. budgetSteps holds the limits. It returns ErrTooLarge for a
// message that cannot be made to fit. given is the caller's history.
func fitSize(res *preflight.Result, given []preflight.Message, options *Options) error {
	var f *fitting
	for i := range res.Messages {
		if mostBytes(&res.Messages[i]) <= options.MaxBytes {
			continue
		}
		if f == nil {
			f = newFitting(res, given, options)
		}
		if err := f.fit(i); err != nil {
			return err
		}
	}
	return nil
}

// fitting is the state of shortening one message, with what it needs to know about the others.
type fitting struct {
	res        *preflight.Result
	given      []preflight.Message // see fitSize
	limit      int
	cutsInputs bool                                          // arguments are shortened, too
	boundary   func(s string, n int) int                     // where a text may be cut
	fault      error                                         // of a panic in boundary
	callOf     map[*preflight.ToolResult]*preflight.ToolCall // the call that a result answers
	finished   map[*preflight.ToolCall]bool                  // calls that have a result
	oversize
}

// oversize is the message being shortened.
type oversize struct {
	i       int
	sources []source
	owned   bool             // its parts are a slice of the result's own
	size    int              // current size of the JSON form of message i
	pending []respell.Change // changes not yet made in its native JSON
	saving  int              // estimate of the bytes that these will save there
	flushes int
}

func newFitting(
	res *preflight.Result, given []preflight.Message, options *Options,
) *fitting {
	f := &fitting{
		res: res, given: given, limit: options.MaxBytes, cutsInputs: options.TruncateInputs,
		boundary: options.Boundary,
		callOf:   make(map[*preflight.ToolResult]*preflight.ToolCall),
		finished: make(map[*preflight.ToolCall]bool),
	}
	f.guardBoundary()
	for _, pair := range preflight.Pairs(res.Messages, &preflight.Profile{}) {
		r, isResult := pair.Part.(*preflight.ToolResult)
		if call, ok := pair.Counterpart.(*preflight.ToolCall); ok && isResult {
			f.callOf[r], f.finished[call] = call, true
		}
	}
	return f
}

// source is where a part comes from.
type source struct {
	at     preflight.Position // Part is -1 for a part that the caller did not have
	before preflight.Part     // nil for such a part
}

// sourcesOf returns the sources of the parts of message i.
func (f *fitting) sourcesOf(i int) []source {
	out := make([]source, len(f.res.Messages[i].Parts))
	for j := range out {
		at := preflight.At(i, j)
		if f.res.PartOrigins != nil {
			at = f.res.PartOrigins[i][j]
		}
		switch {
		case at.Message() >= 0:
			out[j] = source{at, f.given[at.Message()].Parts[at.Part()]}
		case len(f.res.Origins[i]) > 0:
			out[j].at = preflight.At(f.res.Origins[i][0])
		default:
			out[j].at = preflight.At(i)
		}
	}
	return out
}

// tallyOf returns the tally of one part.
func tallyOf(p preflight.Part) preflight.Tally {
	return preflight.TallyOf(preflight.Message{Parts: []preflight.Part{p}})
}

// guardBoundary makes a panic in the caller's function an error.
func (f *fitting) guardBoundary() {
	boundary := f.boundary
	if boundary == nil {
		return
	}
	f.boundary = func(s string, n int) (at int) {
		defer func() {
			if p := recover(); p != nil && f.fault == nil {
				f.fault = contain.Error("Options.Boundary", "function", p)
			}
		}()
		return boundary(s, n)
	}
}

// fit shortens message i until it fits.
func (f *fitting) fit(i int) error {
	sources := f.sourcesOf(i)
	index := i
	if len(sources) > 0 {
		index = sources[0].at.Message()
	}
	body, err := json.Marshal(f.res.Messages[i])
	if err != nil {
		return fmt.Errorf("preflight: messages[%d] has no JSON form: %w", index, err)
	}
	f.oversize = oversize{i: i, sources: sources, size: len(body)}
	fits := f.steps()
	switch {
	case f.fault != nil:
		return f.fault
	case fits:
		return nil
	}
	return &preflight.Error{
		Reason: ErrTooLarge, Message: index,
		Err: fmt.Errorf("takes %d bytes with everything shortened that may be, and the limit is %d",
			f.size, f.limit),
	}
}

// steps shortens step by step, and reports whether the message now fits.
func (f *fitting) steps() bool {
	if f.fits() {
		return true
	}
	for _, step := range budgetSteps {
		if f.results(step.output) || f.texts(step.text) {
			return true
		}
	}
	if f.cutsInputs {
		for _, step := range budgetSteps {
			if f.inputs(step.output) {
				return true
			}
		}
	}
	return false
}

// results shortens tool results, in order, and reports whether the message now fits.
func (f *fitting) results(limit int) bool {
	return f.pass("shortened a tool result so that its message can be stored",
		func(p preflight.Part) preflight.Part {
			if r, ok := p.(*preflight.ToolResult); ok {
				return shortResult(f.cutter(limit), r, f.callOf[r])
			}
			return p
		})
}

// texts shortens texts and unsigned reasoning without metadata, and reports whether the message now
// fits.
func (f *fitting) texts(limit int) bool {
	return f.pass("shortened a text so that its message can be stored",
		func(p preflight.Part) preflight.Part {
			switch p := p.(type) {
			case *preflight.Text:
				return shortText(f.cutter(limit), p)
			case *preflight.Reasoning:
				if p.Signed() || len(p.Meta) > 0 {
					return p
				}
				if short, cut := f.cutter(limit).Text(p.Text); cut {
					c := *p
					c.Text = short
					return &c
				}
			}
			return p
		})
}

// inputs shortens the arguments of calls that have a result, and reports whether the message now
// fits.
func (f *fitting) inputs(limit int) bool {
	return f.pass("shortened the arguments of a finished call so that its message can be stored",
		func(p preflight.Part) preflight.Part {
			call, ok := p.(*preflight.ToolCall)
			if !ok || !f.finished[call] || call.ProviderExecuted && shorten.IsOpaque(call.Name) {
				return p
			}
			short := f.cutter(limit).Fit(call.Input)
			if short == nil {
				return p
			}
			c := *call
			c.Input = short
			f.finished[&c] = true
			return &c
		})
}

// cutter returns a cutter that keeps both ends of a text.
func (f *fitting) cutter(limit int) shorten.Cutter {
	return cutter(limit, f.boundary)
}

// pass replaces each part by what shortened returns for it until the message fits, with a warning
// for each that changes, and reports whether the message fits.
func (f *fitting) pass(detail string, shortened func(preflight.Part) preflight.Part) bool {
	for j := range f.res.Messages[f.i].Parts {
		before := f.res.Messages[f.i].Parts[j]
		if now := shortened(before); now != before {
			f.replace(j, now, detail)
			if f.fits() {
				return true
			}
		}
	}
	f.flush()
	return f.fits()
}

// replace replaces part j of the message by its shortened form.
func (f *fitting) replace(j int, p preflight.Part, detail string) {
	f.own()
	m := &f.res.Messages[f.i]
	before := m.Parts[j]
	w := preflight.Warning{
		Code: codes.CutToSize, At: f.sources[j].at, Detail: detail,
		Removed: tallyOf(before), Added: tallyOf(p),
	}
	original := before
	if f.sources[j].before != nil {
		original = f.sources[j].before // the id is reported as the caller has it
	}
	switch p := original.(type) {
	case *preflight.ToolCall:
		w.ToolCallID = p.ID
	case *preflight.ToolResult:
		w.ToolCallID = p.CallID
	}
	f.res.Warnings = append(f.res.Warnings, w)
	f.res.Removed, f.res.Added = f.res.Removed.Plus(w.Removed), f.res.Added.Plus(w.Added)

	agreed := builtin.Agreed.(func(before, p preflight.Part) (preflight.Part, []respell.Change))
	now, changes := agreed(before, p)
	m.Parts[j] = now
	if call, ok := p.(*preflight.ToolCall); ok {
		f.finished[now.(*preflight.ToolCall)] = f.finished[call]
	}
	if r, ok := before.(*preflight.ToolResult); ok {
		f.callOf[now.(*preflight.ToolResult)] = f.callOf[r]
	}
	saved := partBytes(before) - partBytes(now)
	f.size -= saved
	if len(m.Native.JSON) > 0 {
		f.pending = append(f.pending, changes...)
		f.saving += saved
	}
}

// own makes the messages, and the parts of the one being shortened, slices of the result's own.
func (f *fitting) own() {
	if !f.res.Changed {
		f.res.Messages = slices.Clone(f.res.Messages)
		f.res.Changed = true
		f.res.Origins, f.res.PartOrigins = identity(f.res.Messages)
	}
	if f.res.FirstChanged < 0 || f.i < f.res.FirstChanged {
		f.res.FirstChanged = f.i
	}
	if m := &f.res.Messages[f.i]; !f.owned {
		m.Parts, f.owned = slices.Clone(m.Parts), true
	}
}

// maxFlushes limits how often the native JSON of one message is rewritten on the estimate that the
// message fits afterwards.
const maxFlushes = 8

// fits reports whether the message fits. It updates the native JSON first when that may make it
// fit.
func (f *fitting) fits() bool {
	if f.size > f.limit && f.size-f.saving <= f.limit && f.flushes < maxFlushes {
		f.flushes++
		f.flush()
	}
	if f.size > f.limit {
		return false
	}
	f.flush()
	return true
}

// flush makes the pending changes in the native JSON of the message.
func (f *fitting) flush() {
	if len(f.pending) == 0 {
		return
	}
	native := &f.res.Messages[f.i].Native
	before := jsonBytes(string(native.JSON))
	raw, found := respell.JSON(native.JSON, f.pending)
	if native.JSON = raw; !slices.Contains(found, true) {
		*native = preflight.Native{}
	}
	f.size -= before - jsonBytes(string(native.JSON))
	f.pending, f.saving = nil, 0
}
