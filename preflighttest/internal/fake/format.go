// Package fake is what the fakes of all providers have in common: a [Format]
// for each, the [Check] that looks for what breaks a rule, and the pieces of an
// answer. It knows no provider.
package fake

import (
	"net/http"

	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Format is one provider: how its requests are read, what it refuses, and how
// its answers and errors are written. Each format has a package of its own, and
// a host of a format is a copy with other checks.
type Format struct {
	Name string

	// Route tells from the path of a request what is there instead of in
	// the body, and whether the path is one of the provider's at all.
	Route func(path string) (model string, stream, ok bool)

	// NotFound words the answer to other paths, with %s for the path.
	NotFound string

	// MaxBody is the largest accepted body in bytes, or 0; TooLarge is the
	// refusal of a larger one.
	MaxBody  int
	TooLarge Violation

	// Malformed words the refusal of a body that is not a JSON object.
	Malformed func(err *read.SyntaxError) Violation

	// Open fills in Model, Stream and Parsed from Root. It must take a root
	// of any shape.
	Open func(r *Request)

	// Checks are in the order in which the provider looks.
	Checks []Check

	// SchemaStatus is the status of what breaks no rule of the catalogue. It is 400
	// when 0.
	SchemaStatus int

	// Param turns a path into the provider's notation, for formats whose
	// errors name the parameter. It may be nil.
	Param func(path string) string

	// Failure returns the body of an error and the headers that the provider
	// sends with it.
	Failure func(v Violation, requestID string) (body []byte, header http.Header)

	// Reply returns the body of an answer that is not streamed.
	Reply func(t *Turn) []byte

	// Events returns the events of a streamed answer.
	Events func(t *Turn) []Event

	// Remember returns what the server keeps of an answered request, and the id under which
	// Request.Recall finds it; "" for nothing. It is nil for providers whose fake keeps nothing.
	Remember func(t *Turn) (id string, kept any)

	// Midway returns the event that reports a failure within a stream. It is
	// nil for providers that have none, whose streams just end.
	Midway func(v Violation) Event

	// Encode turns an event into bytes, and ContentType names the result. They
	// are nil and empty for server-sent events.
	Encode      func(e Event) []byte
	ContentType string
}

// Request is a request body as the checks see it.
type Request struct {
	Body    []byte
	Root    map[string]any // decoded, numbers as json.Number
	Header  http.Header    // nil when only the body is judged
	Model   string         // from the path or the options, else from the body
	Stream  bool
	Lenient bool
	Parsed  any // what the format's Open made of root

	// Recall returns what the server keeps under an id, nil for nothing. It is nil when only the
	// body is judged, so that nothing is known of what the server may keep.
	Recall func(id string) any
}

// ReadModel fills in the model and whether to stream from the members of the body that most formats
// have for them.
func (r *Request) ReadModel() {
	if r.Model == "" {
		r.Model = read.Text(r.Root["model"])
	}
	r.Stream = read.Truth(r.Root["stream"])
}

// Read decodes the body into r. It returns the refusal of a body that no
// check can look at.
func (f *Format) Read(body []byte, r *Request) (*Request, []Violation) {
	if f.MaxBody > 0 && len(body) > f.MaxBody {
		return nil, []Violation{f.TooLarge}
	}
	root, err := read.Decode(body)
	if err != nil {
		return nil, []Violation{f.Malformed(err)}
	}
	r.Body, r.Root = body, root
	if f.Open != nil {
		f.Open(r)
	}
	return r, nil
}

// Turn is what an answer is made from.
type Turn struct {
	Request *Request
	Reply   Reply
	Seq     int // the number of the request on its server, from 1
}

// ID returns an identifier for the i-th thing of the turn: the same for the
// same position in a test, and different for different ones.
func (t *Turn) ID(prefix string, i int) string {
	return prefix + Serial(t.Seq, i)
}

// Event is one event of a stream. Server-sent events without a name consist
// of data alone.
type Event struct {
	Name string
	Data string
}
