package gateway

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// This file writes the counters in the text format of Prometheus.

func (g *Gateway) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var b bytes.Buffer
	g.stats.write(&b)
	gauge(&b, "held_max_bytes", "How many may be held.", g.state.Load().config.MaxHeld)
	gauge(&b, "held_bytes", "Bytes of request bodies that are held.", g.state.Load().budget.Used())
	g.writeLearned(&b)
	head(&b, "build_info", "The version, and the digest of the configuration.", "gauge")
	fmt.Fprintf(&b, "preflight_build_info{version=%q,config=%q} 1\n", g.Version,
		g.state.Load().digest)
	head(&b, "log_dropped_total", "Lines of the log that nobody read in time.", "counter")
	fmt.Fprintf(&b, "preflight_log_dropped_total %d\n", g.LogQueue.Dropped())
	_, _ = w.Write(b.Bytes()) // a client that is gone needs no answer
}

// writeLearned writes what is remembered of refusals. Replicas that learned the same have the same
// digest.
func (g *Gateway) writeLearned(w *bytes.Buffer) {
	learned := g.state.Load().learned
	known, n, bad := learned.Profiles(), 0, int64(0)
	h := sha256.New()
	for _, m := range known {
		n += len(m.Enforced) + len(m.Refused)
		fmt.Fprintln(h, m.Against, m.Provider, m.Model, m.Enforced, m.Refused)
	}
	if learned.Err() != nil {
		bad = 1
	}
	gauge(w, "lessons", "Rules that refusals taught.", int64(n))
	gauge(w, "lessons_file_failed", "Whether the file of lessons cannot be read or written.", bad)
	const name = "lessons_info"
	head(w, name, "What refusals taught, as a digest.", "gauge")
	fmt.Fprintf(w, "preflight_%s{digest=\"%x\"} 1\n", name, h.Sum(nil)[:6])
}

func (s *stats) write(w *bytes.Buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	head(w, "answers_total", "Answers of upstreams, by route and status.", "counter")
	for _, l := range slices.SortedFunc(maps.Keys(s.requests), compareLabels) {
		fmt.Fprintf(w, "preflight_answers_total{route=%q,status=\"%d\"} %d\n", l.route, l.status,
			s.requests[l])
	}
	for _, c := range []struct {
		name, help string
		n          int
	}{
		{"histories_total", "Histories that were looked at.", s.Looked},
		{"repaired_total", "Histories that were repaired.", s.Changed},
		{"unfixable_total", "Histories that could not be repaired.", s.Unfixable},
		{"left_problems_total", "Problems left because of a member that is not known.", s.Suspended},
		{"resent_total", "Requests that were repaired harder and sent again.", s.Resent},
		{"refused_total", "Requests that were refused in the provider's stead.", s.Refused},
		{"busy_total", "Requests beyond the budget for bodies.", s.Busy},
		{"failed_total", "Requests that got no answer of their upstream.", s.Failed},
		{"broken_total", "Answers that their upstream broke off.", s.Broken},
		{"client_left_total", "Requests whose client left before the end.", s.Left},
		{"unread_total", "Bodies that did not arrive whole.", s.Unread},
		{"dry_histories_total", "Histories that were looked at in a dry run.", s.DryLooked},
		{"dry_repaired_total", "Histories that a dry run would have repaired.", s.DryChanged},
		{"dry_unfixable_total", "Histories of a dry run that cannot be repaired.", s.DryUnfixable},
		{"panics_total", "Requests that a fault of the gateway ended.", s.Panics},
		{"reloads_total", "Configurations that were read again.", s.Reloads},
		{"reloads_failed_total", "Configurations that were wrong, and not taken.", s.Unreloaded},
	} {
		head(w, c.name, c.help, "counter")
		fmt.Fprintf(w, "preflight_%s %d\n", c.name, c.n)
	}
	byName(w, "repairs_total", "Changes, by rule.", "rule", s.repaired)
	s.series.write(w)
	byName(w, "learned_total",
		"Requests that were repaired for a rule that a refusal taught, by rule.", "rule", s.learned)
	byName(w, "dry_repairs_total", "Changes that a dry run did not make, by rule.", "rule", s.would)
	byName(w, "failures_total",
		"Requests without an answer of an upstream, by cause: no-route, origin and host went to none.",
		"cause", s.causes)
	head(w, "added_seconds_total", "Time that sanitizing took, all bodies together.", "counter")
	fmt.Fprintf(w, "preflight_added_seconds_total %g\n", s.added)
	byName(w, "skipped_total", "Bodies that were passed untouched, by reason.", "reason", s.skipped)
	const name = "first_byte_seconds"
	head(w, name, "Time to the first byte of the answer.", "histogram")
	for k, bound := range bounds {
		fmt.Fprintf(w, "preflight_%s_bucket{le=\"%g\"} %d\n", name, bound, s.buckets[k])
	}
	fmt.Fprintf(w, "preflight_%s_bucket{le=\"+Inf\"} %d\n", name, s.Answers)
	fmt.Fprintf(w, "preflight_%s_sum %g\npreflight_%s_count %d\n", name, s.seconds, name, s.Answers)
	gauge(w, "open_requests", "Requests under way.", int64(s.Open))
	head(w, "client_open_requests", "Requests under way, by client.", "gauge")
	for _, client := range slices.Sorted(maps.Keys(s.openBy)) {
		fmt.Fprintf(w, "preflight_client_open_requests{client=%s} %d\n", quoted(client),
			s.openBy[client])
	}
	gauge(w, "config_failed", "Whether the configuration that was read last was wrong.",
		int64(s.Stale))
}

func head(w *bytes.Buffer, name, help, kind string) {
	fmt.Fprintf(w, "# HELP preflight_%s %s\n# TYPE preflight_%s %s\n", name, help, name, kind)
}

func gauge(w *bytes.Buffer, name, help string, n int64) {
	head(w, name, help, "gauge")
	fmt.Fprintf(w, "preflight_%s %d\n", name, n)
}

func byName(w *bytes.Buffer, name, help, label string, counts map[string]int) {
	head(w, name, help, "counter")
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "preflight_%s{%s=%q} %d\n", name, label, key, counts[key])
	}
}

func compareLabels(a, b labels) int {
	return cmp.Or(cmp.Compare(a.route, b.route), a.status-b.status)
}
