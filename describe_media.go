package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file describes media that the provider or the model does not take, or cannot read, in a line
// of text.
//
//	user: "q", video                     becomes  user: "q", "[video omitted]"

// describeMediaFixer replaces media that the model does not take by a line of text. This affects
// all media where the model reads text only, media of an unknown kind, media given by its address
// where the model wants the data, and media whose data cannot be read.
var describeMediaFixer = Fixer{
	Name:   "describe-media",
	group:  "content",
	repair: describeMedia,
	cures:  problemset.Of(problems.MediaRefused, problems.MediaUnreadable),
}

func describeMedia(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if m, ok := p.(*Media); ok {
				problem := unsendableMedia(d.profile, m)
				if refusesFile(d.profile, m) {
					problem = problems.MediaRefused
				}
				if problem == "" {
					continue
				}
				d.replace(i, j,
					&Text{Carried: Carried{Meta: m.Meta, Cache: m.Cache},
						Text: describeUntaken(m, problem)},
					note{
						code: codes.MediaDescribed, problem: problem,
						detail: "described " + untakenMedia(problem),
					})
			} else if r := clientResult(p); r != nil {
				d.describeInResult(i, j, r)
			}
		}
	}
}

// refusesMedia reports whether the provider refuses all media of this kind, or of this kind with
// such a source: an address, or a file that the provider holds. It also refuses media without the
// type that it needs, if the bytes do not show it.
func refusesMedia(p *Profile, m *Media) bool {
	switch {
	case p.Media.TextOnly, untyped(p, m) && imageType(m) == "":
		return true
	case len(p.Media.Kinds) > 0 && !slices.Contains(p.Media.Kinds, mediaKind(m)):
		return true
	}
	if isInline(m) {
		return false
	}
	if m.URL != "" {
		return p.Media.NoURLs || refusesSource(p.Media.URLKinds, m)
	}
	return isFile(m) && refusesSource(p.Media.FileKinds, m)
}

// isFile reports whether media is only a reference to a file that the provider holds.
func isFile(m *Media) bool { return m.FileID != "" && m.Data == "" && m.URL == "" }

// refusesSource reports whether media may not have its source. kinds are the kinds that may; none
// means any.
func refusesSource(kinds []string, m *Media) bool {
	return len(kinds) > 0 && !slices.Contains(kinds, mediaKind(m))
}

// refusesFile reports whether a message may not hold the media because it is a file id without data
// or address.
func refusesFile(p *Profile, m *Media) bool {
	return p.Media.NoFiles && isFile(m)
}

// unsendableMedia returns why media can only be described: the provider refuses it, or cannot read
// it. It returns "" for media that can be sent.
func unsendableMedia(p *Profile, m *Media) problems.Problem {
	switch {
	case refusesMedia(p, m):
		return problems.MediaRefused
	case !p.Media.Readable && !p.Media.Decodable || holdsNothing(m):
		return ""
	case p.Media.Readable && filetype.Unreadable(mediaKind(m), m.MediaType, m.Data, m.URL),
		p.Media.Decodable && filetype.Undecodable(mediaKind(m), m.MediaType, m.Data, m.URL):
		return problems.MediaUnreadable
	}
	return ""
}

// describeInResult replaces the media in a tool result that cannot be sent by descriptions. The
// warning names the first problem.
func (d *draft) describeInResult(i, j int, r *ToolResult) {
	var first problems.Problem
	described := withContent(r, func(c Part) Part {
		m, ok := c.(*Media)
		if !ok || m == nil {
			return c
		}
		problem := unsendableMedia(d.profile, m)
		if problem == "" {
			return c
		}
		first = problems.Problem(or(string(first), string(problem)))
		return &Text{Text: describeUntaken(m, problem)}
	})
	if described != r {
		d.replace(i, j, described,
			note{code: codes.MediaDescribed, problem: first, id: r.CallID,
				detail: "described one or more media of a tool result: " + untakenMedia(first)})
	}
}

// describeUntaken returns the line of text for media that cannot be sent.
func describeUntaken(m *Media, problem problems.Problem) string {
	if problem != problems.MediaUnreadable {
		return describe(m)
	}
	name := or(m.Kind, "media")
	if m.Name != "" {
		name += " " + m.Name
	}
	return "[" + name + " omitted: its data cannot be read]"
}

func untakenMedia(problem problems.Problem) string {
	if problem == problems.MediaUnreadable {
		return "media whose data cannot be read"
	}
	return "media that the model does not take"
}

// describe returns the line of text that replaces media that cannot be carried over.
func describe(m *Media) string {
	kind := or(m.Kind, "media")
	switch {
	case m.URL != "" && !strings.HasPrefix(m.URL, "data:"):
		return "[" + kind + ": " + m.URL + "]"
	case m.Name != "":
		return "[" + kind + ": " + m.Name + "]"
	case strings.Contains(m.FileID, "://"): // gs://bucket/report.pdf; other ids say nothing elsewhere
		return "[" + kind + ": " + m.FileID + "]"
	}
	return "[" + kind + " omitted]"
}
