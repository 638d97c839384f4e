package sqlite

import (
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// This file repairs sessions of opencode.

// repair looks at one session, and adds its edits to the store's.
func (s *opencodeSession) repair(to *store, o *session.Options) (*session.Outcome, error) {
	outcome := &session.Outcome{Session: s.id, Report: &session.Report{}}
	var err error
	if outcome.Before, err = s.body(); err != nil {
		return nil, err
	}
	text := session.DefaultInterruptedText
	if o != nil && o.InterruptedText != "" {
		text = o.InterruptedText
	}
	edits := len(to.edits)
	blank := s.anthropic()
	for _, m := range s.sent() {
		if m.broken {
			s.repairMessage(to, outcome.Report, m)
		}
		for _, p := range s.parts[m.id] {
			s.repairPart(to, outcome.Report, p, text)
			if blank && m.value.Role == "assistant" && p.blank() {
				p.dropped = true
				to.edit("DELETE FROM part WHERE id = ? AND data = ?", p.id, p.data)
				outcome.Report.Findings = append(outcome.Report.Findings, session.Finding{
					Code: session.CodeBlankText, Rows: []string{"part " + p.id},
					Problem: "the text is blank, so the provider refuses every request",
					Done:    "removed the text",
				})
			}
		}
	}
	outcome.Report.Changed = len(to.edits) > edits
	outcome.After, err = s.body()
	return outcome, err
}

// blank reports whether a part is a text without anything to read.
func (r *opencodeRow) blank() bool {
	return !r.broken && !r.dropped && r.value.Type == "text" && r.value.Text != nil &&
		strings.TrimSpace(*r.value.Text) == ""
}

// repairMessage completes a message of which only a part was written.
func (s *opencodeSession) repairMessage(to *store, r *session.Report, m *opencodeRow) {
	f := session.Finding{
		Code: session.CodeHalfWritten, Rows: []string{"message " + m.id},
		Problem: "the message was only written in part, so the client cannot open the session",
	}
	if data := whole(m.data); data != nil {
		was := m.data
		m.set(string(data))
		if m.value.Role != "" {
			f.Done = "kept what was written whole"
			to.edit("UPDATE message SET data = ? WHERE id = ? AND data = ?", m.data, m.id, was)
		} else {
			m.set(was)
		}
	}
	r.Findings = append(r.Findings, f)
}

// repairPart turns a part that the client cannot read into one that it can.
func (s *opencodeSession) repairPart(to *store, r *session.Report, p *opencodeRow, text string) {
	f := session.Finding{
		Code: session.CodeHalfWritten, Rows: []string{"part " + p.id},
		Problem: "the part was only written in part, so the client cannot open the session",
	}
	was := p.data
	switch v := p.value; {
	case p.broken:
		if data := whole(p.data); data != nil {
			p.set(string(data))
		}
	case v.Type == "tool" && v.State.Status == "completed" && v.State.Output == nil:
		f.Code = session.CodeDanglingCall
		f.Problem = "the completed tool call has no output, so the client cannot go on"
	default:
		return
	}
	switch v := p.value; {
	case !p.broken && v.Type == "tool" && v.CallID != "" && v.Tool != "":
		data, err := opencodeFailed(p, text)
		if err != nil {
			return
		}
		p.set(string(data))
		f.Done = "turned the call into one that failed"
	case !p.broken && v.Type == "text" && v.Text != nil:
		f.Done = "kept what was written whole"
	default:
		p.dropped = true
		f.Done = "removed the part"
		to.edit("DELETE FROM part WHERE id = ? AND data = ?", p.id, was)
	}
	if !p.dropped {
		to.edit("UPDATE part SET data = ? WHERE id = ? AND data = ?", p.data, p.id, was)
	}
	r.Findings = append(r.Findings, f)
}

// opencodeFailed is the data of a call that failed.
func opencodeFailed(p *opencodeRow, text string) ([]byte, error) {
	v := p.value
	input := v.State.Input
	if len(input) == 0 || input[0] != '{' {
		input = json.RawMessage("{}")
	}
	return encode(object{
		{"type", "tool"}, {"tool", v.Tool}, {"callID", v.CallID},
		{"state", object{
			{"status", "error"}, {"input", input}, {"error", text},
			{"time", object{{"start", p.time}, {"end", p.time}}},
		}},
	})
}
