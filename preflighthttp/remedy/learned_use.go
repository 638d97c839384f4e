package remedy

import (
	"bytes"
	"context"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// This file is what a Transport does with what it has learned: it repairs for it before a request
// is sent, learns from a second attempt that was accepted, and unlearns what is contradicted.

// taught is what a second attempt can teach: a rule, or members or types of items that the host
// does not know.
type taught struct {
	rule    rule.Rule
	remedy  Remedy
	members []like
	items   string // what plainLesson returns
}

// repairForLearned repairs the request for what was learned from requests like it.
func (c *Case) repairForLearned(ctx context.Context) {
	if c.policy.Learned.empty(c.request.Host) {
		return
	}
	scope := c.whose()
	all, _ := c.policy.Learned.about(scope)
	if len(all) == 0 {
		return
	}
	c.prevent(ctx, all)
	if c.request.Unanswered || len(c.learned) == 0 {
		return
	}
	c.trial = c.policy.Learned.due(scope, c.learned)
	if len(c.trial) > 0 { // the request is to show whether they still hold
		c.learned, c.lessons, c.stricter, c.unmet, c.withheld = nil, nil, nil, nil, nil
		c.prevent(ctx, slices.DeleteFunc(slices.Clone(all), func(s lesson) bool {
			return slices.Contains(c.trial, s.rule)
		}))
	}
}

// takeWithheld makes the second attempt follow the lessons that waited for a refusal, too: they are
// what the host has taught about requests like this one.
func (c *Case) takeWithheld() {
	if more := enforcing(c.withheld); more != nil && c.stricter != nil {
		c.stricter.Measured = withRules(c.stricter.Measured, more, c.stricter.Provider)
	}
	c.lessons = append(c.lessons, c.withheld...)
	c.withheld = nil
}

// whose returns what lessons about the request are filed under.
func (c *Case) whose() scope {
	if c.scope == nil {
		found := c.policy.Learned.scopeOf(&c.request)
		c.scope = &found
	}
	return *c.scope
}

// prevent repairs the request for lessons, one after the other. Those that would change an author
// or lose content are withheld until a refusal.
func (c *Case) prevent(ctx context.Context, all []lesson) {
	c.result = c.request.First
	options := c.options()
	for _, s := range all {
		result, used := c.result, []string(nil)
		stricter := *options
		switch s.remedy {
		case "":
			stricter.Measured = withRules(options.Measured, enforcing([]lesson{s}), options.Provider)
			next, err := wire.Sanitize(ctx, c.request.Body, &stricter)
			if err != nil {
				c.unmet = append(c.unmet, s.rule)
				continue
			}
			if result = next; repairedFor(result, s.rule) {
				used = []string{s.rule}
			}
		case dropNamedName, plainItemsName:
			continue // they come last, because they edit the result
		default:
			next, ok := c.remedied(ctx, &stricter, result.Body, s)
			if !ok || bytes.Equal(next.Body, result.Body) {
				continue
			}
			result, used = next, []string{s.rule}
		}
		if harms(c.result, result) {
			c.withheld = append(c.withheld, s)
			continue
		}
		*options = stricter
		c.result, c.lessons = result, append(c.lessons, s)
		c.learned = append(c.learned, used...)
	}
	c.stricter = options
	for _, s := range all {
		if s.remedy != dropNamedName && s.remedy != plainItemsName {
			continue
		}
		l, ok := likeOf(s.rule)
		if s.remedy == dropNamedName && (!ok || l.holdsContent(c.result.Body)) {
			c.withheld = append(c.withheld, s)
			continue
		}
		c.lessons = append(c.lessons, s)
		result, used := withoutLearned(c.result, c.request.Body, []lesson{s})
		c.result, c.learned = result, append(c.learned, used...)
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

// repairedFor reports whether a repair made a change for a rule.
func repairedFor(result *wire.Result, id string) bool {
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
func (c *Case) remedied(
	ctx context.Context, options *wire.Options, sent []byte, s lesson,
) (result *wire.Result, ok bool) {
	r, known := rule.ByID(s.rule)
	k := slices.IndexFunc(c.policy.Remedies, func(m Remedy) bool { return m.Name == s.remedy })
	if !known || k < 0 {
		return nil, false
	}
	stricter := *options
	stricter.Options.Hooks = slices.Clip(stricter.Options.Hooks)
	if did, err := c.policy.Remedies[k].apply(&stricter, sent, r); err != nil || !did {
		return nil, false
	}
	result, err := wire.Sanitize(ctx, c.request.Body, &stricter)
	if err != nil {
		return nil, false
	}
	*options = stricter
	return result, true
}

// learn remembers what a second attempt has shown. A rule is switched on by its id where that would
// have changed the request, and has not been refused all the same; or else the remedy is used
// again.
func (c *Case) learn(ctx context.Context) (learned []string) {
	l := c.policy.Learned
	if l == nil || c.taught == nil {
		return nil
	}
	key, id := c.whose(), c.taught.rule.ID
	for _, form := range c.taught.members {
		if form.plain() {
			l.learn(key, lesson{rule: form.id(), remedy: dropNamedName})
			learned = append(learned, form.id())
		}
	}
	if items := c.taught.items; items != "" {
		l.learn(key, lesson{rule: items, remedy: plainItemsName})
		learned = append(learned, items)
	}
	if id == "" {
		return learned
	}
	s := lesson{rule: id, remedy: c.taught.remedy.Name}
	known := slices.ContainsFunc(c.lessons, func(s lesson) bool { return s.rule == id })
	if !known && provider.CheckSwitch(id) == nil {
		options := c.options()
		more := &provider.Measured{Version: provider.MeasuredVersion, Enforced: []string{id}}
		options.Measured = withRules(options.Measured, more, key.Provider)
		if result := c.repair(ctx, options, c.lessons); result != nil && repairedFor(result, id) {
			s.remedy = ""
		}
	}
	if s.remedy != "" && !restricts(s) {
		return nil
	}
	l.learn(key, s)
	return []string{id}
}

// otherCause reports whether the second refusal has another cause than the first: then the repair
// did what it should, and the next request is spared the first.
func (c *Case) otherCause(sent []byte, first, second *Refusal) bool {
	if c.policy.Learned == nil || c.taught == nil || second == nil {
		return false
	}
	if _, dropped, _ := dropNamed(sent, second.Text); len(dropped) > 0 {
		return true // those that were named before are no longer there
	}
	if c.taught.items != "" && plainLesson(second.Text) == c.taught.items {
		return true // what is left is removed when a request that was rewritten already is refused
	}
	if !second.Known {
		return false
	}
	asked := c.request.First.Provider
	for _, r := range meanings(&second.Explanation, asked) {
		if first.Known && slices.ContainsFunc(meanings(&first.Explanation, asked),
			func(before rule.Rule) bool { return before.ID == r.ID }) {
			return false
		}
	}
	return true
}

// unlearnAll forgets the rules for which the request was repaired in vain: the next one is sent as
// if nothing had been learned.
func (c *Case) unlearnAll(refusal *Refusal) {
	if c.policy.Learned == nil || !refusal.Known {
		return
	}
	for _, id := range c.learned {
		c.policy.Learned.unlearn(c.whose(), id)
	}
}

// restricts reports whether what a remedy was needed for is a restriction of the host.
func restricts(s lesson) bool {
	return slices.Contains(restrictive, s.remedy) || slices.Contains(restrictions, s.rule)
}

// Accepted forgets the rules that the request broke, because the provider accepted it.
func (c *Case) Accepted() {
	if c == nil || c.policy.Learned == nil {
		return
	}
	l := c.policy.Learned
	dry := c.request.DryRun // nothing was repaired
	if len(c.unmet)+len(c.trial)+len(c.withheld) == 0 && (!dry || l.empty(c.request.Host)) {
		return
	}
	scope := c.whose()
	for _, id := range c.trial {
		l.unlearn(scope, id)
	}
	for _, s := range c.withheld { // the request broke them
		l.unlearn(scope, s.rule)
	}
	unmet := c.unmet
	if dry {
		all, _ := l.about(scope)
		for _, s := range all {
			unmet = append(unmet, s.rule)
		}
	}
	for _, id := range unmet {
		if breaksMember(c.sent, id) {
			l.unlearn(scope, id)
		}
		r, ok := rule.ByID(id)
		options := &wire.Options{
			Provider: scope.Provider, Model: scope.Model,
			Measured: &provider.Measured{
				Version: provider.MeasuredVersion, Provider: scope.Provider,
				Enforced: []string{id},
			},
		}
		if ok && provider.CheckSwitch(id) == nil && finds(options, c.sent, r) {
			l.unlearn(scope, id)
		}
	}
}
