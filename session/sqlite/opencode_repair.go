package sqlite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
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
	outcome.Report.Version = to.versions[s.id]
	outcome.Report.Unsure = !slices.Contains(to.client.measured, outcome.Report.Version)
	edits := len(to.edits)
	if err := s.repairLost(to, outcome.Report); err != nil {
		return nil, err
	}
	ids := usedIDs{anthropic: s.anthropic()}
	for _, m := range s.uncompacted() {
		if m.broken {
			if err := s.repairMessage(to, outcome.Report, m); err != nil {
				return nil, err
			}
		}
		signed, sent := s.signed(m), s.sends(m)
		ids.enter()
		calls := map[string]string{} // the parts with calls of the message, by the id of the call
		for _, p := range s.parts[m.id] {
			if id := p.value.CallID; id != "" && calls[id] == p.data {
				dropDoubled(to, outcome.Report, p)
				continue
			}
			calls[p.value.CallID] = p.data
			s.repairPart(to, outcome.Report, p, text)
			if ids.anthropic && sent && p.sent(m) && p.blank() &&
				(*p.value.Text != "" || signed && m.value.Role == "assistant") {
				p.dropped = true
				to.edit("DELETE FROM part WHERE id = ? AND data = ?", p.id, p.data)
				outcome.Report.Findings = append(outcome.Report.Findings, session.Finding{
					Code: session.CodeBlankText, Rows: []string{"part " + p.id},
					Problem: "the text is blank",
					Fix:     "remove the text",
				})
			}
			if sent && p.sent(m) {
				s.mendPart(to, outcome.Report, m, p)
				ids.mend(to, outcome.Report, p)
			}
		}
	}
	outcome.Report.Changed = len(to.edits) > edits
	outcome.After, err = s.body()
	return outcome, err
}

// unopened says what becomes of a session with a row that the client cannot read.
func unopened(r *session.Report) string {
	if r.Unsure {
		return ", so the client may not be able to open the session"
	}
	return ", so the client cannot open the session"
}

// blank reports whether a part is a text without anything to read.
func (r *opencodeRow) blank() bool {
	return !r.broken && !r.dropped && r.value.Type == "text" && r.value.Text != nil &&
		strings.TrimSpace(*r.value.Text) == ""
}

// dropDoubled drops a part that is in the message a second time.
func dropDoubled(to *store, r *session.Report, p *opencodeRow) {
	p.dropped = true
	to.edit("DELETE FROM part WHERE id = ? AND data = ?", p.id, p.data)
	r.Findings = append(r.Findings, session.Finding{
		Code: session.CodeDoubledResult, Rows: []string{"part " + p.id},
		Problem: "the tool call and its result are kept twice",
		Fix:     "remove the second copy",
	})
}

// repairPart turns a part that the client cannot read into one that it can.
func (s *opencodeSession) repairPart(to *store, r *session.Report, p *opencodeRow, text string) {
	f := session.Finding{
		Code: session.CodeHalfWritten, Rows: []string{"part " + p.id},
		Problem: "the part was only written in part" + unopened(r),
	}
	was := p.data
	switch v := p.value; {
	case p.broken:
		if data := whole(p.data); data != nil {
			p.set(string(data))
		}
	case v.Type == "tool" && v.State.Status == "completed" && v.State.Output == nil:
		f.Code = session.CodeDanglingCall
		f.Problem = "the completed tool call has no output" + unopened(r)
	default:
		return
	}
	switch v := p.value; {
	case !p.broken && v.Type == "tool" && v.CallID != "" && v.Tool != "" &&
		v.State.Status == "completed" && v.State.Output == nil && v.State.Metadata.Output != nil:
		p.set(withOutput(p))
		f.Fix = "take the output from the metadata of the call"
	case !p.broken && v.Type == "tool" && v.CallID != "" && v.Tool != "":
		data, err := opencodeFailed(p, text)
		if err != nil {
			return
		}
		p.set(string(data))
		f.Fix = "turn the call into one that failed"
	case !p.broken && v.Type == "text" && v.Text != nil:
		f.Fix = "keep what was written whole"
	default:
		p.dropped = true
		f.Fix = "remove the part"
		to.edit("DELETE FROM part WHERE id = ? AND data = ?", p.id, was)
	}
	if !p.dropped {
		to.edit("UPDATE part SET data = ? WHERE id = ? AND data = ?", p.data, p.id, was)
	}
	r.Findings = append(r.Findings, f)
}

// withOutput returns the data of a call whose output is in its metadata alone.
func withOutput(p *opencodeRow) string {
	doc, err := jsonscan.Parse([]byte(p.data))
	if err != nil {
		return p.data
	}
	output, err := encode(*p.value.State.Metadata.Output)
	if err != nil {
		return p.data
	}
	state := jsonscan.EditObject(doc.Root().Get("state"))
	state.SetMember("output", output)
	if !doc.Root().Get("state").Has("title") {
		state.SetMember("title", []byte(`""`))
	}
	if !hasStamps(doc.Root().Get("state").Get("time")) {
		state.SetMember("time", fmt.Appendf(nil, `{"start":%d,"end":%d}`, p.time, p.time))
	}
	part := jsonscan.EditObject(doc.Root())
	part.SetMember("state", state.Bytes())
	return string(part.Bytes())
}

// hasStamps reports whether the time of a call has its start and its end.
func hasStamps(stamp jsonscan.Value) bool { return stamp.Has("start") && stamp.Has("end") }

// opencodeFailed returns the data of a call that failed.
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
