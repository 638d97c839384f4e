package command

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// This file writes the page of repair --html. The page needs no script and nothing from elsewhere.

//go:embed repair.html.tmpl
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// page is an HTML page that is written session by session. A nil page writes nothing.
type page struct {
	w       io.Writer
	close   func() error
	content bool
}

// openPage starts a page in a file, which takes its name when the page ends; "" is no page.
func openPage(name string, content bool, std stdio) (*page, error) {
	if name == "" {
		return nil, nil
	}
	w, close, err := openReport(name, std)
	if err != nil {
		return nil, err
	}
	p := &page{w, close, content}
	if err := pageTemplate.ExecuteTemplate(w, "start", p.content); err != nil {
		return nil, alsoClosed(err, close)
	}
	return p, nil
}

// pageSession is one session of a page.
type pageSession struct {
	File, Client, Session string
	Harms                 []string
	Findings              []pageFinding
	Pairs                 []viewedPair
	Content               bool

	repaired bool
}

// pageFinding is one finding; Done is what the repair did about it, Fix what it would do.
type pageFinding struct{ Place, Problem, Fix, Done string }

// with takes over what was found in a session.
func (s *pageSession) with(o *session.Outcome) {
	s.Session = o.Session
	s.Harms = harms(o.Report)
	for _, f := range o.Report.Findings {
		found := pageFinding{Place: placeText(f.Lines, f.Rows), Problem: f.Problem, Fix: f.Fix}
		if s.repaired && f.Fix != "" {
			found.Fix, found.Done = "", done(f.Fix)
		}
		s.Findings = append(s.Findings, found)
	}
	s.Pairs = pairsOfSession(o)
	if !s.Content {
		for k := range s.Pairs {
			s.Pairs[k].Before = s.Pairs[k].Before.withoutText()
			s.Pairs[k].After = s.Pairs[k].After.withoutText()
		}
	}
}

// withoutText returns a message whose parts have only their sizes.
func (m *viewed) withoutText() *viewed {
	if m == nil {
		return nil
	}
	bare := &viewed{Role: m.Role}
	for _, part := range m.Parts {
		part.size = len(part.Text)
		part.Text = ""
		bare.Parts = append(bare.Parts, part)
	}
	return bare
}

// add writes the broken sessions of a file.
func (p *page) add(s *checkedFile) error {
	if p == nil {
		return nil
	}
	for _, o := range s.Broken {
		one := pageSession{
			File: s.Name, Client: session.Title(s.Client), Content: p.content,
			repaired: s.Backup != "",
		}
		one.with(o)
		if err := pageTemplate.ExecuteTemplate(p.w, "session", &one); err != nil {
			return err
		}
	}
	return nil
}

// end writes the end of the page.
func (p *page) end(summary string) error {
	if p == nil {
		return nil
	}
	summary, _, _ = strings.Cut(summary, ";")
	return alsoClosed(pageTemplate.ExecuteTemplate(p.w, "end", summary), p.close)
}
