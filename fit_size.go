package preflight

import (
	"bytes"
	"fmt"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/respell"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file shortens a history until it is small enough for a store.

// budgetSteps are the limits of a tool result and of a text, step by step. Each step is applied to
// the whole message, and only when the step before was not enough.
var budgetSteps = []struct{ output, text int }{{1000, 500}, {100, 100}, {3, 3}}

// fitSize shortens every message whose JSON form is larger than Options.MaxBytes until it fits:
// tool results first, then texts, each oldest first, and at last, if Options.TruncateInputs is set,
// the arguments of finished calls. budgetSteps holds the limits. It returns ErrTooLarge for a
// message that cannot be made to fit.
func (d *draft) fitSize() error {
	if d.policy.MaxBytes <= 0 {
		return nil
	}
	var f *fitting
	for i := range d.nodes {
		if mostBytes(&d.nodes[i].Message) <= d.policy.MaxBytes {
			continue
		}
		if f == nil {
			f = newFitting(d)
		}
		if err := f.fit(i); err != nil {
			return err
		}
	}
	return nil
}

// fitting is the state of shortening one message, with what it needs to know about the others.
type fitting struct {
	d        *draft
	opaque   map[*ToolResult]bool // opaque results, which stay as they are
	finished map[*ToolCall]bool   // calls that have a result
	oversize
}

// oversize is the message being shortened.
type oversize struct {
	i       int
	size    int              // current size of the JSON form of message i
	pending []respell.Change // changes not yet made in its native JSON
	saving  int              // estimate of the bytes that these will save there
	flushes int
}

func newFitting(d *draft) *fitting {
	f := &fitting{d: d, opaque: d.opaqueResults(), finished: make(map[*ToolCall]bool)}
	for _, of := range []side{clientSide, serverSide} {
		d.eachPair(of, func(call *ToolCall, _ *ToolResult, _, _ place) {
			if call != nil {
				f.finished[call] = true
			}
		})
	}
	return f
}

// fit shortens message i until it fits.
func (f *fitting) fit(i int) error {
	body, err := f.d.nodes[i].Message.MarshalJSON()
	if err != nil {
		return fmt.Errorf("preflight: messages[%d] has no JSON form: %w",
			f.d.position(i, none).Message, err)
	}
	f.oversize = oversize{i: i, size: storedSize(body)}
	for _, step := range budgetSteps {
		if f.results(newCutter(f.d.policy, step.output)) ||
			f.texts(newCutter(f.d.policy, step.text)) {
			return nil
		}
	}
	if f.d.policy.TruncateInputs {
		for _, step := range budgetSteps {
			if f.inputs(newCutter(f.d.policy, step.output)) {
				return nil
			}
		}
	}
	return &Error{
		Reason: ErrTooLarge, Message: f.d.position(i, none).Message,
		Err: fmt.Errorf("takes %d bytes with everything shortened that may be, and the limit is %d",
			f.size, f.d.policy.MaxBytes),
	}
}

// results shortens tool results, in order, and reports whether the message now fits.
func (f *fitting) results(c shorten.Cutter) bool {
	return f.pass(func(j int, p Part) {
		if r, ok := p.(*ToolResult); ok && !f.opaque[r] {
			f.d.shortenResult(f.i, j, r, c, note{
				code:   codes.CutToSize,
				detail: "shortened a tool result so that its message can be stored",
			})
		}
	})
}

// texts shortens texts and unsigned reasoning without metadata, and reports whether the message now
// fits.
func (f *fitting) texts(c shorten.Cutter) bool {
	n := note{code: codes.CutToSize, detail: "shortened a text so that its message can be stored"}
	return f.pass(func(j int, p Part) {
		switch p := p.(type) {
		case *Text:
			f.d.shortenText(f.i, j, p, c, n)
		case *Reasoning:
			if p.Signed() || len(p.Meta) > 0 {
				return
			}
			if short, cut := c.Text(p.Text); cut {
				f.d.replace(f.i, j, edited(p, func(x *Reasoning) { x.Text = short }), n)
			}
		}
	})
}

// inputs shortens the arguments of calls that have a result, and reports whether the message now
// fits.
func (f *fitting) inputs(c shorten.Cutter) bool {
	return f.pass(func(j int, p Part) {
		call, ok := p.(*ToolCall)
		if !ok || !f.finished[call] || call.ProviderExecuted && shorten.IsOpaque(call.Name) {
			return
		}
		if short := c.Fit(call.Input); short != nil {
			fixed := edited(call, func(x *ToolCall) { x.Input = short })
			f.finished[fixed] = true
			f.d.replace(f.i, j, fixed, note{
				code: codes.CutToSize, id: call.ID,
				detail: "shortened the arguments of a finished call so that its message can be " +
					"stored",
			})
		}
	})
}

// pass calls shorten, which may replace the part, for each part until the message fits, and reports
// whether it does.
func (f *fitting) pass(shorten func(j int, p Part)) bool {
	if f.fits() {
		return true
	}
	for j, p := range f.d.nodes[f.i].Parts {
		if shorten(j, p); f.d.nodes[f.i].Parts[j] == p {
			continue
		}
		f.shortened(j, p)
		if f.fits() {
			return true
		}
	}
	f.flush()
	return f.fits()
}

// shortened updates the size for part j, which replaced p.
func (f *fitting) shortened(j int, p Part) {
	before := partBytes(p)
	n := &f.d.nodes[f.i]
	now, changes := mirrored(p, n.Parts[j])
	n.Parts[j] = now
	saved := before - partBytes(now)
	f.size -= saved
	if len(n.Native.JSON) > 0 {
		f.pending = append(f.pending, changes...)
		f.saving += saved
	}
}

// maxFlushes bounds how often the native JSON of one message is rewritten on the estimate that the
// message fits afterwards.
const maxFlushes = 8

// fits reports whether the message fits. It updates the native JSON first when that may make it
// fit.
func (f *fitting) fits() bool {
	limit := f.d.policy.MaxBytes
	if f.size > limit && f.size-f.saving <= limit && f.flushes < maxFlushes {
		f.flushes++
		f.flush()
	}
	if f.size > limit {
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
	n := &f.d.nodes[f.i]
	before := jsonBytes(string(n.Native.JSON))
	n.Native = respelledNative(n.Native, f.pending)
	f.size -= before - jsonBytes(string(n.Native.JSON))
	f.pending, f.saving = nil, 0
}

// partBytes returns the size of the JSON form of a part. Encoding it cannot fail, since the message
// was encoded before.
func partBytes(p Part) int {
	form, _ := formOf(p)
	body, _ := encode(form)
	return storedSize(body)
}

// storedSize returns the size of JSON that encoding/json writes as a value's JSON form:
// json.Marshal escapes characters of HTML in it, each with six bytes.
func storedSize(body []byte) int {
	n := len(body)
	for _, c := range []string{"<", ">", "&"} {
		n += (len(`\u003c`) - 1) * bytes.Count(body, []byte(c))
	}
	for _, c := range []string{"\u2028", "\u2029"} {
		n += (len(`\u2028`) - len(c)) * bytes.Count(body, []byte(c))
	}
	return n
}

// jsonBytes returns the size of s as a JSON string.
func jsonBytes(s string) int {
	body, _ := encode(s)
	return storedSize(body)
}

// mostBytes returns an upper bound of the size of the JSON form of m without reading its content.
func mostBytes(m *Message) int {
	const (
		escaped = 6 // most bytes of one byte of text: \u0000
		names   = 320
	)
	n := len(m.Role) + len(m.ID) + len(m.Name) + metaBytes(m.Meta) + len(m.Native.JSON) +
		len(m.Native.Format)
	parts := 1
	for _, p := range m.Parts {
		bytes, count := rawBytes(p)
		n, parts = n+bytes, parts+count
	}
	return n*escaped + parts*names
}

func metaBytes(meta Metadata) int {
	const quotes = 4
	n := 0
	for k, v := range meta {
		n += len(k) + len(v) + quotes
	}
	return n
}

// rawBytes counts the bytes of all values in a part, and the parts in it including itself.
func rawBytes(p Part) (n, parts int) {
	c := p.carried()
	n = metaBytes(c.Meta) + len(c.Cache) + len(c.Native.JSON) + len(c.Native.Format)
	parts = 1
	switch p := p.(type) {
	case *Text:
		n += len(p.Text)
	case *Reasoning:
		n += len(p.Text) + len(p.Signature) + len(p.Opaque)
	case *ToolCall:
		n += len(p.ID) + len(p.Name) + len(p.Input) + len(p.Awaiting) + len(p.Variant)
	case *ToolResult:
		n += len(p.CallID) + len(p.Name) + len(p.Output) + len(p.Variant)
		for _, nested := range p.Content {
			bytes, count := rawBytes(nested)
			n, parts = n+bytes, parts+count
		}
	case *Media:
		n += len(p.Kind) + len(p.MediaType) + len(p.Data) + len(p.URL) + len(p.FileID) + len(p.Name)
	case *Other:
		n += len(p.Kind)
	}
	return n, parts
}
