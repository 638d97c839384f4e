package preflighthttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file reads what a provider says of the reasoning in a request: which of it the model did not
// get to see. It is the only judge of what an edit before reasoning costs, because only the
// provider can verify what its reasoning is bound to.

// Verdict is what a provider said of the reasoning in a request that it answered. It holds no
// message content.
type Verdict struct {
	// Report is that of the request, or of its resending.
	Report *Report
	// Transformations has an entry for each part of the input that the provider names, in its
	// order; empty if it named none.
	Transformations []Transformation
}

// Ours returns the number of transformations that the repair of the request may have caused.
func (v *Verdict) Ours() (n int) {
	if v == nil {
		return 0
	}
	for _, t := range v.Transformations {
		if t.Ours {
			n++
		}
	}
	return n
}

// Transformation is what a provider did with a part of its input.
type Transformation struct {
	// Type is what it did: "thinking_dropped" and "thinking_mismatch_allowed" of Anthropic, the
	// second for a block that the model did see, and "removed" of OpenAI.
	Type string
	// Reason is why, in the provider's words, such as "prefix_binding_mismatch" or
	// "model_mismatch".
	Reason string
	// Path is where the part is in the body that was sent, such as "messages[1].content[0]" or
	// "input[3]"; "" if that is not known.
	Path string
	// Ours is whether the repair may have caused it: it changed the part, or, where the reason is
	// the prefix, something before the part. Otherwise the cause is another model, organization or
	// user, or an edit by the caller.
	Ours bool
}

// judged are the formats whose answers have verdicts.
var judged = map[string]bool{"anthropic": true, "openai-responses": true}

// dropsItself are the formats in which reasoning that does not verify is dropped, and never
// refused.
var dropsItself = map[string]bool{"openai-responses": true}

// sentOutline is what a verdict is compared with.
type sentOutline struct {
	list   string         // the member with the messages
	edited int            // the first of them that was changed, or that comes after a change
	within int            // the first part of its content that was changed, or comes after a change
	at     map[string]int // of each item with an id
}

// outline returns that of a body that is sent for another one. The two may be the same.
func outline(given, sent []byte) *sentOutline {
	o := &sentOutline{list: "messages", edited: math.MaxInt, at: map[string]int{}}
	after, err := jsonscan.Parse(sent)
	if err != nil {
		return o
	}
	if after.Root().Get(o.list).Kind() != jsonscan.Array {
		o.list = "input"
	}
	list := after.Root().Get(o.list)
	for k, item := range list.All() {
		if id := item.Get("id").Str(); id != "" {
			o.at[id] = k
		}
	}
	if bytes.Equal(given, sent) {
		return o
	}
	before, err := jsonscan.Parse(given)
	if err != nil {
		return o
	}
	for _, member := range []string{"system", "instructions", "tools"} {
		if !bytes.Equal(before.Root().Get(member).Raw(), after.Root().Get(member).Raw()) {
			o.edited = 0
			return o
		}
	}
	old := before.Root().Get(o.list).First()
	for k, item := range list.All() {
		if !sameButCache(old, item) {
			o.edited, o.within = k, firstDifference(old.Get("content"), item.Get("content"))
			break
		}
		old = old.Next()
	}
	return o
}

// firstDifference returns the index of the first element in which a list differs from another, 0 if
// one of them is no list.
func firstDifference(old, now jsonscan.Value) int {
	a, n := old.First(), 0
	if old.Kind() != jsonscan.Array || now.Kind() != jsonscan.Array {
		return 0
	}
	for _, b := range now.All() {
		if !a.Exists() || !sameButCache(a, b) {
			break
		}
		a, n = a.Next(), n+1
	}
	return n
}

// sameButCache compares values without cache breakpoints, to which no reasoning is bound.
func sameButCache(a, b jsonscan.Value) bool {
	if bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	if a.Kind() != b.Kind() || a.Kind() != jsonscan.Object && a.Kind() != jsonscan.Array {
		return false
	}
	x, y := afterCache(a.First()), afterCache(b.First())
	for x.Exists() && y.Exists() && x.Key().Str() == y.Key().Str() && sameButCache(x, y) {
		x, y = afterCache(x.Next()), afterCache(y.Next())
	}
	return !x.Exists() && !y.Exists()
}

// afterCache returns a member of an object, or the next one if it is a cache breakpoint.
func afterCache(v jsonscan.Value) jsonscan.Value {
	for v.Exists() && v.Key().StrIs("cache_control") {
		v = v.Next()
	}
	return v
}

