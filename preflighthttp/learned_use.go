package preflighthttp

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// This file is what a Transport does with what it has learned: it repairs for it before a request
// is sent, learns from a second attempt that was accepted, and unlearns what is contradicted.

// taught is what a second attempt can teach: a rule, or members that the host does not know.
type taught struct {
	rule    rule.Rule
	remedy  Remedy
	members []like
}

// ahead repairs the request for what was learned from requests like it. Where no history can meet
// that, the request is sent as if nothing had been learned.
func (t *Transport) ahead(ctx context.Context, a *attempt) {
	if t.Learned.empty(a.report.Host) {
		return
	}
	scope := a.scopeIn(ctx, t.Learned)
	all, _ := t.Learned.about(scope)
	if len(all) == 0 {
		return
	}
	first := a.result
	t.prevent(ctx, a, first, all)
	if !a.answered || len(a.report.Learned) == 0 {
		return
	}
	a.trial = t.Learned.due(scope, a.report.Learned)
	if len(a.trial) > 0 { // they are found out about
		a.report.Learned, a.lessons, a.stricter, a.unmet, a.withheld = nil, nil, nil, nil, nil
		t.prevent(ctx, a, first, slices.DeleteFunc(slices.Clone(all), func(s lesson) bool {
			return slices.Contains(a.trial, s.rule)
		}))
	}
}

// takeWithheld lets the answer to a refusal follow the lessons that waited for it, too: the host
// said so of requests like this one.
func (a *attempt) takeWithheld() {
	if more := enforcing(a.withheld); more != nil && a.stricter != nil {
		a.stricter.Measured = withRules(a.stricter.Measured, more, a.report.Provider)
	}
	a.lessons = append(a.lessons, a.withheld...)
	a.withheld = nil
}

// scopeIn is what lessons about the request of an attempt are filed under.
func (a *attempt) scopeIn(ctx context.Context, l *Learned) scope {
	if a.scope == nil {
		found := l.scopeOf(ctx, a)
		a.scope = &found
	}
	return *a.scope
}

// prevent repairs the request for lessons, one after the other. Those that would change an author
// or lose content are withheld until a refusal.
func (t *Transport) prevent(ctx context.Context, a *attempt, first *wire.Result, all []lesson) {
	a.result = first
	options := t.optionsFor(a)
	for _, s := range all {
		result, used := a.result, []string(nil)
		stricter := *options
		switch s.remedy {
		case "":
			stricter.Measured = withRules(options.Measured, enforcing([]lesson{s}), a.report.Provider)
			next, err := wire.Sanitize(ctx, a.given, &stricter)
			if err != nil {
				a.unmet = append(a.unmet, s.rule)
				continue
			}
			if result = next; a.broke(result, s.rule) {
				used = []string{s.rule}
			}
		case dropNamedName:
			continue // they come last, because they edit the result
		default:
			next, ok := t.remedied(ctx, a, &stricter, result.Body, s)
			if !ok || bytes.Equal(next.Body, result.Body) {
				continue
			}
			result, used = next, []string{s.rule}
		}
		if harms(a.result, result) {
			a.withheld = append(a.withheld, s)
			continue
		}
		*options = stricter
		a.result, a.lessons = result, append(a.lessons, s)
		a.report.Learned = append(a.report.Learned, used...)
	}
	a.stricter = options
	for _, s := range all {
		if s.remedy != dropNamedName {
			continue
		}
		if l, ok := likeOf(s.rule); !ok || l.holdsContent(a.result.Body) {
			a.withheld = append(a.withheld, s)
			continue
		}
		a.lessons = append(a.lessons, s)
		result, used := withoutLearned(a.result, a.given, []lesson{s})
		a.result, a.report.Learned = result, append(a.report.Learned, used...)
	}
}

// harms reports whether a repair changes an author or loses content where another one of the same
// request does not.
func harms(before, after *wire.Result) bool {
	type change struct {
		code codes.Code
		path string
	}
	known := map[change]int{}
	for _, w := range before.Warnings {
		known[change{w.Code, w.Path}]++
	}
	for _, w := range after.Warnings {
		key := change{w.Code, w.Path}
		if known[key]--; known[key] < 0 && w.Class() >= codes.Lossy {
			return true
		}
	}
	return false
}

// optionsFor are the options for a repair of a request, with what was learned.
func (t *Transport) optionsFor(a *attempt) *wire.Options {
	options := t.options(a)
	options.Provider = a.report.Provider
	if a.stricter != nil {
		*options = *a.stricter
	}
	options.Policies.Hooks = slices.Clip(options.Policies.Hooks)
	return options
}

// broke reports whether the repair made a change for a rule that was learned.
func (a *attempt) broke(result *wire.Result, id string) bool {
	return slices.ContainsFunc(result.Warnings,
		func(w wire.Warning) bool { return w.Rule == id })
}

// withRules returns a measured profile with further rules enforced.
func withRules(given, more *provider.Measured, base string) *provider.Measured {
	if given == nil {
		m := *more
		m.Provider = base
		return &m
	}
	m := *given
	m.Enforced = slices.Concat(m.Enforced, more.Enforced)
	m.Lifted = slices.DeleteFunc(slices.Clone(m.Lifted),
		func(id string) bool { return slices.Contains(more.Enforced, id) })
	return &m
}

