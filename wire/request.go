package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file takes a request body apart into messages, and puts messages back into it.

// Request is a decoded request body. It refers to the body, which must not be modified while it is
// in use; the messages' strings and native JSON share its memory. It is for one goroutine at a
// time.
type Request struct {
	Provider string            // the wire format
	Model    string            // the model the body names, or the one asked for
	Profile  preflight.Profile // what that model accepts of this request
	State    preflight.Request // what the body says about thinking and stored history
	Messages []preflight.Message

	format   *format
	body     []byte // the body; with its text repaired where it was no Unicode
	doc      jsonscan.Doc
	root     jsonscan.Value
	wrapped  bool           // root is what the format's wrapper holds
	list     jsonscan.Value // the array of messages
	sources  []source       // what Messages were decoded from
	portable bool           // Options.Portable
	betas    []string       // Options.Betas
	findings []finding      // what decoding had to mend, and what is wrong beside the messages
	dropped  bool           // elements of the list became no message
	nameless bool           // a result has no id; see nameCalls
	changes  []change
	byNative map[*byte]int            // sources by the first byte of their JSON; see sourceOf
	places   map[int]map[*byte]string // see placeOf and placeInside
	inside   map[*preflight.ToolResult]map[*byte]string

	// What encode works with, and the decoder: kept, so that a Sanitizer can use them again.
	edits    jsonscan.Edits
	top      jsonscan.ObjectEdit
	lead     []preflight.Part
	declared map[string]bool // names of declared tools
	read     decoder
	policy   preflight.Options // see policyFor
}

// policyFor returns the caller's policies with the state of this request.
func (r *Request) policyFor(given *preflight.Options) *preflight.Options {
	r.policy = *given
	r.policy.Request = r.State
	return &r.policy
}

// source is what one message was decoded from.
type source struct {
	value jsonscan.Value
	index int  // in the list; -1 for the system member
	mend  bool // the object has to be written anew although the message did not change
}

// change is an edit of the body outside of its messages.
type change func(e *jsonscan.Edits, top *jsonscan.ObjectEdit)

// Decode takes body apart. The error is as by Sanitize for a body that is no request. What is wrong
// with the body's own shape is mended in what Decode returns, and written by Encode: Check reports
// it.
func Decode(body []byte, options *Options) (*Request, error) {
	if options == nil {
		options = &Options{}
	}
	r := new(Request)
	if err := r.parse(body, options); err != nil {
		return nil, err
	}
	if err := r.decode(options, &decoder{r: r, index: -1}, (*jsonscan.Doc).AliasStrings); err != nil {
		return nil, err
	}
	return r, nil
}

// decode reads what parse found. mode says in what memory the strings are.
func (r *Request) decode(options *Options, d *decoder, mode func(*jsonscan.Doc)) error {
	if r.root.SubtreeFlags()&jsonscan.NeedsRepair != 0 {
		r.Profile = *r.format.profile("") // its rules, for the warnings
		if err := r.repairText(); err != nil {
			return err
		}
	}
	mode(&r.doc)
	r.Model = r.modelIn(options)
	r.Profile, r.State = *r.format.profile(r.Model), preflight.Request{}
	if r.portable {
		r.Profile = r.Profile.Portable()
	}
	r.decodeMessages(d)
	return nil
}

// parse finds the messages in a body.
func (r *Request) parse(body []byte, options *Options) error {
	r.body, r.portable, r.betas = body, options.Portable, options.Betas
	if err := r.doc.Parse(body); err != nil {
		if stored := storedLines(body); stored != nil {
			return stored
		}
		return syntaxError(err)
	}
	r.root = r.doc.Root()
	if err := storedIn(r.root); err != nil && !isTypedContents(r.root, options.Provider) {
		return err
	}
	if err := r.settleFormat(options); err != nil {
		return err
	}
	r.wrapped = r.format.open(r.root) != r.root
	r.root = r.format.open(r.root)
	if err := r.findList(); err != nil {
		return err
	}
	if options.Provider == "" {
		return nil // detect saw that nothing contradicts the format
	}
	return r.mismatch()
}

// modelIn is the model asked for, or the one the body names.
func (r *Request) modelIn(options *Options) string {
	if options.Model != "" {
		return options.Model
	}
	return r.format.modelOf(r.root)
}

// settleFormat finds the body's format: the one asked for, or the one it shows.
func (r *Request) settleFormat(options *Options) error {
	if options.Provider == "" {
		f, err := detect(r.root)
		if err != nil {
			return err
		}
		r.format, r.Provider = f, f.provider()
		return nil
	}
	f, err := spokenBy(options.Provider, r.root)
	if err != nil {
		return err
	}
	r.format, r.Provider = f, f.provider()
	return nil
}

