package probe

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file is what a probe found: a report for people, and a measured profile.

// Verdict is what was decided about a rule.
type Verdict string

// The verdicts.
const (
	Refused    Verdict = "refused"    // the server enforces the rule
	Accepted   Verdict = "accepted"   // it does not
	Mishandled Verdict = "mishandled" // it accepts, and the model does not see all of it
	Undecided  Verdict = "undecided"
)

// Finding is what was found about one rule.
type Finding struct {
	Rule    string  `json:"rule"`
	Verdict Verdict `json:"verdict"`
	As      string  `json:"as,omitempty"` // the rule that the text is about, where it is another
	Status  int     `json:"status,omitempty"`
	Text    string  `json:"text,omitempty"`  // the server's, of a refusal
	Known   bool    `json:"known,omitempty"` // preflight explain knows the text
	Why     string  `json:"why,omitempty"`   // it is not decided

	settled bool   // see settle
	named   string // the rule that the text is about, where the body does not break that one
}

// Unexplained is a refusal that no rule explains.
type Unexplained struct {
	About  string `json:"about"`
	Status int    `json:"status"`
	Text   string `json:"text"`
	Body   string `json:"body"` // that was refused; it is made up, and nobody's
}

// Result is what a probe found. It holds nobody's content, and no key.
type Result struct {
	Against     string            `json:"against"`
	Model       string            `json:"model"`
	Provider    string            `json:"provider"`
	Date        string            `json:"date"`
	Sent        int               `json:"sent"` // requests
	Findings    []Finding         `json:"findings"`
	Unexplained []Unexplained     `json:"unexplained,omitempty"`
	Profile     provider.Measured `json:"profile"`

	bodies map[string][]byte
	valid  []string // the words in which requests were refused that break no rule that is known
}

func newResult(p *Plan) *Result {
	return &Result{
		Against: p.options.against(), Model: p.options.Model, Provider: p.options.Provider,
		Date: time.Now().UTC().Format(time.RFC3339), bodies: map[string][]byte{},
	}
}

func (r *Result) add(p *probed, f Finding) {
	f.Rule = p.rule.ID
	r.bodies[f.Rule] = p.body
	r.Findings = append(r.Findings, f)
}

// mostUnexplained bounds the refusals that are reported with their body.
const mostUnexplained = 20

// unexplained keeps a refusal, unless one in the same words is kept.
func (r *Result) unexplained(body []byte, got answer, about string) {
	for _, u := range r.Unexplained {
		if words(u.Text) == words(got.Text) {
			return
		}
	}
	if len(r.Unexplained) < mostUnexplained {
		r.Unexplained = append(r.Unexplained, Unexplained{about, got.Status, got.Text, string(body)})
	}
}

// words returns what is the same in all refusals for one reason: the message of an error, without
// its numbers.
func words(text string) string {
	if m := messageForm.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return digits.ReplaceAllString(text, "")
}

var (
	messageForm = regexp.MustCompile(`"message"\s*:\s*("(?:[^"\\]|\\.)*")`)
	digits      = regexp.MustCompile(`\d+`)
)

// finish sorts the findings, and makes the measured profile.
func (r *Result) finish(p *Plan) {
	slices.SortFunc(r.Findings, func(a, b Finding) int { return strings.Compare(a.Rule, b.Rule) })
	r.doubt()
	r.ownWords(p)
	r.Profile = r.measured(p)
}

// ownWords takes refusals for a rule of the base that was refused in the same words, where the
// catalogue has the words for another host's.
func (r *Result) ownWords(p *Plan) {
	for k := range r.Findings {
		f := &r.Findings[k]
		about, _ := rule.ByID(cmp.Or(f.As, f.Rule))
		if f.Verdict != Refused || ofProvider(about, p.base) ||
			!slices.Contains(candidates(f.Text), about.ID) {
			continue
		}
		for _, g := range r.Findings {
			own, _ := rule.ByID(g.Rule)
			if g.Verdict == Refused && g.As == "" && ofProvider(own, p.base) &&
				words(g.Text) == words(f.Text) {
				f.As = g.Rule
				break
			}
		}
	}
}

