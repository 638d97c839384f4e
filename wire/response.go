package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file decodes responses: what the model said, as messages to append to a history.

// Response is a decoded response.
type Response struct {
	// Messages are what the model said, to be appended to the history: one assistant message, but
	// in OpenAI's Responses format and Gemini's Interactions one for each item or step. Nil if it
	// said nothing.
	Messages []preflight.Message
	// Stop is why the model stopped, in the provider's words: "end_turn", "tool_calls", "STOP"…
	Stop string
}

// Calls returns the tool calls of the response that the caller is to run, in order.
func (r *Response) Calls() []*preflight.ToolCall {
	if r == nil {
		return nil
	}
	var out []*preflight.ToolCall
	for i := range r.Messages {
		for _, p := range r.Messages[i].Parts {
			if c, ok := p.(*preflight.ToolCall); ok && !c.ProviderExecuted {
				out = append(out, c)
			}
		}
	}
	return out
}

// Text returns the text of the response, without reasoning.
func (r *Response) Text() string {
	if r == nil {
		return ""
	}
	var out []byte
	for i := range r.Messages {
		for _, p := range r.Messages[i].Parts {
			if t, ok := p.(*preflight.Text); ok {
				out = append(out, wordsOf(t)...)
			}
		}
	}
	return string(out)
}

// responseShape is where a response has what the model said, as paths of members; a list on the
// way stands for its first element.
type responseShape struct {
	message string // the assistant message, or the list of items; "" for the whole response
	within  string // a member that every response has, by which one is known
	stop    string // why the model stopped
}

var responseShapes = map[string]responseShape{
	"anthropic":     {within: "content", stop: "stop_reason"},
	openAIChat:      {message: "choices.message", within: "choices", stop: "choices.finish_reason"},
	openAIResponses: {message: "output", within: "output", stop: "status"},
	gemini: {message: "candidates.content", within: "candidates",
		stop: "candidates.finishReason"},
	"bedrock":   {message: "output.message", within: "output", stop: "stopReason"},
	mistralName: {message: "choices.message", within: "choices", stop: "choices.finish_reason"},
	cohereName:  {message: "message", within: "message", stop: "finish_reason"},
	ollamaName:  {message: "message", within: "message", stop: "done_reason"},
	// of background requests, there are no steps yet
	interactions: {message: "steps", within: "status", stop: "status"},
}

// DecodeResponse decodes a provider's response into messages to append to a history: the whole
// body of an answer without streaming, or what an SDK accumulated of a stream in the same form. Of
// several candidates the first counts. Encoded again, the messages have all fields that the
// provider wants back (signatures, ids, encrypted content), and none of those that it refuses on
// input.
//
// provider is one of Providers or Vendors. The messages share the memory of a copy of body. The
// error satisfies errors.Is with ErrNotARequest if body is no response of the provider, such as an
// error message.
func DecodeResponse(provider string, body []byte) (*Response, error) {
	f, err := formatOf(provider)
	if err != nil {
		return nil, err
	}
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return nil, syntaxError(err)
	}
	root, shape := doc.Root(), responseShapes[f.name]
	if within := root.Get(shape.within); !within.Exists() || within.Kind() == jsonscan.Null {
		if root.Get("error").Exists() {
			return nil, notAResponse(provider, "", "it is an error message")
		}
		return nil, notAResponse(provider, shape.within, "there is none")
	}
	out := &Response{Stop: firstAt(root, shape.stop).Str()}
	said := f.said(firstAt(root, shape.message))
	if said == nil {
		return out, nil
	}
	var b bodyBuilder
	b.put(f.list, said)
	r, err := Decode(b.bytes(), &Options{Provider: f.provider()})
	if err != nil {
		return nil, err
	}
	if len(r.findings) > 0 { // members that are not accepted on input
		r.verbatim = true
		clean, err := r.Encode(r.Messages)
		if err != nil {
			return nil, err
		}
		if r, err = Decode(clean, &Options{Provider: f.provider()}); err != nil {
			return nil, err
		}
	}
	for _, m := range r.Messages {
		// a stored interaction may come with what it was asked
		asked := f.name == interactions && m.Role != preflight.RoleAssistant
		if len(m.Parts) > 0 && !asked {
			out.Messages = append(out.Messages, m)
		}
	}
	return out, nil
}

// said returns the list of messages of a request that says the same as the message of a response,
// nil if that is empty.
func (f *format) said(message jsonscan.Value) []byte {
	switch message.Kind() {
	case jsonscan.Array:
		return message.Raw()
	case jsonscan.Object:
	default:
		return nil
	}
	m := message.Raw()
	if f.name == "anthropic" { // the message and the response are one object
		m = []byte(`{"role":"assistant","content":` + string(message.Get("content").Raw()) + `}`)
	} else if f.name == gemini && !message.Has("role") {
		o := jsonscan.EditObject(message)
		o.SetMember("role", []byte(`"model"`))
		m = o.Bytes()
	}
	return joined([][]byte{m})
}

// firstAt returns the value at a path, where a list stands for its first element.
func firstAt(v jsonscan.Value, path string) jsonscan.Value {
	for path != "" && v.Exists() {
		key, deeper, _ := strings.Cut(path, ".")
		if v = v.Get(key); deeper != "" && v.Kind() == jsonscan.Array {
			v = v.First()
		}
		path = deeper
	}
	return v
}
