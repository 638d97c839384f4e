// Package compare measures a sanitizer of your own beside preflight: how many
// refused bodies it leaves, how many accepted ones it changes, what it loses and
// what it makes up, each with the smallest body that shows it.
//
//	mine := func(ctx context.Context, body []byte) ([]byte, error) { return mySanitizer(body) }
//	table, err := compare.Run(ctx, "anthropic", mine)
//	fmt.Print(table)
//
// The bodies are written for this project: those that break a rule of the
// catalogue, and sessions of an agent, sound and with each kind of damage in the
// same number. Each body is judged by the strict fake of package preflighttest,
// and by a reader of who says what, which share no code with preflight.
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
	// Link is the address of a page about it: the evidence of a rule, or what preflight promises.
	Link string `json:"link,omitempty"`
	// Rules are the rules by which bodies of yours are still refused, with how many each refuses.
	Rules map[string]int `json:"rules,omitempty"`
	// Damage is how many faults of yours are in sessions with each kind of damage.
	Damage map[string]int `json:"damage,omitempty"`
	// PreflightExample, PreflightWhy and PreflightLink are the same for preflight.
	PreflightExample json.RawMessage `json:"preflight_example,omitempty"`
	PreflightWhy     string          `json:"preflight_why,omitempty"`
	PreflightLink    string          `json:"preflight_link,omitempty"`
}

// The measures, in the order of the rows of a table.
const (
	Refused  = "bodies that break a rule still refused"
	Errors   = "broken bodies answered with an error"
	Left     = "damaged sessions still refused"
	Changed  = "accepted bodies changed"
	Broken   = "accepted bodies made refused"
	Lost     = "results and user texts lost"
	Swapped  = "results given to another call"
	Invented = "words attributed to another speaker"
	Order    = "sessions with texts in another order"
	Prefix   = "steps that rewrote messages sent before"
	Growth   = "time for four times the messages, in percent of four times the time"
)

// Run measures a sanitizer with bodies for a provider that has a format of its own: "anthropic",
// "openai-chat", "openai-responses", "gemini", "gemini-interactions", "bedrock", "mistral",
// "cohere" or "ollama". It takes at most some ten seconds: of a sanitizer that takes longer than
// ten milliseconds for a body, fewer bodies are tried. The error is that of the context, or
// wire.ErrUnknownProvider; what the sanitizer does wrong is in the table.
func Run(ctx context.Context, provider string, yours Sanitizer) (*Table, error) {
	if models[provider] == "" {
		return nil, fmt.Errorf("%w: there are no bodies for %q, but for %s", wire.ErrUnknownProvider,
			provider, strings.Join(slices.Sorted(maps.Keys(models)), ", "))
	}
	c := newComparison(ctx, provider, yours)
	if body, err := c.body(sound(0)); err == nil {
		_, _ = c.sides[0].run(ctx, body) // its first run may have to start something
	}
	for _, measure := range []func() error{c.refused, c.accepted, c.damaged, c.growing, c.timed} {
		if err := c.measure(measure); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return c.table(), nil
}

func newComparison(ctx context.Context, provider string, yours Sanitizer) *comparison {
	ours := func(ctx context.Context, body []byte) ([]byte, error) {
		result, err := wire.Sanitize(ctx, body, &wire.Options{Provider: provider})
		if err != nil {
			return nil, err
		}
		return result.Body, nil
	}
	return &comparison{
		ctx: ctx, provider: provider, sessions: sessions, limit: 2 * time.Second,
		sides: [2]*side{{sanitize: contained(yours)}, {sanitize: ours}},
	}
}

func (c *comparison) measure(do func() error) error {
	c.sides[0].took = 0
	return do()
}

// enough reports whether so many bodies of a measure are tried that the next one has its turn: what
// is slow, such as a program that starts anew for each body, gets some seconds for all together.
func (c *comparison) enough(tried int) bool {
	const least = 5
	return tried >= least && c.sides[0].took > c.limit
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
	sessions int           // how many are tried
	limit    time.Duration // see enough
}

// side is what one sanitizer did.
type side struct {
	sanitize Sanitizer
	took     time.Duration // in this measure
	damage   string        // of the session that is judged
	faults   map[string]*fault
}

func (s *side) run(ctx context.Context, body []byte) ([]byte, error) {
	begin := time.Now()
	out, err := s.sanitize(ctx, body)
	s.took += time.Since(begin)
	return out, err
}

// fault is how often a measure was missed, and the smallest body that shows it.
type fault struct {
	count   int
	example []byte
	why     string
	rule    string // that the example breaks, where why does not begin with it
	rules   map[string]int
	damage  map[string]int
}

func (s *side) miss(measure string, body []byte, why string) *fault {
	if s.faults == nil {
		s.faults = map[string]*fault{}
	}
	f := s.faults[measure]
	if f == nil {
		f = &fault{damage: map[string]int{}}
		s.faults[measure] = f
	}
	f.count++
	if s.damage != "" {
		f.damage[s.damage]++
	}
	if f.example == nil || len(body) < len(f.example) {
		f.example, f.why, f.rule = body, why, ""
	}
	return f
}

// failed notes a body for which there was an error.
func (s *side) failed(measure string, body []byte, err error) {
	s.refused(measure, body, "an error: "+err.Error())
}

// refused notes a body that is still refused, and by which rule: what why begins with.
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
	for _, b := range bodies {
		body := []byte(b.Request)
		if c.refusal(body) == "" {
			continue // it breaks a rule of the history that the fake cannot see
		}
		if c.enough(c.of[Refused]) {
			break
		}
		c.tried(Refused, 1)
		c.tried(Errors, 1)
		for _, s := range c.sides {
			out, err := s.run(c.ctx, body)
			if err != nil {
				if f := s.miss(Errors, body, err.Error()); bytes.Equal(f.example, body) {
					f.rule = b.Rule
				}
			} else if why := c.refusal(out); why != "" {
				s.refused(Refused, body, why)
			}
		}
	}
	return nil
}

