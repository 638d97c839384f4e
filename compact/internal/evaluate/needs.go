package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/provider"
)

// This file is the second evaluation: what an agent needs of a session that grows, in the requests
// that a way sends.

// needBudgets are its budgets, in percent of what the whole session costs in the end.
var needBudgets = []int{20, 35, 50}

// heldOut are the seeds of the sessions in the table. Nothing was chosen on them: work on the
// package uses others.
var heldOut = []uint64{701, 702, 703, 704, 705, 706, 707, 708}

// recently is how many messages before a request count as recent: what they say is no test.
const recently = 6

// measuredEvery is which of the requests are looked at.
const measuredEvery = 5

// identifier is a word that cannot be guessed.
var identifier = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[/_.-][A-Za-z0-9]+)+|[a-z]+[A-Z][A-Za-z0-9]+`)

// identifiers returns those of messages, each once.
func identifiers(messages []preflight.Message) map[string]bool {
	found := make(map[string]bool)
	for _, id := range identifier.FindAllString(everything(messages), -1) {
		found[id] = true
	}
	return found
}

// needs is what the requests of a way hold.
type needs struct {
	way    string
	budget int
	// identifiers that the next message uses and that were last said longer ago; settings whose
	// last value is the current one; questions with their answers; facts
	again, current, answers, facts score
	prefix, filled                 share
	paid, window                   float64 // for all requests, in tokens, and by a sliding window
	over, invalid                  int

	first, last map[string]int // of each identifier so far, the messages that said it
	read        int
}

// anew starts a strategy that compacts the whole history for each request.
func anew(s compact.Strategy) func(compact.Limits, *counter) (growing, error) {
	return func(l compact.Limits, _ *counter) (growing, error) { return once{s, l}, nil }
}

// rivals returns the ways that are compared; the first is the default.
func rivals() []way {
	return []way{
		{name: "session", start: func(l compact.Limits, _ *counter) (growing, error) {
			return newGrowth(compact.SessionConfig{Limits: l})
		}},
		{name: windowName, start: func(l compact.Limits, _ *counter) (growing, error) {
			return &sliding{limits: l}, nil
		}},
		{name: "clear and slide", start: func(l compact.Limits, _ *counter) (growing, error) {
			return &sliding{limits: l, clear: 3}, nil
		}},
		{name: "flat, anew", start: anew(compact.Flat{Keep: keep})},
		{name: "masking, anew", start: anew(compact.Masking{Keep: keep})},
		{name: "union-find, anew", start: anew(unionfind.Strategy{Keep: keep})},
	}
}

// windowName is the way that costs are compared with.
const windowName = "sliding window"

// sliding sends the newest messages. When they exceed the budget it drops the oldest until they
// cost three quarters of it. With clear it first replaces the outputs of tools by a line, but for
// so many of the last.
type sliding struct {
	limits compact.Limits
	clear  int
	from   int // the first message that is sent
	blank  int // results before this message are cleared
	n      int
}

func (s *sliding) compactions() int { return s.n }

func (s *sliding) request(history []preflight.Message) (compact.Result, error) {
	head := 0
	for head < len(history) && history[head].Role == "system" {
		head++
	}
	s.from = max(s.from, head)
	show := func() ([]preflight.Message, int) {
		out := slices.Clone(history[:head])
		for i := s.from; i < len(history); i++ {
			out = append(out, s.cleared(history[i], i))
		}
		return out, cost(out)
	}
	out, n := show()
	if target := s.limits.Budget - s.limits.Budget/4; n > s.limits.Budget {
		s.n++
		if s.clear > 0 {
			left := s.clear
			for i := len(history) - 1; i >= 0; i-- {
				if history[i].Role == preflight.RoleTool {
					if left--; left < 0 {
						s.blank = i + 1
						break
					}
				}
			}
			out, n = show()
		}
		for n > target && s.from < len(history)-1 {
			s.from++
			for s.from < len(history)-1 && history[s.from].Role == preflight.RoleTool {
				s.from++
			}
			out, n = show()
		}
	}
	return compact.Result{Messages: out, Tokens: n}, nil
}

// cleared is message i, without its output if that is cleared.
func (s *sliding) cleared(m preflight.Message, i int) preflight.Message {
	if m.Role != preflight.RoleTool || i >= s.blank {
		return m
	}
	r := *m.Parts[0].(*preflight.ToolResult)
	r.Content = []preflight.Part{&preflight.Text{Text: "[Old tool result content cleared]"}}
	return preflight.Message{Role: m.Role, Parts: []preflight.Part{&r}}
}

// need lets a session grow and looks into its requests.
func need(s *working, percent int, w way) (needs, error) {
	return needTo(s, percent, w, func(int, []preflight.Message) {})
}

// What a token costs that a cache holds, and one that is written to it, in those of a plain token.
const readPrice, writePrice = 0.1, 1.25

// needTo is need, and gives every request to a function, with the length of the history then.
func needTo(
	s *working, percent int, w way, sent func(n int, request []preflight.Message),
) (needs, error) {
	profile := provider.OpenAIChat("")
	limits := compact.Limits{Budget: cost(s.history) * percent / 100, Profile: profile}
	out := needs{way: w.name, budget: percent}
	g, err := w.start(limits, &counter{})
	if err != nil {
		return out, err
	}
	_, fresh := g.(once)
	var before []preflight.Message
	asked := s.requests()
	for k, n := range asked {
		grown := cost(s.history[:n])
		measured := grown > limits.Budget && (k%measuredEvery == 0 || n == len(s.history))
		if fresh && (!measured || w.rarely && n < len(s.history)) {
			continue
		}
		res, err := g.request(s.history[:n])
		if err != nil {
			return out, fmt.Errorf("%s, %s at %d %%: %w", s.name, w.name, percent, err)
		}
		if res.Tokens > limits.Budget {
			out.over++
		}
		if !fresh {
			same, all := reused(before, res.Messages)
			if before != nil && grown > limits.Budget {
				out.prefix.add(float64(same)/float64(max(1, all)), 1)
			}
			out.paid += float64(same)*readPrice + float64(res.Tokens-same)*writePrice
		}
		before = res.Messages
		sent(n, before)
		if !measured {
			continue
		}
		if fresh && n < len(s.history) { // what the next request would begin with
			next, err := g.request(s.history[:asked[k+1]])
			if err != nil {
				return out, err
			}
			same, all := reused(res.Messages, next.Messages)
			out.prefix.add(float64(same)/float64(max(1, all)), 1)
		}
		out.filled.add(float64(res.Tokens), float64(limits.Budget))
		out.invalid += len(preflight.Check(res.Messages, profile, nil))
		out.needed(res.Messages, s.history, n)
	}
	out.remembered(everything(before), s)
	return out, nil
}

// needed counts the identifiers that message n uses and that a request has to say, because they
// were not said recently.
func (x *needs) needed(sent, history []preflight.Message, n int) {
	if n >= len(history) {
		return
	}
	if x.first == nil {
		x.first, x.last = make(map[string]int), make(map[string]int)
	}
	for ; x.read < n; x.read++ {
		for id := range identifiers(history[x.read : x.read+1]) {
			if _, ok := x.first[id]; !ok {
				x.first[id] = x.read
			}
			x.last[id] = x.read
		}
	}
	text := everything(sent)
	for id := range identifiers(history[n : n+1]) {
		if first, ok := x.first[id]; ok && first < n-recently && x.last[id] < n-recently {
			if x.again.of++; strings.Contains(text, id) {
				x.again.hit++
			}
		}
	}
}

// remembered asks the last request for settings, answers and facts.
func (x *needs) remembered(text string, s *working) {
	for _, r := range s.revised {
		if r.value == "" {
			continue
		}
		x.current.of++
		if at := strings.LastIndex(text, r.key); at >= 0 {
			line, _, _ := strings.Cut(text[at:], "\n")
			if sentence, _, _ := strings.Cut(line, ". "); strings.Contains(sentence, r.value) {
				x.current.hit++
			}
		}
	}
	for _, e := range s.answered {
		x.answers.of++
		if _, after, ok := strings.Cut(text, e.question); ok {
			after = strings.TrimPrefix(strings.TrimLeft(after, "\n "), "user: ")
			if strings.HasPrefix(after, e.answer) {
				x.answers.hit++
			}
		}
	}
	for _, f := range s.facts {
		x.facts.of++
		if strings.Contains(text, f.answer) {
			x.facts.hit++
		}
	}
}

// needAll runs all rivals over the sessions of the seeds.
func needAll(seeds []uint64, ways []way) ([]needs, error) {
	var sessions []working
	for _, seed := range seeds {
		for _, t := range trades {
			sessions = append(sessions, work(t, seed))
		}
	}
	return needIn(sessions, ways)
}

// needIn runs ways over sessions.
func needIn(sessions []working, ways []way) ([]needs, error) {
	return inParallel(len(sessions)*len(needBudgets)*len(ways), func(k int) (needs, error) {
		i, j := k/len(ways)/len(needBudgets), k/len(ways)%len(needBudgets)
		return need(&sessions[i], needBudgets[j], ways[k%len(ways)])
	})
}

// total returns what a way did at one budget, over all sessions.
func total(all []needs, way string, budget int) needs {
	var out needs
	add := func(a *score, b score) { *a = score{a.hit + b.hit, a.of + b.of} }
	for _, x := range all {
		if x.way != way || x.budget != budget {
			continue
		}
		add(&out.again, x.again)
		add(&out.current, x.current)
		add(&out.answers, x.answers)
		add(&out.facts, x.facts)
		out.prefix = share{out.prefix.again + x.prefix.again, out.prefix.of + x.prefix.of}
		out.filled = share{out.filled.again + x.filled.again, out.filled.of + x.filled.of}
		out.over, out.invalid, out.paid = out.over+x.over, out.invalid+x.invalid, out.paid+x.paid
	}
	return out
}

// needColumn is a column of the table.
type needColumn struct {
	name string
	of   func(needs) string
}

// needColumns are all of them.
var needColumns = []needColumn{
	{"needed again", func(x needs) string { return x.again.String() }},
	{"current values", func(x needs) string { return x.current.String() }},
	{"answers", func(x needs) string { return x.answers.String() }},
	{"facts", func(x needs) string { return x.facts.String() }},
	{"prefix reused", func(x needs) string { return x.prefix.String() }},
	{"budget filled", func(x needs) string { return x.filled.String() }},
	{"cost", func(x needs) string {
		if x.window == 0 || x.paid == 0 {
			return "–"
		}
		return fmt.Sprintf("%.0f %%", 100*x.paid/x.window)
	}},
	{"over budget", func(x needs) string { return fmt.Sprint(x.over) }},
	{"broken rules", func(x needs) string { return fmt.Sprint(x.invalid) }},
}

func writeNeeds(w io.Writer, all []needs, ways []way) {
	budgets := strings.Trim(strings.ReplaceAll(fmt.Sprint(needBudgets), " ", " / "), "[]")
	fmt.Fprintf(w, `### What an agent needs

