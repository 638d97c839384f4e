package wire

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file defines warnings (what was changed) and violations (what is wrong).

// ruleShape is the rule for JSON of a wrong shape that no provider's rule covers.
const ruleShape = "preflight/shape"

// Warning is a preflight.Warning with the path in the wire body. At is the position in the decoded
// messages.
type Warning struct {
	preflight.Warning
	Path string
}

// warningJSON is the JSON form of a warning.
type warningJSON struct {
	Code       codes.Code `json:"code"`
	Class      string     `json:"class"`
	Rule       string     `json:"rule"`
	Path       string     `json:"path"`
	ToolCallID string     `json:"tool_call_id"`
	Detail     string     `json:"detail"`
	Unbinds    int        `json:"unbinds,omitempty"`
}

// MarshalJSON writes code, class, rule, path, tool_call_id and detail, all of them always, and
// unbinds if reasoning may become invalid. The id is shortened, and empty unless it is well formed.
func (w Warning) MarshalJSON() ([]byte, error) {
	return json.Marshal(warningJSON{
		w.Code, w.Class().String(), w.Rule, w.Path, shorten.ID(w.ToolCallID), w.Detail, w.Unbinds,
	})
}

// LogValue lets slog print the warning. It carries no message content.
func (w Warning) LogValue() slog.Value { return withPath(w.Warning.LogValue(), w.Path) }

// withPath returns a group with the path in place of the position in the decoded messages.
func withPath(group slog.Value, path string) slog.Value {
	attrs := group.Group()
	for k := range attrs {
		if attrs[k].Key == "at" {
			attrs[k] = slog.String("path", path)
		}
	}
	return group
}

// String returns path, code and detail of the warning, without message content.
func (w Warning) String() string {
	return fmt.Sprintf("%s: %s: %s", w.Path, w.Code, w.Detail)
}

// Violation is a preflight.Violation with the path in the wire body. At is the position in the
// decoded messages, the zero Position for faults outside of them.
type Violation struct {
	preflight.Violation
	Path string
}

// own makes the violation share no memory with the body.
func (v *Violation) own() {
	v.ToolCallID, v.Member = strings.Clone(v.ToolCallID), strings.Clone(v.Member)
	v.Path = strings.Clone(v.Path)
}

// violationJSON is the JSON form of a violation.
type violationJSON struct {
	Rule       string `json:"rule"`
	Path       string `json:"path"`
	ToolCallID string `json:"tool_call_id"`
	Message    string `json:"message"`
	Member     string `json:"member,omitempty"`
}

// MarshalJSON writes rule, path, tool_call_id and message, all of them always, and member if there
// is one. The id is shortened, and empty unless it is well formed.
func (v Violation) MarshalJSON() ([]byte, error) {
	return json.Marshal(violationJSON{
		v.Rule, v.Path, shorten.ID(v.ToolCallID), v.Detail, shorten.Name(v.Member),
	})
}

// LogValue lets slog print the violation. It carries no message content.
func (v Violation) LogValue() slog.Value { return withPath(v.Violation.LogValue(), v.Path) }

// String returns path, rule and detail of the violation, without message content.
func (v Violation) String() string {
	if v.Member != "" {
		return fmt.Sprintf("%s: %s: left because of the member %q: %s", v.Path, v.Rule,
			shorten.Name(v.Member), v.Detail)
	}
	return fmt.Sprintf("%s: %s: %s", v.Path, v.Rule, v.Detail)
}

// leftOf adds the paths in the body that came to what was left.
func (r *Request) leftOf(left []preflight.Violation) []Violation {
	if len(left) == 0 {
		return nil
	}
	out := make([]Violation, len(left))
	for k, l := range left {
		out[k] = Violation{l, r.wrappedPath(l.Member)}
		if l.At.Message() >= 0 {
			out[k].Path = r.wrappedPath(r.removed.original(r.Path(l.At)))
		}
	}
	return out
}

// finding is a fault that this package repairs itself: a violation for Check, a warning for
// Sanitize.
type finding struct {
	code    codes.Code
	problem problems.Problem // "" when it is none of the problems of package preflight
	rule    string
	path    string
	at      preflight.Position
	wrong   string // what is wrong
	done    string // what is done about it
	early   bool   // found before duplicates were removed: path is that of the body that came
}

func (f *finding) warning() Warning {
	return Warning{preflight.Warning{Code: f.code, Rule: f.rule, At: f.at, Detail: f.done}, f.path}
}

func (f *finding) violation() Violation {
	return Violation{
		preflight.Violation{Problem: f.problem, Rule: f.rule, At: f.at, Detail: f.wrong}, f.path,
	}
}

// note records a finding.
func (r *Request) note(f finding) { r.findings = append(r.findings, f) }

// unbinding are the codes of findings that change what reasoning may be bound to.
var unbinding = []codes.Code{
	codes.TextRepaired, codes.ToolRenamed, codes.ToolAliased, codes.ToolRemoved, codes.ToolsDeclared,
	codes.PartRemoved, codes.PartToText, codes.ShapeRepaired,
}

// announceUnbound says on the first of the findings how much reasoning the provider may drop for
// them, beyond what the warnings of the fixers say.
func (r *Request) announceUnbound(found []Warning, fixed []preflight.Warning) {
	if !r.Profile.Reasoning.Dropped || len(found) == 0 {
		return
	}
	first, at := -1, [2]int{}
	for k := range found {
		if !slices.Contains(unbinding, found[k].Code) {
			continue
		}
		if place := r.listPlace(r.findings[k].path); first < 0 ||
			slices.Compare(place[:], at[:]) < 0 {
			first, at = k, place
		}
	}
	if first < 0 {
		return
	}
	n := 0
	for i := range r.Messages {
		for j, p := range r.Messages[i].Parts {
			place := [2]int{r.sources[i].index, j}
			if _, ok := p.(*preflight.Reasoning); ok && slices.Compare(place[:], at[:]) > 0 {
				n++
			}
		}
	}
	for _, w := range fixed {
		n -= w.Unbinds
	}
	if n > 0 {
		w := &found[first]
		w.Unbinds = n
		w.Detail += "; the provider drops up to " + strconv.Itoa(n) +
			" parts of reasoning that are bound to what was there"
	}
}

// listPlace returns the indices in the list of messages and in the content of one that a path
// begins with, such as 6 and 1 of messages[6].content[1].input; -1 and -1 for a path elsewhere.
func (r *Request) listPlace(path string) [2]int {
	rest, ok := strings.CutPrefix(path, r.format.list+"[")
	if !ok {
		return [2]int{-1, -1}
	}
	message, rest, _ := strings.Cut(rest, "]")
	i, err := strconv.Atoi(message)
	if err != nil {
		return [2]int{-1, -1}
	}
	_, rest, _ = strings.Cut(rest, "[")
	block, _, _ := strings.Cut(rest, "]")
	j, err := strconv.Atoi(block)
	if err != nil {
		j = 0
	}
	return [2]int{i, j}
}
