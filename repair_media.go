package preflight

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs images, documents, audio and video, and moves them out of roles and tool
// results that may not hold them.
//
//	tool: result a with an image         becomes  tool: result a with a note; user: a note, image

func mediaDetail(problem problems.Problem) string {
	switch problem {
	case problems.MediaEmpty:
		return "the media has neither data nor an address"
	case problems.MediaUnreadable:
		return "the data is no picture or file that the provider can read"
	case problems.MediaType:
		return "the declared media type is not what the bytes are"
	case problems.MediaRefused:
		return "the model takes no media of this kind, or none by its address"
	case problems.FileName:
		return "the file has no name"
	}
	return "the title has characters that the provider refuses"
}

// repairMediaFixer corrects declared media types, names and titles, removes media without content,
// and moves media that a role or tool result may not hold into a user turn.
var repairMediaFixer = Fixer{
	Name:   "repair-media",
	group:  "content",
	repair: repairMedia,
	cures: problemset.Of(
		problems.MediaRefused, problems.MediaUnreadable, // reported instead of a refused role or place
		problems.MediaEmpty, problems.MediaType, problems.MediaName, problems.FileName,
		problems.MediaRole,
		problems.MediaInResult, problems.SystemContent,
	),
	checks: []checks{{
		media: (*checker).mediaPart, other: (*checker).mediaRole,
		inside: (*checker).mediaInResult,
	}},
}

// movedMediaText is added to a tool result whose media moved to the next user turn.
const movedMediaText = "(see the media in the next user message)"

func repairMedia(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if m, ok := p.(*Media); ok {
				d.repairMediaPart(i, j, m)
			} else if r := clientResult(p); r != nil {
				d.repairResultMedia(i, j, r)
			}
		}
	}
	d.commit()
	d.moveMedia()
}

func (d *draft) repairMediaPart(i, j int, m *Media) {
	problem := mediaProblem(d.profile, m)
	if refusesFile(d.profile, m) {
		return // see describeMediaFixer
	}
	switch problem {
	case "", problems.MediaRefused, problems.MediaUnreadable: // see describeMediaFixer
	case problems.MediaEmpty:
		d.drop(i, j, note{
			code: codes.MediaRemoved, problem: problem,
			detail: "removed media that have neither data nor an address",
		})
	default:
		d.replace(i, j, repairedMedia(d.profile, m), note{
			code: codes.MediaRepaired, problem: problem,
			detail: "corrected the declared type or name of media",
		})
	}
}

// repairResultMedia repairs or removes the media inside a tool result.
func (d *draft) repairResultMedia(i, j int, r *ToolResult) {
	if !slices.ContainsFunc(r.Content, func(p Part) bool { _, ok := p.(*Media); return ok }) {
		return
	}
	var first problems.Problem
	before, content := make([]Part, 0, len(r.Content)), make([]Part, 0, len(r.Content))
	for _, c := range r.Content {
		part := c
		if m, ok := c.(*Media); ok && m != nil {
			problem := mediaProblem(d.profile, m)
			// describeMediaFixer replaces media with these problems
			if problem == problems.MediaRefused || problem == problems.MediaUnreadable {
				problem = ""
			}
			if first == "" {
				first = problem
			}
			if problem == problems.MediaEmpty {
				continue
			}
			if problem != "" {
				part = repairedMedia(d.profile, m)
			}
		}
		before, content = append(before, c), append(content, part)
	}
	if first == "" {
		return
	}
	code, detail := codes.MediaRepaired,
		"corrected the declared type or name of media in a tool result"
	if first == problems.MediaEmpty {
		code, detail = codes.MediaRemoved,
			"removed media that have neither data nor an address from a tool result"
		d.inherit(before, content)
	}
	d.replace(i, j, edited(r, func(x *ToolResult) { x.Content = content }), note{
		code: code, problem: first, id: r.CallID, detail: detail,
	})
}

// mediaProblem returns what is wrong with a media part by itself, "" when nothing is.
func mediaProblem(p *Profile, m *Media) problems.Problem {
	if problem := unsendableMedia(p, m); problem != "" {
		return problem
	}
	switch {
	case holdsNothing(m):
		return problems.MediaEmpty
	case p.Media.MatchType && mislabelled(m), untyped(p, m):
		return problems.MediaType
	case m.Name != "" && !p.Media.Title.Matches(m.Name):
		return problems.MediaName
	case mediaKind(m) == "document" && m.Name == "" &&
		(p.Media.FileNeedsName && isInline(m) || p.Media.DocumentNeedsTitle):
		return problems.FileName
	}
	return ""
}

