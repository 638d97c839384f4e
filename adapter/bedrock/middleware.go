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
	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// Middleware repairs the bodies of a client's requests before they are signed, so that the
// signature is the repaired body's:
//
//	client := bedrockruntime.NewFromConfig(cfg,
//		bedrockruntime.WithAPIOptions(preflightbedrock.Middleware(nil)))
//
// The transport, nil for one without settings, says how: its options, its Report and its Endpoints
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
	repaired, report, err := s.repair(ctx, in.Request)
	if err != nil {
		return middleware.BuildOutput{}, middleware.Metadata{}, err
	}
	in.Request = repaired
	return next.HandleBuild(middleware.WithStackValue(ctx, reportKey{}, report), in)
}

// reportKey is the key of the report about a request.
type reportKey struct{}

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
	report, _ := middleware.GetStackValue(ctx, reportKey{}).(*preflighthttp.Report)
	if resp, ok := out.RawResponse.(*smithyhttp.Response); ok && err == nil {
		resp.Response = report.ReturnNames(resp.Response)
	}
	return out, metadata, err
}

// repair returns the request to send in place of the given one, and the report about it; a request
// that is left alone is sent itself.
func (s *step) repair(ctx context.Context, in any) (any, *preflighthttp.Report, error) {
	request, ok := in.(*smithyhttp.Request)
	if !ok || request.GetStream() == nil {
		return in, nil, nil
	}
	decision := s.transport.Judge(request.Method, request.URL, request.Header)
	switch {
	case !decision.Sanitize && decision.Skipped == "":
		return in, nil, nil
	case decision.Sanitize && !request.IsStreamSeekable(): // it can be read once alone
		decision.Sanitize, decision.Skipped = false, preflighthttp.Partial
	}
	body, err := s.read(request, &decision)
	if err != nil {
		return in, nil, err
	}
	sent, report, err := decision.Body(ctx, body)
	if told := s.tell(ctx, report); told != nil {
		return in, nil, told
	}
	if err != nil || !report.Changed || s.transport.DryRun {
		return in, nil, err
	}
	repaired, err := request.SetStream(bytes.NewReader(sent)) // sets the length, too
	return repaired, report, err
}

// read reads the body of a request, which can be read again then. One that is too large is not in
// the decision any more.
func (s *step) read(request *smithyhttp.Request, d *preflighthttp.Decision) ([]byte, error) {
	limit := s.transport.MaxBody
	if limit <= 0 {
		limit = preflighthttp.DefaultMaxBody
	}
	if !d.Sanitize {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(request.GetStream(), limit+1))
	if err == nil {
		err = request.RewindStream()
	}
	if err != nil {
		return nil, fmt.Errorf("preflightbedrock: reading the body: %w", err)
	}
	if int64(len(body)) > limit {
		d.Sanitize, d.Skipped = false, preflighthttp.TooLarge
	}
	return body, nil
}

// tell calls Report.
func (s *step) tell(ctx context.Context, r *preflighthttp.Report) (err error) {
	if s.transport.Report == nil {
		return nil
	}
	defer contain.Panic("Transport.Report", &err)
	s.transport.Report(ctx, r)
	return nil
}
