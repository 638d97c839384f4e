package sqlite

import (
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session"
)

// This file completes messages of opencode of which only the beginning was written.

// needed are the members without which the client cannot open a message, by its role.
var needed = map[string][]string{
	"user": {"agent", "model", "time"},
	"assistant": {
		"parentID", "mode", "agent", "path", "cost", "tokens", "modelID", "providerID", "time",
	},
}

// members are those of a message.
type members map[string]json.RawMessage

// repairMessage completes a message of which only a part was written.
func (s *opencodeSession) repairMessage(to *store, r *session.Report, m *opencodeRow) error {
	f := session.Finding{
		Code: session.CodeHalfWritten, Rows: []string{"message " + m.id},
		Problem: "the message was only written in part" + unopened(r),
	}
	completed := ""
	if data := whole(m.data); data != nil {
		var err error
		if completed, err = s.complete(to, m, data); err != nil {
			return err
		}
	}
	if completed != "" {
		was := m.data
		m.set(completed)
		f.Fix = "keep what was written whole, and take the rest from another message"
		to.edit("UPDATE message SET data = ? WHERE id = ? AND data = ?", m.data, m.id, was)
	}
	r.Findings = append(r.Findings, f)
	return nil
}

// complete returns the data of a message with the members that it needs. Of those that were not
// written, the time is that of the row, the parent is the user's message before it, and the rest is
// that of another message: of the session, or else of the database. It returns "" if there is none.
func (s *opencodeSession) complete(to *store, m *opencodeRow, data []byte) (string, error) {
	var has members
	var role string
	if json.Unmarshal(data, &has) != nil || json.Unmarshal(has["role"], &role) != nil ||
		needed[role] == nil {
		return "", nil
	}
	other := s.wholeMessage(role)
	if other == nil {
		var err error
		if other, err = to.wholeMessage(role); err != nil {
			return "", err
		}
	}
	doc, err := jsonscan.Parse(data)
	if err != nil {
		return "", nil
	}
	edited := jsonscan.EditObject(doc.Root())
	for _, name := range needed[role] {
		value, there := has[name]
		switch {
		case name == "time" && (!there || !hasCreated(value)):
			value, err = encode(object{{"created", m.time}})
		case there:
			continue
		case name == "parentID":
			value, err = encode(s.askedBy(m))
		default:
			value = other[name]
		}
		if err != nil {
			return "", err
		}
		if value == nil || string(value) == `""` {
			return "", nil
		}
		edited.SetMember(name, value)
	}
	return string(edited.Bytes()), nil
}

// askedBy returns the id of the user's message that a message answers, "" for none.
func (s *opencodeSession) askedBy(m *opencodeRow) string {
	id := ""
	for _, other := range s.messages {
		if other == m {
			break
		}
		if other.value.Role == "user" {
			id = other.id
		}
	}
	return id
}

// wholeMessage returns the members of a message with a role that has all that the client needs, nil
// if there is none.
func (s *opencodeSession) wholeMessage(role string) members {
	for _, m := range s.messages {
		if other := membersOf(m.data, role); other != nil {
			return other
		}
	}
	return nil
}

// wholeMessage returns the members of the newest message of the database as that of a session does.
func (s *store) wholeMessage(role string) (members, error) {
	if other, known := s.messages[role]; known {
		return other, nil
	}
	rows, err := s.db.Query("SELECT data FROM message ORDER BY time_created DESC")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var other members
	for other == nil && rows.Next() {
		var data string
		if err := scan(rows, &data); err != nil {
			return nil, err
		}
		other = membersOf(data, role)
	}
	if s.messages == nil {
		s.messages = map[string]members{}
	}
	s.messages[role] = other
	return other, rows.Err()
}

// membersOf returns the members of a message if it has a role and all that the client needs.
func membersOf(data, role string) members {
	var all members
	var is string
	if json.Unmarshal([]byte(data), &all) != nil || json.Unmarshal(all["role"], &is) != nil ||
		is != role {
		return nil
	}
	if slices.ContainsFunc(needed[role], func(name string) bool { return all[name] == nil }) {
		return nil
	}
	return all
}

// hasCreated reports whether the time of a message has when it was made.
func hasCreated(value json.RawMessage) bool {
	var stamp struct {
		Created *float64 `json:"created"`
	}
	return json.Unmarshal(value, &stamp) == nil && stamp.Created != nil
}
