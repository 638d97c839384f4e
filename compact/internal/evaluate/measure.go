package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/provider"
)

// This file runs strategies over sessions and counts what they remember.

// budgets are the total budgets under test, in percent of what the whole session costs.
var budgets = []int{10, 20, 35}

// keep is how many messages every strategy keeps as they are, so that the strategies differ in
// nothing else.
const keep = 10

// condition is a strategy under test; for a condition that depends on the question, the question is
// given.
type condition struct {
	name     string
	asks     bool // it is made anew for each question
	strategy func(question string) compact.Strategy
}

func always(s compact.Strategy) func(string) compact.Strategy {
	return func(string) compact.Strategy { return s }
}

// apart is union-find with a summary for each cluster by itself, extracted as a model would write
// it.
func apart(c unionfind.Clustering) compact.Strategy {
	c.Summarizer = func(_ context.Context, m compact.Material) (string, error) {
		// where not even one line has room, a model still writes something
		return cmp.Or(compact.Limits{}.Extract("", m.Budget, slices.Values(m.Inputs))[0], "…"), nil
	}
	return unionfind.Strategy{Keep: keep, Clustering: c}
}

// uncapped takes the cap on the size of clusters away, as in the source system.
var uncapped = unionfind.Clustering{ClusterSize: math.MaxInt32}

// conditions returns everything that is compared.
func conditions() []condition {
	return []condition{
		{name: "masking", strategy: always(compact.Masking{Keep: keep})},
		{name: "flat", strategy: always(compact.Flat{Keep: keep})},
		{name: "union-find", strategy: always(unionfind.Strategy{Keep: keep})},
		{name: "union-find, apart", strategy: always(apart(unionfind.Clustering{}))},
		{name: "union-find, apart, without cap", strategy: always(apart(uncapped))},
		{
			name: "flat, by the question",
			asks: true,
			strategy: func(q string) compact.Strategy {
				return compact.Flat{Keep: keep, Question: q}
			},
		},
		{
			name: "union-find, by query",
			asks: true,
			strategy: func(q string) compact.Strategy {
				return unionfind.Strategy{Keep: keep, Query: unionfind.Query{Text: q}}
			},
		},
	}
}

// outcome is which facts of a session a condition remembers at a budget.
type outcome struct {
	session   *session
	budget    int // percent
	condition string
	recalled  []bool // by fact
	invalid   int    // rules broken by what came out, over all profiles
	tokens    int
	limit     int
	clusters  []compact.Cluster
}

// measure runs one condition.
func measure(s *session, percent int, c condition) (outcome, error) {
	total := 0
	for _, m := range s.history {
		total += tokens.Estimate(m)
	}
	profile := provider.OpenAIChat("")
	out := outcome{
		session:   s,
		budget:    percent,
		condition: c.name,
		recalled:  make([]bool, len(s.facts)),
		limit:     total * percent / 100,
	}
	limits := compact.Limits{Budget: out.limit, Profile: profile}
	run := func(question string) (string, error) {
		res, err := c.strategy(question).Compact(context.Background(), s.history, limits)
		if err != nil {
			return "", fmt.Errorf("%s, %s at %d%%: %w", s.name, c.name, percent, err)
		}
		out.invalid += len(preflight.Check(res.Messages, profile, nil))
		out.tokens, out.clusters = max(out.tokens, res.Tokens), res.Clusters
		return everything(res.Messages), nil
	}
	text := ""
	for k, f := range s.facts {
		if k == 0 || c.asks {
			var err error
			if text, err = run(f.question); err != nil {
				return out, err
			}
		}
		out.recalled[k] = strings.Contains(text, f.answer)
	}
	return out, nil
}

// everything returns all text of a history.
func everything(messages []preflight.Message) string {
	var b strings.Builder
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				b.WriteString(p.Text)
			case *preflight.ToolResult:
				for _, c := range p.Content {
					if t, ok := c.(*preflight.Text); ok {
						b.WriteString(t.Text)
					}
				}
			case *preflight.ToolCall:
				b.Write(p.Input)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// measureAll runs every condition at each of the budgets. The outcomes are in a fixed order.
func measureAll(sessions []session, percents ...int) ([]outcome, error) {
	list := conditions()
	return inParallel(len(sessions)*len(percents)*len(list), func(k int) (outcome, error) {
		i, j := k/len(list)/len(percents), k/len(list)%len(percents)
		return measure(&sessions[i], percents[j], list[k%len(list)])
	})
}

// inParallel calls f with the numbers below n, on all processors, and returns the results in order.
func inParallel[E any](n int, f func(k int) (E, error)) ([]E, error) {
	out, errs := make([]E, n), make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				out[k], errs[k] = f(k)
			}
		}()
	}
	wait.Wait()
	return out, errors.Join(errs...)
}

