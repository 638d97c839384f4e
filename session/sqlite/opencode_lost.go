package sqlite

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// This file writes messages of opencode again of which only the parts are left. The client deletes
// the parts of a message with it, so that such a message was lost, and not taken back.

// repairLost gives parts whose message is lost a message again.
func (s *opencodeSession) repairLost(to *store, r *session.Report) error {
	for _, id := range s.lost() {
		f := session.Finding{
			Code: session.CodeHalfWritten, Rows: []string{"message " + id},
			Problem: "the message of parts is not in the database, so the client leaves them out",
		}
		m := &opencodeRow{id: id, time: s.parts[id][0].time}
		at, _ := slices.BinarySearchFunc(s.messages, m, func(a, b *opencodeRow) int {
			return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.id, b.id))
		})
		s.messages = slices.Insert(s.messages, at, m)
		role, err := encode(object{{"role", s.roleOf(id)}})
		if err != nil {
			return err
		}
		data, err := s.complete(to, m, role)
		if err != nil {
			return err
		}
		if data == "" {
			s.messages = slices.Delete(s.messages, at, at+1)
			r.Findings = append(r.Findings, f)
			continue
		}
		m.set(data)
		if err := to.insertMessage(m, s.otherThan(m)); err != nil {
			return err
		}
		r.LostMessages++
		r.LosesStart = r.LosesStart || at == 0
		f.Fix = "write the message again, after another one"
		r.Findings = append(r.Findings, f)
	}
	return nil
}

// lost returns the ids of messages of which only parts are left, in order.
func (s *opencodeSession) lost() []string {
	there := make(map[string]bool, len(s.messages))
	for _, m := range s.messages {
		there[m.id] = true
	}
	var lost []string
	for id, parts := range s.parts {
		if !there[id] && slices.ContainsFunc(parts, func(p *opencodeRow) bool { return !p.broken }) {
			lost = append(lost, id)
		}
	}
	slices.Sort(lost)
	return lost
}

// roleOf returns whose message a lost one was, as far as its parts and other messages show it.
func (s *opencodeSession) roleOf(id string) string {
	for _, m := range s.messages {
		if m.value.ParentID == id {
			return "user" // an answer names the message that it answers
		}
	}
	for _, p := range s.parts[id] {
		switch p.value.Type {
		case "tool", "reasoning", "step-start", "step-finish":
			return "assistant"
		case "file", "agent", "subtask", "compaction":
			return "user"
		}
	}
	for _, p := range s.parts[id] {
		var has members
		if json.Unmarshal([]byte(p.data), &has) == nil && has["time"] != nil {
			return "assistant" // how long it was streamed
		}
	}
	return ""
}

// otherThan returns the id of another message of the session, which m is one of.
func (s *opencodeSession) otherThan(m *opencodeRow) string {
	for _, other := range s.messages {
		if other != m {
			return other.id
		}
	}
	return ""
}

// insertMessage adds a message with the columns of another one.
func (s *store) insertMessage(m *opencodeRow, other string) error {
	rows, err := s.db.Query("SELECT name FROM pragma_table_info('message') ORDER BY cid")
	if err != nil {
		return err
	}
	defer rows.Close()
	var names, values []string
	var args []any
	for rows.Next() {
		var name string
		if err := scan(rows, &name); err != nil {
			return err
		}
		value := "?"
		switch name {
		case "id":
			args = append(args, m.id)
		case "data":
			args = append(args, m.data)
		case "time_created", "time_updated":
			args = append(args, m.time)
		default:
			value = quoteName(name)
		}
		names, values = append(names, quoteName(name)), append(values, value)
	}
	s.edit("INSERT INTO message ("+strings.Join(names, ", ")+") SELECT "+
		strings.Join(values, ", ")+" FROM message WHERE id = ?", append(args, other)...)
	return rows.Err()
}

// quoteName quotes the name of a column.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
