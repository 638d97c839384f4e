// Package compare measures a sanitizer of your own beside preflight: how many
// refused bodies it leaves, how many accepted ones it changes, what it loses and
// what it makes up, each with the smallest body that shows it.
//
//	mine := func(ctx context.Context, body []byte) ([]byte, error) { return mySanitizer(body) }
//	table, err := compare.Run(ctx, "anthropic", mine)
//	fmt.Print(table)
//
// The bodies are written for this project: those that break a rule of the
// catalogue, and sessions of an agent, sound and damaged. Each body is judged by
// the strict fake of package preflighttest, which shares no code with preflight.
// Preflight's own column is measured in the same run, with its own misses. The
// same version of the project always takes the same bodies.
package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// Sanitizer returns the body to send in place of a request body, or why none can be sent. The body
// is its own. A panic counts as an error.
type Sanitizer func(ctx context.Context, body []byte) ([]byte, error)

// Table is what was measured.
type Table struct {
	Provider string `json:"provider"`
	Rows     []Row  `json:"rows"`
}

// Row is one measure. Of all but the last, less is better and 0 is best.
type Row struct {
	Measure string `json:"measure"`
	// Of is how many bodies, results or steps were tried.
	Of int `json:"of"`
	// Yours and Preflight are how many of them showed the fault.
	Yours     int `json:"yours"`
	Preflight int `json:"preflight"`
	// Example is the smallest body that shows the fault in yours, and Why is what is wrong with it.
	Example json.RawMessage `json:"example,omitempty"`
	Why     string          `json:"why,omitempty"`
	// Rules are the rules by which bodies of yours are still refused, with how many each refuses.
	Rules map[string]int `json:"rules,omitempty"`
	// PreflightExample and PreflightWhy are the same for preflight.
	PreflightExample json.RawMessage `json:"preflight_example,omitempty"`
	PreflightWhy     string          `json:"preflight_why,omitempty"`
}

// The measures, in the order of the rows of a table.
const (
	Refused  = "bodies that break a rule still refused"
	Errors   = "bodies that break a rule given an error"
	Left     = "damaged sessions still refused"
	Changed  = "accepted bodies changed"
	Broken   = "accepted bodies made refused"
	Lost     = "real results lost"
	Invented = "words put into somebody's mouth"
	Prefix   = "steps that changed what was sent before"
	Growth   = "time for four times the messages, in percent of four times the time"
)

// Run measures a sanitizer with bodies for a provider that has a format of its own: "anthropic",
// "openai-chat", "openai-responses", "gemini", "gemini-interactions", "bedrock", "mistral",
// "cohere" or "ollama". It takes some seconds for a sanitizer that takes milliseconds. The error is
// that of the context, or wire.ErrUnknownProvider; what the sanitizer does wrong is in the table.
func Run(ctx context.Context, provider string, yours Sanitizer) (*Table, error) {
	if models[provider] == "" {
		return nil, fmt.Errorf("%w: there are no bodies for %q, but for %s", wire.ErrUnknownProvider,
			provider, strings.Join(slices.Sorted(maps.Keys(models)), ", "))
	}
	ours := func(ctx context.Context, body []byte) ([]byte, error) {
		result, err := wire.Sanitize(ctx, body, &wire.Options{Provider: provider})
		if err != nil {
			return nil, err
		}
		return result.Body, nil
	}
	c := &comparison{ctx: ctx, provider: provider}
	c.sides[0], c.sides[1] = &side{run: contained(yours)}, &side{run: ours}
	for _, measure := range []func() error{c.refused, c.accepted, c.damaged, c.growing, c.timed} {
		if err := measure(); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return c.table(), nil
}

// contained turns a panic of a sanitizer into an error, and gives it a copy of the body.
func contained(s Sanitizer) Sanitizer {
	return func(ctx context.Context, body []byte) (out []byte, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("it panicked: %v", p)
			}
		}()
		return s(ctx, bytes.Clone(body))
	}
}

// comparison is a run.
type comparison struct {
	ctx      context.Context
	provider string
	sides    [2]*side // the caller's, and preflight's
	of       map[string]int
}

// side is what one sanitizer did.
type side struct {
	run    Sanitizer
	faults map[string]*fault
}

// fault is how often a measure was missed, and the smallest body that shows it.
type fault struct {
	count   int
	example []byte
	why     string
	rules   map[string]int
}

