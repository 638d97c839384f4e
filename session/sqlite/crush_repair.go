package sqlite

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/internal/arguments"
	"github.com/go-preflight/preflight/session"
	"github.com/go-preflight/preflight/session/internal/partial"
)

// This file repairs sessions of Crush.

// repair looks at one session, and adds its edits to the store's.
func (s *crushSession) repair(to *store, o *session.Options) (*session.Outcome, error) {
	outcome := &session.Outcome{Session: s.id, Report: &session.Report{Unsure: true}}
	var err error
	if outcome.Before, err = s.body(); err != nil {
		return nil, err
	}
	if o == nil {
		o = &session.Options{}
	}
	text := cmp.Or(o.InterruptedText, session.DefaultInterruptedText)
	r := outcome.Report
	for _, row := range s.rows {
		if row.broken {
			row.write()
			row.broken = false
			r.Findings = append(r.Findings, row.finding(session.CodeHalfWritten,
				"the message was only written in part"+unopened(r),
				"keep the parts that were written whole"))
		}
		row.repairInputs(r)
		s.mendPictures(r, row)
		s.mendCalls(r, row)
	}
	s.dropDoubles(r)
	s.undo(r, text)
	if err := s.answer(r, text, o.Running); err != nil {
		return nil, err
	}
	for _, row := range s.gone {
		to.edit("DELETE FROM messages WHERE id = ? AND CAST(parts AS TEXT) = ?", row.id, row.was)
		r.Changed = true
	}
	for _, row := range s.rows {
		switch {
		case row.added:
			to.edit("INSERT INTO messages (id, session_id, role, parts, created_at, updated_at, "+
				"finished_at) VALUES (?, ?, ?, ?, ?, ?, ?)", row.id, s.id, row.role, row.parts,
				row.created, row.created, row.created)
		case row.parts != row.was:
			to.edit("UPDATE messages SET parts = ? WHERE id = ? AND CAST(parts AS TEXT) = ?",
				row.parts, row.id, row.was)
		default:
			continue
		}
		r.Changed = true
	}
	outcome.After, err = s.body()
	return outcome, err
}

func (r *crushRow) finding(code session.Code, problem, fix string) session.Finding {
	return session.Finding{Code: code, Rows: []string{"message " + r.id}, Problem: problem,
		Fix: fix}
}

// isObject reports whether a text is a JSON object, with white space around it or not.
func isObject(text string) bool {
	return json.Valid([]byte(text)) && strings.TrimLeft(text, partial.WhiteSpace)[0] == '{'
}

// repairInputs makes arguments that were cut off objects again.
func (r *crushRow) repairInputs(report *session.Report) {
	changed := false
	for k, p := range r.list {
		if p.kind != "tool_call" || isObject(p.data.Input) {
			continue
		}
		input := whole(p.data.Input)
		if input == nil {
			input = arguments.Object([]byte(p.data.Input))
		}
		var wrapper, data map[string]json.RawMessage
		if json.Unmarshal(p.raw, &wrapper) != nil ||
			json.Unmarshal(wrapper["data"], &data) != nil {
			continue
		}
		quoted, err := encode(string(input))
		if err != nil {
			continue
		}
		data["input"], data["finished"] = quoted, json.RawMessage("true")
		if wrapper["data"], err = encode(data); err != nil {
			continue
		}
		raw, err := encode(wrapper)
		if err != nil {
			continue
		}
		r.list[k] = crushPartOf(raw)
		changed = true
	}
	if changed {
		r.write()
		report.Findings = append(report.Findings, r.finding(session.CodeHalfWritten,
			"the arguments of a tool call were cut off",
			"keep the arguments that were written whole"))
	}
}

// dropDoubles drops results that are there twice.
func (s *crushSession) dropDoubles(report *session.Report) {
	seen := map[string]map[string]bool{} // contents by the id of the call
	for _, row := range s.rows {
		before := len(row.list)
		row.list = slices.DeleteFunc(row.list, func(p crushPart) bool {
			if p.kind == "tool_call" {
				delete(seen, p.data.ID) // an id that is used again begins anew
			}
			if p.kind != "tool_result" {
				return false
			}
			contents := seen[p.data.ToolCallID]
			if contents == nil {
				contents = map[string]bool{}
				seen[p.data.ToolCallID] = contents
			}
			content := p.data.Content + "\n" + string(p.data.Data)
			again := contents[content]
			contents[content] = true
			return again
		})
		if len(row.list) < before {
			row.write()
			report.Findings = append(report.Findings, row.finding(session.CodeDoubledResult,
				"a tool result is kept twice, and may be sent twice", "remove the second copy"))
		}
	}
}

// undo takes results out that an earlier repair added and whose own result has arrived since. Rows
// that the repair added and that are left without a result are dropped.
func (s *crushSession) undo(report *session.Report, text string) {
	added := map[string]bool{} // the ids of rows that a repair adds
	for _, row := range s.rows {
		added[derivedID(row.id)] = true
	}
	undone := map[*crushRow]bool{}
	for _, uses := range s.uses() {
		for k := 0; k < len(uses); {
			end := k + 1 // of the results of one call
			for end < len(uses) && !uses[end].call {
				end++
			}
			var ours []crushUse
			own := false
			for _, u := range uses[k:end] {
				switch p := u.row.list[u.part]; {
				case u.call:
				case p.data.IsError && p.data.Content == text && string(p.data.Data) == `""`:
					ours = append(ours, u)
				default:
					own = true
				}
			}
			for _, u := range ours {
				if own && uses[k].call {
					u.row.list[u.part].taken = true
					undone[u.row] = true
				}
			}
			k = end
		}
	}
	gone := map[*crushRow]bool{}
	for _, row := range s.rows {
		if !undone[row] {
			continue
		}
		row.dropTaken()
		if gone[row] = added[row.id] && crushResults(row.list) == 0; gone[row] {
			s.gone = append(s.gone, row)
		}
		report.Findings = append(report.Findings, row.finding(session.CodeLateResult,
			"the tool's own result arrived after a repair had added one",
			"remove the added result"))
	}
	s.rows = slices.DeleteFunc(s.rows, func(row *crushRow) bool { return gone[row] })
}

