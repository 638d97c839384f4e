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
	Resent    int
	Refused   int // answered by the gateway in the provider's stead
	Busy      int // beyond the budget
	Failed    int // without an answer
	Broken    int // answers that the upstream broke off
	Left      int // requests whose client left before the end of the answer
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
		buckets: make([]int, len(bounds)),
	}
}

// reported counts a report.
func (s *stats) reported(route string, r *preflighthttp.Report) {
	e := entry{
		At: time.Now(), ID: r.ID, Route: route, Provider: r.Provider,
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
	e.What, e.Kind = s.count(r)
	if len(r.Learned) > 0 {
		from := "learned from " + strings.ToValidUTF8(r.Host[:min(len(r.Host), maxName)], "")
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
	s.kept = append(s.kept, e)
	if len(s.kept) > 2*keptReports {
		s.kept = slices.Clone(s.kept[len(s.kept)-keptReports:])
	}
}

// count counts a report by what was done, and returns that in words.
func (s *stats) count(r *preflighthttp.Report) (what, kind string) {
	switch {
	case r.Skipped == preflighthttp.Busy:
		s.Busy++
		return "passed unchanged: too many bodies held", "bad"
	case r.Skipped != "":
		s.skipped[string(r.Skipped)]++
		return "passed unchanged: " + string(r.Skipped), ""
	case r.Remedy != "":
		s.Resent++
		return "refused by the provider, sent again with " + r.Remedy, "repaired"
	case errors.Is(r.Err, preflighthttp.ErrBusy):
		s.Busy++
		return "refused: too many bodies held", "bad"
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

func (s *stats) begin()   { s.add(&s.Open, 1) }
func (s *stats) end()     { s.add(&s.Open, -1) }
func (s *stats) refused() { s.add(&s.Refused, 1) }
func (s *stats) failed()  { s.add(&s.Failed, 1) }
func (s *stats) broken()  { s.add(&s.Broken, 1) }

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
