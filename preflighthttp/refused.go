package preflighthttp

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/headers"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/rule/explain"
)

// This file hands out the requests that a provider refused, for those who want to find out why.

// Refused is a request that the provider refused, for its history or for a reason that is not
// known. Unlike a Report it holds message content. Credentials are taken out of it: those that the
// request had, and whatever else has the form of one. As JSON it is what preflight explain --file
// reads.
type Refused struct {
	At       time.Time `json:"at"`
	ID       string    `json:"id"` // that of its Report
	Host     string    `json:"host"`
	Path     string    `json:"path"`
	Provider string    `json:"provider"`
	Model    string    `json:"model,omitempty"`
	Status   int       `json:"status"`
	Words    string    `json:"words"`          // of the provider
	Rule     string    `json:"rule,omitempty"` // that they are about, "" where that is not known
	// Remedy is the one whose repair was sent then, "" for none, and Then the status of the answer
	// to it, 0 for none.
	Remedy string `json:"remedy,omitempty"`
	Then   int    `json:"then,omitempty"`
	// Body is the body that came, and Sent the one that was refused, nil where it is the same.
	Body json.RawMessage `json:"body"`
	Sent json.RawMessage `json:"sent,omitempty"`
}

// keepRefusal calls Refused for a response that no remedy is looked for. After an error the
// response is closed, as it is when the function ends the goroutine.
func (t *Transport) keepRefusal(a *attempt, resp *http.Response) (err error) {
	if t.Refused == nil || !a.looked {
		return nil
	}
	refusal, _ := readRefusal(resp)
	if refusal == nil {
		return nil
	}
	done := false
	defer func() {
		if !done {
			resp.Body.Close()
		}
	}()
	err = t.tellRefused(a, resp.StatusCode, refusal, nil)
	done = err == nil
	return err
}

// tellRefused calls Refused, unless the refusal is for another reason than the history. second is
// what was sent then, nil for nothing.
func (t *Transport) tellRefused(
	a *attempt, status int, refusal *remedy.Refusal, second *Report,
) (err error) {
	if t.Refused == nil || a.given == nil {
		return nil
	}
	switch refusal.Class {
	case "", explain.ClassHistory, explain.ClassUnspecific:
	default:
		return nil
	}
	hide := hider(a.decision.header, a.decision.query)
	r := &Refused{
		At: time.Now(), ID: a.report.ID, Host: a.report.Host, Path: hide(a.report.Path),
		Provider: a.report.Provider, Model: a.report.Model, Status: status,
		Words: hide(refusal.Text), Rule: refusal.Rule.ID, Body: json.RawMessage(hide(string(a.given))),
	}
	if a.report.Changed && !t.DryRun {
		r.Sent = json.RawMessage(hide(string(a.sent)))
	}
	if second != nil {
		r.Remedy, r.Then = second.Remedy, second.Status
	}
	defer contain.Panic("Transport.Refused", &err)
	t.Refused(a.request.Context(), r)
	return nil
}

// hidden is in place of a credential.
const hidden = "REDACTED"

// keyForm is what keys look like: those with the beginnings that vendors give them, and JSON Web
// Tokens. None has a character that JSON escapes.
var keyForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|ghu|github_pat|glpat|r8|nvapi|` +
		`pplx|tvly|csk|xox[abprs]|dop_v1|AKIA|ASIA|ABSK|AIza|ya29)[-_.]?[A-Za-z0-9_-]{16,}` +
		`(?:\.[A-Za-z0-9_-]+)*|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`)
})

// hider returns a function that takes credentials out of a text: those in a header and a query, and
// what looks like one.
func hider(header http.Header, query string) func(string) string {
	var secrets []string
	add := func(values []string) {
		for _, value := range values {
			for word := range strings.FieldsSeq(value) {
				if len(word) >= 8 { // a shorter one may be a word of any text
					secrets = append(secrets, word)
				}
			}
		}
	}
	for name, values := range header {
		if headers.IsSecret(name) {
			add(values)
		}
	}
	all, _ := url.ParseQuery(query) // what cannot be read is no parameter of an API
	for name, values := range all {
		if headers.IsSecret(name) {
			add(values)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, secret := range secrets {
		pairs = append(pairs, secret, hidden)
	}
	known := strings.NewReplacer(pairs...)
	return func(text string) string {
		return keyForm().ReplaceAllString(known.Replace(text), hidden)
	}
}