// findList finds the array of messages: in the body's member for it, or the body itself.
func (r *Request) findList() error {
	switch r.root.Kind() {
	case jsonscan.Array:
		r.list = r.root
		return nil
	case jsonscan.Object:
		r.list = r.root.Get(r.format.list)
		if r.format.holdsHistory(r.root) {
			return nil
		}
		if err := r.misplacedHistory(); err != nil {
			return err
		}
		return &ShapeError{Path: r.format.list, Want: "an array of messages"}
	}
	return &ShapeError{Want: "an object with " + r.format.list + ", or an array of messages"}
}

// whole reports whether the body is a whole request, not only its messages.
func (r *Request) whole() bool { return r.root.Kind() == jsonscan.Object }

// decodeMessages reads the messages, and what stands beside them.
func (r *Request) decodeMessages(d *decoder) {
	if r.format.others != nil && !r.Profile.Reasoning.Signed {
		r.format = r.format.others
	}
	n := r.list.Len() + 1
	r.Messages, r.sources = slices.Grow(r.Messages, n), slices.Grow(r.sources, n)
	r.readList(d)
	if r.format.prepare != nil {
		r.format.prepare(r)
	}
}

func (r *Request) readList(d *decoder) {
	if r.whole() && r.format.system != "" {
		if v := r.root.Get(r.systemKey()); holdsText(v) || r.format.systemParts != "" && v.Get(r.format.systemParts).Len() > 0 {
			r.add(d, v, r.format.decodeSystem(d, v))
		}
	}
	if v := r.list; v.Kind() == jsonscan.String {
		d.index = 0
		r.add(d, v, preflight.Message{Role: preflight.RoleUser, Native: d.native(v), Parts: d.single(d.texts.one(preflight.Text{Text: v.Str(), Carried: preflight.Carried{Native: d.native(v)}}))})
		return
	}
	for v := r.list.First(); v.Exists(); v = v.Next() {
		d.index++
		if m, ok := d.message(v); ok {
			r.add(d, v, m)
		}
	}
}

// add takes over a decoded message.
func (r *Request) add(d *decoder, v jsonscan.Value, m preflight.Message) {
	r.Messages = append(r.Messages, m)
	r.sources = append(r.sources, source{value: v, index: d.index, mend: d.mend})
	d.mend = false
}

// holdsText reports whether a system member holds anything.
func holdsText(v jsonscan.Value) bool {
	switch v.Kind() {
	case jsonscan.String:
		return !v.StrIs("")
	case jsonscan.Array:
		return v.Len() > 0
	}
	return false
}

// Encode writes messages, which are r.Messages after any kind of change, into the body: messages
// and parts that are still the same pointers (or say the same as the JSON they were decoded from)
// keep their bytes, and so does everything beside them. When nothing differs the body given to
// Decode is returned. The error is an *EncodeError: a part has no form in this format.
func (r *Request) Encode(messages []preflight.Message) ([]byte, error) {
	if r == nil || r.format == nil {
		return nil, &ShapeError{Want: "a Request that Decode made"}
	}
	if _, err := r.encode(messages); err != nil {
		return nil, err
	}
	return r.write()
}

// encoding is what encode finds out about messages.
type encoding struct {
	found []finding // what had to be mended beside the messages because of them
	items []item    // the elements of the list; nil when it stays as it was decoded
}

// write is the body with the edits that encode collected.
func (r *Request) write() ([]byte, error) {
	if r.edits.Len() == 0 {
		return r.body, nil
	}
	return r.edits.Apply(nil, r.body)
}

// forget lets go of the messages, and of what was listed about them. What encode collected stays.
func (r *Request) forget() {
	clear(r.Messages)
	clear(r.lead)
	r.Messages, r.lead = r.Messages[:0], r.lead[:0]
	r.byNative, r.places, r.inside = nil, nil, nil
	r.read.reset(r.read.r)
}

// again makes a request that was decoded ready to be decoded again, keeping its memory.
func (r *Request) again() {
	r.forget()
	r.sources, r.findings, r.changes, r.dropped = r.sources[:0], nil, nil, false
	clear(r.declared)
	r.edits.Reset()
	r.top.Reset(jsonscan.Value{})
}

// encode collects the edits that put messages into the body.
func (r *Request) encode(messages []preflight.Message) (encoding, error) {
	messages = withoutNilParts(messages)
	if r.format.relate != nil && !r.holds(messages) {
		messages = r.format.relate(r, messages)
	}
	e, top := &r.edits, &r.top
	e.Reset()
	top.Reset(r.root)
	listed, found, err := r.encodeSystem(top, messages)
	if err != nil {
		return encoding{}, err
	}
	items, changed, err := r.encodeList(listed)
	if err != nil {
		return encoding{}, err
	}
	switch {
	case !changed:
		items = nil
	case r.list.Kind() == jsonscan.String:
		top.SetMember(r.format.list, r.plainList(listed, items))
	default:
		splice(e, r.list, r.body, items)
	}
	if r.format.finish != nil && r.whole() {
		found = append(found, r.format.finish(r, messages, top)...)
	}
	for _, c := range r.changes {
		c(e, top)
	}
	top.AppendTo(e)
	return encoding{found, items}, nil
}

