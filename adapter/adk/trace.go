package preflightadk

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/go-preflight/preflight/wire"
)

// This file tells ADK's tracer of repairs.

// trace adds an event to the current span for each warning. Like the warnings, it holds no content.
func trace(ctx context.Context, warnings []wire.Warning) {
	span := oteltrace.SpanFromContext(ctx)
	for _, w := range warnings {
		span.AddEvent("preflight", oteltrace.WithAttributes(
			attribute.String("preflight.code", string(w.Code)),
			attribute.String("preflight.class", w.Class().String()),
			attribute.String("preflight.rule", w.Rule),
			attribute.String("preflight.path", w.Path),
		))
	}
}
