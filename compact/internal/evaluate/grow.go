package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/provider"
)

// This file lets sessions grow: a request before every message of the assistant's, and after it
// what the request holds of the facts so far, and how much of the request before it begins with.

// growBudgets are the budgets, in percent of what the whole session costs in the end.
var growBudgets = []int{10, 20, 40}

// checkpoints is how often facts are asked for in a session: after each tenth of its requests.
const checkpoints = 10

// growing makes the requests of a growing session.
type growing interface {
	// request returns what is sent of a history that has grown.
	request(history []preflight.Message) (compact.Result, error)
	// compactions is how often the beginning was compacted so far.
	compactions() int
}

// way is a way to keep a growing session within a budget.
type way struct {
	name   string
	rarely bool // it is only asked at the checkpoints
	only   int  // the one budget it is measured at; 0 is all
	start  func(limits compact.Limits, count *counter) (growing, error)
}

// ways returns all that are compared.
func ways() []way {
	type start = func(compact.Limits, *counter) (growing, error)
	session := func(s func(*counter) compact.Strategy) start {
		return func(limits compact.Limits, count *counter) (growing, error) {
			return newGrowth(compact.SessionConfig{Limits: limits, Strategy: s(count)})
		}
	}
	half := func(l compact.Limits, _ *counter) (growing, error) {
		return newGrowth(compact.SessionConfig{
			Limits: l, Target: l.Budget / 2, Strategy: compact.Flat{Keep: keep},
		})
	}
	onOwn := func(l compact.Limits, _ *counter) (growing, error) {
		return &again{strategy: compact.Flat{Keep: keep}, limits: l}, nil
	}
	anew := func(l compact.Limits, _ *counter) (growing, error) {
		return once{compact.Flat{Keep: keep}, l}, nil
	}
	return []way{
		{name: "session, flat", start: session(func(*counter) compact.Strategy {
			return compact.Flat{Keep: keep}
		})},
		{name: "session, flat, summarizer", start: session(func(c *counter) compact.Strategy {
			return compact.Flat{Keep: keep, Summarizer: c.summarize}
		})},
		{name: "session, masking", start: session(func(*counter) compact.Strategy {
			return compact.Masking{Keep: keep}
		})},
		{name: "session, flat, target at half", start: half},
		{name: "flat, on its own output", only: growBudgets[1], start: onOwn},
		{name: "flat, of everything at once", rarely: true, start: anew},
	}
}

// counter is a summarizer that extracts, and counts what a model would be sent and say.
type counter struct{ calls, tokens int }

func (c *counter) summarize(_ context.Context, m compact.Material) (string, error) {
	c.calls++
	for _, in := range m.Inputs {
		c.tokens += len(in.Text) / 4
	}
	text := compact.Limits{}.Extract("", m.Budget, slices.Values(m.Inputs))[0]
	c.tokens += len(text) / 4
	return text, nil
}

// sessionGrowth is a compact.Session.
type sessionGrowth struct {
	*compact.Session
}

func newGrowth(config compact.SessionConfig) (growing, error) {
	s, err := compact.NewSession(config)
	return &sessionGrowth{s}, err
}

func (g *sessionGrowth) request(history []preflight.Message) (compact.Result, error) {
	ctx := context.Background()
	if err := g.Append(ctx, history[g.Len():]...); err != nil {
		return compact.Result{}, err
	}
	res, err := g.Render(ctx)
	if err != nil {
		return res, err
	}
	return res, g.Resolve(ctx)
}

func (g *sessionGrowth) compactions() int { return g.Compactions() }

// again compacts its own output whenever it does not fit.
type again struct {
	strategy compact.Strategy
	limits   compact.Limits
	history  []preflight.Message
	seen, n  int
}

func (a *again) request(history []preflight.Message) (compact.Result, error) {
	a.history = append(a.history, history[a.seen:]...)
	a.seen = len(history)
	res, err := a.strategy.Compact(context.Background(), a.history, a.limits)
	if len(res.Clusters) > 0 {
		a.n++
	}
	a.history = slices.Clone(res.Messages)
	return res, err
}

func (a *again) compactions() int { return a.n }

// once compacts the whole history anew for every request.
type once struct {
	strategy compact.Strategy
	limits   compact.Limits
}

func (o once) request(history []preflight.Message) (compact.Result, error) {
	return o.strategy.Compact(context.Background(), history, o.limits)
}

func (o once) compactions() int { return 0 }

