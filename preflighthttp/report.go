package preflighthttp

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
)

// This file is what a Transport tells its caller.

// Report describes what was done with one request, or with one resending of it. It holds no message
// content.
type Report struct {
	// ID is the same in the report about a request and in that about its resending, and in no
	// other report.
	ID   string
	Host string
	// Path is the path of the URL, escaped, without the query.
	Path     string
	Provider string
	Model    string
	// Bytes is the length of the body that came, as far as it was read, and SentBytes that of the
	// body that is sent for it; 0 when it was not read, or not sent.
	Bytes, SentBytes int
	// Duration is how long sanitizing the body took, without reading and sending it.
	Duration time.Duration
	// Changed reports whether the body was changed; in a dry run, whether it would be.
	Changed bool
	// Warnings holds one entry per change.
	Warnings []wire.Warning
	// Left are the problems that were left alone because of a member; see wire.Result.
	Left []wire.Violation
	// Skipped says why the body was left alone, "" when it was not.
	Skipped Reason
	// Err is why the history could not be repaired, or, if Skipped is set, why the body could not
	// be read as a request. It wraps ErrHooksNotRun if the request was not sent for that.
	Err error
	// Refusal explains the refusal that led to a resending, without its quotations; nil for the
	// request itself.
	Refusal *explain.Explanation
	// Remedy names the Remedy that the resending was made with.
	Remedy string
	// Learned are the ids of the rules that earlier refusals of the host taught, and that this
	// request was repaired for; in the report about a resending, the rule that was learned from it.
	// See Transport.Learned.
	Learned []string
	// Status is the status of the answer to the resending, 0 when there was none.
	Status int

	sent *wire.Result // its tools alone, if some were renamed
}

// Ids are a random part of the process's and a number.
var (
	idPrefix = rand.Text()[:12]
	lastID   atomic.Uint64
)

func newID() string {
	return idPrefix + "-" + strconv.FormatUint(lastID.Add(1), 10)
}

// LogValue lets slog print the report. It carries no message content.
func (r *Report) LogValue() slog.Value {
	if r == nil {
		return slog.Value{}
	}
	attrs := []slog.Attr{
		slog.String("id", r.ID), slog.String("host", shorten.Name(r.Host)),
		slog.String("path", shorten.Path(r.Path)),
		slog.String("provider", r.Provider), slog.String("model", shorten.Name(r.Model)),
		slog.Int("bytes", r.Bytes), slog.Duration("duration", r.Duration),
		slog.Bool("changed", r.Changed),
	}
	if r.Skipped != "" {
		attrs = append(attrs, slog.String("skipped", string(r.Skipped)))
	}
	if r.Err != nil {
		attrs = append(attrs, slog.String("error", r.Err.Error()))
	}
	if r.Refusal != nil {
		attrs = append(attrs, slog.String("refusal", r.Refusal.Rule.ID),
			slog.String("remedy", r.Remedy), slog.Int("status", r.Status))
	}
	if len(r.Learned) > 0 {
		attrs = append(attrs, slog.Any("learned", r.Learned))
	}
	if len(r.Warnings) > 0 {
		attrs = append(attrs, slog.Any("warnings", loggedWarnings(r.Warnings)))
	}
	if len(r.Left) > 0 {
		attrs = append(attrs, slog.Any("left", loggedLeft(r.Left)))
	}
	return slog.GroupValue(attrs...)
}

// loggedWarning is a warning as handlers print it: slog resolves no LogValuer in a slice.
type loggedWarning struct {
	Code       string `json:"code"`
	Class      string `json:"class"`
	Rule       string `json:"rule"`
	Path       string `json:"path"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	Detail     string `json:"detail"`
}

// maxLogged is how many warnings are logged of a request.
const maxLogged = 100

func loggedWarnings(warnings []wire.Warning) []loggedWarning {
	var out []loggedWarning
	for _, w := range warnings[:min(len(warnings), maxLogged)] {
		out = append(out, loggedWarning{
			string(w.Code), w.Class().String(), w.Rule, w.Path, shorten.ID(w.ToolCallID), w.Detail,
		})
	}
	return out
}

// loggedLeft returns what was left, a line each.
func loggedLeft(left []wire.Violation) []string {
	var out []string
	for _, l := range left[:min(len(left), maxLogged)] {
		out = append(out, l.String())
	}
	return out
}

// Error is the error of a request that was not sent, because its history could not be repaired, its
// hooks could not run, or there was no room for its body.
type Error struct {
	Host     string
	Provider string
	Err      error // as by wire.Sanitize, or one that wraps ErrHooksNotRun, or ErrBusy
	// Skipped is why the body could not be read, with ErrHooksNotRun.
	Skipped Reason
	// Status is the status of Response, for a gateway that answers an error of its own in the
	// provider's form; 0 means 503 for ErrBusy, and else 400.
	Status int
}

// Error says which request was not sent, and why.
func (e *Error) Error() string {
	return fmt.Sprintf("preflighthttp: the %s request to %s was not sent: %v", e.Provider, e.Host,
		e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
