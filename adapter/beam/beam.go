// Package preflightbeam repairs request bodies in a pipeline of Apache Beam.
//
//	out, err := preflightbeam.Sanitize(s, &wire.Options{Provider: "anthropic"}, bodies)
//	// out.Bodies, out.Reports and out.Dead are collections
//
// A body may be in the form of a provider's batch API (OpenAI's "body", Anthropic's "params",
// Bedrock's "modelInput", Gemini's and Vertex's "request"), whose other members stay.
//
// Bodies are keyed, since a pipeline has no order. Every body is in one of two outputs: with its
// repairs in Bodies, or unchanged in Dead when it cannot be repaired. Each has a report. What is
// written is byte for byte what preflight fix --jsonl writes.
//
// The counters preflight/bodies, preflight/repaired, preflight/failed and preflight/changes are
// metrics of the pipeline.
package preflightbeam

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/go-preflight/preflight/internal/batchline"
	"github.com/go-preflight/preflight/wire"
)

func init() {
	register.DoFn6x0[
		context.Context, string, []byte, func(string, []byte), func(string, []byte),
		func(string, []byte),
	](&sanitizeFn{})
	register.Emitter2[string, []byte]()
}

// Output is what comes out of Sanitize.
type Output struct {
	Bodies  beam.PCollection // KV<string, []byte>: the bodies, repaired where they had to be
	Reports beam.PCollection // KV<string, []byte>: a wire.Outcome as JSON for each body
	Dead    beam.PCollection // KV<string, []byte>: the bodies that cannot be repaired, unchanged
}

// Sanitize repairs the bodies of a collection of KV<string, []byte>. Options may be nil; they are
// sent to the workers as JSON, so that options which hold functions are an error.
func Sanitize(s beam.Scope, options *wire.Options, bodies beam.PCollection) (Output, error) {
	if options == nil {
		options = new(wire.Options)
	}
	text, err := json.Marshal(options)
	if err != nil {
		return Output{}, fmt.Errorf("preflightbeam: the options cannot be sent to workers: %w", err)
	}
	s = s.Scope("preflight.Sanitize")
	fixed, reports, dead := beam.ParDo3(s, &sanitizeFn{Options: string(text)}, bodies)
	return Output{Bodies: fixed, Reports: reports, Dead: dead}, nil
}

// sanitizeFn repairs bodies. Its exported fields are sent to the workers.
type sanitizeFn struct {
	Options string // JSON of wire.Options

	options   wire.Options
	sanitizer *wire.Sanitizer // of the bundle, which one goroutine works on

	bodies, repaired, failed, changes beam.Counter
}

// Setup reads the options.
func (f *sanitizeFn) Setup() error {
	f.bodies = beam.NewCounter("preflight", "bodies")
	f.repaired = beam.NewCounter("preflight", "repaired")
	f.failed = beam.NewCounter("preflight", "failed")
	f.changes = beam.NewCounter("preflight", "changes")
	return json.Unmarshal([]byte(f.Options), &f.options)
}

// StartBundle makes the bundle's Sanitizer. Its memory is released with the bundle.
func (f *sanitizeFn) StartBundle(
	_ context.Context, _, _, _ func(string, []byte),
) {
	f.sanitizer = new(wire.Sanitizer)
}

// FinishBundle releases the Sanitizer.
func (f *sanitizeFn) FinishBundle(
	_ context.Context, _, _, _ func(string, []byte),
) {
	f.sanitizer = nil
}

// ProcessElement repairs one body.
func (f *sanitizeFn) ProcessElement(
	ctx context.Context, key string, body []byte, bodies, reports, dead func(string, []byte),
) {
	f.bodies.Inc(ctx, 1)
	line, result, err := batchline.Sanitize(ctx, f.sanitizer, body, &f.options)
	outcome := wire.OutcomeOf(result, err)
	reports(key, reportOf(outcome))
	if err != nil {
		f.failed.Inc(ctx, 1)
		dead(key, body)
		return
	}
	if result.Changed {
		f.repaired.Inc(ctx, 1)
		f.changes.Inc(ctx, int64(len(result.Warnings)))
	}
	bodies(key, line)
}

// reportOf returns the JSON of an outcome, as the command writes it.
func reportOf(o wire.Outcome) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(o) // plain data
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