// crushUse is a call or a result of an id.
type crushUse struct {
	row  *crushRow
	part int // its number in the row
	call bool
}

// uses returns the calls and results of each id, in their order, and numbers the rows.
func (s *crushSession) uses() map[string][]crushUse {
	all := map[string][]crushUse{}
	for k, row := range s.rows {
		row.at = k
		for j, p := range row.list {
			switch {
			case p.kind == "tool_call":
				all[p.data.ID] = append(all[p.data.ID], crushUse{row, j, true})
			case p.kind == "tool_result" && row.role == "tool":
				all[p.data.ToolCallID] = append(all[p.data.ToolCallID], crushUse{row, j, false})
			}
		}
	}
	return all
}

// takeLate takes the result of a call, if a row after number at has it and the id is not used again
// before. The row keeps it until dropTaken.
func takeLate(uses map[string][]crushUse, id string, at int) (crushPart, bool) {
	next, _ := slices.BinarySearchFunc(uses[id], at+1, func(u crushUse, at int) int {
		return cmp.Compare(u.row.at, at)
	})
	if id == "" || next == len(uses[id]) {
		return crushPart{}, false
	}
	row := uses[id][next].row
	for _, u := range uses[id][next:] {
		if u.call || u.row != row {
			break
		}
		if p := row.list[u.part]; !p.taken {
			row.list[u.part].taken = true
			return p, true
		}
	}
	return crushPart{}, false
}

// dropTaken drops the results that were taken out of a row.
func (r *crushRow) dropTaken() {
	before := len(r.list)
	r.list = slices.DeleteFunc(r.list, func(p crushPart) bool {
		return p.taken
	})
	if len(r.list) < before {
		r.write()
	}
}

// answer gives results to the calls that have none, those that come later or else errors: in the
// row of results that follows the call, or in a row of its own.
func (s *crushSession) answer(report *session.Report, text string, running time.Time) error {
	uses := s.uses()
	rows := make([]*crushRow, 0, len(s.rows))
	for k, row := range s.rows {
		rows = append(rows, row)
		if row.role != "assistant" {
			continue
		}
		last := k // of the rows with results
		answered := map[string]bool{}
		for last+1 < len(s.rows) && s.rows[last+1].role == "tool" {
			last++
			for _, p := range s.rows[last].list {
				answered[p.data.ToolCallID] = true
			}
		}
		var results []crushPart
		moved, left := 0, false
		for _, p := range row.list {
			if p.kind != "tool_call" || answered[p.data.ID] {
				continue
			}
			if result, ok := takeLate(uses, p.data.ID, s.rows[last].at); ok {
				results = append(results, result)
				moved++
				continue
			}
			if !running.IsZero() && row.made().After(running) {
				left = true
				continue
			}
			raw, err := encode(object{{"type", "tool_result"}, {"data", object{
				{"tool_call_id", p.data.ID}, {"name", p.data.Name}, {"content", text},
				{"data", ""}, {"mime_type", ""}, {"metadata", ""}, {"is_error", true},
			}}})
			if err != nil {
				return err
			}
			results = append(results, crushPartOf(raw))
		}
		if left {
			report.Findings = append(report.Findings, row.finding(session.CodeDanglingCall,
				"a tool call has no result yet, and its tool may still run", ""))
		}
		if results == nil {
			continue
		}
		if moved > 0 {
			report.Findings = append(report.Findings, row.finding(session.CodeOutOfOrder,
				"the result of a tool call does not follow it", "move the result after its call"))
		}
		if moved < len(results) {
			report.Findings = append(report.Findings, row.finding(session.CodeDanglingCall,
				"a tool call has no result, and not every version of the client adds one",
				"add an error result"))
		}
		if last > k {
			to := s.rows[last]
			to.list = slices.Insert(to.list, crushResults(to.list), results...)
			to.write()
			continue
		}
		finish := json.RawMessage(`{"type":"finish","data":{"reason":"stop","time":0}}`)
		added := &crushRow{
			id: derivedID(row.id), role: "tool", created: row.created, added: true,
			list: append(results, crushPartOf(finish)),
		}
		added.write()
		rows = append(rows, added)
	}
	for _, row := range s.rows {
		row.dropTaken()
	}
	s.rows = rows
	return nil
}

// made is when the row was written, which is stored in seconds or milliseconds since 1970.
func (r *crushRow) made() time.Time {
	const firstMillis = 100_000_000_000 // in seconds, some thousand years from now
	if r.created < firstMillis {
		return time.Unix(r.created, 0)
	}
	return time.UnixMilli(r.created)
}

// crushResults returns the index after the last result of a list.
func crushResults(list []crushPart) int {
	for k := len(list) - 1; k >= 0; k-- {
		if list[k].kind == "tool_result" {
			return k + 1
		}
	}
	return 0
}

// derivedID makes a UUID out of another id: the same id always gives the same one.
func derivedID(id string) string {
	sum := sha256.Sum256([]byte(id))
	sum[6] = sum[6]&0x0f | 0x80 // version 8: made by the application
	sum[8] = sum[8]&0x3f | 0x80
	s := hex.EncodeToString(sum[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