// holds reports whether messages are the request's own, in memory.
func (r *Request) holds(messages []preflight.Message) bool {
	return len(messages) == len(r.Messages) && (len(messages) == 0 || &messages[0] == &r.Messages[0])
}

// withoutNilParts is messages without parts that are nil; a caller's history may hold some.
func withoutNilParts(messages []preflight.Message) []preflight.Message {
	var out []preflight.Message
	for i := range messages {
		if parts := withoutNil(messages[i].Parts); len(parts) != len(messages[i].Parts) {
			if out == nil {
				out = slices.Clone(messages)
			}
			out[i].Parts = parts
		}
	}
	if out == nil {
		return messages
	}
	return out
}

// encodeSystem writes the leading system messages into the member for them, and returns the others.
// Formats without such a member keep them in the list. A message of the list that moves is a
// finding.
func (r *Request) encodeSystem(top *jsonscan.ObjectEdit, messages []preflight.Message) (rest []preflight.Message, found []finding, err error) {
	if r.format.system == "" || !r.whole() {
		return messages, nil, nil
	}
	var native preflight.Native
	parts := r.lead[:0]
	lead := leadingSystem(messages)
	untouched := true
	for i := range messages[:lead] {
		m := &messages[i]
		switch {
		case r.isSystemMember(m):
			native = m.Native
			untouched = untouched && i == 0 && len(r.sources) > 0 && r.same(0, m)
			parts = append(parts, m.Parts...)
		case r.hoistable(m):
			untouched = false
			if s := r.sourceOf(m, i); s >= 0 {
				found = append(found, r.hoisted(s))
			}
			text, settings := r.settingsOf(m)
			if parts = append(parts, text...); len(settings) > 0 {
				stays := *m
				stays.Parts = settings
				rest = append(rest, stays)
			}
		default:
			rest = append(rest, *m)
		}
	}
	r.lead = parts
	if rest == nil {
		rest = messages[lead:]
	} else {
		rest = append(rest, messages[lead:]...)
	}
	own := len(r.sources) > 0 && r.sources[0].index < 0 // the body has such a member
	switch {
	case len(parts) == 0:
		if own {
			top.DeleteMember(r.systemKey())
		}
		return rest, found, nil
	case untouched:
		return rest, found, nil
	}
	raw, err := r.format.encodeSystem(native, parts)
	if err != nil {
		return nil, nil, err
	}
	top.SetPieces(r.systemKey(), raw)
	return rest, found, nil
}

// hoisted is the finding that the message of source s has to stand in the system member.
func (r *Request) hoisted(s int) finding {
	return finding{
		code: CodeSystemHoisted, rule: r.format.systemRule, path: r.Path(preflight.Position{Message: s, Part: -1, Inner: -1}),
		at:    preflight.Position{Message: s, Part: -1, Inner: -1},
		wrong: "a leading system message belongs into the request's system field",
		done:  "moved a leading system message to the request's system field",
	}
}

// leadingSystem is how many system messages lead the list.
func leadingSystem(messages []preflight.Message) int {
	n := 0
	for n < len(messages) && messages[n].Role == preflight.RoleSystem {
		n++
	}
	return n
}

// systemKey is the body's member for leading system messages, in its spelling.
func (r *Request) systemKey() string { return r.format.systemIn(r.root) }

// isSystemMember reports whether a message stands for the body's system member: its JSON is no
// message object, or is that member's.
func (r *Request) isSystemMember(m *preflight.Message) bool {
	if m.Native.Format != r.format.name || len(m.Native.JSON) == 0 {
		return false
	}
	return m.Native.JSON[0] != '{' || len(r.sources) > 0 && r.sources[0].index < 0 && bytes.Equal(m.Native.JSON, r.Messages[0].Native.JSON)
}

// hoistable reports whether a system message can move into the system member: it holds text or
// unknown blocks, not only settings.
func (r *Request) hoistable(m *preflight.Message) bool {
	for _, p := range m.Parts {
		switch p.(type) {
		case *preflight.Text, *preflight.Other:
		default:
			return false
		}
	}
	text, _ := r.settingsOf(m)
	return len(text) > 0
}