// remedied repairs the request with a remedy that was learned. The options are made stricter where
// that changes something.
func (t *Transport) remedied(
	ctx context.Context, a *attempt, options *wire.Options, sent []byte, s lesson,
) (result *wire.Result, ok bool) {
	r, known := rule.ByID(s.rule)
	k := slices.IndexFunc(t.Remedies, func(m Remedy) bool { return m.Name == s.remedy })
	if !known || k < 0 {
		return nil, false
	}
	stricter := *options
	stricter.Policies.Hooks = slices.Clip(stricter.Policies.Hooks)
	if did, err := t.Remedies[k].apply(&stricter, sent, r); err != nil || !did {
		return nil, false
	}
	result, err := wire.Sanitize(ctx, a.given, &stricter)
	if err != nil {
		return nil, false
	}
	*options = stricter
	return result, true
}

// learnFrom remembers what a second attempt has shown. A rule is switched on by its id where that
// would have changed the request, and has not been refused all the same; or else the remedy is used
// again.
func (t *Transport) learnFrom(ctx context.Context, a *attempt) (learned []string) {
	if t.Learned == nil || a.taught == nil {
		return nil
	}
	key, id := a.scopeIn(ctx, t.Learned), a.taught.rule.ID
	for _, form := range a.taught.members {
		if form.plain() {
			t.Learned.learn(key, lesson{rule: form.id(), remedy: dropNamedName})
			learned = append(learned, form.id())
		}
	}
	if id == "" {
		return learned
	}
	s := lesson{rule: id, remedy: a.taught.remedy.Name}
	known := slices.ContainsFunc(a.lessons, func(s lesson) bool { return s.rule == id })
	if !known && provider.CheckSwitch(id) == nil {
		options := t.optionsFor(a)
		more := &provider.Measured{Version: provider.MeasuredVersion, Enforced: []string{id}}
		options.Measured = withRules(options.Measured, more, key.Provider)
		result, err := wire.Sanitize(ctx, a.given, options)
		if err == nil {
			result, _ = withoutLearned(result, a.given, a.lessons)
		}
		if err == nil && a.broke(result, id) && !bytes.Equal(result.Body, a.sent) {
			s.remedy = ""
		}
	}
	if s.remedy != "" && !restricts(s) {
		return nil
	}
	t.Learned.learn(key, s)
	return []string{id}
}

// refusedElse reports whether a second attempt was refused for something else than the first one:
// then its repair did what it should, and the next request is spared that refusal. resp is read as
// far as a refusal is.
func (t *Transport) refusedElse(a *attempt, sent []byte, first *refused, resp *http.Response) bool {
	if t.Learned == nil || a.taught == nil {
		return false
	}
	second, _, ok := readRefusal(resp)
	if !ok {
		return false
	}
	if _, dropped, _ := dropNamed(sent, second.text); len(dropped) > 0 {
		return true // those that were named before are no longer there
	}
	if !second.known {
		return false
	}
	for _, r := range meanings(&second.Explanation, a.report.Provider) {
		if first.known && slices.ContainsFunc(meanings(&first.Explanation, a.report.Provider),
			func(before rule.Rule) bool { return before.ID == r.ID }) {
			return false
		}
	}
	return true
}

// doubt forgets what a request was repaired for that was refused all the same, for its history, and
// could not be mended: the next one is sent as if nothing had been learned.
func (t *Transport) doubt(a *attempt, refusal *refused) {
	if t.Learned == nil || !refusal.known {
		return
	}
	for _, id := range a.report.Learned {
		t.Learned.unlearn(a.scopeIn(a.request.Context(), t.Learned), id)
	}
}

// restricts reports whether what a remedy was needed for is a restriction of the host.
func restricts(s lesson) bool {
	return slices.Contains(restrictive, s.remedy) || slices.Contains(restrictions, s.rule)
}

// unlearnFrom forgets the rules that a request broke which the provider accepted.
func (t *Transport) unlearnFrom(a *attempt, resp *http.Response) {
	if t.Learned == nil || resp == nil || resp.StatusCode/100 != 2 {
		return
	}
	sent, unmet := a.sent, a.unmet
	if t.DryRun { // nothing was repaired
		sent = a.given
	}
	if len(unmet)+len(a.trial)+len(a.withheld) == 0 && (!t.DryRun || t.Learned.empty(a.report.Host)) {
		return
	}
	scope := a.scopeIn(a.request.Context(), t.Learned)
	for _, id := range a.trial {
		t.Learned.unlearn(scope, id)
	}
	for _, s := range a.withheld { // the request broke them
		t.Learned.unlearn(scope, s.rule)
	}
	if t.DryRun {
		all, _ := t.Learned.about(scope)
		for _, s := range all {
			unmet = append(unmet, s.rule)
		}
	}
	for _, id := range unmet {
		if breaksMember(sent, id) {
			t.Learned.unlearn(scope, id)
		}
		r, ok := rule.ByID(id)
		options := &wire.Options{
			Provider: a.report.Provider, Model: a.report.Model,
			Measured: &provider.Measured{
				Version: provider.MeasuredVersion, Provider: a.report.Provider,
				Enforced: []string{id},
			},
		}
		if ok && provider.CheckSwitch(id) == nil && sees(options, sent, r) {
			t.Learned.unlearn(scope, id)
		}
	}
}
