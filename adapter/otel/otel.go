// Package preflightotel turns the reports of a preflighthttp.Transport into OpenTelemetry metrics
// and span attributes.
//
//	report, err := preflightotel.New(preflightotel.Config{})
//	client := &http.Client{Transport: &preflighthttp.Transport{Report: report}}
//
// The metrics, with their attributes:
//
//	preflight.requests   requests to an LLM, by gen_ai.provider.name and preflight.outcome: valid,
//	                     repaired, skipped, unfixable or busy; those that were skipped by
//	                     preflight.skipped too, the reason, such as unknown-host
//	preflight.repairs    changes, by gen_ai.provider.name, preflight.code, preflight.class (how
//	                     much the change matters) and preflight.rule
//	preflight.skips      bodies that were left alone, by gen_ai.provider.name and preflight.skipped
//	preflight.resends    requests sent again after a refusal, by gen_ai.provider.name,
//	                     preflight.remedy, preflight.rule and http.response.status_code
//	preflight.transformations
//	                     reasoning of requests that the provider names in its answer, as what the
//	                     model did not get to see, by gen_ai.provider.name, preflight.transformation
//	                     and preflight.reason, in the provider's words, and preflight.by: repair, if
//	                     the repair may have caused it, or others; see NewVerdict
//	preflight.duration   how long sanitizing a body took, in seconds, by gen_ai.provider.name
//	                     and preflight.outcome
//
// Metrics have no model and nothing else that a request makes up: models are as many as users like,
// and every one would be a time series.
//
// The current span of the request's context gets attributes that begin with preflight. Those that
// begin with gen_ai are set where the span can be read, as the SDK's can, and does not have them:
// nothing that the caller set is overwritten.
//
// Message contents, tool call ids and error texts are in neither. The names that begin with gen_ai
// are those of OpenTelemetry's conventions for generative AI, which are still in development; they
// are written out here, so that an update of a library does not rename them.
//
// slog needs no such package: a Report is a slog.LogValuer.
package preflightotel

import (
	"context"
	"errors"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/preflighthttp"
)

// ScopeName is the name of the instrumentation scope.
const ScopeName = "github.com/go-preflight/preflight/adapter/otel"

// The names of the attributes.
const (
	keyProvider = attribute.Key("gen_ai.provider.name")
	keyFormat   = attribute.Key("preflight.provider") // by preflight's name
	keyModel    = attribute.Key("gen_ai.request.model")
	keyStatus   = attribute.Key("http.response.status_code")

	keyOutcome = attribute.Key("preflight.outcome")
	keySkipped = attribute.Key("preflight.skipped")
	keyChanges = attribute.Key("preflight.changes")
	keyRules   = attribute.Key("preflight.rules")
	keyCode    = attribute.Key("preflight.code")
	keyRule    = attribute.Key("preflight.rule")
	keyClass   = attribute.Key("preflight.class")
	keyWorst   = attribute.Key("preflight.worst_class")
	keyRemedy  = attribute.Key("preflight.remedy")
	keyID      = attribute.Key("preflight.request.id")

	keyTransformation = attribute.Key("preflight.transformation")
	keyReason         = attribute.Key("preflight.reason")
	keyBy             = attribute.Key("preflight.by")
	keyUnseen         = attribute.Key("preflight.transformations")
	keyUnseenOurs     = attribute.Key("preflight.transformations.repair")
)

// Config says where metrics are recorded. The zero value uses the global provider.
type Config struct {
	// MeterProvider makes the meter; nil means otel.GetMeterProvider(). A panic in it passes to the
	// caller of New. One in its instruments is the error of the request, as one in any Report.
	MeterProvider metric.MeterProvider
}

// New returns a function for preflighthttp.Transport.Report. It is safe for concurrent use. The
// error is that of making the instruments.
func New(config Config) (func(context.Context, *preflighthttp.Report), error) {
	meter := config.meter()
	var r recorder
	var errs [5]error
	r.requests, errs[0] = meter.Int64Counter("preflight.requests", metric.WithUnit("{request}"),
		metric.WithDescription("Requests to an LLM, by what was done about their history."))
	r.repairs, errs[1] = meter.Int64Counter("preflight.repairs", metric.WithUnit("{change}"),
		metric.WithDescription("Changes to histories, by code and rule."))
	r.resends, errs[2] = meter.Int64Counter("preflight.resends", metric.WithUnit("{request}"),
		metric.WithDescription("Requests sent again after the provider refused them."))
	r.skips, errs[4] = meter.Int64Counter("preflight.skips", metric.WithUnit("{request}"),
		metric.WithDescription("Bodies that were left alone, by the reason."))
	r.duration, errs[3] = meter.Float64Histogram("preflight.duration", metric.WithUnit("s"),
		metric.WithDescription("How long sanitizing a body took."),
		metric.WithExplicitBucketBoundaries(bounds...))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return r.report, nil
}

func (c *Config) meter() metric.Meter {
	if c.MeterProvider == nil {
		return otel.GetMeterProvider().Meter(ScopeName)
	}
	return c.MeterProvider.Meter(ScopeName)
}

// mostWords is how many words of a provider a metric has; the others are "other". An upstream may
// say anything, and every word would be a time series.
const mostWords = 50