// settingsOf are the parts of a system message that are settings, which stay in the list, and the
// others.
func (r *Request) settingsOf(m *preflight.Message) (others, settings []preflight.Part) {
	for _, p := range m.Parts {
		if r.setting(p) {
			settings = append(settings, p)
		} else {
			others = append(others, p)
		}
	}
	return others, settings
}

// setting reports whether a part of a system message is a setting.
func (r *Request) setting(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	return ok && slices.Contains(r.Profile.System.Directives, o.Kind)
}

// encodeList writes the messages of the list.
func (r *Request) encodeList(messages []preflight.Message) (items []item, changed bool, err error) {
	if r.atRest(messages) {
		return nil, false, nil
	}
	items = make([]item, 0, len(messages))
	var byText *matcher
	changed = r.dropped
	next := 0 // the source a message most likely has
	for next < len(r.sources) && r.sources[next].index < 0 {
		next++
	}
	for i := range messages {
		m := &messages[i]
		s := r.sourceOf(m, next)
		// what stood last does no longer
		lost := i < len(messages)-1 && m.Meta[provider.MetaPrefix] != nil
		if lost {
			unmarked := *m
			unmarked.Meta = nil
			m = &unmarked
		}
		if s >= 0 && r.sources[s].index >= 0 && !lost && r.same(s, m) {
			items = append(items, item{from: r.sources[s].index})
			changed = changed || s != next
			next = s + 1
			continue
		}
		changed = true
		it := item{from: -1}
		if s >= 0 {
			it.from, next = r.sources[s].index, s+1
		} else if m.Native.Format == r.format.name {
			if byText == nil {
				byText = newMatcher(r.list)
			}
			it.from = byText.find(m.Native.JSON)
		}
		if it.raw, err = r.encodeMessage(m); err != nil {
			return nil, false, err
		}
		items = append(items, it)
	}
	return items, changed || next != len(r.sources), nil
}

// encodeMessage writes one message in the body's format.
func (r *Request) encodeMessage(m *preflight.Message) ([][]byte, error) {
	if r.format.encodeFor != nil {
		return r.format.encodeFor(r, m)
	}
	return r.format.encode(m)
}

// atRest reports whether messages are those of the list, in memory, and nothing about them was
// mended.
func (r *Request) atRest(messages []preflight.Message) bool {
	n := len(messages)
	own := len(r.Messages) - n
	if len(r.findings) > 0 || n == 0 || own < 0 || &messages[0] != &r.Messages[own] || r.sources[own].index != 0 {
		return false
	}
	return !slices.ContainsFunc(messages[:n-1], func(m preflight.Message) bool { return m.Meta[provider.MetaPrefix] != nil })
}

// plainList is the list of messages where the body has a string for it: a string still, when there
// is one message and it is the user's text.
func (r *Request) plainList(messages []preflight.Message, items []item) []byte {
	if len(messages) == 1 && messages[0].Role == preflight.RoleUser {
		if t := plainText(messages[0].Parts); t != nil {
			return textToken(t)
		}
	}
	elements := make([][]byte, 0, len(items))
	for _, it := range items {
		raw := bytes.Join(it.raw, nil)
		if it.raw == nil {
			raw = append(append([]byte(`{"role":"user","content":`), r.list.Raw()...), '}')
		}
		elements = append(elements, raw)
	}
	return joined(elements)
}

// same reports whether m is still what source s was decoded to, so that its bytes can stay.
func (r *Request) same(s int, m *preflight.Message) bool {
	was := &r.Messages[s]
	if r.sources[s].mend || m.Role != was.Role || m.ID != was.ID || m.Name != was.Name || len(m.Parts) != len(was.Parts) || !sameJSON(m.Native.JSON, was.Native.JSON) ||
		!bytes.Equal(m.Meta[provider.MetaPrefix], was.Meta[provider.MetaPrefix]) {
		return false
	}
	for j := range m.Parts {
		if m.Parts[j] != was.Parts[j] {
			return false
		}
	}
	return true
}

// sourceOf finds the source of a message by the identity of its JSON, -1 when it has none. guess is
// looked at first.
func (r *Request) sourceOf(m *preflight.Message, guess int) int {
	if m.Native.Format != r.format.name && m.Native.Format != foreignFormat || len(m.Native.JSON) == 0 {
		return -1
	}
	if guess < len(r.sources) && sameJSON(r.Messages[guess].Native.JSON, m.Native.JSON) {
		return guess
	}
	if r.byNative == nil {
		r.byNative = make(map[*byte]int, len(r.sources))
		for s := range r.sources {
			if n := r.Messages[s].Native.JSON; len(n) > 0 {
				r.byNative[&n[0]] = s
			}
		}
	}
	if s, ok := r.byNative[&m.Native.JSON[0]]; ok {
		return s
	}
	return -1
}

// sameJSON compares by identity: the same bytes of the same body.
func sameJSON(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
