package remedy

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// This file is what a transport calls: a request whose body was repaired, the repair for what its
// host refused before, and the one that answers a refusal.

// Policy says what to do about refusals.
type Policy struct {
	Remedies []Remedy // tried in this order
	Learned  *Learned // nil learns nothing
}

// DropsUnbound reports whether a remedy answers the refusal of reasoning that is bound to another
// beginning, so that Options.RepairedBefore costs a resending where it is wrong.
func (p Policy) DropsUnbound() bool {
	return slices.ContainsFunc(p.Remedies, func(r Remedy) bool {
		return r.Name == dropUnboundName && r.edit != nil
	})
}

// Request is a request whose body was repaired.
type Request struct {
	Host   string
	Path   string // of the URL, escaped
	Query  string // of the URL
	Header http.Header
	Tenant string        // on whose behalf it is sent, "" if that is not known
	Body   []byte        // the body that came
	First  *wire.Result  // its repair
	With   *wire.Options // the options of the repair
	// DryRun says that Body is sent. Then lessons are only forgotten.
	DryRun bool
	// Unanswered says that nobody sees the answer, so that it cannot show whether a lesson still
	// holds.
	Unanswered bool
}

// Case is a request from its repair to its last answer. It is not safe for concurrent use.
type Case struct {
	policy  Policy
	request Request
	sent    []byte       // the body that is sent
	result  *wire.Result // its repair, First or one that follows lessons too

	learned  []string      // rules of lessons that the request was repaired for
	scope    *scope        // whose lessons these are; nil until it is asked for
	lessons  []lesson      // what the repair follows
	withheld []lesson      // lessons that are followed only after a refusal
	trial    []string      // learned rules that it does not follow, to see whether they still hold
	stricter *wire.Options // with the lessons; nil for none
	unmet    []string      // learned rules that no repair of the request could meet
	taught   *taught       // what the second attempt can teach; nil for nothing
}

// Begin returns the case of a request, repaired for what was learned from requests like it. Where
// no repair can meet that, it is sent as if nothing had been learned.
func (p Policy) Begin(ctx context.Context, r Request) *Case {
	r.First, r.With = cmp.Or(r.First, new(wire.Result)), cmp.Or(r.With, new(wire.Options))
	c := &Case{policy: p, request: r, result: r.First}
	if p.Learned != nil && !r.DryRun {
		c.repairForLearned(ctx)
	}
	c.sent = r.Body
	if c.result.Changed && !r.DryRun {
		c.sent = c.result.Body
	}
	return c
}

// Result returns the repair to send.
func (c *Case) Result() *wire.Result {
	if c == nil {
		return nil
	}
	return c.result
}

// Learned returns the ids of the rules that the request was repaired for because the host refused
// an earlier one for them.
func (c *Case) Learned() []string {
	if c == nil {
		return nil
	}
	return c.learned
}

// Release lets go of the bodies if no answer needs them, and reports whether it did. The case must
// not be told of a refusal then.
func (c *Case) Release() bool {
	// rules that could not be met are looked for in what is accepted
	if c == nil || len(c.policy.Remedies) > 0 || len(c.unmet) > 0 {
		return false
	}
	c.request.Body, c.request.First, c.sent, c.result = nil, nil, nil, nil
	return true
}

// Second is a second attempt at a request that was refused.
type Second struct {
	Result *wire.Result // its body and warnings
	Remedy string       // the name of the remedy that made it
	Beta   string       // a beta feature that it has to ask for; "" for none
}

// Refused returns the second attempt at a request: that of the first remedy, for the likeliest
// meaning of the refusal, that changes what was sent. Remedies that read the text itself come
// before the others, because they change least. It is nil when there is none. The error is that of
// a caller's remedy that panicked.
func (c *Case) Refused(ctx context.Context, refusal *Refusal) (*Second, error) {
	if c == nil || c.result == nil || refusal == nil {
		return nil, nil
	}
	second, err := c.second(ctx, refusal)
	if second == nil && err == nil {
		c.unlearnAll(refusal)
	}
	return second, err
}

