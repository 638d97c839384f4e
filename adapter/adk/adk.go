// Package preflightadk puts preflight in front of the models of google.golang.org/adk: right before
// a model is called, the contents of the request are repaired wherever the provider would refuse
// them. A plugin does it for all agents of a runner:
//
//	repair, err := preflightadk.Plugin(preflightadk.Config{Keep: sessions})
//	runner.Config{
//		SessionService: sessions,
//		PluginConfig:   runner.PluginConfig{Plugins: []*plugin.Plugin{repair}}, …}
//
// With Keep, calls that a stopped run left open are also answered in the session, once.
//
// A single agent takes BeforeModel among its BeforeModelCallbacks, or a Model in place of its
// model, which also repairs what later callbacks make of the request. Request repairs one request.
//
// # What is preserved
//
// Everything: the adapter repairs contents as package preflightgenai does. A request that needs no
// repair is passed on as it is.
//
// # What ADK knows
//
// A call of a long-running tool that has no response yet is answered as one that has not finished,
// not as one that was interrupted. When its response arrives, ADK sends the last one, as it does
// for tools that wait for a confirmation.
//
// # Models of other providers
//
// The contents are in Gemini's format, and judged by the rules of the Gemini model that the request
// names. For a model.LLM of another provider, name that in the options. What only Gemini can read
// is then taken out of the contents, as by wire.HandOff, calls without an id get one, and the rest
// is repaired so that every provider accepts it.
//
// # Errors
//
// Errors are those of package preflightgenai, and end the call of the model. The functions are safe
// for concurrent use and keep no state.
package preflightadk

import (
	"context"
	"iter"
	"slices"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/genai"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/wire"
)

// Report is told what was repaired before a call of a model, or why nothing could be.
type Report = adapter.Report

// Request repairs a request: its contents, and its config as far as a repair of the contents is
// about that. It returns the request itself if nothing had to change or on error, and else a copy;
// the request is not written to. A request without contents is returned, too: ADK's models have a
// text of their own for it. options may be nil.
func Request(
	ctx context.Context,
	request *model.LLMRequest,
	options *wire.Options,
) (*model.LLMRequest, []wire.Warning, error) {
	if len(request.Contents) == 0 {
		return request, nil, nil
	}
	repaired := *request
	var warnings []wire.Warning
	var err error
	repaired.Contents, repaired.Config, warnings, err = preflightgenai.Request(ctx, request.Model,
		request.Contents, request.Config, optionsFor(request, options))
	if err != nil || len(warnings) == 0 {
		return request, nil, err
	}
	return &repaired, warnings, nil
}

// optionsFor returns the caller's options, with what ADK knows of the request.
func optionsFor(request *model.LLMRequest, options *wire.Options) *wire.Options {
	var own wire.Options
	if options != nil {
		own = *options
	}
	open := own.Options.OpenCall
	own.Options.OpenCall = func(call *preflight.ToolCall) preflight.Part {
		tool, ok := request.Tools[call.Name].(interface{ IsLongRunning() bool })
		switch {
		case ok && tool.IsLongRunning():
			return call
		case open != nil:
			return open(call)
		}
		return nil
	}
	if _, ok := wire.Dialect(own.Provider, contents); own.Provider != "" && !ok {
		own.Options.Fixers = append(slices.Clip(own.Options.Fixers), wire.HandOff(own.Provider))
		own.Provider, own.Portable = contents, true
	}
	return &own
}

// contents is the format of the contents of a request.
const contents = "gemini"

// BeforeModel is for llmagent.Config.BeforeModelCallbacks: it repairs the request, after the
// callbacks before it. A request that cannot be repaired ends the call with the error of Request.
// Both arguments may be nil.
func BeforeModel(options *wire.Options, report Report) llmagent.BeforeModelCallback {
	return func(ctx agent.CallbackContext, request *model.LLMRequest) (*model.LLMResponse, error) {
		repaired, err := repair(ctx, request, options, report)
		if err != nil {
			return nil, err
		}
		*request = *repaired
		return nil, nil
	}
}

// repair is Request with a report.
func repair(
	ctx context.Context,
	request *model.LLMRequest,
	options *wire.Options,
	report Report,
) (*model.LLMRequest, error) {
	repaired, warnings, err := Request(ctx, request, options)
	trace(ctx, warnings)
	return repaired, report.Tell(ctx, warnings, err)
}

// Model returns a model that repairs each request, and then has m answer. A request that cannot be
// repaired is answered with the error of Request. The caller's request is not written to. options
// and report may be nil. A panic in m passes to the caller.
func Model(m model.LLM, options *wire.Options, report Report) model.LLM {
	own := &llm{m, options, report}
	if google, ok := m.(googleModel); ok {
		return &googleLLM{own, google}
	}
	return own
}

// llm is a Model.
type llm struct {
	model.LLM
	options *wire.Options
	report  Report
}

// GenerateContent implements model.LLM.
func (m *llm) GenerateContent(
	ctx context.Context,
	request *model.LLMRequest,
	stream bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		repaired, err := repair(ctx, request, m.options, m.report)
		if err != nil {
			yield(nil, err)
			return
		}
		m.LLM.GenerateContent(ctx, repaired, stream)(yield)
	}
}

// googleModel are the methods by which ADK recognizes models of its package gemini.
type googleModel interface {
	GetGoogleLLMVariant() genai.Backend
	Client() *genai.Client
}

// googleLLM is a Model of a model of package gemini.
type googleLLM struct {
	*llm
	googleModel
}
