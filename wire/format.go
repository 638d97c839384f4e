package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file defines a wire format: what differs between formats, as data and a few functions.
// All else (bodies, splicing, paths, detection) is the same for every format.

// format is one provider's request JSON: data, and the few functions that cannot be data.
type format struct {
	name    string // the format, which is also Native.Format of its messages and parts
	dialect string // the name of the host's dialect; "" for the format itself
	profile func(model string) *preflight.Profile
	signs   signs             // how a body in this format is detected
	rules   map[string]string // the dialect's own ids for the format's rules

	// What the host accepts beyond the profile.
	ownMembers    bool    // it may have unknown members and settings, which are kept
	otherVendors  *format // the format for models of other vendors; nil for this one
	toolsRequired bool    // tool blocks in the history require declared tools
	chatLike      bool    // a body that shows openai-chat may be in this format
	limitRequired bool    // requests have to limit the output
	noNullCaller  bool    // the caller of a call is an object, if it has one
	noAnswers     bool    // members that only answers have are refused; see refusingAnswers
	roleRequired  bool    // a message without a role is refused, not taken for the user's

	// What parts of the caller's own can be written.
	opaqueReasoning bool // reasoning may be a payload that only the provider can read
	noMCP           bool // calls of MCP servers have no form, or one that names the server

	// Where a body keeps its messages.
	list          string // the member that holds the messages
	plain         bool   // it may also be a string: one user message
	single        bool   // it may also be one message, without a list
	mayBeUnlisted bool   // it may be missing where the server holds the history; see unlisted
	wrapper       string // a member that may hold the request; "" for none

	// Where a body keeps its leading system messages.
	system      string // the member; "" when they are in the list
	systemText  bool   // the member is a string
	systemAlias string // another spelling of it; "" for none
	systemParts string // the member of its value that holds the parts; "" when it is the list
	systemRule  string // the rule that a leading system message in the list violates
	// it is missing in a request that continues a history: anthropic-sdk-go, betamessagethread.go;
	// ai.google.dev/api/caching
	systemHeld bool
	// the list may have system messages too, and the member is a string
	systemBeside bool

	bareAddresses    bool   // the address of an image may be a string in the place of an object
	model            string // the member that names the model; "" for "model"
	participantNames bool   // messages may have the name of a participant

	// decode reads one element of the list, an object, and records repairs in the decoder.
	decode func(d *decoder, v jsonscan.Value) preflight.Message
	// partsKeep reports that the JSON of a part that did not change is right wherever it is put.
	partsKeep bool
	// textBlock is what is before and after the text in a block of text, nil if that depends on the
	// message or the format has no such blocks.
	textBlock [2][]byte
	// encode writes a message, in pieces, by editing the object that it was decoded from, if any.
	encode func(w *writer, m *preflight.Message) ([][]byte, error)
	// encodeFor replaces encode where the profile affects how a message is written.
	encodeFor func(r *Request, m *preflight.Message) ([][]byte, error)
	// decodeSystem and encodeSystem read and write the value of the system member.
	decodeSystem func(d *decoder, v jsonscan.Value) preflight.Message
	encodeSystem func(native preflight.Native, parts []preflight.Part) ([][]byte, error)

	// prepare checks a body's other members: it narrows the profile by them, and records repairs.
	// It runs after the messages were decoded, and may change their parts.
	prepare func(r *Request)
	// complete adds to messages, before they are encoded, what the format requires and a history of
	// the caller's own may lack, such as the names of tools.
	complete func(r *Request, messages []preflight.Message) []preflight.Message
	// finish repairs other members by the final history.
	finish func(r *Request, messages []preflight.Message, top *jsonscan.ObjectEdit) []finding
	// relaxRequest changes the request where no repair of the history can help, and reports
	// whether it did.
	relaxRequest func(r *Request, err error) bool
	// opaque lists the members of object that must not be edited, not even to make them valid
	// Unicode. It is called once for each object, so it may search it.
	opaque func(object jsonscan.Value) []string
}

// formats are the formats this version speaks, in the order Providers lists them.
var formats = []*format{
	refusingAnswers(withOthers(requiringLimit(anthropicFormat()))),
	openAIChatFormat(), openAIResponsesFormat(),
	geminiFormat(), bedrockFormat(), mistralFormat(), cohereFormat(), ollamaFormat(),
	interactionsFormat(),
}

// open returns the request in a body: the body, or what the wrapper holds.
func (f *format) open(body jsonscan.Value) jsonscan.Value {
	if f.wrapper != "" && !body.Has(f.list) {
		if inner := body.Get(f.wrapper); inner.Kind() == jsonscan.Object {
			return inner
		}
	}
	return body
}

// systemIn returns the spelling of the system member that a body has.
func (f *format) systemIn(body jsonscan.Value) string {
	if f.systemAlias != "" && body.Has(f.systemAlias) && !body.Has(f.system) {
		return f.systemAlias
	}
	return f.system
}

// modelOf returns the model that a body names.
func (f *format) modelOf(body jsonscan.Value) string {
	key := f.model
	if key == "" {
		key = "model"
	}
	return body.Get(key).Str()
}

// needsNoMessages reports whether a body may have no messages, given its other members.
func (f *format) needsNoMessages(body, list jsonscan.Value) bool {
	absent := list.Kind() == jsonscan.Absent || list.Kind() == jsonscan.Null
	return absent && f.unlisted(body)
}

// provider returns the name by which a format or dialect is asked for.
func (f *format) provider() string {
	if f.dialect != "" {
		return f.dialect
	}
	return f.name
}

// Providers returns the names of all formats, followed by those of the dialects, in a fresh slice.
func Providers() []string { return append(namesOf(formats), namesOf(dialects)...) }

// formatOf finds a format or dialect by name. A vendor's name means its main one.
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
	return nil, unknownProvider(name)
}