// Answered learns from the answer to a second attempt, and returns the ids of the rules that it
// learned. again is the answer if it is a refusal, too, otherwise nil.
func (c *Case) Answered(
	ctx context.Context, accepted bool, first *Refusal, second *Second, again *Refusal,
) (learned []string) {
	if c == nil || first == nil || second == nil || second.Result == nil {
		return nil
	}
	if accepted || c.otherCause(second.Result.Body, first, again) {
		return c.learn(ctx)
	}
	c.unlearnAll(first)
	return nil
}

func (c *Case) second(ctx context.Context, refusal *Refusal) (*Second, error) {
	for _, remedy := range c.policy.Remedies {
		if result, forms := c.byText(ctx, &remedy, refusal.Text); result != nil {
			c.taught = &taught{remedy: remedy, members: forms}
			if remedy.Name == plainItemsName && !harms(c.result, result) {
				c.taught.items = plainLesson(refusal.Text)
			}
			second := &Second{Result: result, Remedy: remedy.Name}
			if remedy.Name == dropUnboundName {
				second.Beta = offeredBeta(refusal.Text)
			}
			return second, nil
		}
	}
	if !refusal.Known {
		return nil, nil
	}
	c.takeWithheld()
	for _, r := range meanings(&refusal.Explanation, c.request.First.Provider) {
		for _, remedy := range c.policy.Remedies {
			if remedy.reads() || len(remedy.Rules) > 0 && !slices.Contains(remedy.Rules, r.ID) {
				continue
			}
			options := c.options()
			stricter, err := remedy.apply(options, c.sent, r)
			if err != nil {
				return nil, err
			}
			if !stricter {
				continue
			}
			if result := c.repair(ctx, options, c.lessons); result != nil {
				c.taught = &taught{rule: r, remedy: remedy}
				return &Second{Result: result, Remedy: remedy.Name}, nil
			}
		}
	}
	return nil, nil
}

// repair repairs the body that came, without members that lessons are about. It is nil if that
// makes no other body than the one that was sent.
func (c *Case) repair(
	ctx context.Context, options *wire.Options, lessons []lesson,
) *wire.Result {
	result, err := wire.Sanitize(ctx, c.request.Body, options)
	if err != nil {
		return nil
	}
	if result, _ = withoutLearned(result, c.request.Body, lessons); bytes.Equal(result.Body, c.sent) {
		return nil
	}
	return result
}

// byText returns the result of a remedy that reads the text of the refusal, nil where it has
// nothing to change. forms are the members that it dropped.
func (c *Case) byText(
	ctx context.Context, remedy *Remedy, refusal string,
) (result *wire.Result, forms []like) {
	switch {
	case remedy.edit != nil:
		result, forms = remedy.edit(c.result, c.request.Body, c.sent, refusal)
		if result == nil {
			return nil, nil
		}
		result, _ = withoutLearned(result, c.request.Body, c.withheld)
		return result, forms
	case remedy.read != nil:
		options := c.options()
		if remedy.read(options, c.sent, unescaped(refusal)) {
			return c.repair(ctx, options, slices.Concat(c.lessons, c.withheld)), nil
		}
	}
	return nil, nil
}

// options returns those for another repair of the request, with what was learned.
func (c *Case) options() *wire.Options {
	options := *c.request.With
	options.Provider = c.request.First.Provider
	if c.stricter != nil {
		options = *c.stricter
	}
	options.Options.Hooks = slices.Clip(options.Options.Hooks)
	return &options
}

// apply calls Apply. A remedy without one does nothing.
func (r *Remedy) apply(options *wire.Options, sent []byte, refusal rule.Rule) (ok bool, err error) {
	if r.Apply == nil {
		return false, nil
	}
	defer contain.Panic("Remedy.Apply", &err)
	return r.Apply(options, sent, refusal), nil
}
