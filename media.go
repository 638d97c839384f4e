package preflight

import (
	"encoding/base64"
	"slices"
	"strings"
)

// This file keeps media where the provider takes it, and labelled as what it is.

// RepairMedia corrects declared media types, names and titles, removes media without content, and moves media out of
// roles and tool results that may not hold it, into a user turn.
var RepairMedia = Fixer{
	Name:   "repair-media",
	Doc:    "corrects media types and names, removes empty media, and moves media into a user turn where its place is refused",
	repair: repairMedia,
}

// movedMediaText stands in a tool result for media that moved to the user turn behind it.
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
	if d.profile.refusesFile(m) {
		return // see DescribeMedia
	}
	switch problem {
	case "", ProblemMediaRefused, ProblemMediaUnreadable: // see DescribeMedia
	case ProblemMediaEmpty:
		d.drop(i, j, note{code: CodeMediaRemoved, problem: problem, detail: "removed media without data or address"})
	default:
		d.replace(i, j, d.profile.mended(m), note{code: CodeMediaRepaired, problem: problem, detail: "corrected the declared type or name of media"})
	}
}

// repairResultMedia does the same inside a tool result.
func (d *draft) repairResultMedia(i, j int, r *ToolResult) {
	if !slices.ContainsFunc(r.Content, func(p Part) bool { _, ok := p.(*Media); return ok }) {
		return
	}
	var first Problem
	content := make([]Part, 0, len(r.Content))
	for _, c := range r.Content {
		if m, ok := c.(*Media); ok && m != nil {
			problem := mediaProblem(d.profile, m)
			if problem == ProblemMediaRefused || problem == ProblemMediaUnreadable { // see DescribeMedia
				problem = ""
			}
			if first == "" {
				first = problem
			}
			if problem == ProblemMediaEmpty {
				continue
			}
			if problem != "" {
				c = d.profile.mended(m)
			}
		}
		content = append(content, c)
	}
	if first == "" {
		return
	}
	code, detail := CodeMediaRepaired, "corrected the declared type or name of media in a tool result"
	if first == ProblemMediaEmpty {
		code, detail = CodeMediaRemoved, "removed media without data or address from a tool result"
	}
	d.replace(i, j, edited(r, func(x *ToolResult) { x.Content = content }), note{code: code, problem: first, id: r.CallID, detail: detail})
}

// mediaProblem says what is wrong with a media part by itself.
func mediaProblem(p *Profile, m *Media) Problem {
	if m.Data == "" && m.URL == "" && m.FileID == "" && len(m.Native.JSON) == 0 || isEmptied(m) {
		return ProblemMediaEmpty
	}
	if problem := p.untaken(m); problem != "" {
		return problem
	}
	switch {
	case p.MatchMedia && sniff(m) != "" && sniff(m) != m.MediaType:
		return ProblemMediaType
	case m.Name != "" && !p.MediaName.Matches(m.Name):
		return ProblemMediaName
	case m.Kind == "document" && m.Name == "" && (p.FileNeedsName && m.Data != "" || p.DocumentNeedsName):
		return ProblemFileName
	}
	return ""
}

// isEmptied reports whether inline media has lost its data.
func isEmptied(m *Media) bool {
	return m.Kind == "image" && m.Data == "" && m.URL == "" && m.FileID == ""
}

// mended is m with the right type and a name the provider takes.
func (p *Profile) mended(m *Media) *Media {
	return edited(m, func(m *Media) {
		if t := sniff(m); p.MatchMedia && t != "" {
			m.MediaType = t
		}
		if p.FileNeedsName && m.Kind == "document" && m.Name == "" {
			m.Name = "document"
			if m.MediaType == "application/pdf" {
				m.Name += ".pdf"
			}
		}
		if p.DocumentNeedsName && m.Kind == "document" && m.Name == "" {
			m.Name = "document"
		}
		if m.Name != "" && !p.MediaName.Matches(m.Name) {
			m.Name = p.MediaName.title(m.Name)
		}
	})
}

