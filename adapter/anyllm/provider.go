package preflightanyllm

import (
	"context"

	"github.com/mozilla-ai/any-llm-go/providers"

	"github.com/go-preflight/preflight/wire"
)

// This file repairs requests inside a provider.

// Provider returns a provider that repairs the messages of each request, and then has p answer. Of
// the optional interfaces it has those that p has (Capabilities, Embedding, ListModels), and always
// ConvertError. A request that cannot be repaired ends with the error of Params. The caller's
// messages stay as they are: Keep writes the repaired ones back. options and report may be nil. A
// panic in p passes to the caller.
func Provider(p providers.Provider, options *wire.Options, report Report) providers.Provider {
	own := &provider{p, options, report}
	c, isCapable := p.(capable)
	e, isEmbedder := p.(embedder)
	l, isLister := p.(lister)
	switch {
	case isCapable && isEmbedder && isLister:
		return &struct {
			*provider
			capable
			embedder
			lister
		}{own, c, e, l}
	case isCapable && isLister:
		return &struct {
			*provider
			capable
			lister
		}{own, c, l}
	case isCapable && isEmbedder:
		return &struct {
			*provider
			capable
			embedder
		}{own, c, e}
	case isEmbedder && isLister:
		return &struct {
			*provider
			embedder
			lister
		}{own, e, l}
	case isCapable:
		return &struct {
			*provider
			capable
		}{own, c}
	case isEmbedder:
		return &struct {
			*provider
			embedder
		}{own, e}
	case isLister:
		return &struct {
			*provider
			lister
		}{own, l}
	}
	return own
}

// The optional interfaces of a provider, without those that every provider has.
type (
	capable interface {
		Capabilities() providers.Capabilities
	}
	embedder interface {
		Embedding(
			context.Context, providers.EmbeddingParams,
		) (*providers.EmbeddingResponse, error)
	}
	lister interface {
		ListModels(context.Context) (*providers.ModelsResponse, error)
	}
)

// provider is a Provider.
type provider struct {
	providers.Provider
	options *wire.Options
	report  Report
}

// ConvertError implements providers.ErrorConverter. An error that the provider does not convert is
// returned.
func (p *provider) ConvertError(err error) error {
	if c, ok := p.Provider.(providers.ErrorConverter); ok {
		return c.ConvertError(err)
	}
	return err
}

// Completion implements providers.Provider.
func (p *provider) Completion(
	ctx context.Context,
	request providers.CompletionParams,
) (*providers.ChatCompletion, error) {
	request, err := p.repair(ctx, request)
	if err != nil {
		return nil, err
	}
	return p.Provider.Completion(ctx, request)
}

// CompletionStream implements providers.Provider.
func (p *provider) CompletionStream(
	ctx context.Context,
	request providers.CompletionParams,
) (<-chan providers.ChatCompletionChunk, <-chan error) {
	request, err := p.repair(ctx, request)
	if err != nil {
		chunks, errs := make(chan providers.ChatCompletionChunk), make(chan error, 1)
		errs <- err
		close(chunks)
		close(errs)
		return chunks, errs
	}
	return p.Provider.CompletionStream(ctx, request)
}

func (p *provider) repair(
	ctx context.Context,
	request providers.CompletionParams,
) (providers.CompletionParams, error) {
	repaired, warnings, err := params.Sanitize(ctx, request, optionsFor(p.Name(), p.options))
	if err := p.report.Tell(ctx, warnings, err); err != nil {
		return request, err
	}
	history, ok := ctx.Value(keepKey{}).(*[]providers.Message)
	if given := request.Messages; ok && len(given) > 0 && len(*history) == len(given) &&
		&(*history)[0] == &given[0] {
		*history = repaired.Messages
	}
	repaired.Messages = sendable(repaired.Messages)
	return repaired, nil
}