// measured returns the profile of what was found.
func (r *Result) measured(p *Plan) provider.Measured {
	m := provider.Measured{
		Version: provider.MeasuredVersion, Provider: r.Provider, Model: r.Model,
		Against: r.Against, Date: r.Date, Enforced: []string{}, Lifted: []string{},
	}
	for _, f := range r.Findings {
		if f.Verdict != Refused && f.Verdict != Mishandled {
			continue
		}
		id := f.Rule
		if f.As != "" {
			id = f.As
		}
		if provider.CheckSwitch(id) == nil {
			m.Enforced = with(m.Enforced, id)
		} else {
			m.Refused = with(m.Refused, id)
		}
	}
	for _, f := range r.Findings {
		if f.Verdict != Accepted {
			continue
		}
		if provider.CheckSwitch(f.Rule) == nil && !slices.Contains(m.Enforced, f.Rule) &&
			repairs(p.base, p.options.Model, r.bodies[f.Rule]) {
			m.Lifted = with(m.Lifted, f.Rule)
		} else {
			m.Accepted = with(m.Accepted, f.Rule)
		}
	}
	return m
}

// keeps takes back that a rule is not enforced.
func (r *Result) keeps(id, about string) {
	for k := range r.Findings {
		if f := &r.Findings[k]; f.Rule == id {
			f.Verdict = Undecided
			f.Why = "its own request is accepted, and one about " + about + " is refused without it"
		}
	}
}

// doubtMedia takes back that a template accepts media: servers make something of their own of them
// before a template sees them.
func (r *Result) doubtMedia() {
	for k := range r.Findings {
		f := &r.Findings[k]
		body := r.bodies[f.Rule]
		if f.Verdict == Accepted && (bytes.Contains(body, []byte("image_url")) ||
			bytes.Contains(body, []byte("file_data"))) {
			f.Verdict, f.Why = Undecided, "it is for the server to say, not for the template"
		}
	}
}

// doubt takes back what was decided against the text of a refusal, where the rule that the text is
// about was refused in the same words.
func (r *Result) doubt() {
	for k := range r.Findings {
		f := &r.Findings[k]
		if f.settled {
			continue
		}
		if f.Verdict == Refused && !f.Known && slices.Contains(r.valid, words(f.Text)) {
			f.Verdict = Undecided
			f.Why = "a request in which nothing is known to be wrong is refused in the same words"
		}
		for _, other := range r.Findings {
			if f.named != "" && other.Rule == f.named && other.Verdict == Refused &&
				words(other.Text) == words(f.Text) {
				f.Verdict, f.As, f.Why = Undecided, f.named, "the text is about another rule"
			}
		}
	}
}

// with returns a sorted list with an id.
func with(list []string, id string) []string {
	if k, found := slices.BinarySearch(list, id); !found {
		return slices.Insert(list, k, id)
	}
	return list
}

// Count returns how many findings have a verdict.
func (r *Result) Count(v Verdict) int {
	n := 0
	for _, f := range r.Findings {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// Write writes the report for people.
func (r *Result) Write(w io.Writer) {
	fmt.Fprintf(w, "%s, model %s, on the base %s: %d rules, %d requests\n", r.Against, r.Model,
		r.Provider, len(r.Findings), r.Sent)
	for _, v := range []Verdict{Refused, Mishandled, Undecided, Accepted} {
		n := r.Count(v)
		if n == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s: %d\n", v, n)
		for _, f := range r.Findings {
			if f.Verdict != v {
				continue
			}
			line := "  " + f.Rule
			if f.As != "" {
				line += ", as " + f.As
			}
			if f.Why != "" {
				line += ": " + f.Why
			}
			fmt.Fprintln(w, line)
			if f.Text != "" && !f.Known {
				fmt.Fprintf(w, "    %d, in words that preflight explain does not know: %s\n", f.Status,
					oneLine(f.Text))
			}
		}
	}
	for _, u := range r.Unexplained {
		fmt.Fprintf(w, "\nrefused for no known rule (%s), %d: %s\n  %s\n", u.About, u.Status,
			oneLine(u.Text), u.Body)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Difference is a rule about which two measurements differ.
type Difference struct {
	Rule, Before, After string
}

// Diff compares two measured profiles.
func Diff(before, after *provider.Measured) []Difference {
	old, now := verdicts(before), verdicts(after)
	var out []Difference
	for id := range old {
		if now[id] != old[id] {
			out = append(out, Difference{id, old[id], cmp.Or(now[id], "not known")})
		}
	}
	for id := range now {
		if _, ok := old[id]; !ok {
			out = append(out, Difference{id, "not known", now[id]})
		}
	}
	slices.SortFunc(out, func(a, b Difference) int { return strings.Compare(a.Rule, b.Rule) })
	return out
}

func verdicts(m *provider.Measured) map[string]string {
	out := map[string]string{}
	for verdict, ids := range map[string][]string{
		"enforced":     slices.Concat(m.Enforced, m.Refused),
		"not enforced": slices.Concat(m.Lifted, m.Accepted),
	} {
		for _, id := range ids {
			out[id] = verdict
		}
	}
	return out
}