// title writes a document title in the pattern's alphabet: refused characters become single spaces.
func (p Pattern) title(s string) string {
	mapped := strings.Map(func(r rune) rune {
		if p.Alphabet.has(r) {
			return r
		}
		return ' '
	}, s)
	mapped = strings.Join(strings.Fields(mapped), " ")
	if p.Max > 0 && len(mapped) > p.Max {
		mapped = strings.TrimSpace(mapped[:p.Max])
	}
	if mapped == "" {
		return "document"
	}
	return mapped
}

// signatures are the first bytes of the image types providers take. Source: the formats' own specifications.
var signatures = []struct {
	prefix    string
	mediaType string
}{
	{"\xff\xd8\xff", "image/jpeg"},
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
}

// sniff is the image type that the first bytes of inline data show, "" when they show none that is known.
func sniff(m *Media) string {
	if m.Kind != "image" || len(m.Data) < 4 {
		return ""
	}
	var head [12]byte
	n, _ := base64.StdEncoding.Decode(head[:], []byte(m.Data[:min(len(m.Data)/4*4, 16)]))
	return typeOf(head[:n])
}

// typeOf is the image type of a file that begins like this, "" when it begins like none that is known.
func typeOf(file []byte) string {
	for _, s := range signatures {
		if strings.HasPrefix(string(file), s.prefix) {
			return s.mediaType
		}
	}
	if len(file) >= 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP" {
		return "image/webp"
	}
	return ""
}

// mediaMove is media on its way to a user turn.
type mediaMove struct {
	parts []Part
	from  []origin
}

// moveMedia takes media out of the places that may not hold it and puts it, in order, into a user turn of its own behind
// the tool results that follow.
func (d *draft) moveMedia() {
	var m mediaMove
	for i := range d.nodes {
		if len(m.parts) > 0 && !d.holdsResult(i) {
			d.insertBefore(i, made(RoleUser, m.parts, m.from))
			m = mediaMove{}
		}
		role := d.role(i)
		for j, p := range d.nodes[i].Parts {
			if isMedia(p) && !d.profile.takesMedia(role) {
				d.warn(d.position(i, j), note{code: CodeMediaMoved, problem: ProblemMediaRole, detail: "moved media into a user turn"}, Tally{}, Tally{})
				m.add(d.take(i, j))
			} else if r := clientResult(p); r != nil && slices.ContainsFunc(r.Content, d.profile.leavesResult) {
				d.unloadResult(i, j, r, &m)
			}
		}
	}
	if len(m.parts) > 0 {
		d.insertBefore(len(d.nodes), made(RoleUser, m.parts, m.from))
	}
	d.commit()
}

// isMedia reports whether a part is media, or an image or document whose source nobody knows how to read.
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

// movesFromResult reports whether a tool result may not hold media that a message may.
func (p *Profile) movesFromResult(m *Media) bool {
	return !p.MediaInResult || len(p.ResultKinds) > 0 && m.Kind != "" && !slices.Contains(p.ResultKinds, m.Kind)
}

func (p *Profile) leavesResult(part Part) bool {
	m, ok := part.(*Media)
	return ok && m != nil && p.movesFromResult(m)
}

// unloadResult takes the media out of a tool result that it may not hold.
func (d *draft) unloadResult(i, j int, r *ToolResult, m *mediaMove) {
	var rest []Part
	from := d.origin(i, j)
	for _, c := range r.Content {
		if d.profile.leavesResult(c) {
			m.add(c, from)
			continue
		}
		rest = append(rest, c)
	}
	left := edited(r, func(x *ToolResult) { x.Content = append(rest, &Text{Text: movedMediaText}) })
	d.warn(d.position(i, j), note{code: CodeMediaMoved, problem: ProblemMediaInResult, id: r.CallID, detail: "moved media out of a tool result into a user turn"},
		Tally{}, Tally{Texts: 1, Bytes: len(movedMediaText)})
	d.own(i).Parts[j] = left
}

func (d *draft) holdsResult(i int) bool {
	for _, part := range d.nodes[i].Parts {
		if clientResult(part) != nil {
			return true
		}
	}
	return false
}