// NewVerdict returns a function for preflighthttp.Transport.Verdict, which counts the reasoning
// that the model did not get to see, and sets how much there is on the span. It is safe for
// concurrent use. The error is that of making the instrument.
//
//	verdict, err := preflightotel.NewVerdict(preflightotel.Config{})
//	transport.Verdict = verdict
func NewVerdict(config Config) (func(context.Context, *preflighthttp.Verdict), error) {
	counter, err := config.meter().Int64Counter("preflight.transformations",
		metric.WithUnit("{part}"), metric.WithDescription("Reasoning of requests that the model did "+
			"not get to see, by what the provider says of it."))
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	words := map[string]bool{}
	known := func(word string) string {
		lock.Lock()
		defer lock.Unlock()
		if !words[word] && len(words) >= mostWords {
			return "other"
		}
		words[word] = true
		return word
	}
	return func(ctx context.Context, v *preflighthttp.Verdict) {
		provider := ""
		if v.Report != nil {
			provider = providerOf(v.Report.Provider, v.Report.Host)
		}
		for _, t := range v.Transformations {
			by := "others"
			if t.Ours {
				by = "repair"
			}
			counter.Add(ctx, 1, metric.WithAttributes(keyProvider.String(provider),
				keyTransformation.String(known(t.Type)), keyReason.String(known(t.Reason)),
				keyBy.String(by)))
		}
		if span := trace.SpanFromContext(ctx); span.IsRecording() && len(v.Transformations) > 0 {
			span.SetAttributes(keyUnseen.Int(len(v.Transformations)), keyUnseenOurs.Int(v.Ours()))
		}
	}, nil
}

// bounds are those of the histogram, in seconds: a clean history of 100 messages takes less than
// the first, one of megabytes some of the last.
var bounds = []float64{
	0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
}

// recorder has the instruments.
type recorder struct {
	requests, repairs, resends, skips metric.Int64Counter
	duration                          metric.Float64Histogram
}

// report records one report.
func (r *recorder) report(ctx context.Context, report *preflighthttp.Report) {
	provider := keyProvider.String(providerOf(report.Provider, report.Host))
	for _, w := range report.Warnings {
		r.repairs.Add(ctx, 1, metric.WithAttributes(provider, keyCode.String(string(w.Code)),
			keyRule.String(w.Rule), keyClass.String(w.Class().String())))
	}
	if report.Remedy != "" {
		attributes := []attribute.KeyValue{
			provider, keyRemedy.String(report.Remedy), keyStatus.Int(report.Status),
		}
		if report.Refusal != nil {
			attributes = append(attributes, keyRule.String(report.Refusal.Rule.ID))
		}
		r.resends.Add(ctx, 1, metric.WithAttributes(attributes...))
		trace.SpanFromContext(ctx).AddEvent("preflight.resend", trace.WithAttributes(attributes...))
		return
	}
	outcome := keyOutcome.String(outcomeOf(report))
	counted := []attribute.KeyValue{provider, outcome}
	if report.Skipped != "" {
		why := keySkipped.String(string(report.Skipped))
		counted = append(counted, why)
		r.skips.Add(ctx, 1, metric.WithAttributes(provider, why))
	}
	r.requests.Add(ctx, 1, metric.WithAttributes(counted...))
	if report.Duration > 0 {
		r.duration.Record(ctx, report.Duration.Seconds(),
			metric.WithAttributes(provider, outcome))
	}
	mark(trace.SpanFromContext(ctx), report, provider, outcome, keyFormat.String(report.Provider))
}

// mark sets the attributes of the request's span.
func mark(
	span trace.Span, report *preflighthttp.Report, provider attribute.KeyValue,
	attributes ...attribute.KeyValue,
) {
	if !span.IsRecording() {
		return
	}
	conventional := []attribute.KeyValue{provider}
	if report.Model != "" {
		conventional = append(conventional, keyModel.String(shorten.Name(report.Model)))
	}
	attributes = append(attributes, missing(span, conventional)...)
	if report.ID != "" {
		attributes = append(attributes, keyID.String(report.ID))
	}
	if report.Skipped != "" {
		attributes = append(attributes, keySkipped.String(string(report.Skipped)))
	}
	if report.Changed {
		var rules []string
		seen := map[string]bool{}
		for _, w := range report.Warnings {
			if w.Rule != "" && !seen[w.Rule] {
				seen[w.Rule] = true
				rules = append(rules, w.Rule)
			}
		}
		attributes = append(attributes, keyChanges.Int(len(report.Warnings)),
			keyRules.StringSlice(rules), keyWorst.String(worst(report)))
	}
	span.SetAttributes(attributes...)
}

// missing returns the attributes that a span does not have, as far as it can be read; none of one
// that cannot.
func missing(span trace.Span, attributes []attribute.KeyValue) (out []attribute.KeyValue) {
	readable, ok := span.(interface{ Attributes() []attribute.KeyValue })
	if !ok {
		return nil
	}
	set := map[attribute.Key]bool{}
	for _, a := range readable.Attributes() {
		set[a.Key] = true
	}
	for _, a := range attributes {
		if !set[a.Key] {
			out = append(out, a)
		}
	}
	return out
}

// worst returns the highest class of a report's changes.
func worst(report *preflighthttp.Report) string {
	var most codes.Class
	for _, w := range report.Warnings {
		most = max(most, w.Class())
	}
	return most.String()
}

// outcomeOf says in one word what was done about a request.
func outcomeOf(report *preflighthttp.Report) string {
	switch {
	case report.Skipped == preflighthttp.Busy, errors.Is(report.Err, preflighthttp.ErrBusy):
		return "busy"
	case report.Skipped != "":
		return "skipped"
	case report.Err != nil:
		return "unfixable"
	case report.Changed:
		return "repaired"
	}
	return "valid"
}
