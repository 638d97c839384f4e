//go:build unix

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/session"
)

// This file holds what a report says of a session against what the client did with it.

// judgeClaims holds what a report says about the session as it is against what the client did.
// usual is what the client sends of the session without a fault.
func (w *row) judgeClaims(
	r *rig, found *session.File, before resumption, lines [][]byte, usual []byte,
) {
	if found == nil {
		return
	}
	for _, o := range found.Broken {
		if o.Report.Unsure {
			continue // it says "may"
		}
		if len(o.Report.Refused) > 0 {
			w.claim(r, before.valid && !refuses(r.provider, before.body, o.Report.Refused),
				fmt.Sprint("refused ", o.Report.Refused))
		}
		for _, n := range o.Report.Lost {
			if n < 1 || n > len(lines) {
				continue
			}
			held := without(markers, missing(markers, lines[n-1]))
			if len(held) > 0 {
				w.claim(r, len(missing(held, before.body)) == 0, fmt.Sprint("forgets ", held))
			}
		}
		for _, finding := range o.Report.Findings {
			if before.body == nil {
				break // the client could not open the session
			}
			w.judgeFinding(r, finding, before.body, lines, usual)
		}
		if o.Report.LosesStart {
			w.claim(r, len(missing(markers[:1], before.body)) == 0, "forgets the task")
		}
	}
}

// refuses reports whether the strict fake, which knows what only some models refuse, has a reason
// of those that were claimed.
func refuses(provider string, body []byte, claimed []string) bool {
	found, err := (&preflighttest.Options{}).Violations(provider, body)
	return err == nil && slices.ContainsFunc(found, func(v preflighttest.Violation) bool {
		return slices.Contains(claimed, v.Rule)
	})
}

func (w *row) claim(r *rig, wrong bool, what string) {
	w.claims++
	if wrong {
		w.falseClaims++
		fmt.Fprintln(r.log, "FALSE CLAIM:", what)
	}
}

// judgeFinding does the same with the words of a finding.
func (w *row) judgeFinding(
	r *rig, finding session.Finding, sent []byte, lines [][]byte, usual []byte,
) {
	count := func(text []byte, marker string) int { return bytes.Count(text, []byte(marker)) }
	marks := append(callsOf(markers), markers...)
	for _, n := range finding.Lines {
		if n < 1 || n > len(lines) {
			continue
		}
		held := without(marks, missing(marks, lines[n-1]))
		there := func(kind func(string) bool) bool {
			return slices.ContainsFunc(held, func(m string) bool {
				return kind(m) && count(sent, m) > 0
			})
		}
		switch what := finding.Problem; {
		case len(held) == 0:
		case strings.Contains(what, "client sends it twice"):
			w.claim(r, !slices.ContainsFunc(held, func(m string) bool {
				return count(sent, m) > count(usual, m)
			}), what)
		case strings.Contains(what, "client drops the call"):
			w.claim(r, there(isCall), what)
		case strings.Contains(what, "client drops the result"),
			strings.Contains(what, "client leaves the result out"):
			w.claim(r, there(isResult), what)
		}
	}
}