func (s *side) miss(measure string, body []byte, why string) *fault {
	if s.faults == nil {
		s.faults = map[string]*fault{}
	}
	f := s.faults[measure]
	if f == nil {
		f = &fault{}
		s.faults[measure] = f
	}
	f.count++
	if f.example == nil || len(body) < len(f.example) {
		f.example, f.why = body, why
	}
	return f
}

// refused notes a body that is still refused, and by which rule.
func (s *side) refused(measure string, body []byte, why string) {
	f := s.miss(measure, body, why)
	if f.rules == nil {
		f.rules = map[string]int{}
	}
	id, _, _ := strings.Cut(why, ": ")
	f.rules[id]++
}

// tried counts what a measure is a share of.
func (c *comparison) tried(measure string, n int) {
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.of[measure] += n
}

// refusal returns why the fake refuses a body, or "".
func (c *comparison) refusal(body []byte) string {
	found, err := preflighttest.Violations(c.provider, body)
	switch {
	case err != nil:
		return err.Error()
	case len(found) == 0:
		return ""
	case found[0].Rule == "":
		return found[0].Message
	}
	return found[0].Rule + ": " + found[0].Message
}

// refused counts the bodies that break a rule and still do.
func (c *comparison) refused() error {
	bodies, err := failing(c.provider)
	if err != nil {
		return err
	}
	for _, body := range bodies {
		if c.refusal(body) == "" {
			continue // it breaks a rule of the history that the fake cannot see
		}
		c.tried(Refused, 1)
		c.tried(Errors, 1)
		for _, s := range c.sides {
			out, err := s.run(c.ctx, body)
			if err != nil {
				s.miss(Errors, body, err.Error())
			} else if why := c.refusal(out); why != "" {
				s.refused(Refused, body, why)
			}
		}
	}
	return nil
}

// accepted counts the sound sessions that are changed, or refused when they are changed.
func (c *comparison) accepted() error {
	for seed := range sessions {
		body, err := c.body(sound(seed))
		if err != nil {
			return err
		}
		if why := c.refusal(body); why != "" {
			return fmt.Errorf("compare: a sound session is refused: %s", why)
		}
		c.tried(Changed, 1)
		c.tried(Broken, 1)
		for _, s := range c.sides {
			out, err := s.run(c.ctx, body)
			if err != nil {
				s.miss(Changed, body, err.Error())
				continue
			}
			if same, err := sameJSON(body, out); err != nil || !same {
				s.miss(Changed, body, "what comes back says something else")
			}
			if why := c.refusal(out); why != "" {
				s.refused(Broken, body, why)
			}
		}
	}
	return nil
}

// damaged counts what is still refused, lost and made up where a session has damage.
func (c *comparison) damaged() error {
	for seed := range sessions {
		session := damaged(seed)
		body, err := c.body(session)
		if err != nil {
			return err
		}
		results := resultsIn(session)
		c.tried(Left, 1)
		c.tried(Lost, len(results))
		c.tried(Invented, 1)
		for _, s := range c.sides {
			out, err := s.run(c.ctx, body)
			if err != nil {
				s.miss(Left, body, err.Error())
				continue
			}
			if why := c.refusal(out); why != "" {
				s.refused(Left, body, why)
			}
			for _, result := range results {
				if !bytes.Contains(out, []byte(result)) {
					s.miss(Lost, body, result+" is gone")
				}
			}
			if words := c.inventedIn(out); words != "" {
				s.miss(Invented, body, fmt.Sprintf("%.80q", words))
			}
		}
	}
	return nil
}

// growing counts the steps of a growing damaged session at which what was sent before is another:
// the provider reads it anew, at the full price.
func (c *comparison) growing() error {
	for seed := range sessions / 4 {
		session := damaged(seed)
		var before [2][]json.RawMessage
		for _, step := range steps(session) {
			body, err := c.body(step)
			if err != nil {
				return err
			}
			c.tried(Prefix, 1)
			for k, s := range c.sides {
				out, err := s.run(c.ctx, body)
				if err != nil {
					continue
				}
				sent := messagesOf(out)
				if !extends(sent, before[k]) {
					s.miss(Prefix, body, "a message before the last came out otherwise a step ago")
				}
				before[k] = sent
			}
		}
	}
	return nil
}

