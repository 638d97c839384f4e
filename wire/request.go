package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/provider"
)

// This file decodes a request body into messages; request_encode.go writes them back.

// Request is a decoded request body. The messages' strings and native JSON share the body's memory:
// do not modify the body while the Request is in use. It is for one goroutine at a time.
type Request struct {
	Provider string            // the format or dialect: one of Providers
	Model    string            // the model that the profile was made for
	Profile  preflight.Profile // what that model accepts of this request
	State    preflight.Request // what the body says about thinking and stored history
	Messages []preflight.Message

	format   *format
	portable bool     // Options.Portable
	leaves   bool     // it is converted to another provider
	verbatim bool     // the members outside of the messages are not repaired; see Encode
	betas    []string // Options.Betas
	measured *provider.Measured

	body    []byte // the body, with its text made valid Unicode
	doc     jsonscan.Doc
	spare   jsonscan.Doc // see startsStored
	root    jsonscan.Value
	wrapped bool           // root is the value of the format's wrapper
	list    jsonscan.Value // the array of messages
	sources []source       // what Messages were decoded from

	findings         []finding    // faults of shape, and faults outside of the messages
	said             members.Said // by the members of the request
	removed          removedFields
	dropped          bool     // elements of the list became no message
	turns            bool     // the input is a list of turns; see prepareInteraction
	untied           bool     // the references to what the provider stores are removed
	resultsWithoutID bool     // a result has no id; see makeIDs
	changes          []change // repairs outside of the messages
	approvalItems    approvals

	// Indexes, made when first needed.
	byNative   map[*byte]int                              // sources by the first byte of their JSON
	partPaths  map[int]map[*byte]string                   // see appendPartPath
	innerPaths map[*preflight.ToolResult]map[*byte]string // see innerPath

	// What encode and the decoder work with, kept so that a Sanitizer can reuse it.
	edits    jsonscan.Edits
	top      jsonscan.ObjectEdit
	lead     []preflight.Part
	declared map[string]bool   // names of declared tools
	renamed  map[string]string // declared tools by the names that they get; see Result.Renamed
	read     decoder
	out      writer
	private  bool              // no function of the caller gets the messages; see writer
	options  preflight.Options // see optionsFor
}

// optionsFor returns the caller's options with the state of this request.
func (r *Request) optionsFor(given *preflight.Options) *preflight.Options {
	r.options = *given
	r.options.Request, r.options.LeaveOpen = r.State, false
	return &r.options
}

// source is the JSON that a message was decoded from.
type source struct {
	value jsonscan.Value
	index int  // in the list; -1 for the system member
	mend  bool // the object must be encoded again although the message did not change
}

// change is an edit of the body outside of its messages.
type change func(e *jsonscan.Edits, top *jsonscan.ObjectEdit)

// Decode decodes a body into messages. Values of a wrong shape are decoded as the closest valid
// ones: Check reports them, and Encode writes the repaired values. The error is as for Sanitize if
// the body cannot be read.
func Decode(body []byte, options *Options) (*Request, error) {
	if options == nil {
		options = &Options{}
	}
	return new(Request).decodeBody(body, options, (*jsonscan.Doc).AliasStrings)
}

func init() {
	builtin.DecodeShared = func(body []byte, options *Options) (*Request, error) {
		return (&Request{private: true}).decodeBody(body, options, (*jsonscan.Doc).ShareStrings)
	}
}

// decodeBody decodes a body into r. mode selects the memory of the strings.
func (r *Request) decodeBody(
	body []byte, options *Options, mode func(*jsonscan.Doc),
) (*Request, error) {
	if err := r.parse(body, options); err != nil {
		return nil, err
	}
	d := &decoder{r: r, index: -1}
	if err := r.decode(options, d, mode); err != nil {
		return nil, err
	}
	return r, nil
}

// decode decodes the body that parse scanned. mode selects the memory of the strings.
func (r *Request) decode(options *Options, d *decoder, mode func(*jsonscan.Doc)) error {
	if r.root.SubtreeFlags()&jsonscan.NeedsRepair != 0 {
		r.Profile = *r.format.profile("") // its rules, for the warnings
		if err := r.repairText(); err != nil {
			return err
		}
	}
	if err := r.removeDuplicates(); err != nil {
		return err
	}
	mode(&r.doc)
	r.Model = r.modelIn(options)
	r.Profile, r.State = r.profileFor(r.Model), preflight.Request{}
	d.mayWait = r.private && r.textsMayWait()
	return r.decodeMessages(d)
}

// profileFor returns the profile for a model: the format's, as it was measured.
func (r *Request) profileFor(model string) preflight.Profile {
	p := *r.format.profile(model)
	if r.measured != nil {
		if f, err := formatOf(r.measured.Provider); err == nil && f.name == r.format.name {
			r.measured.Apply(&p)
		}
	}
	if r.portable {
		p = p.Portable()
	}
	return p
}

