package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// This file tries the explanation of an error on the request that got it.

// trial is what became of a rule in a request.
type trial struct {
	// Shown says that the request breaks the rule.
	Shown bool `json:"shown"`
	// Portable says that only the rules for every provider see it.
	Portable bool `json:"portable,omitempty"`
	// Repaired says that fix repairs it.
	Repaired bool `json:"repaired"`
	// Failure says why fix cannot repair the request.
	Failure string `json:"failure,omitempty"`
	// Paths are the places in the request.
	Paths []string `json:"paths,omitempty"`
}

// tryOn tries the rule r on the body of a refused request, or else on that of a file. The error is
// one of the input.
func tryOn(
	name string, kept *preflighthttp.Refused, options wire.Options, r rule.Rule, std stdio,
) (*trial, error) {
	var body []byte
	var err error
	if kept != nil {
		body = kept.Body
	} else if body, err = readBody(std, name); err != nil {
		return nil, err
	}
	found, err := wire.Check(body, &options)
	if err != nil {
		return nil, inFile(name, storedHint(err, body))
	}
	t := &trial{Paths: pathsOf(found, r)}
	if len(t.Paths) == 0 {
		options.Portable = true
		if found, err = wire.Check(body, &options); err == nil {
			t.Paths = pathsOf(found, r)
		}
		if len(t.Paths) == 0 {
			return t, nil
		}
		t.Portable = true
	}
	t.Shown = true
	fixed, err := wire.Sanitize(context.Background(), body, &options)
	if err != nil {
		t.Failure = err.Error()
		return t, nil
	}
	left, err := wire.Check(fixed.Body, &options)
	t.Repaired = err == nil && len(pathsOf(left, r)) == 0
	return t, nil
}

// maxRefused is how long the file of a refused request may be, in bytes.
const maxRefused = 64 << 20

// readRefused reads a file that serve kept of a refused request.
func readRefused(name string) (*preflighthttp.Refused, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRefused))
	if err != nil {
		return nil, err
	}
	r := new(preflighthttp.Refused)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.Words == "" || len(r.Body) == 0 {
		return nil, fmt.Errorf("%s: not a refused request that serve kept; give an error text on "+
			"standard input, and a request with --body", name)
	}
	return r, nil
}

// requestOf returns a line about a refused request: when it was sent, where to, and what was tried
// then.
func requestOf(r *preflighthttp.Refused) string {
	if r == nil {
		return ""
	}
	text := fmt.Sprintf("%s, to %s%s: status %d", r.At.Format(time.RFC3339), r.Host, r.Path, r.Status)
	if r.Remedy == "" {
		return text + "; it was not sent again"
	}
	return text + fmt.Sprintf("; sent again by the remedy %s: status %d", r.Remedy, r.Then)
}

// pathsOf returns the places of the violations that are about the same as r.
func pathsOf(found *wire.Report, r rule.Rule) []string {
	var paths []string
	about := problemsOf(r)
	for _, v := range found.Violations {
		if v.Rule == r.ID || v.Rule == r.SeenAs || slices.Contains(about, v.Problem) {
			paths = append(paths, v.Path)
		}
	}
	return paths
}

// problemsOf returns the problems that the profiles have r for.
func problemsOf(r rule.Rule) []problems.Problem {
	var problems []problems.Problem
	for _, p := range provider.All() {
		for problem, id := range p.Rules {
			if id == r.ID || id == r.SeenAs {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// String says it in a sentence.
func (t *trial) String() string {
	switch {
	case !t.Shown:
		return "This request does not show it: preflight fix changes nothing for it."
	case t.Failure != "":
		return "This request shows it, and preflight fix cannot repair it: " + t.Failure
	case !t.Repaired:
		return "This request shows it, and preflight fix leaves it."
	}
	flag := ""
	if t.Portable {
		flag = " --portable"
	}
	return "preflight fix" + flag + " repairs it in this request, at " +
		strings.Join(t.Paths, ", ") + "."
}