// timed compares the time for a session with that for four times as many messages, both as the best
// of several tries in turns, so that other work of the machine disturbs both alike. What takes less
// than a clock can tell is not compared.
func (c *comparison) timed() error {
	const short, tries, least, most = 250, 25, 50 * time.Microsecond, 3 * time.Second
	c.tried(Growth, 100)
	for _, s := range c.sides {
		took := [2]time.Duration{time.Hour, time.Hour}
		var bodies [2][]byte
		for k, messages := range []int{short, 4 * short} {
			var err error
			if bodies[k], err = c.body(long(messages)); err != nil {
				return err
			}
		}
		started := time.Now()
		for try := 0; try < 3 || try < tries && time.Since(started) < most; try++ {
			for k, body := range bodies {
				begin := time.Now()
				if _, err := s.run(c.ctx, body); err != nil && c.ctx.Err() != nil {
					return c.ctx.Err()
				}
				took[k] = min(took[k], time.Since(begin))
			}
		}
		if s.faults == nil {
			s.faults = map[string]*fault{}
		}
		if took[0] >= least {
			s.faults[Growth] = &fault{count: int(25 * took[1] / took[0])}
		}
	}
	return nil
}

func (c *comparison) table() *Table {
	t := &Table{Provider: c.provider}
	for _, measure := range []string{
		Refused, Errors, Left, Changed, Broken, Lost, Invented, Prefix, Growth,
	} {
		row := Row{Measure: measure, Of: c.of[measure]}
		if f := c.sides[0].faults[measure]; f != nil {
			row.Yours, row.Example, row.Why, row.Rules = f.count, f.example, f.why, f.rules
		}
		if f := c.sides[1].faults[measure]; f != nil {
			row.Preflight, row.PreflightExample, row.PreflightWhy = f.count, f.example, f.why
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// String is the table as text, with the examples below it. It is empty for nil.
func (t *Table) String() string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-40s %4s %6s %10s\n", t.Provider, "of", "yours", "preflight")
	for _, r := range t.Rows {
		if r.Measure == Growth {
			fmt.Fprintf(&b, "%-40s %4s %6s %10s\n", "time for 4 times the messages", "",
				times(r.Yours), times(r.Preflight))
			continue
		}
		fmt.Fprintf(&b, "%-40s %4d %6d %10d\n", r.Measure, r.Of, r.Yours, r.Preflight)
	}
	for _, r := range t.Rows {
		if len(r.Rules) > 1 {
			fmt.Fprintf(&b, "\n%s, by rule:\n", r.Measure)
			for _, id := range slices.Sorted(maps.Keys(r.Rules)) {
				fmt.Fprintf(&b, "%6d %s\n", r.Rules[id], id)
			}
		}
		if r.Example != nil {
			fmt.Fprintf(&b, "\n%s: %s\n%s\n", r.Measure, r.Why, r.Example)
		}
		if r.PreflightExample != nil {
			fmt.Fprintf(&b, "\nby preflight, %s: %s\n%s\n", r.Measure, r.PreflightWhy,
				r.PreflightExample)
		}
	}
	return b.String()
}

// times writes a percentage of four times.
func times(percent int) string {
	if percent == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1fx", float64(percent)/25)
}

// sameJSON reports whether two documents say the same, whatever the order of their members.
func sameJSON(a, b []byte) (bool, error) {
	var values [2]any
	for k, data := range [][]byte{a, b} {
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&values[k]); err != nil {
			return false, err
		}
	}
	canonical := func(v any) []byte {
		data, err := json.Marshal(v)
		return append(data, fmt.Sprint(err)...)
	}
	return bytes.Equal(canonical(values[0]), canonical(values[1])), nil
}

// messagesOf returns the messages of a body, whatever their member is called.
func messagesOf(body []byte) []json.RawMessage {
	var members struct {
		Messages, Input, Contents []json.RawMessage
	}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil
	}
	return slices.Concat(members.Messages, members.Input, members.Contents)
}

// extends reports whether now begins with before.
func extends(now, before []json.RawMessage) bool {
	if len(now) < len(before) {
		return false
	}
	for k := range before {
		if same, err := sameJSON(now[k], before[k]); err != nil || !same {
			return false
		}
	}
	return true
}