// repairedMedia returns m with the right type and a name that the provider takes.
func repairedMedia(p *Profile, m *Media) *Media {
	return edited(m, func(m *Media) {
		if t := imageType(m); (p.Media.MatchType && mislabelled(m) || untyped(p, m)) && t != "" {
			m.MediaType = t
		}
		if p.Media.FileNeedsName && mediaKind(m) == "document" && m.Name == "" {
			m.Name = "document"
			if m.MediaType == "application/pdf" {
				m.Name += ".pdf"
			}
		}
		if p.Media.DocumentNeedsTitle && mediaKind(m) == "document" && m.Name == "" {
			m.Name = "document"
		}
		if m.Name != "" && !p.Media.Title.Matches(m.Name) {
			m.Name = p.Media.Title.RepairTitle(m.Name)
		}
	})
}

// untyped reports whether media is without the type that the provider needs. A name that is not a
// type and a subtype does not count.
func untyped(p *Profile, m *Media) bool {
	if isMediaType(m.MediaType) || !slices.Contains(p.Media.TypedKinds, mediaKind(m)) {
		return false
	}
	for _, s := range []string{m.Data, m.URL} {
		if t, _, ok := filetype.ParseDataURL(s); ok && isMediaType(t) {
			return false
		}
	}
	return true
}

func isMediaType(name string) bool {
	kind, subtype, found := strings.Cut(name, "/")
	return found && kind != "" && subtype != ""
}

// mislabelled reports whether an inline image is of another type than the declared one. A type of
// images that is not known may be one of that kind.
func mislabelled(m *Media) bool {
	t := imageType(m)
	return t != "" && t != m.MediaType && !filetype.IsUnknownImage(m.MediaType)
}

// imageType returns the type of an inline image by its first bytes, "" when it is unknown.
func imageType(m *Media) string {
	if mediaKind(m) != "image" {
		return ""
	}
	return filetype.OfImage(m.Data)
}

// mediaMove collects media for the next user turn.
type mediaMove struct {
	parts []Part
	from  []origin
}

// moveMedia moves media out of roles and tool results that may not hold it, in order, into a new
// user turn after the tool results that follow. A line before them says whose they are.
func (d *draft) moveMedia() {
	var m mediaMove
	var names map[string]string // of the tools, by the ids of their last calls; nil until needed
	named := 0                  // the nodes whose calls are in it
	for i := range d.nodes {
		if len(m.parts) > 0 && !holdsResult(d.at(i)) {
			d.insertBefore(i, newNode(RoleUser, m.parts, m.from))
			m = mediaMove{}
		}
		refused := !acceptsMediaIn(d.profile, d.role(i))
		for j, p := range d.nodes[i].Parts {
			if isMedia(p) && refused {
				added := m.announce([]Part{p}, "a message of role "+string(d.role(i)))
				d.warn(d.position(i, j), note{
					code: codes.MediaMoved, problem: problems.MediaRole,
					detail: "moved media into a user turn",
				}, Tally{}, added)
				m.add(d.takePart(i, j))
			} else if r := clientResult(p); r != nil && slices.ContainsFunc(r.Content,
				func(part Part) bool { return leavesResult(d.profile, part) }) {
				if names == nil {
					names = make(map[string]string)
				}
				for ; named < i; named++ {
					addNames(names, d.nodes[named].Parts)
				}
				d.unloadResult(i, j, toolOf(or(r.Name, names[r.CallID])), &m)
			}
		}
	}
	if len(m.parts) > 0 {
		d.insertBefore(len(d.nodes), newNode(RoleUser, m.parts, m.from))
	}
	d.commit()
}

// addNames adds the names of the tools that parts call.
func addNames(names map[string]string, parts []Part) {
	for _, p := range parts {
		if call := clientCall(p); call != nil {
			names[call.ID] = call.Name
		}
	}
}

// announce adds a line that says whose the next media are: the user's turn holds them, but the user
// did not send them.
func (m *mediaMove) announce(media []Part, owner string) Tally {
	line := &Text{Text: announced(media, owner)}
	m.add(line, origin{none, none})
	return tallyPart(line)
}

