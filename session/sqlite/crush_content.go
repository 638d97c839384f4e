package sqlite

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session"
)

// This file mends the pictures, calls and errors of Crush, which reads lone surrogates as U+FFFD
// itself.

// pictures returns the picture of an attachment or a result, nil for none that is sent.
func (p *crushPart) pictures() []picture {
	kind := p.data.InResult
	switch p.kind {
	case "binary":
		kind = p.data.Attached
	case "tool_result":
	default:
		return nil
	}
	var data string
	if json.Unmarshal(p.data.Data, &data) != nil {
		return nil
	}
	if of := (picture{kind, data}); of.sent() {
		return []picture{of}
	}
	return nil
}

// mendPictures mends what the provider refuses in the parts of a row.
func (s *crushSession) mendPictures(r *session.Report, row *crushRow) {
	changed := false
	for k, p := range row.list {
		pictures := p.pictures()
		if pictures == nil || row.role != "user" && row.role != "tool" {
			continue
		}
		made := mendPicture(pictures[0], s.anthropic())
		if made == nil {
			continue
		}
		part := p.with(made)
		if !part.Exists() {
			continue
		}
		row.list[k] = crushPartOf(part.Raw())
		made.finding.Rows = []string{"message " + row.id}
		r.Findings = append(r.Findings, made.finding)
		changed = true
	}
	if changed {
		row.write()
	}
}

// mendCalls mends the names of calls, and errors without a text.
func (s *crushSession) mendCalls(r *session.Report, row *crushRow) {
	changed := false
	for k, p := range row.list {
		call := block{call: "call", name: "tool", input: json.RawMessage("{}")}
		result := block{call: "call", text: "It ran.", result: true}
		switch {
		case p.kind == "tool_call":
			call.name = p.data.Name
		case p.kind == "tool_result" && p.data.IsError && p.pictures() == nil:
			result.text, result.failed = p.data.Content, true
		default:
			continue
		}
		made, found := mendPair(call, result, s.anthropic())
		if found == nil {
			continue
		}
		name, is := "name", made.call.Name
		if p.kind == "tool_result" {
			name, is = "content", made.text
		}
		value, err := encode(is)
		if err != nil {
			continue
		}
		row.list[k] = crushPartOf(withMember(parsed(p.raw), value, []string{"data", name}).Raw())
		for _, m := range found {
			m.finding.Rows = []string{"message " + row.id}
			r.Findings = append(r.Findings, m.finding)
		}
		changed = true
	}
	if changed {
		row.write()
	}
}

// with returns a part with what a repair makes of its picture: as an attachment, a text is a file
// that the client sends with the prompt.
func (p *crushPart) with(made *mending) jsonscan.Value {
	members := [][2]string{{"MIMEType", made.picture.kind}}
	switch {
	case p.kind == "binary" && made.text != "":
		members = [][2]string{
			{"MIMEType", "text/plain"},
			{"Data", base64.StdEncoding.EncodeToString([]byte(made.text))},
		}
	case p.kind != "binary" && made.text != "":
		content := strings.TrimPrefix(p.data.Content+"\n"+made.text, "\n")
		members = [][2]string{{"content", content}, {"data", ""}, {"mime_type", ""}}
	case p.kind != "binary":
		members[0][0] = "mime_type"
	}
	root := parsed(p.raw)
	for _, m := range members {
		value, err := encode(m[1])
		if err != nil {
			return jsonscan.Value{}
		}
		root = withMember(root, value, []string{"data", m[0]})
	}
	return root
}