// growth is how one way did over one session.
type growth struct {
	way         string
	session     *session
	budget      int     // percent
	recall      []score // at each checkpoint, of the facts so far
	early       score   // of the facts of the first quarter, at the end
	shares      []share // of the requests up to each checkpoint
	compactions int
	counter
	requests int
	invalid  int
	over     int
}

// share is how many tokens of the requests before were the beginning of the next, of all.
type share struct {
	again, of float64
}

func (s share) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*s.again/s.of)
}

// grow lets one session grow.
func grow(s *session, percent int, w way) (growth, error) {
	if w.only != 0 && w.only != percent {
		return growth{session: s}, nil
	}
	profile := provider.OpenAIChat("")
	limits := compact.Limits{Budget: cost(s.history) * percent / 100, Profile: profile}
	out := growth{
		way: w.name, session: s, budget: percent,
		shares: make([]share, checkpoints),
	}
	g, err := w.start(limits, &out.counter)
	if err != nil {
		return out, err
	}
	said := s.saidAt()
	asked := s.requests()
	var before []preflight.Message
	for k, n := range asked {
		point := (k + 1) * checkpoints / len(asked)
		last := point > k*checkpoints/len(asked) // the last request before a checkpoint
		if w.rarely && !last {
			continue
		}
		res, err := g.request(s.history[:n])
		if err != nil {
			return out, fmt.Errorf("%s, %s at %d%%: %w", s.name, w.name, percent, err)
		}
		out.requests++
		if res.Tokens > limits.Budget {
			out.over++
		}
		if before != nil && !w.rarely {
			x := &out.shares[min(checkpoints-1, k*checkpoints/len(asked))]
			x.again += prefixShare(before, res.Messages)
			x.of++
		}
		before = res.Messages
		if last {
			out.invalid += len(preflight.Check(res.Messages, profile, nil))
			out.ask(everything(res.Messages), said, n)
		}
	}
	out.compactions = g.compactions()
	return out, nil
}

// ask asks for every fact that was said before message n.
func (g *growth) ask(text string, said []int, n int) {
	var now score
	g.early = score{}
	for k, f := range g.session.facts {
		if said[k] >= n {
			continue
		}
		hit := 0
		if strings.Contains(text, f.answer) {
			hit = 1
		}
		now = score{now.hit + hit, now.of + 1}
		if said[k] < len(g.session.history)/4 {
			g.early = score{g.early.hit + hit, g.early.of + 1}
		}
	}
	g.recall = append(g.recall, now)
}

// requests returns the lengths of the history at which a request is sent: before each message of
// the assistant's, and at the end.
func (s *session) requests() []int {
	var out []int
	for i, m := range s.history {
		if m.Role == preflight.RoleAssistant && i > 0 {
			out = append(out, i)
		}
	}
	return append(out, len(s.history))
}

// saidAt is, for each fact, the message that says it.
func (s *session) saidAt() []int {
	out := make([]int, len(s.facts))
	next := 0 // facts are planted in order, but for corrections
	for k, f := range s.facts {
		from := max(0, next-8)
		out[k] = len(s.history)
		for i := from; i < len(s.history); i++ {
			if strings.Contains(everything(s.history[i:i+1]), f.answer) {
				out[k], next = i, i
				break
			}
		}
	}
	return out
}

// prefixShare returns the part of a request, in tokens, that the next one begins with.
func prefixShare(before, after []preflight.Message) float64 {
	same, all := reused(before, after)
	return float64(same) / float64(max(1, all))
}

// reused returns the tokens of a request that the next one begins with, and all of them.
func reused(before, after []preflight.Message) (same, all int) {
	open := true
	for i, m := range before {
		n := tokens.Estimate(m)
		all += n
		open = open && i < len(after) && sameMessage(m, after[i])
		if open {
			same += n
		}
	}
	return same, all
}

// sameMessage reports whether two messages say the same.
func sameMessage(a, b preflight.Message) bool {
	return a.Role == b.Role && (slices.Equal(a.Parts, b.Parts) ||
		everything([]preflight.Message{a}) == everything([]preflight.Message{b}))
}

// growAll lets all sessions grow at all budgets in all ways.
func growAll(sessions []session, percents ...int) ([]growth, error) {
	list := ways()
	return inParallel(len(sessions)*len(percents)*len(list), func(k int) (growth, error) {
		i, j := k/len(list)/len(percents), k/len(list)%len(percents)
		return grow(&sessions[i], percents[j], list[k%len(list)])
	})
}