// after reports whether a part comes after the first change.
func (o *sentOutline) after(message, part int) bool {
	return message > o.edited || message == o.edited && part >= o.within
}

// transformations reads a member input_transformations.
func (o *sentOutline) transformations(list jsonscan.Value) []Transformation {
	out := []Transformation{}
	for _, v := range list.All() {
		t := Transformation{
			Type: shorten.Name(v.Get("type").Str()), Reason: shorten.Name(v.Get("reason").Str()),
		}
		at, known := [2]int{}, false
		if action := v.Get("action"); action.Exists() { // of an item
			t.Type = shorten.Name(action.Str())
			if at[0], known = o.at[v.Get("id").Str()]; known {
				t.Path = o.list + "[" + strconv.Itoa(at[0]) + "]"
			}
		} else {
			t.Path, at, known = bracketed(v.Get("path").Str())
		}
		t.Ours = known && o.after(at[0], at[1]) && strings.HasPrefix(t.Reason, "prefix")
		out = append(out, t)
	}
	return out
}

// bracketed returns messages.1.content.0 as messages[1].content[0], and the first two indices. ok
// is false for another path.
func bracketed(path string) (out string, at [2]int, ok bool) {
	steps := strings.Split(path, ".")
	if len(steps)%2 != 0 || len(steps) > 8 {
		return "", at, false
	}
	for k := 0; k < len(steps); k += 2 {
		n, err := strconv.ParseUint(steps[k+1], 10, 31)
		if err != nil || shorten.Name(steps[k]) != steps[k] {
			return "", at, false
		}
		if k/2 < len(at) {
			at[k/2] = int(n)
		}
		if k > 0 {
			out += "."
		}
		out += steps[k] + "[" + strconv.FormatUint(n, 10) + "]"
	}
	return out, at, true
}

// watch looks for a verdict in the units of a response.
type watch struct {
	ctx     context.Context
	t       *Transport
	report  *Report
	sent    *sentOutline
	found   bool
	verdict []Transformation
}

// transformationsMember is the member of an answer that is the verdict. In the text of a model its
// quotes are escaped.
const transformationsMember = "input_transformations"

// unit looks at an answer, or at an event of a stream: the last verdict counts, since it is that of
// the model that answered in the end. A model's arguments may have a member of that name, too, so
// that its place counts.
func (w *watch) unit(text []byte) {
	if !bytes.Contains(text, []byte(`"`+transformationsMember+`"`)) {
		return
	}
	doc, err := jsonscan.Parse(text)
	if err != nil {
		return
	}
	root := doc.Root()
	for _, holder := range []jsonscan.Value{root, root.Get("message"), root.Get("response")} {
		if list := holder.Get(transformationsMember); list.Kind() == jsonscan.Array {
			w.found, w.verdict = true, w.sent.transformations(list)
		}
	}
}

// end tells what was found, once.
func (w *watch) end() error {
	if !w.found {
		return nil
	}
	w.found = false
	return w.t.tellVerdict(w.ctx, &Verdict{Report: w.report, Transformations: w.verdict})
}

// watched is a body whose end is that of the verdict.
type watched struct {
	io.ReadCloser
	watch *watch
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if told := b.watch.end(); told != nil {
			err = told
		}
	}
	return n, err
}

func (b *watched) Close() error {
	return errors.Join(b.ReadCloser.Close(), b.watch.end())
}

// outlineOf returns what the verdict on a request is compared with, nil if nobody wants it or the
// format has none.
func (t *Transport) outlineOf(report *Report, given, sent []byte) *sentOutline {
	if t.Verdict == nil || report == nil {
		return nil
	}
	if !judged[formatNamed(report.Provider)] {
		return nil
	}
	return outline(given, sent)
}

// formatNamed returns the wire format of a provider, "" if it is not known.
func formatNamed(name string) string {
	p, ok := provider.ByName(name, "")
	if ok && p.Format != "" {
		return p.Format
	}
	if ok {
		return p.Provider
	}
	return ""
}

// answer returns the response to a request of which this was sent: with the names of the caller's
// tools, and with an eye on the verdict.
func (t *Transport) answer(
	ctx context.Context, resp *http.Response, sent *wire.Result, report *Report, o *sentOutline,
) *http.Response {
	if o == nil {
		return returnNames(resp, sent)
	}
	w := &watch{ctx: ctx, t: t, report: report, sent: o}
	resp, ok := throughUnits(resp, func(unit []byte) []byte { w.unit(unit); return unit })
	if ok {
		resp.Body = &watched{resp.Body, w}
	}
	return returnNames(resp, sent)
}
