package preflighttest

import (
	"net/http"
)

// A format is what the server has to know about one provider's wire. Each
// has a file of its own.
type format struct {
	name string

	// route tells from the path of a request what stands there instead of in
	// the body, and whether the path is one of the provider's at all.
	route func(path string) (model string, stream, ok bool)

	// notFound words the answer to other paths, with %s for the path.
	notFound string

	// maxBody is the largest accepted body in bytes, or 0; tooLarge is the
	// refusal of a larger one.
	maxBody  int
	tooLarge Violation

	// malformed words the refusal of a body that is not a JSON object.
	malformed func(err *syntaxError) Violation

	// open fills in model, stream and parsed from root. It must take a root
	// of any shape.
	open func(r *request)

	// checks are in the order in which the provider looks.
	checks []check

	// schema is the status of what breaks no rule of the catalogue. It is 400
	// when 0.
	schema int

	// param turns a path into the provider's notation, for formats whose
	// errors name the parameter. It may be nil.
	param func(path string) string

	// failure returns the body of an error and the headers that the provider
	// sends with it.
	failure func(v Violation, requestID string) (body []byte, header http.Header)

	// reply returns the body of an answer that is not streamed.
	reply func(t *turn) []byte

	// events returns the events of a streamed answer.
	events func(t *turn) []event

	// midway returns the event that reports a failure within a stream. It is
	// nil for providers that have none, whose streams just end.
	midway func(v Violation) event

	// encode turns an event into bytes, and contentType names the result. They
	// are nil and empty for server-sent events.
	encode      func(e event) []byte
	contentType string
}

// formats lists the fakes in the order of [Providers].
var formats = []*format{
	&anthropicFormat, &openaiChatFormat, &openaiResponsesFormat, &geminiFormat, &bedrockFormat,
	&mistralFormat,
	&cohereFormat, &ollamaFormat,
}

// request is a request body as the checks see it.
type request struct {
	body    []byte
	root    map[string]any // decoded, numbers as json.Number
	header  http.Header    // nil when only the body is judged
	model   string         // from the path or the options, else from the body
	stream  bool
	lenient bool
	parsed  any // what the format's open made of root
}

// read decodes the body into r. It returns the refusal of a body that no
// check can look at.
func (f *format) read(body []byte, r *request) (*request, []Violation) {
	if f.maxBody > 0 && len(body) > f.maxBody {
		return nil, []Violation{f.tooLarge}
	}
	root, err := decode(body)
	if err != nil {
		return nil, []Violation{f.malformed(err)}
	}
	r.body, r.root = body, root
	if f.open != nil {
		f.open(r)
	}
	return r, nil
}

// turn is what an answer is made from.
type turn struct {
	request *request
	reply   Reply
	seq     int // the number of the request on its server, from 1
}

// id returns an identifier for the i-th thing of the turn: the same for the
// same position in a test, and different for different ones.
func (t *turn) id(prefix string, i int) string {
	return prefix + serial(t.seq, i)
}

// event is one event of a stream. Server-sent events without a name consist
// of data alone.
type event struct {
	name string
	data string
}
