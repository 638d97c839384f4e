// Package probe asks a server, or a chat template, which rules of the catalogue it enforces.
package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// Options say what to ask.
type Options struct {
	URL      string      // where requests are sent, with the path of the API
	Model    string      // the model that is asked
	Provider string      // the base, one of wire.Providers
	Rules    []string    // ids, providers, or prefixes with *; none is all of the format
	Header   http.Header // of each request; its values are never shown
	Rate     float64     // requests in a second; 0 is no limit
	Timeout  time.Duration
	State    string // a file with the answers so far, to go on with; "" for none

	// Planted asks the model for words of the request, where the server does not show its prompts.
	Planted bool

	// Prompt, if not nil, is asked in place of a server: a chat template. Without it, a server that
	// shows its prompts is asked for those that matter.
	Prompt  Prompt
	Against string // what is asked, where it is no URL

	// Progress is called before each request, with what was sent so far and the most that is sent.
	Progress func(sent, most int)

	Sleep func(ctx context.Context, d time.Duration) error // nil waits
}

func (o *Options) timeout() time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return 2 * time.Minute
}

func (o *Options) sleep(ctx context.Context, d time.Duration) error {
	if o.Sleep != nil {
		return o.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// secrets returns what is never shown: the values of headers, and what the URL has beside its path.
func (o *Options) secrets() []string {
	var all []string
	add := func(s string) {
		if len(s) >= 4 {
			all = append(all, s)
		}
	}
	for _, values := range o.Header {
		for _, v := range values {
			add(v)
			if _, token, ok := strings.Cut(v, " "); ok {
				add(token)
			}
		}
	}
	if u, err := url.Parse(o.URL); err == nil {
		for _, values := range u.Query() {
			for _, v := range values {
				add(v)
			}
		}
		if password, ok := u.User.Password(); ok {
			add(password)
		}
	}
	return all
}

// against returns the URL without secrets.
func (o *Options) against() string {
	u, err := url.Parse(o.URL)
	if err != nil || o.Against != "" {
		return o.Against
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Plan is what a probe sends.
type Plan struct {
	// Least and Most are how many requests are sent: to a server that enforces no rule, and to one
	// that enforces them all.
	Least, Most int
	Rules       int

	options *Options
	base    *provider.Profile
	format  *format
	all     []*probed
	groups  []*group
}

// NewPlan plans a probe.
func NewPlan(o *Options) (*Plan, error) {
	base, ok := provider.ByName(o.Provider, o.Model)
	if !ok {
		return nil, fmt.Errorf("there is no provider %q", o.Provider)
	}
	p := &Plan{options: o, base: base}
	if f, ok := formats[formatOf(base)]; ok {
		p.format = &f
	}
	var err error
	if p.all, err = plan(base, o.Model, o.Rules); err != nil {
		return nil, err
	}
	p.Rules = len(p.all)
	p.groups = groups(p.format, base.Provider, p.all)
	p.Least = 2 + len(p.groups)
	p.Most = 2
	if readsWords(formatOf(base)) && o.Prompt == nil { // see lost
		p.Least, p.Most = p.Least+mostShown-1, p.Most+mostShown+eachShown*len(planted)
		if o.Planted {
			p.Least += len(planted)
			p.Most += 3 * len(planted)
		}
	}
	for _, g := range p.groups {
		p.Most += 5 * len(g.members) // each body and its repaired form; see also settle
		if len(g.members) > 1 {
			p.Most += 2*len(g.members) - 2
		}
	}
	return p, nil
}

// Run asks the server. With an error, the result has what was decided before it.
func (p *Plan) Run(ctx context.Context) (*Result, error) {
	a := &asker{options: p.options}
	if f := p.options.Progress; f != nil {
		a.tell = func(sent int) { f(sent, p.Most) }
	}
	done, err := a.open(p.options.State)
	if err != nil {
		return nil, err
	}
	r := &run{Plan: p, asker: a, result: newResult(p)}
	err = r.all(ctx)
	if closed := done(); err == nil {
		err = closed
	}
	r.result.Sent = a.sent
	r.result.finish(p)
	return r.result, err
}

// run is a probe that is under way.
type run struct {
	*Plan
	asker  *asker
	result *Result
}

func (r *run) all(ctx context.Context) error {
	hello := r.format.plain(r.format.hello, "", r.options.Model)
	got, err := r.asker.ask(ctx, hello)
	if err != nil {
		return err
	}
	if !got.accepted() {
		return fmt.Errorf("the server does not take a plain request (%d): %s%s", got.Status,
			got.Fault, got.Text)
	}
	if r.format.tools != "" {
		body := r.format.plain(r.format.tools, r.format.declared, r.options.Model)
		if got, err = r.asker.ask(ctx, body); err != nil {
			return err
		}
		if got.refused() {
			r.result.unexplained(body, got, "a tool exchange in which nothing is known to be wrong")
			r.result.valid = append(r.result.valid, words(got.Text))
		}
	}
	for _, g := range r.groups {
		if err := r.decide(ctx, g.members, g.body); err != nil {
			return err
		}
	}
	if r.options.Prompt != nil {
		r.result.doubtMedia()
	}
	if err := r.lost(ctx); err != nil {
		return err
	}
	if err := r.settle(ctx); err != nil {
		return err
	}
	if r.options.Prompt == nil {
		return nil
	}
	return r.verify(ctx)
}

// verify holds the profile of a template against all bodies: where a repaired one is refused
// because a rule was lifted, the rule stays. A template may accept the least body that breaks a
// rule, and refuse one that breaks another, too.
func (r *run) verify(ctx context.Context) error {
	r.result.doubt()
	m := r.result.measured(r.Plan)
	near, err := r.near()
	if err != nil {
		return err
	}
	for _, p := range append(slices.Clone(r.Plan.all), near...) {
		got, err := r.repaired(ctx, p.body, &m)
		if err != nil {
			return err
		}
		if !got.refused() {
			continue
		}
		kept := m
		kept.Lifted = nil
		if got, err = r.repaired(ctx, p.body, &kept); err != nil {
			return err
		}
		if !got.accepted() {
			continue
		}
		for _, id := range m.Lifted { // those that do no harm
			more := kept
			more.Lifted = append(slices.Clone(kept.Lifted), id)
			if got, err = r.repaired(ctx, p.body, &more); err != nil {
				return err
			}
			if got.accepted() {
				kept = more
			} else {
				r.result.keeps(id, p.rule.ID)
			}
		}
		m = kept
	}
	return nil
}

// settle decides about rules whose bodies are refused in the words of another one: they are
// enforced if their bodies are refused still when they are repaired for all that is enforced, and
// accepted when they are also repaired for the rule. What a template raises on in words of its own
// is decided in the same way.
func (r *run) settle(ctx context.Context) error {
	r.result.doubt()
	for k := range r.result.Findings {
		f := &r.result.Findings[k]
		if f.Verdict != Undecided || provider.CheckSwitch(f.Rule) != nil ||
			f.As == "" && r.options.Prompt == nil {
			continue
		}
		without := r.result.measured(r.Plan)
		with := without
		with.Enforced = append(slices.Clone(without.Enforced), f.Rule)
		with.Lifted = slices.DeleteFunc(slices.Clone(without.Lifted),
			func(id string) bool { return id == f.Rule })
		body := r.result.bodies[f.Rule]
		got, err := r.repaired(ctx, body, &without)
		if err != nil {
			return err
		}
		if !got.refused() {
			continue
		}
		if got, err = r.repaired(ctx, body, &with); err != nil {
			return err
		}
		if got.accepted() {
			f.Verdict, f.As, f.Why, f.settled = Refused, "", "", true
		}
	}
	return nil
}

// repaired asks about a body after a repair; the answer is neither if there is none.
func (r *run) repaired(
	ctx context.Context, body []byte, m *provider.Measured,
) (answer, error) {
	result, err := wire.Sanitize(ctx, body, &wire.Options{Measured: m, Model: r.options.Model})
	if err != nil {
		return answer{Fault: "there is no repair"}, nil
	}
	return r.asker.ask(ctx, result.Body)
}

// decide decides about the rules of a group.
func (r *run) decide(ctx context.Context, members []*probed, body []byte) error {
	if len(members) == 0 {
		return nil
	}
	if len(members) == 1 {
		return r.single(ctx, members[0])
	}
	if body == nil {
		body = join(r.format, r.base.Provider, members)
	}
	if body != nil {
		got, err := r.asker.ask(ctx, body)
		if err != nil {
			return err
		}
		if got.accepted() {
			for _, p := range members {
				r.result.add(p, Finding{Verdict: Accepted})
			}
			return nil
		}
		if got.refused() {
			named := candidates(got.Text)
			var rest []*probed
			for _, p := range members {
				if slices.Contains(named, p.rule.ID) {
					if err := r.single(ctx, p); err != nil {
						return err
					}
				} else {
					rest = append(rest, p)
				}
			}
			if len(rest) < len(members) {
				return r.decide(ctx, rest, nil)
			}
		}
	}
	half := len(members) / 2
	if err := r.decide(ctx, members[:half], nil); err != nil {
		return err
	}
	return r.decide(ctx, members[half:], nil)
}

// single decides about one rule by its own body and the repaired one.
func (r *run) single(ctx context.Context, p *probed) error {
	got, err := r.asker.ask(ctx, p.body)
	if err != nil {
		return err
	}
	f := Finding{Verdict: Undecided, Status: got.Status, Text: got.Text}
	switch {
	case got.Fault != "":
		f.Why = got.Fault
	case got.accepted():
		f.Verdict = Accepted
	default:
		control := answer{Status: http.StatusOK} // the plain request was accepted
		if p.control != nil {
			if control, err = r.asker.ask(ctx, p.control); err != nil {
				return err
			}
			if control.refused() {
				r.result.valid = append(r.result.valid, words(control.Text))
			}
		}
		// a repair for the base may change more than the rule asks: then the text has to name it
		if names := candidates(got.Text); control.refused() && (slices.Contains(names, p.rule.ID) ||
			p.rule.SeenAs != "" && slices.Contains(names, p.rule.SeenAs)) {
			if control, err = r.asker.ask(ctx, p.valid); err != nil {
				return err
			}
		}
		r.judge(p, &f, control)
		if f.Verdict == Undecided && len(candidates(got.Text)) == 0 {
			r.result.unexplained(p.body, got, p.rule.ID)
		}
	}
	r.result.add(p, f)
	return nil
}
