package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is the seam between what is the same for every wire format (bodies, splicing, paths, detection) and what is
// not. A format is a value of type format in the table below.

// format is one provider's request JSON: data, and the few functions that cannot be data.
type format struct {
	name    string
	profile func() preflight.Profile

	list   string // the member of a body that holds the messages
	system string // the member that holds leading system messages; "" when they stand in the list

	systemRule string // the rule a leading system message in the list breaks, where there is such a member

	// decode reads one element of the list, an object. What it mends on the way it records in the decoder.
	decode func(d *decoder, v jsonscan.Value) preflight.Message
	// encode writes a message, by editing the object it was decoded from where there is one.
	encode func(m *preflight.Message) ([]byte, error)
	// decodeSystem and encodeSystem do the same for the value of the system member.
	decodeSystem func(d *decoder, v jsonscan.Value) preflight.Message
	encodeSystem func(native preflight.Native, parts []preflight.Part) ([]byte, error)

	// prepare looks at a whole body's other members: it narrows the profile by them, and records what it mends. It runs
	// after the messages were decoded, whose parts it may still change.
	prepare func(r *Request)
	// finish mends what can only be known once the history is final.
	finish func(r *Request, messages []preflight.Message, top *jsonscan.ObjectEdit) []finding
	// relent gives in where no repair of the history can help but a change of the request can; it reports whether it did.
	relent func(r *Request, err error) bool
	// sealed reports whether v, a member's value of object, may not be edited even to make its text valid Unicode.
	sealed func(object, v jsonscan.Value) bool

	signs signs // how a body in this format is told from others
}

// formats are the formats this version speaks, in the order Providers lists them.
var formats = []*format{anthropicFormat(), openAIChatFormat()}

// Providers returns the names of the formats this version speaks, in a fresh slice.
func Providers() []string {
	names := make([]string, len(formats))
	for k, f := range formats {
		names[k] = f.name
	}
	return names
}

// formatOf finds a format by name.
func formatOf(name string) (*format, error) {
	k := slices.IndexFunc(formats, func(f *format) bool { return f.name == name })
	if k < 0 {
		return nil, &UnknownProviderError{Provider: name}
	}
	return formats[k], nil
}