%d sessions of three kinds, from seeds that nothing was chosen on. Budgets are %s %% of
what the session costs in the end. Needed again: how many identifiers of the agent's next
message, last said more than %d messages ago, the request holds. Current values: how many of the
settings that the user changed have the last value where the request mentions them last. Answers:
questions of the agent with the user's answer next to them. Facts, settings and answers are asked
for at the end. Cost: of all requests at the prices of a cache (1.25 for a token that is written, 0.1
for one that is read), in percent of what a sliding window costs.

`, len(heldOut)*len(trades), budgets, recently)
	needTable(all, ways, nil).writeTo(w)
}

// needTable returns the table of some columns, given their names; nil is all.
func needTable(all []needs, ways []way, columns []string) *table {
	shown := slices.Clone(needColumns)
	if columns != nil {
		shown = slices.DeleteFunc(shown, func(c needColumn) bool {
			return !slices.Contains(columns, c.name)
		})
	}
	t := &table{head: []string{"way"}}
	for _, c := range shown {
		t.head = append(t.head, c.name)
	}
	for _, x := range ways {
		row := []string{x.name}
		for _, c := range shown {
			var cells []string
			for _, b := range needBudgets {
				sum := total(all, x.name, b)
				sum.window = total(all, windowName, b).paid
				cells = append(cells, strings.TrimSuffix(c.of(sum), " %"))
			}
			row = append(row, strings.Join(cells, " / "))
		}
		t.add(row...)
	}
	return t
}