// announced returns the line that says whose the next media are. It counts them, so that nothing
// that they or their tool say can extend it.
func announced(media []Part, owner string) string {
	what := "file is"
	if m, ok := media[0].(*Media); ok && mediaKind(m) == "image" {
		what = "image is"
	}
	if len(media) > 1 {
		what = strconv.Itoa(len(media)) + " media are"
	}
	return "(the next " + what + " from " + owner + ")"
}

// onOneLine returns media of a tool for a user's turn: in the name of a file the tool could write
// lines that the model reads as the user's.
func onOneLine(m *Media) *Media {
	end := strings.IndexFunc(m.Name, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
	if end < 0 {
		return m
	}
	return edited(m, func(m *Media) { m.Name = strings.TrimSpace(m.Name[:end]) })
}

// isMedia reports whether a part is media, or an image or document from an unknown kind of source.
func isMedia(p Part) bool {
	switch p := p.(type) {
	case *Media:
		return true
	case *Other:
		return p.Kind == "image" || p.Kind == "document"
	}
	return false
}

func (m *mediaMove) add(p Part, from origin) {
	m.parts, m.from = append(m.parts, p), append(m.from, from)
}

// movesFromResult reports whether a tool result may not hold this media.
func movesFromResult(p *Profile, m *Media) bool {
	return !p.Media.InResult ||
		len(p.Media.ResultKinds) > 0 &&
			!slices.Contains(p.Media.ResultKinds, mediaKind(m))
}

func leavesResult(p *Profile, part Part) bool {
	m, ok := part.(*Media)
	return ok && m != nil && movesFromResult(p, m)
}

// unloadResult moves the media that the result of a tool may not hold out of it, to m.
func (d *draft) unloadResult(i, j int, tool string, m *mediaMove) {
	r := d.nodes[i].Parts[j].(*ToolResult)
	var rest, media []Part
	for _, c := range r.Content {
		if leavesResult(d.profile, c) {
			media = append(media, c)
		} else {
			rest = append(rest, c)
		}
	}
	added := m.announce(media, "the result of "+tool)
	for _, c := range media {
		m.add(onOneLine(c.(*Media)), d.originInside(i, j, c))
	}
	left := edited(r, func(x *ToolResult) { x.Content = append(rest, &Text{Text: movedMediaText}) })
	d.warn(d.position(i, j), note{
		code: codes.MediaMoved, problem: problems.MediaInResult, id: r.CallID,
		detail: "moved media out of a tool result into a user turn",
	}, Tally{}, added.Plus(Tally{Texts: 1, Bytes: len(movedMediaText)}))
	d.ownParts(i).Parts[j] = left
}

// acceptsMediaIn reports whether messages of a role may hold media.
func acceptsMediaIn(p *Profile, r Role) bool {
	return len(p.Media.Roles) == 0 || slices.Contains(p.Media.Roles, r)
}

// mediaPart checks media by itself.
func (c *checker) mediaPart(i, j int, part Part) {
	m := part.(*Media)
	problem := mediaProblem(c.profile, m)
	if refusesFile(c.profile, m) {
		problem = problems.MediaRefused
	}
	if problem != "" {
		c.report(problem, i, j, "", mediaDetail(problem))
	}
	c.mediaRole(i, j, part)
}

// mediaRole checks that a message of this role may hold media.
func (c *checker) mediaRole(i, j int, part Part) {
	role := c.role(i)
	if isMedia(part) && !acceptsMediaIn(c.profile, role) {
		c.report(c.inSystem(problems.MediaRole, role), i, j, "",
			c.words("media may not be in a ", string(role), " message"))
	}
}

// mediaInResult checks media in a tool result.
func (c *checker) mediaInResult(i, j, k int, r *ToolResult, part Part) {
	m, ok := part.(*Media)
	if !ok {
		return
	}
	problem := mediaProblem(c.profile, m)
	detail := mediaDetail(problem)
	described := problem == problems.MediaRefused || problem == problems.MediaUnreadable
	if movesFromResult(c.profile, m) && !described {
		problem, detail = problems.MediaInResult, "a tool result may not hold media"
	}
	if problem != "" {
		c.reportAt(problem, At(i, j, k), r.CallID, detail)
	}
}
