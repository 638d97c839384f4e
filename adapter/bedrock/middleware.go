package preflightbedrock

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// Middleware repairs the bodies of a client's requests before they are signed, so that the
// signature is the repaired body's:
//
//	client := bedrockruntime.NewFromConfig(cfg,
//		bedrockruntime.WithAPIOptions(preflightbedrock.Middleware(nil)))
//
// The transport, nil for one without settings, says how: its policies, its Report and its Endpoints
// count as they do for requests over HTTP, but wherever the client sends them, and the Host of a
// report is empty, since the client has not yet looked for its endpoint. Base and Remedies have no
// meaning here. Converse and ConverseStream are repaired, and InvokeModel and
// InvokeModelWithResponseStream where the name of the model holds "anthropic.": the body is one of
// Anthropic's API then. An Endpoint with the path "/model/{model}/invoke" names the format for
// other models, or Skip. Everything else passes untouched.
//
// It is a step of Build, and the last of those that are there when it is added; a step of
// Deserialize gives calls of renamed tools their names back. A retry sends the repaired body again.
// The caller's input stays as it is: Keep writes the repaired messages back. And the client itself
// refuses an input in which a required field is nil, such as the Input of a tool call, before there
// is a body: Input repairs that, too.
func Middleware(transport *preflighthttp.Transport) func(*middleware.Stack) error {
	own := adapter.AnyHost(transport)
	return func(stack *middleware.Stack) error {
		if err := stack.Deserialize.Add(&answer{}, middleware.After); err != nil {
			return err
		}
		return stack.Build.Add(&step{own}, middleware.After)
	}
}

// Keep returns a context for Converse and ConverseStream through Middleware. When a request with
// the messages of *history is repaired, *history becomes the repaired one before it is sent, with
// the caller's own values where nothing changed. A repair that the SDK's types cannot hold is not
// kept, and made again for the next request. See adapter.Format.Keep.
func Keep(ctx context.Context, history *[]types.Message) context.Context {
	return format.Keep(ctx, history)
}

// step is the middleware.
type step struct{ transport *preflighthttp.Transport }

// ID implements middleware.BuildMiddleware.
func (*step) ID() string { return "Preflight" }

// HandleBuild implements middleware.BuildMiddleware.
func (s *step) HandleBuild(
	ctx context.Context,
	in middleware.BuildInput,
	next middleware.BuildHandler,
) (middleware.BuildOutput, middleware.Metadata, error) {
	repaired, rewritten, err := s.repair(ctx, in.Request)
	if err != nil {
		return middleware.BuildOutput{}, middleware.Metadata{}, err
	}
	in.Request = repaired
	return next.HandleBuild(middleware.WithStackValue(ctx, rewrittenKey{}, rewritten), in)
}

// rewrittenKey is the key of the request that the transport returned.
type rewrittenKey struct{}

// answer gives the calls in answers the names of tools that were renamed.
type answer struct{}

// ID implements middleware.DeserializeMiddleware.
func (*answer) ID() string { return "PreflightAnswer" }

// HandleDeserialize implements middleware.DeserializeMiddleware.
func (*answer) HandleDeserialize(
	ctx context.Context,
	in middleware.DeserializeInput,
	next middleware.DeserializeHandler,
) (middleware.DeserializeOutput, middleware.Metadata, error) {
	out, metadata, err := next.HandleDeserialize(ctx, in)
	rewritten, _ := middleware.GetStackValue(ctx, rewrittenKey{}).(*http.Request)
	if resp, ok := out.RawResponse.(*smithyhttp.Response); ok && err == nil {
		resp.Response = preflighthttp.ReturnNames(rewritten, resp.Response)
	}
	return out, metadata, err
}

// repair returns the request to send in place of the given one, and the transport's form of it; a
// request that is left alone is sent itself.
func (s *step) repair(ctx context.Context, in any) (any, *http.Request, error) {
	request, ok := in.(*smithyhttp.Request)
	if !ok {
		return in, nil, nil
	}
	if !request.IsStreamSeekable() { // what can be read once alone is no history
		unread := s.transport.Judge(request.Method, request.URL, request.Header)
		if !unread.Sanitize {
			return in, nil, nil
		}
		unread.Sanitize, unread.Skipped = false, preflighthttp.Partial
		_, _, err := unread.Body(ctx, nil)
		return in, nil, err
	}
	rewritten, report, err := s.transport.Rewrite(request.Build(ctx))
	if err != nil || report == nil {
		return in, nil, err
	}
	if err := request.RewindStream(); err != nil {
		return in, nil, fmt.Errorf("preflightbedrock: rewinding the body: %w", err)
	}
	if !report.Changed {
		return in, nil, nil
	}
	body, err := io.ReadAll(rewritten.Body)
	if err != nil {
		return in, nil, err
	}
	repaired, err := request.SetStream(bytes.NewReader(body)) // sets the length, too
	return repaired, rewritten, err
}
