package command

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/testdata/rules"
	"github.com/go-preflight/preflight/wire"
)

// This file says what preflight does about a rule for a host. That fix repairs it is said only
// where it does so with the request on record that breaks the rule.

// failingBody is the request on record that breaks a rule.
type failingBody struct {
	ID       string          `json:"id"`
	Provider string          `json:"provider"`
	Request  json.RawMessage `json:"request"`
}

// failingBodies are those of all rules, by their ids.
var failingBodies = sync.OnceValue(func() map[string]failingBody {
	var all []failingBody
	if err := json.Unmarshal(rules.Failing, &all); err != nil {
		panic(err) // it is part of the program, and tested
	}
	byID := make(map[string]failingBody, len(all))
	for _, b := range all {
		byID[b.ID] = b
	}
	return byID
})

// outcome is what fix does with the request on record for a host.
type outcome uint8

const (
	untried outcome = iota // there is none, or the host does not read its format
	leaves                 // it does not see the rule broken, or leaves it
	repairs                // the rule is no longer broken
)

// tryFailing runs fix on the request on record for a rule.
func tryFailing(r rule.Rule, options wire.Options) outcome {
	body, ok := failingBodies()[r.ID]
	if !ok || formatOf(body.Provider) != formatOf(options.Provider) {
		return untried
	}
	found, err := wire.Check(body.Request, &options)
	if err != nil {
		return untried
	}
	if len(pathsOf(found, r)) == 0 {
		return leaves
	}
	fixed, err := wire.Sanitize(context.Background(), body.Request, &options)
	if err != nil || bytes.Equal(fixed.Body, body.Request) {
		return leaves
	}
	if left, err := wire.Check(fixed.Body, &options); err != nil || len(pathsOf(left, r)) > 0 {
		return leaves
	}
	return repairs
}

// formatOf returns the format that a provider reads, "" for a name that no provider has.
func formatOf(name string) string {
	p, ok := provider.ByName(name, "")
	switch {
	case !ok:
		return ""
	case p.Format != "":
		return p.Format
	}
	return name
}

// hostOf returns the host that an error is from: the one that was asked, or a service that relayed
// it, or the one whose words it has. It is "" where none of them is a provider.
func hostOf(e *explain.Explanation, options wire.Options) string {
	names := []string{options.Provider}
	if options.Provider == "" && options.Measured != nil {
		names = []string{options.Measured.Provider}
	}
	names = append(append(names, e.Via...), e.Owner)
	for _, name := range names {
		if slices.Contains(wire.Providers(), name) {
			return name
		}
	}
	return ""
}

// repairOf says what preflight does about the rule of an explanation.
func repairOf(e *explain.Explanation, options wire.Options) string {
	r := e.Rule
	host := hostOf(e, options)
	if host == "" && e.Owner != "" {
		host = r.Provider
	}
	options.Provider = host
	did := tryFailing(r, options)
	switch {
	case r.Coverage == rule.Unseen:
		return "preflight cannot see it. " + r.Reason
	case r.Coverage == rule.Refused:
		return "preflight fix reports it and repairs nothing. " + r.Reason
	case host != "" && did == repairs:
		return "preflight fix --provider " + host + " repairs it, if the request shows it."
	}
	var text string
	switch {
	case host == "":
		text = "What preflight fix does depends on the host: name it with --provider."
	case did == leaves:
		text = "preflight fix --provider " + host + " leaves it alone."
	default:
		text = "Whether preflight fix changes it for " + host + " depends on the request: " +
			"give it with --body."
	}
	if others := repairedFor(r); len(others) > 0 {
		text += " It is repaired for " + strings.Join(others, ", ") + "."
	}
	if r.Reason != "" && (host == "" || host == r.Provider) {
		text += " " + r.Reason
	}
	return text
}

// repairedBefore has what repairedFor found, by the ids of rules.
var repairedBefore sync.Map

// repairedFor returns the providers for which fix repairs the request on record, the rule's own
// first.
func repairedFor(r rule.Rule) (out []string) {
	if known, ok := repairedBefore.Load(r.ID); ok {
		return known.([]string)
	}
	defer func() { repairedBefore.Store(r.ID, out) }()
	for _, name := range wire.Providers() {
		if tryFailing(r, wire.Options{Provider: name}) == repairs {
			if name == r.Provider {
				out = slices.Insert(out, 0, name)
			} else {
				out = append(out, name)
			}
		}
	}
	return out
}
