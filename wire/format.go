package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file defines a wire format: what differs between formats, as data and a few functions.
// All else (bodies, splicing, paths, detection) is the same for every format.

// format is one provider's request JSON: data, and the few functions that cannot be data.
type format struct {
	name    string // the format, which messages and parts name as the source of their JSON
	dialect string // the name of the host's dialect; "" for the format itself
	profile func(model string) *preflight.Profile
	// the host may have members of its own, and settings whose meaning nobody knows: they are left
	// alone
	ownMembers bool
	// the format for models of other vendors; nil where they are no matter
	others        *format
	toolsRequired bool // tool blocks in the history need declared tools
	// close to openai-chat: a body that shows that format may show this one
	chatLike bool
	rules    map[string]string // the provider's own ids for rules about the shape of messages

	list  string // the member of a body that holds the messages
	plain bool   // that member may also be a string: one message of the user's
	// unlisted reports whether a body may do without that member; nil for never.
	unlisted func(body jsonscan.Value) bool

	system string // the member that holds leading system messages; "" when they stand in the list

	wrapper string // the member that may hold the request; "" for none

	systemAlias string // another spelling of that member; "" for none
	systemParts string // where its value is an object, the member of that which holds the parts

	roleRequired bool // a message without a role is refused, not taken for the user's

	model            string // the member that names the model; "" for "model"
	participantNames bool   // messages may bear the name of a participant

	// the rule a leading system message in the list breaks, where there is such a member
	systemRule string

	// decode reads one element of the list, an object. What it mends on the way it records in the
	// decoder.
	decode func(d *decoder, v jsonscan.Value) preflight.Message
	// encode writes a message, in pieces, by editing the object it was decoded from where there is
	// one.
	encode func(m *preflight.Message) ([][]byte, error)
	// encodeFor stands in for encode where the profile has a say in how a message is written.
	encodeFor func(r *Request, m *preflight.Message) ([][]byte, error)
	// decodeSystem and encodeSystem do the same for the value of the system member.
	decodeSystem func(d *decoder, v jsonscan.Value) preflight.Message
	encodeSystem func(native preflight.Native, parts []preflight.Part) ([][]byte, error)

	// prepare looks at a whole body's other members: it narrows the profile by them, and records
	// what it mends. It runs after the messages were decoded, whose parts it may still change.
	prepare func(r *Request)
	// relate makes messages, which are about to be written, say what a reader could not tell from
	// what stands around them.
	relate func(r *Request, messages []preflight.Message) []preflight.Message
	// finish mends what can only be known once the history is final.
	finish func(r *Request, messages []preflight.Message, top *jsonscan.ObjectEdit) []finding
	// relent gives in where no repair of the history can help but a change of the request can; it
	// reports whether it did.
	relent func(r *Request, err error) bool
	// sealed lists the members of object that may not be edited, not even to make their text valid
	// Unicode. It is asked once for each object, so that it may search it.
	opaque func(object jsonscan.Value) []string

	signs signs // how a body in this format is told from others
}

// formats are the formats this version speaks, in the order Providers lists them.
var formats = []*format{
	withOthers(anthropicFormat()), openAIChatFormat(), openAIResponsesFormat(), geminiFormat(),
	bedrockFormat(), mistralFormat(), cohereFormat(), ollamaFormat(),
}

// open is the request in a body: the body, or what the wrapper holds.
func (f *format) open(body jsonscan.Value) jsonscan.Value {
	if f.wrapper != "" && !body.Has(f.list) {
		if inner := body.Get(f.wrapper); inner.Kind() == jsonscan.Object {
			return inner
		}
	}
	return body
}

// systemIn is the spelling of the system member that a body has.
func (f *format) systemIn(body jsonscan.Value) string {
	if f.systemAlias != "" && body.Has(f.systemAlias) && !body.Has(f.system) {
		return f.systemAlias
	}
	return f.system
}

// modelOf is the model that a body names.
func (f *format) modelOf(body jsonscan.Value) string {
	key := f.model
	if key == "" {
		key = "model"
	}
	return body.Get(key).Str()
}

// needsNoMessages reports whether a body does without messages, as its other members allow.
func (f *format) needsNoMessages(body, list jsonscan.Value) bool {
	absent := list.Kind() == jsonscan.Absent || list.Kind() == jsonscan.Null
	return absent && f.unlisted != nil && f.unlisted(body)
}

// provider is the name by which a format or dialect is asked for.
func (f *format) provider() string {
	if f.dialect != "" {
		return f.dialect
	}
	return f.name
}

// Providers returns the names of the formats this version speaks, and then those of the dialects,
// in a fresh slice.
func Providers() []string { return append(namesOf(formats), namesOf(dialects)...) }

// formatOf finds a format or dialect by name; a vendor's name stands for the main one that it
// speaks.
func formatOf(name string) (*format, error) {
	if spoken := vendors[name]; len(spoken) > 0 {
		name = spoken[0]
	}
	for _, list := range [][]*format{formats, dialects} {
		for _, f := range list {
			if f.provider() == name {
				return f, nil
			}
		}
	}
	return nil, &UnknownProviderError{Provider: name}
}
