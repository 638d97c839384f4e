package gateway

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-preflight/preflight/preflighthttp"
)

// keptReports is how many reports the page shows.
const keptReports = 100

// bounds are the upper bounds of the histogram of times to the first byte, in seconds.
var bounds = []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// stats counts what a gateway does. It holds no content.
type stats struct {
	mu       sync.Mutex
	since    time.Time
	requests map[labels]int // by route and status
	repaired map[string]int // by rule
	skipped  map[string]int // by reason
	looked   int
	changed  int
	unfixed  int
	resent   int
	refusals int // requests beyond the budget
	failures int // requests without an answer
	buckets  []int
	seconds  float64
	answers  int
	kept     []entry // the newest last
}

type labels struct {
	route  string
	status int
}

// entry is one report, as the page shows it.
type entry struct {
	At       time.Time
	Route    string
	Provider string
	Model    string
	What     string
	Rules    []string
}

func newStats() *stats {
	return &stats{
		since: time.Now(), requests: map[labels]int{}, repaired: map[string]int{},
		skipped: map[string]int{},
		buckets: make([]int, len(bounds)),
	}
}

// reported counts a report.
func (s *stats) reported(route string, r *preflighthttp.Report) {
	e := entry{At: time.Now(), Route: route, Provider: r.Provider, Model: r.Model, What: "clean"}
	rules := map[string]bool{}
	for _, w := range r.Warnings {
		rules[w.Rule] = true
	}
	e.Rules = slices.Sorted(maps.Keys(rules))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.Skipped != "":
		s.skipped[string(r.Skipped)]++
		e.What = "passed untouched: " + string(r.Skipped)
	case r.Remedy != "":
		s.resent++
		e.What = "sent again: " + r.Remedy
	case r.Err != nil:
		s.looked++
		s.unfixed++
		e.What = "cannot be repaired"
	default:
		s.looked++
		if r.Changed {
			s.changed++
			e.What = "repaired"
		}
	}
	for _, w := range r.Warnings {
		s.repaired[w.Rule]++
	}
	s.kept = append(s.kept, e)
	if len(s.kept) > 2*keptReports {
		s.kept = slices.Clone(s.kept[len(s.kept)-keptReports:])
	}
}

// answered counts an answer, when its first byte is there.
func (s *stats) answered(route string, status int, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[labels{route, status}]++
	s.answers++
	s.seconds += took.Seconds()
	for k, bound := range bounds {
		if took.Seconds() <= bound {
			s.buckets[k]++
		}
	}
}

func (s *stats) busy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals++
}

func (s *stats) failed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures++
}

// newest returns the reports that are kept, the newest first.
func (s *stats) newest() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := slices.Clone(s.kept[max(0, len(s.kept)-keptReports):])
	slices.Reverse(kept)
	return kept
}

// serveMetrics writes the counters in the text format of Prometheus.
func (s *stats) serveMetrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.mu.Lock()
	defer s.mu.Unlock()
	counter := func(name, help string) {
		fmt.Fprintf(w, "# HELP preflight_%s %s\n# TYPE preflight_%s counter\n", name, help, name)
	}
	single := func(name, help string, n int) {
		counter(name, help)
		fmt.Fprintf(w, "preflight_%s %d\n", name, n)
	}
	counter("answers_total", "Answers of upstreams, by route and status.")
	for _, l := range slices.SortedFunc(maps.Keys(s.requests), compareLabels) {
		fmt.Fprintf(w, "preflight_answers_total{route=%q,status=\"%d\"} %d\n", l.route, l.status,
			s.requests[l])
	}
	single("histories_total", "Histories that were looked at.", s.looked)
	single("repaired_total", "Histories that were repaired.", s.changed)
	single("unfixable_total", "Histories that could not be repaired.", s.unfixed)
	single("resent_total", "Requests that were repaired harder and sent again.", s.resent)
	single("busy_total", "Requests beyond the budget for bodies.", s.refusals)
	single("failed_total", "Requests that got no answer of their upstream.", s.failures)
	byName(w, counter, "repairs_total", "Changes, by rule.", "rule", s.repaired)
	byName(w, counter, "skipped_total", "Bodies that were passed untouched, by reason.", "reason",
		s.skipped)
	const name = "first_byte_seconds"
	fmt.Fprintf(w,
		"# HELP preflight_%s Time to the first byte of the answer.\n# TYPE preflight_%s histogram\n",
		name, name)
	for k, bound := range bounds {
		fmt.Fprintf(w, "preflight_%s_bucket{le=\"%g\"} %d\n", name, bound, s.buckets[k])
	}
	fmt.Fprintf(w, "preflight_%s_bucket{le=\"+Inf\"} %d\n", name, s.answers)
	fmt.Fprintf(w, "preflight_%s_sum %g\npreflight_%s_count %d\n", name, s.seconds, name, s.answers)
}

func byName(
	w io.Writer,
	counter func(name, help string),
	name, help, label string,
	counts map[string]int,
) {
	counter(name, help)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "preflight_%s{%s=%q} %d\n", name, label, key, counts[key])
	}
}

func compareLabels(a, b labels) int {
	if a.route != b.route {
		if a.route < b.route {
			return -1
		}
		return 1
	}
	return a.status - b.status
}