// parse scans a body and finds its format and its messages.
func (r *Request) parse(body []byte, options *Options) error {
	r.body, r.portable, r.betas = body, options.Portable, options.Betas
	r.measured = options.Measured
	if err := r.doc.Parse(body); err != nil {
		if stored := storedLines(body); stored != nil {
			return stored
		}
		return syntaxError(err)
	}
	r.root = r.doc.Root()
	if err := storedIn(r.root); err != nil && !isTypedContents(r.root, options.provider()) {
		return err
	}
	if err := r.setFormat(options); err != nil {
		return err
	}
	r.wrapped = r.format.open(r.root) != r.root
	r.root = r.format.open(r.root)
	if err := r.findList(); err != nil {
		return err
	}
	if options.provider() == "" {
		return nil // a detected format has no mismatch
	}
	return r.mismatch()
}

// modelIn returns the requested model, or the one that the body names.
func (r *Request) modelIn(options *Options) string {
	if options.Model != "" {
		return options.Model
	}
	return r.format.modelOf(r.root)
}

// setFormat sets the format: the requested one, or the detected one.
func (r *Request) setFormat(options *Options) error {
	if options.provider() == "" {
		f, err := detect(r.root)
		if err != nil {
			return err
		}
		r.format, r.Provider = f, f.provider()
		return nil
	}
	f, err := spokenBy(options.provider(), r.root)
	if err != nil {
		return err
	}
	r.format, r.Provider = f, f.provider()
	return nil
}

// findList finds the array of messages: a member of the body, or the body itself.
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
		return wrongShape(r.format.list, "an array of messages")
	}
	return wrongShape("", "an object with "+r.format.list+", or an array of messages")
}

// whole reports whether the body is a whole request, not only an array of messages.
func (r *Request) whole() bool { return r.root.Kind() == jsonscan.Object }

// decodeMessages decodes the messages, and checks the other members. It fails if a message is in a
// stored form.
func (r *Request) decodeMessages(d *decoder) error {
	if r.format.otherVendors != nil && !r.Profile.Reasoning.Signed {
		r.format = r.format.otherVendors
	}
	n := r.list.Len() + 1
	r.Messages, r.sources = slices.Grow(r.Messages, n), slices.Grow(r.sources, n)
	r.readMembers()
	r.readList(d)
	if r.format.prepare != nil {
		r.format.prepare(r)
	}
	if d.stored != "" {
		return inStoredForm(modelMessages, d.stored)
	}
	return nil
}

// readList decodes the system member and the messages of the list.
func (r *Request) readList(d *decoder) {
	if r.whole() && r.format.system != "" {
		v := r.root.Get(r.systemKey())
		hasParts := r.format.systemParts != "" && v.Get(r.format.systemParts).Len() > 0
		if r.readsSystem() && !r.saysNothing() && (holdsText(v) || hasParts) {
			r.add(d, v, r.format.decodeSystem(d, v))
		}
	}
	if v := r.list; v.Kind() == jsonscan.String {
		d.index = 0
		r.add(d, v, preflight.Message{
			Role: preflight.RoleUser, Native: d.native(v), Parts: d.oneText(v.Str(), v),
		})
		return
	}
	if r.listsOne() {
		d.index = 0
		if m, ok := d.message(r.list); ok {
			r.add(d, r.list, m)
		}
		return
	}
	for v := r.list.First(); v.Exists(); v = v.Next() {
		d.index++
		if m, ok := d.message(v); ok {
			r.add(d, v, m)
		}
	}
}

// listsOne reports whether the body has a message in place of the list of messages.
func (r *Request) listsOne() bool { return r.whole() && r.list.Kind() == jsonscan.Object }

// readsSystem reports whether the system member has a form that is known, or is missing.
func (r *Request) readsSystem() bool {
	kind := r.root.Get(r.systemKey()).Kind()
	return !r.format.systemBeside && !r.format.systemText ||
		kind != jsonscan.Array && kind != jsonscan.Object
}

// saysNothing reports whether the body has no history to which instructions next to it belong.
func (r *Request) saysNothing() bool {
	return r.format.systemBeside && r.list.Kind() == jsonscan.Array && r.list.Len() == 0 &&
		!r.format.unlisted(r.root)
}

// add appends a decoded message.
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

// dropMessages releases the messages and their paths, but not the edits that encode collected.
func (r *Request) dropMessages() {
	clear(r.Messages)
	clear(r.lead)
	r.Messages, r.lead = r.Messages[:0], r.lead[:0]
	r.byNative, r.partPaths, r.innerPaths = nil, nil, nil
	r.read.reset(r.read.r)
}

// reset prepares a decoded request for decoding again, and keeps its memory.
func (r *Request) reset() {
	r.dropMessages()
	r.sources, r.findings, r.changes, r.dropped = r.sources[:0], nil, nil, false
	r.removed, r.renamed, r.untied, r.turns = nil, nil, false, false
	r.approvalItems = approvals{}
	clear(r.declared)
	r.edits.Reset()
	r.spare.Release()
	r.top.Reset(jsonscan.Value{})
}
