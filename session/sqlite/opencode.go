package sqlite

import (
	"database/sql"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// opencode, measured with version 1.18.33. A part is a row, and a tool call is one part with its
// result. Messages follow each other by their time. On resume the client answers open calls itself,
// and leaves out answers that ended in an error, and calls of a status that it does not know. It
// sends a blank text that was stored when a stream was cut off, but leaves an empty one out where
// no signed reasoning is beside it, and cannot open a session with a row that is no JSON, or with a
// completed call that has no output. It sends U+FFFD for a lone surrogate, and describes an empty
// picture. Kilo is built on it, and has its tables in another file.
func init() {
	register(session.Database{
		Client:   "kilo",
		Programs: []string{"kilo", "kilocode"},
		Title:    "Kilo",
		Places: []session.Place{{
			Env: "XDG_DATA_HOME", Home: ".local/share", Path: "kilo/kilo.db",
		}},
	}, &client{
		name:   "kilo.db",
		tables: opencodeTables,
		repair: repairOpencode,
	})
	register(session.Database{
		Client:   "opencode",
		Programs: []string{"opencode"},
		Title:    "opencode",
		Places: []session.Place{{
			Env: "XDG_DATA_HOME", Home: ".local/share", Path: "opencode/opencode.db",
		}},
	}, &client{
		tables:   opencodeTables,
		measured: []string{"1.18.33"},
		repair:   repairOpencode,
	})
}

// opencodeTables are the tables by which a database is known.
var opencodeTables = []string{"session", "message", "part"}

// opencodeRow is a row of the table message or part.
type opencodeRow struct {
	id, owner, data string // owner is the message of a part
	time            int64
	value           opencodeData
	broken          bool // data is no JSON object
	dropped         bool
}

// opencodeData is what is read of a row's data.
type opencodeData struct {
	Role     string          `json:"role"`
	ParentID string          `json:"parentID"`
	ModelID  string          `json:"modelID"`
	Summary  any             `json:"summary"` // true for the summary of a compaction
	Finish   string          `json:"finish"`
	Error    json.RawMessage `json:"error"`

	Type    string  `json:"type"`
	Text    *string `json:"text"`
	Ignored bool    `json:"ignored"`
	Tool    string  `json:"tool"`
	CallID  string  `json:"callID"`
	opencodeFile
	Metadata struct {
		Anthropic struct {
			Signature string `json:"signature"`
		} `json:"anthropic"`
		ProviderExecuted bool `json:"providerExecuted"`
	} `json:"metadata"`
	State struct {
		Status string          `json:"status"`
		Input  json.RawMessage `json:"input"`
		Output *string         `json:"output"`
		Error  string          `json:"error"`
		// Attachments are pictures and files of a result.
		Attachments []opencodeFile `json:"attachments"`
		Time        struct {
			Compacted any `json:"compacted"` // when the client cleared the output
		} `json:"time"`
		// Metadata has the output of a command once more. Of an interrupted one it has the only.
		Metadata struct {
			Output      *string `json:"output"`
			Interrupted bool    `json:"interrupted"`
		} `json:"metadata"`
	} `json:"state"`
}

func (r *opencodeRow) set(data string) {
	r.data, r.value = data, opencodeData{}
	if json.Unmarshal([]byte(data), &r.value) != nil {
		r.value = opencodeData{} // a row of another shape is left alone
	}
	r.broken = !json.Valid([]byte(data))
}

// opencodeSession is the rows of one session.
type opencodeSession struct {
	id       string
	messages []*opencodeRow
	parts    map[string][]*opencodeRow // by the message
}

// repairOpencode reads the messages and parts of all sessions side by side, so that one
// session is in memory at a time.
func repairOpencode(s *store, o *session.Options, broken func(*session.Outcome)) (int, error) {
	if err := s.readVersions(); err != nil {
		return 0, err
	}
	messages, err := s.db.Query(
		"SELECT session_id, id, '', time_created, data FROM message " +
			"ORDER BY session_id, time_created, id")
	if err != nil {
		return 0, err
	}
	defer messages.Close()
	parts, err := s.db.Query("SELECT session_id, id, message_id, time_created, data FROM part " +
		"ORDER BY session_id, message_id, id")
	if err != nil {
		return 0, err
	}
	defer parts.Close()
	ofMessage, ofPart := opencodeCursor{rows: messages}, opencodeCursor{rows: parts}
	if err := ofMessage.next(); err != nil {
		return 0, err
	}
	if err := ofPart.next(); err != nil {
		return 0, err
	}
	count := 0
	for ofMessage.row != nil {
		one := &opencodeSession{id: ofMessage.session, parts: map[string][]*opencodeRow{}}
		for ofMessage.row != nil && ofMessage.session == one.id {
			one.messages = append(one.messages, ofMessage.row)
			if err := ofMessage.next(); err != nil {
				return count, err
			}
		}
		for ofPart.row != nil && ofPart.session <= one.id {
			if ofPart.session == one.id {
				one.parts[ofPart.row.owner] = append(one.parts[ofPart.row.owner], ofPart.row)
			}
			if err := ofPart.next(); err != nil {
				return count, err
			}
		}
		count++
		outcome, err := one.repair(s, o)
		if err != nil {
			return count, err
		}
		broken(outcome)
	}
	return count, nil
}

// opencodeCursor reads rows one by one; row is nil after the last.
type opencodeCursor struct {
	rows    *sql.Rows
	session string
	row     *opencodeRow
}

func (c *opencodeCursor) next() error {
	c.row = nil
	if !c.rows.Next() {
		return c.rows.Err()
	}
	row, data := &opencodeRow{}, ""
	if err := scan(c.rows, &c.session, &row.id, &row.owner, &row.time, &data); err != nil {
		return err
	}
	row.set(data)
	c.row = row
	return nil
}

// sent returns the messages that the client sends: those after the last compaction, and not the
// answers that ended in an error.
func (s *opencodeSession) sent() []*opencodeRow {
	var all []*opencodeRow
	for _, m := range s.uncompacted() {
		if s.sends(m) {
			all = append(all, m)
		}
	}
	return all
}

// sends reports whether the client sends a message, were it whole.
func (s *opencodeSession) sends(m *opencodeRow) bool {
	return m.broken || m.value.Role == "user" || m.value.Role == "assistant" && !s.failed(m)
}

// failed reports whether an answer ended in an error: one that the user aborted did not, if there
// is more in it than reasoning.
func (s *opencodeSession) failed(m *opencodeRow) bool {
	if !isTrue(m.value.Error) {
		return false
	}
	var of struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(m.value.Error, &of) // "" for what is no object
	return of.Name != "MessageAbortedError" || !slices.ContainsFunc(s.parts[m.id],
		func(p *opencodeRow) bool {
			return !p.dropped && p.value.Type != "step-start" && p.value.Type != "reasoning"
		})
}

// isTrue reports whether JavaScript takes a JSON value for true.
func isTrue(raw json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", "false", "0", `""`}, string(raw))
}

// uncompacted returns the messages after the last compaction.
func (s *opencodeSession) uncompacted() []*opencodeRow {
	summarized := map[string]bool{}
	for k := len(s.messages) - 1; k >= 0; k-- {
		m := s.messages[k].value
		if m.Role == "assistant" && m.Summary == true && m.Finish != "" {
			summarized[m.ParentID] = true
		}
		if m.Role == "user" && summarized[s.messages[k].id] && slices.ContainsFunc(
			s.parts[s.messages[k].id],
			func(p *opencodeRow) bool { return p.value.Type == "compaction" }) {
			return s.messages[k:]
		}
	}
	return s.messages
}

// anthropic reports whether the session was last used with a model of Anthropic's.
func (s *opencodeSession) anthropic() bool {
	for k := len(s.messages) - 1; k >= 0; k-- {
		if model := s.messages[k].value.ModelID; model != "" {
			return strings.Contains(model, "claude")
		}
	}
	return false
}

// body returns what the client would send.
func (s *opencodeSession) body() (*session.Session, error) {
	var all []message
	anthropic := s.anthropic()
	for _, m := range s.sent() {
		said := message{role: m.value.Role, rows: []string{"message " + m.id}}
		results := message{role: "user", rows: said.rows}
		signed := s.signed(m)
		for _, p := range s.parts[m.id] {
			if !p.sent(m) {
				continue
			}
			switch v := p.value; v.Type {
			case "text":
				if v.Text != nil && (*v.Text != "" || signed) {
					said.blocks = append(said.blocks, block{text: *v.Text})
				}
			case "file":
				if of, sent := v.picture(); sent && m.value.Role == "user" {
					said.blocks = append(said.blocks, block{pictures: []picture{of}})
				}
			case "reasoning":
				said.blocks = append(said.blocks, block{
					text: *orEmpty(v.Text), reasoning: true,
					signature: v.Metadata.Anthropic.Signature,
				})
			case "compaction":
				said.blocks = append(said.blocks, block{text: "What did we do so far?"})
			case "subtask":
				said.blocks = append(said.blocks,
					block{text: "The following tool was executed by the user"})
			case "tool":
				call, result := v.toolBlocks()
				if anthropic {
					call.call = anthropicID.ReplaceAllString(call.call, "_")
					result.call = call.call
				}
				said.blocks = append(said.blocks, call)
				results.blocks = append(results.blocks, result)
			}
		}
		all = append(all, said, results)
	}
	return build(all, anthropic)
}

// sent reports whether the client sends a part of a message.
func (r *opencodeRow) sent(m *opencodeRow) bool {
	if r.broken || r.dropped {
		return false
	}
	user := m.value.Role == "user"
	switch v := r.value; v.Type {
	case "text":
		return !user || !v.Ignored
	case "file", "compaction", "subtask":
		return user
	case "reasoning":
		return !user
	case "tool":
		return !user && !v.Metadata.ProviderExecuted &&
			slices.Contains([]string{"completed", "error", "pending", "running"}, v.State.Status)
	}
	return true
}

// signed reports whether a message has signed reasoning: then the client sends a blank text for an
// empty one, and otherwise it leaves that out.
func (s *opencodeSession) signed(m *opencodeRow) bool {
	return slices.ContainsFunc(s.parts[m.id], func(p *opencodeRow) bool {
		return !p.broken && !p.dropped && p.value.Type == "reasoning" &&
			p.value.Metadata.Anthropic.Signature != ""
	})
}

// anthropicID matches what the client replaces in ids of calls for Anthropic's models.
var anthropicID = regexp.MustCompile("[^a-zA-Z0-9_-]")

func orEmpty(text *string) *string {
	if text == nil {
		return new(string)
	}
	return text
}

// toolBlocks returns the call and the result of a tool part, as the client sends them.
func (v *opencodeData) toolBlocks() (call, result block) {
	input := v.State.Input
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	input = wellFormed(input)
	call = block{call: v.CallID, name: v.Tool, input: input}
	result = block{call: v.CallID, result: true}
	switch v.State.Status {
	case "completed":
		result.text = *orEmpty(v.State.Output)
		if v.State.Time.Compacted != nil {
			result.text = "[Old tool result content cleared]"
			break
		}
		for _, file := range v.State.Attachments {
			if picture, sent := file.picture(); sent {
				result.pictures = append(result.pictures, picture)
			}
		}
	case "error":
		if said := v.State.Metadata; said.Interrupted && said.Output != nil {
			result.text = *said.Output
			break
		}
		result.text, result.failed = v.State.Error, true
	default:
		result.text, result.failed = "[Tool execution was interrupted]", true
	}
	return call, result
}