// accepted counts the sound sessions that are changed, or refused when they are changed.
func (c *comparison) accepted() error {
	bodies, err := c.soundBodies()
	if err != nil {
		return err
	}
	for _, body := range bodies {
		if c.enough(c.of[Changed]) {
			break
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

// soundBodies returns bodies that are accepted, half of them with details.
func (c *comparison) soundBodies() (bodies [][]byte, err error) {
	for seed := range (c.sessions + 1) / 2 {
		body, err := c.body(sound(seed))
		if err != nil {
			return nil, err
		}
		if why := c.refusal(body); why != "" {
			return nil, fmt.Errorf("compare: a sound session is refused: %s", why)
		}
		bodies = append(bodies, body)
	}
	for seed := c.sessions; len(bodies) < c.sessions; seed++ {
		for _, session := range detailed(seed) {
			body, err := c.body(session)
			if err == nil && c.refusal(body) == "" && len(bodies) < c.sessions {
				bodies = append(bodies, body)
			}
		}
	}
	return bodies, nil
}

// damaged counts what is still refused, lost and made up where a session has damage.
func (c *comparison) damaged() error {
	for seed := range c.sessions {
		if c.enough(seed) {
			break
		}
		d, err := c.damagedSession(seed)
		if err != nil {
			return err
		}
		body, err := c.body(d.messages)
		if err != nil {
			return err
		}
		want := wantedOf(d.messages)
		c.tried(Left, 1)
		c.tried(Lost, len(want.keep))
		c.tried(Swapped, len(want.results))
		c.tried(Invented, 1)
		c.tried(Order, 1)
		for _, s := range c.sides {
			s.damage = d.kind.name
			c.judge(s, body, d, want)
			s.damage = ""
		}
	}
	return nil
}

// judge notes what a sanitizer makes of a damaged session.
func (c *comparison) judge(s *side, body []byte, d damagedSession, want wanted) {
	out, err := s.run(c.ctx, body)
	if err != nil {
		s.failed(Left, body, err)
		return
	}
	if why := c.refusal(out); why != "" {
		s.refused(Left, body, why)
	} else if d.kind.unverified != "" && bytes.Contains(out, []byte(d.kind.unverified)) {
		s.refused(Left, body, d.kind.rule+": a signature of another provider is left")
	}
	for _, text := range want.keep {
		if !holds(out, text) {
			s.miss(Lost, body, fmt.Sprintf("%.20s is gone", text))
		}
	}
	got := pieces(out)
	for _, why := range swappedIn(got, want) {
		s.miss(Swapped, body, why)
	}
	if words := inventedIn(got, want); words != "" {
		s.miss(Invented, body, fmt.Sprintf("%.80q", words))
	}
	if word := movedIn(got, want); word != "" {
		s.miss(Order, body, word+" is after what followed it, or there twice")
	}
}

// growing counts the steps of a growing damaged session at which what was sent before is another:
// the provider reads it anew, at the full price.
func (c *comparison) growing() error {
	for seed := range (c.sessions + 3) / 4 {
		if c.enough(seed) {
			break
		}
		d, err := c.damagedSession(seed)
		if err != nil {
			return err
		}
		var before [2][]json.RawMessage
		for _, step := range steps(d.messages) {
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
				if at := changedAt(before[k], sent); at >= 0 {
					s.damage = d.kind.name
					s.miss(Prefix, body, fmt.Sprintf("message %d was sent otherwise a step ago", at))
					s.damage = ""
				}
				before[k] = sent
			}
		}
	}
	return nil
}

// timed compares the time for a session with that for four times as many messages, both as the best
// of several tries in turns, so that other work of the machine disturbs both alike, and without the
// time for one message, in which a program starts. What is too little to tell is not compared.
func (c *comparison) timed() error {
	const short, tries, least, most = 250, 25, 50 * time.Microsecond, 2 * time.Second
	c.tried(Growth, 100)
	for _, s := range c.sides {
		took := [3]time.Duration{time.Hour, time.Hour, time.Hour}
		var bodies [3][]byte
		for k, messages := range []int{0, short, 4 * short} {
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
		if once := took[1] - took[0]; once >= max(least, took[0]/2) {
			s.faults[Growth] = &fault{count: int(25 * (took[2] - took[0]) / once)}
		}
	}
	return nil
}
