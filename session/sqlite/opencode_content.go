package sqlite

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session"
)

// This file mends what is said in a part of opencode.

// opencodeFile is a picture or file: a part of its own, or an attachment of a result.
type opencodeFile struct {
	Mime string `json:"mime"`
	URL  string `json:"url"`
}

func (f *opencodeFile) picture() (picture, bool) { return pictureOf(f.Mime, f.URL) }

// opencodeTexts are the members of a part with what is said.
var opencodeTexts = [][]string{
	{"text"}, {"state", "input"}, {"state", "output"}, {"state", "error"},
}

// mendPart mends what the provider refuses in a part.
func (s *opencodeSession) mendPart(to *store, r *session.Report, m, p *opencodeRow) {
	doc, err := jsonscan.Parse([]byte(p.data))
	if err != nil {
		return
	}
	was, root := p.data, doc.Root()
	add := func(found *mending) {
		found.finding.Rows = []string{"part " + p.id}
		r.Findings = append(r.Findings, found.finding)
	}
	switch v := p.value; v.Type {
	case "text", "reasoning", "tool":
		root = s.mendTexts(root, add)
		if v.Type != "tool" {
			break
		}
		root = s.mendCall(root, &v, add)
		if v.State.Status == "completed" && v.State.Time.Compacted == nil {
			root = s.mendAttachments(root, v.State.Attachments, add)
		}
	case "file":
		of, sent := v.picture()
		if !sent {
			return
		}
		made := mendPicture(of, s.anthropic())
		switch {
		case made == nil:
		case made.text != "":
			data, err := encode(object{{"type", "text"}, {"text", made.text}, {"synthetic", true}})
			if err != nil {
				return
			}
			root = parsed(data)
			add(made)
		default:
			root = withPicture(root, made.picture)
			add(made)
		}
	}
	if data := string(root.Raw()); data != was && root.Exists() {
		p.set(data)
		to.edit("UPDATE part SET data = ? WHERE id = ? AND data = ?", p.data, p.id, was)
	}
}

// mendTexts returns a part without NUL in what it says.
func (s *opencodeSession) mendTexts(root jsonscan.Value, add func(*mending)) jsonscan.Value {
	for _, path := range opencodeTexts {
		text := at(root, path)
		if text.SubtreeFlags()&jsonscan.HasNUL == 0 {
			continue
		}
		if found := mendText([]byte(`"\u0000"`), s.anthropic()); found != nil {
			add(found)
			root = withMember(root, jsonscan.Repair(nil, text), path)
		}
	}
	return root
}

// mendCall mends a call and its error: what a repair makes of the arguments, of the name and of a
// missing text is written into the part.
func (s *opencodeSession) mendCall(
	root jsonscan.Value, v *opencodeData, add func(*mending),
) jsonscan.Value {
	call, result := v.toolBlocks()
	call.call, result.call = "call", "call"
	if !result.failed {
		result = block{call: "call", result: true, text: "It ran."} // what it says is not looked at
	}
	made, mended := mendPair(call, result, s.anthropic())
	for _, m := range mended {
		add(m)
	}
	if mended == nil {
		return root
	}
	if !bytes.Equal(made.call.Input, call.input) {
		root = withMember(root, made.call.Input, []string{"state", "input"})
	}
	for _, text := range []struct {
		was, is string
		path    []string
	}{
		{call.name, made.call.Name, []string{"tool"}},
		{result.text, made.text, []string{"state", "error"}},
	} {
		if value, err := encode(text.is); err == nil && text.is != text.was {
			root = withMember(root, value, text.path)
		}
	}
	return root
}

// mendAttachments mends the pictures of a result.
func (s *opencodeSession) mendAttachments(
	root jsonscan.Value, files []opencodeFile, add func(*mending),
) jsonscan.Value {
	path := []string{"state", "attachments"}
	var kept [][]byte
	changed := false
	output := root.Get("state").Get("output").Str()
	k := 0
	for _, attachment := range at(root, path).All() {
		var of picture
		sent := false
		if k < len(files) { // encoding/json reads members of other cases, too
			of, sent = files[k].picture()
		}
		k++
		var made *mending
		if sent {
			made = mendPicture(of, s.anthropic())
		}
		switch {
		case made == nil:
			kept = append(kept, attachment.Raw())
			continue
		case made.text != "":
			output = strings.TrimPrefix(output+"\n"+made.text, "\n")
		default:
			kept = append(kept, withPicture(attachment, made.picture).Raw())
		}
		changed = true
		add(made)
	}
	if !changed {
		return root
	}
	text, err := encode(output)
	if err != nil {
		return root
	}
	list := append(append([]byte{'['}, bytes.Join(kept, []byte(","))...), ']')
	return withMember(withMember(root, list, path), text, []string{"state", "output"})
}

// withPicture returns a file or attachment with a picture.
func withPicture(file jsonscan.Value, p picture) jsonscan.Value {
	for name, text := range map[string]string{"mime": p.kind, "url": p.url()} {
		value, err := encode(text)
		if err != nil {
			return file
		}
		file = withMember(file, value, []string{name})
	}
	return file
}

// at follows member names from a value.
func at(v jsonscan.Value, path []string) jsonscan.Value {
	for _, name := range path {
		v = v.Get(name)
	}
	return v
}

// withMember returns a value in which a member of an object, or of one in it, has another value.
func withMember(v jsonscan.Value, value []byte, path []string) jsonscan.Value {
	for n := len(path); n > 0; n-- {
		edited := jsonscan.EditObject(at(v, path[:n-1]))
		edited.SetMember(path[n-1], value)
		value = edited.Bytes()
	}
	return parsed(value)
}

func parsed(raw []byte) jsonscan.Value {
	doc, err := jsonscan.Parse(bytes.Clone(raw))
	if err != nil {
		return jsonscan.Value{}
	}
	return doc.Root()
}