// score is remembered facts of all.
type score struct{ hit, of int }

func (s score) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", int(math.Round(100*float64(s.hit)/float64(s.of))))
}

// tally counts the facts of the outcomes that match takes.
func tally(all []outcome, match func(outcome) bool) score {
	var s score
	for _, o := range all {
		if !match(o) {
			continue
		}
		for _, recalled := range o.recalled {
			if s.of++; recalled {
				s.hit++
			}
		}
	}
	return s
}

// shape says what the clusters of a session look like: how many, the share of the largest, and how
// many messages are with their own topic's majority.
type shape struct {
	clusters int
	largest  float64
	purity   float64
}

func shapeOf(o outcome) shape {
	s := shape{clusters: len(o.clusters)}
	messages, labelled, pure := 0, 0, 0
	for _, c := range o.clusters {
		messages += len(c.Sources)
		s.largest = max(s.largest, float64(len(c.Sources)))
		count := make(map[string]int)
		most := 0
		for _, src := range c.Sources {
			if t := o.session.topics[src]; t != "" {
				labelled++
				count[t]++
				most = max(most, count[t])
			}
		}
		pure += most
	}
	if messages > 0 {
		s.largest /= float64(messages)
	}
	if labelled > 0 {
		s.purity = float64(pure) / float64(labelled)
	}
	return s
}

// dealt returns an outcome with its messages dealt out by chance, to clusters of the sizes they
// had.
func dealt(o outcome) outcome {
	var all []int
	for _, c := range o.clusters {
		all = append(all, c.Sources...)
	}
	slices.Sort(all)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all),
		func(i, j int) { all[i], all[j] = all[j], all[i] })
	clusters := slices.Clone(o.clusters)
	for k := range clusters {
		n := len(clusters[k].Sources)
		clusters[k].Sources, all = all[:n], all[n:]
	}
	o.clusters = clusters
	return o
}

// seam is how often a provider would refuse the request when the last messages are simply cut off,
// and when they are cut by this package: after every seventh message of each session, from the
// first overflow on.
type seam struct {
	profile     string
	requests    int
	naive, ours int
}

func seams(sessions []session) ([]seam, error) {
	var out []seam
	for _, p := range []preflight.Profile{
		*provider.Anthropic(""),
		*provider.OpenAIChat(""),
		*provider.Gemini(""),
		*provider.Bedrock(""),
		*provider.Mistral(""),
	} {
		row := seam{profile: p.Provider}
		for _, s := range sessions {
			for n := 3 * keep; n <= len(s.history); n += 7 {
				history, err := prefix(s.history[:n], &p)
				if err != nil || len(history) < 2*keep {
					continue // an open call at the end: nothing is sent then
				}
				row.requests++
				simplyCut := cutOff(history, keep+row.requests%2)
				if len(preflight.Check(simplyCut, &p, nil)) > 0 {
					row.naive++
				}
				limits := compact.Limits{Budget: cost(history) / 2, Profile: &p}
				res, err := compact.Flat{Keep: keep}.Compact(context.Background(), history, limits)
				if err != nil {
					return nil, fmt.Errorf("%s, %s, %d messages: %w", p.Provider, s.name, n, err)
				}
				if len(preflight.Check(res.Messages, &p, nil)) > 0 {
					row.ours++
				}
			}
		}
		out = append(out, row)
	}
	return out, nil
}

// prefix returns a history as the agent would send it to a provider: valid before anything is cut.
func prefix(history []preflight.Message, p *preflight.Profile) ([]preflight.Message, error) {
	res, err := preflight.Sanitize(context.Background(), history, p, nil)
	return res.Messages, err
}

// cutOff returns the source system's way: a summary, an acknowledgement, and the last n messages as
// they are.
func cutOff(history []preflight.Message, n int) []preflight.Message {
	say := func(r preflight.Role, s string) preflight.Message {
		return preflight.Message{Role: r, Parts: []preflight.Part{&preflight.Text{Text: s}}}
	}
	out := []preflight.Message{
		say(preflight.RoleUser, "summary"), say(preflight.RoleAssistant, "Understood."),
	}
	return append(out, slices.Clone(history[len(history)-n:])...)
}

func cost(history []preflight.Message) int {
	n := 0
	for _, m := range history {
		n += tokens.Estimate(m)
	}
	return n
}
