package gateway

import (
	"bytes"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"time"
)

// This file is the page for people: what the gateway does, without content and without scripts.

type page struct {
	Since    string
	Answers  int
	Looked   int
	Changed  int
	Unfixed  int
	Resent   int
	Failures int
	Rules    []count
	Routes   []Route
	Reports  []entry
}

type count struct {
	Name string
	N    int
}

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"clock": func(t time.Time) string { return t.Format("15:04:05") },
}).Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width">
<title>preflight serve</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c1c1c; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top }
.figures { display: flex; flex-wrap: wrap; gap: 2rem } .figures b { display: block; font-size: 1.6rem }
.repaired { color: #8a5a00 } .bad { color: #a01010 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #161616 } td, th { border-color: #333 }
.repaired { color: #e0b050 } .bad { color: #f08080 } }
</style>
</head>
<body>
<h1>preflight serve</h1>
<p>Running since {{.Since}}. Message contents and keys are never shown or stored.</p>
<div class="figures">
<div><b>{{.Answers}}</b>answers</div>
<div><b>{{.Looked}}</b>histories checked</div>
<div><b class="repaired">{{.Changed}}</b>repaired</div>
<div><b>{{.Resent}}</b>sent again</div>
<div><b>{{.Unfixed}}</b>beyond repair</div>
<div><b>{{.Failures}}</b>without an answer</div>
</div>
<h2>Last requests</h2>
{{if .Reports}}<table>
<tr><th>time</th><th>route</th><th>provider</th><th>model</th><th>what was done</th><th>rules</th></tr>
{{range .Reports}}<tr><td>{{clock .At}}</td><td>{{.Route}}</td><td>{{.Provider}}</td><td>{{.Model}}</td><td>{{.What}}</td><td>{{range .Rules}}{{.}}<br>{{end}}</td></tr>
{{end}}</table>{{else}}<p>None yet.</p>{{end}}
<h2>Repairs by rule</h2>
{{if .Rules}}<table>{{range .Rules}}<tr><td>{{.Name}}</td><td>{{.N}}</td></tr>{{end}}</table>{{else}}<p>None yet.</p>{{end}}
<h2>Routes</h2>
<table>{{range .Routes}}<tr><td>{{.Prefix}}</td><td>{{.Upstream}}</td><td>{{if .DryRun}}dry run{{end}}</td></tr>{{end}}</table>
</body>
</html>
`))

func (g *Gateway) servePage(w http.ResponseWriter, r *http.Request) {
	p := g.stats.page()
	p.Routes, p.Reports = g.Routes(), g.stats.newest()
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		writeText(w, http.StatusInternalServerError, "preflight serve: the page failed\n")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // a client that is gone needs no answer
}

// page takes the figures that the page shows.
func (s *stats) page() *page {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &page{
		Since: s.since.Format("2 January 2006, 15:04"), Answers: s.answers, Looked: s.looked,
		Changed: s.changed,
		Unfixed: s.unfixed, Resent: s.resent, Failures: s.failures,
	}
	for _, name := range slices.Sorted(maps.Keys(s.repaired)) {
		p.Rules = append(p.Rules, count{name, s.repaired[name]})
	}
	slices.SortStableFunc(p.Rules, func(a, b count) int { return b.N - a.N })
	return p
}
