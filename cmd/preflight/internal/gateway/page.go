package gateway

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-preflight/preflight/rule"
)

// This file is the page for people: what the gateway does, without content and without scripts.

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"clock": func(t time.Time) string { return t.Format("15:04:05") },
	"size":  size,
	"took":  took,
	// the number of a request, which is the same for its resending
	"number": func(id string) string { return id[strings.LastIndexByte(id, '-')+1:] },
}).Parse(pageText))

// page is what the page shows.
type page struct {
	counts
	Since   string
	Rules   []ruleCount
	Routes  []Route
	Reports []entry
}

type ruleCount struct {
	Name      string
	Statement string
	N         int
	Share     int // of the most frequent rule, in percent
}

// statements are the rules in a sentence or two, by id.
var statements = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, r := range rule.All() {
		all[r.ID] = r.Statement
	}
	return all
})

func (g *Gateway) servePage(w http.ResponseWriter, _ *http.Request) {
	p := g.stats.page()
	p.Routes = g.Routes()
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		writeText(w, http.StatusInternalServerError, "preflight serve: the page failed\n")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // a client that is gone needs no answer
}

// page takes the figures that the page shows.
func (s *stats) page() *page {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &page{counts: s.counts, Since: s.since.Format("2 January 2006, 15:04")}
	most := 1
	for _, name := range slices.Sorted(maps.Keys(s.repaired)) {
		p.Rules = append(p.Rules, ruleCount{
			Name: name, Statement: statements()[name], N: s.repaired[name],
		})
		most = max(most, s.repaired[name])
	}
	for k := range p.Rules {
		p.Rules[k].Share = max(1, 100*p.Rules[k].N/most)
	}
	slices.SortStableFunc(p.Rules, func(a, b ruleCount) int { return b.N - a.N })
	p.Reports = slices.Clone(s.kept[max(0, len(s.kept)-keptReports):])
	slices.Reverse(p.Reports)
	return p
}

// size returns a number of bytes in words.
func size(n int) string {
	switch {
	case n == 0:
		return ""
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// took returns a duration in words.
func took(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
}
