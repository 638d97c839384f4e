package gateway

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file counts what the gateway does.

// keptReports is how many reports the page shows.
const keptReports = 100

// maxName is how many bytes of a model's name are kept: it comes from the request.
const maxName = 80

// bounds are the upper bounds of the histogram of times to the first byte, in seconds.
var bounds = []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// stats counts what a gateway does. It holds no content.
type stats struct {
	mu    sync.Mutex
	since time.Time
	counts
	requests map[labels]int // by route and status
	repaired map[string]int // by rule
	series   series         // by route, client, provider and model
	skipped  map[string]int // by reason
	learned  map[string]int // requests that were repaired for a learned rule, by rule
	would    map[string]int // changes that a dry run did not make, by rule
	causes   map[string]int // of requests without an answer
	openBy   map[string]int // requests under way, by client
	added    float64        // seconds that sanitizing took
	buckets  []int
	seconds  float64 // to the first byte, all answers together
	kept     []entry // the newest last
	samples  samples
}

// counts are the figures without labels.
type counts struct {
	Open      int // requests under way
	Answers   int // of upstreams
	Looked    int // histories that were judged
	Changed   int
	Rank      int // changes of the author
	Unfixable int
	Suspended int // problems that were left because of a member
	Resent    int
	Refused   int // answered by the gateway in the provider's stead
	Busy      int // beyond the budget
	Failed    int // without an answer
	Broken    int // answers that the upstream broke off
	Left      int // requests whose client left before the end of the answer
	Unread    int // bodies that did not arrive whole

	DryLooked    int // histories that were judged in a dry run
	DryChanged   int // and would have been repaired
	DryUnfixable int // and could not have been
	Reloads      int // configurations that were taken
	Unreloaded   int // configurations that were wrong
	Stale        int // 1: the last one that was read was wrong
	Panics       int // requests that ended in one
}

type labels struct {
	route  string
	status int
}

// entry is one report, as the page shows it.
type entry struct {
	At       time.Time
	ID       string
	Route    string
	Provider string
	Model    string
	What     string
	Kind     string // "repaired", "bad" or "", for the colour
	Bytes    int
	Took     time.Duration
	Rules    []string
}

func newStats() *stats {
	return &stats{
		since: time.Now(), requests: map[labels]int{}, repaired: map[string]int{},
		series: newSeries(), skipped: map[string]int{}, learned: map[string]int{},
		would: map[string]int{}, causes: map[string]int{}, openBy: map[string]int{},
		buckets: make([]int, len(bounds)),
	}
}

// reported counts a report.
func (s *stats) reported(f *flight, r *preflighthttp.Report) {
	e := entry{
		At: time.Now(), ID: r.ID, Route: f.route, Provider: r.Provider,
		Model: nameOf(r.Model),
		Bytes: r.Bytes, Took: r.Duration,
	}
	rules := map[string]bool{}
	for _, w := range r.Warnings {
		rules[w.Rule] = true
	}
	e.Rules = slices.Sorted(maps.Keys(rules))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added += r.Duration.Seconds()
	if f.dry {
		s.compare(r)
		e.What, e.Kind = "passed unchanged: a dry run", ""
		if r.Changed {
			e.What, e.Kind = "would be repaired: a dry run", "repaired"
		}
		s.keep(e)
		return
	}
	e.What, e.Kind = s.count(f, r)
	if len(r.Learned) > 0 {
		from := "learned from " + nameOf(f.to.hide(r.Host))
		e.What += ", " + from + ": " + strings.Join(r.Learned, ", ")
	}
	if r.Remedy == "" {
		for _, id := range r.Learned { // of a remedy, without the member that it is about
			id, _, _ = strings.Cut(id, " ")
			s.learned[id]++
		}
	}
	for _, w := range r.Warnings {
		s.repaired[w.Rule]++
		if w.Class() == codes.Rank {
			s.Rank++
		}
	}
	s.Suspended += len(r.Left)
	s.keep(e)
}

// keep keeps a report for the page.
func (s *stats) keep(e entry) {
	s.kept = append(s.kept, e)
	if len(s.kept) > 2*keptReports {
		s.kept = slices.Clone(s.kept[len(s.kept)-keptReports:])
	}
}

// compare counts the report of a dry run: what would have been done.
func (s *stats) compare(r *preflighthttp.Report) {
	if r.Skipped != "" {
		s.skipped[string(r.Skipped)]++
		return
	}
	s.DryLooked++
	switch {
	case r.Err != nil:
		s.DryUnfixable++
	case r.Changed:
		s.DryChanged++
	}
	for _, w := range r.Warnings {
		s.would[w.Rule]++
	}
}

// count counts a report by what was done, and returns that in words.
func (s *stats) count(f *flight, r *preflighthttp.Report) (what, kind string) {
	switch {
	case r.Skipped == preflighthttp.Busy:
		s.Busy++
		return "passed unchanged: too many bodies held", "bad"
	case errors.Is(r.Err, preflighthttp.ErrHooksNotRun):
		s.skipped[string(r.Skipped)]++
		return "refused: " + string(r.Skipped), "bad"
	case r.Skipped != "":
		s.skipped[string(r.Skipped)]++
		return "passed unchanged: " + string(r.Skipped), ""
	case r.Remedy != "":
		s.Resent++
		return "refused by the provider, sent again with " + r.Remedy, "repaired"
	case errors.Is(r.Err, preflighthttp.ErrBusy):
		s.Busy++
		return "refused: too many bodies held", "bad"
	case f.unread(r):
		s.Unread++
		return "the body did not arrive", "bad"
	case r.Err != nil:
		s.Looked++
		s.Unfixable++
		return "cannot be repaired", "bad"
	case r.Changed:
		s.Looked++
		s.Changed++
		return "repaired", "repaired"
	}
	s.Looked++
	return "valid", ""
}

// answered counts an answer, when its first byte is there.
func (s *stats) answered(route string, status int, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[labels{route, status}]++
	s.Answers++
	s.seconds += took.Seconds()
	for k, bound := range bounds {
		if took.Seconds() <= bound {
			s.buckets[k]++
		}
	}
}

// begin counts a request that is under way, for its client, too.
func (s *stats) begin(f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Open++
	f.openAs = known(s.series.clients, f.client)
	s.openBy[f.openAs]++
}

func (s *stats) end(f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Open--
	s.openBy[f.openAs]--
}

func (s *stats) broken() { s.add(&s.Broken, 1) }

// refused counts a request that was answered in the provider's stead, by the cause if it has one.
func (s *stats) refused(cause string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Refused++
	if cause != "" {
		s.causes[cause]++
	}
}

// failed counts a request that got no answer of its upstream, by what was the matter.
func (s *stats) failed(cause string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Failed++
	s.causes[cause]++
}

// reloaded counts a configuration that was read again.
func (s *stats) reloaded(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.Unreloaded, s.Stale = s.Unreloaded+1, 1
	} else {
		s.Reloads, s.Stale = s.Reloads+1, 0
	}
}

func (s *stats) add(to *int, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*to += n
}

// open returns how many requests are under way.
func (s *stats) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Open
}

// skip counts a request that was passed unchanged, and of which there is no report.
func (s *stats) skip(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped[why]++
}

// landed counts a request that has ended.
func (s *stats) landed(f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.result == resultLeft {
		s.Left++
	}
	s.series.count(f)
}
