package provider

import (
	"slices"

	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/internal/modelname"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file has the restrictions that are a model's own: it refuses the same wherever it is served,
// so that each row holds on every host of the formats it names. What a host restricts is in the
// host's file, and counts where both say something.

// served is one restriction of models.
type served struct {
	rule    string           // the evidence: its models are what the row may cover
	problem problems.Problem // what a history that breaks it is reported as
	set     trait
	formats []string // the wire formats that can express it
	models  []string // patterns of bare names
	not     []string // the models among them that accept it
}

// servedRows are applied in order.
var servedRows = []served{
	{
		rule: "anthropic/cache-control-max4", problem: problems.CacheLimit, set: fourBreakpoints,
		formats: chatFormats, models: []string{"claude-*"},
	},
	{
		rule: "anthropic/prefill-unsupported", problem: problems.TrailingTurn, set: refusesPrefill,
		formats: chatFormats, models: claudeUnprefilled,
	},
	{
		rule: "anthropic/thinking-binding-prefix", problem: problems.ReasoningBound,
		set: bindsReasoning, formats: []string{"anthropic", "bedrock"}, models: claudeBound,
	},
	{
		rule: "openai-responses/reasoning-binding-prefix", problem: problems.ReasoningBound,
		set: bindsReasoning, formats: []string{"openai-responses"}, models: []string{"gpt-6-2*"},
	},
}

// chatFormats are the formats of OpenAI's Chat API, in which gateways serve models of all vendors.
var chatFormats = []string{"openai-chat"}

// claudeBound are the models of Claude that bind reasoning to what comes before it.
var claudeBound = []string{
	"claude-opus-5-5*", "claude-sonnet-5-5*", "claude-haiku-5-5*", "claude-fable-5-1*",
	"claude-fable-5-2*", "claude-mythos-5-1*", "claude-mythos-5-2*",
}

// claudeUnprefilled are the models of Claude that do not continue an assistant turn: those from 4.6
// on.
var claudeUnprefilled = []string{
	"claude-opus-4-6*", "claude-sonnet-4-6*", "claude-opus-4-7*", "claude-opus-4-8*",
	"claude-opus-5*", "claude-sonnet-5*", "claude-haiku-5*", "claude-fable-5*", "claude-mythos-*",
}

// fourBreakpoints: a request holds at most four cache breakpoints.
func fourBreakpoints(p *Profile) { p.Cache.Limit = 4 }

// covers reports whether the row is about a model in a wire format.
func (s *served) covers(format, model string) bool {
	return model != "" && slices.Contains(s.formats, format) &&
		glob.Any(s.models, model) && !glob.Any(s.not, model)
}

// applyServed narrows a profile to what a model refuses wherever it is served.
func (d *definition) applyServed(p *Profile, model string) {
	if d.aliases {
		return
	}
	format := d.name
	if d.format != nil {
		format = d.format.name
	}
	bare := modelname.Vendorless(model)
	for k := range servedRows {
		if s := &servedRows[k]; s.covers(format, bare) {
			s.set(p)
			p.Rules[s.problem] = s.rule
		}
	}
}
