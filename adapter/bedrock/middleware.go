package preflightbedrock

import (
	"bytes"
	"context"
	"fmt"
	"io"

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
// It is a step of Build, and the last of those that are there when it is added. A retry sends the
// repaired body again. The caller's input stays as it is: Keep writes the repaired messages back.
// And the client itself refuses an input in which a required field is nil, such as
// the Input of a tool call, before there is a body: Input repairs that, too.
func Middleware(transport *preflighthttp.Transport) func(*middleware.Stack) error {
	own := adapter.AnyHost(transport)
	return func(stack *middleware.Stack) error {
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
	repaired, err := s.repair(ctx, in.Request)
	if err != nil {
		return middleware.BuildOutput{}, middleware.Metadata{}, err
	}
	in.Request = repaired
	return next.HandleBuild(ctx, in)
}

// repair returns the request to send in place of the given one; a request that is left alone is
// sent itself.
func (s *step) repair(ctx context.Context, in any) (any, error) {
	request, ok := in.(*smithyhttp.Request)
	if !ok || !request.IsStreamSeekable() {
		return in, nil // a stream that can be read once alone is no history
	}
	rewritten, report, err := s.transport.Rewrite(request.Build(ctx))
	if err != nil || report == nil {
		return in, err
	}
	if err := request.RewindStream(); err != nil {
		return in, fmt.Errorf("preflightbedrock: rewinding the body: %w", err)
	}
	if !report.Changed {
		return in, nil
	}
	body, err := io.ReadAll(rewritten.Body)
	if err != nil {
		return in, err
	}
	return request.SetStream(bytes.NewReader(body)) // sets the length, too
}
