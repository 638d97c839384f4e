package sqlite

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// Crush keeps a database for each project. A message is a row with a list of parts; results are
// in rows of their own. What is said here of the client is read from its source (November 2026),
// and not measured: it drops results without a call, cannot open a session with a row that is no
// JSON, and only newer versions answer calls without a result.
func init() {
	register(session.Database{
		Client:   "crush",
		Programs: []string{"crush"},
		Title:    "Crush",
		Find:     crushProjects,
	}, crush)
}

var crush = &client{tables: []string{"sessions", "messages"}, repair: repairCrush}

// crushDatabase is the file of a project's data folder.
const crushDatabase = "crush.db"

// crushProjects returns the databases of the projects that Crush lists, and of the current folder.
func crushProjects() []string {
	files := []string{filepath.Join(".crush", crushDatabase)}
	dir := os.Getenv("XDG_DATA_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return files
		}
		dir = filepath.Join(home, ".local", "share")
	}
	data, err := os.ReadFile(filepath.Join(dir, "crush", "projects.json"))
	if err != nil {
		return files
	}
	var list struct {
		Projects []struct {
			Path    string `json:"path"`
			DataDir string `json:"data_dir"`
		} `json:"projects"`
	}
	if json.Unmarshal(data, &list) != nil {
		return files
	}
	for _, p := range list.Projects {
		if !filepath.IsAbs(p.DataDir) {
			p.DataDir = filepath.Join(p.Path, p.DataDir)
		}
		files = append(files, filepath.Join(p.DataDir, crushDatabase))
	}
	return files
}

// crushRow is a row of the table messages.
type crushRow struct {
	id, role, parts, model string
	created                int64
	list                   []crushPart
	broken                 bool // parts is not a list
	added                  bool // by the repair
	at                     int  // its number in the session
	was                    string
}

// crushPart is one part, with what is read of it.
type crushPart struct {
	raw   json.RawMessage
	kind  string
	taken bool // it has moved to another row
	data  struct {
		Text      string `json:"text"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`

		ID    string `json:"id"`
		Name  string `json:"name"`
		Input string `json:"input"`

		ToolCallID string `json:"tool_call_id"`
		Content    string `json:"content"`
		// Data is an image, in base64; it has one type as an attachment, and the other in a result.
		Data     json.RawMessage `json:"data"`
		Attached string          `json:"MIMEType"`
		InResult string          `json:"mime_type"`
		IsError  bool            `json:"is_error"`
	}
}

func crushPartOf(raw json.RawMessage) crushPart {
	part := crushPart{raw: raw}
	var wrapper struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &wrapper) == nil && json.Unmarshal(wrapper.Data, &part.data) == nil {
		part.kind = wrapper.Type
	}
	return part
}

// read reads the parts of a row: all of them, or those that were written whole.
func (r *crushRow) read() {
	r.list = nil
	decoder := json.NewDecoder(strings.NewReader(r.parts))
	start, err := decoder.Token()
	r.broken = err != nil || start != json.Delim('[')
	for !r.broken && decoder.More() {
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			break
		}
		r.list = append(r.list, crushPartOf(raw))
	}
	r.broken = !json.Valid([]byte(r.parts))
}

// write makes the parts of a row from its list.
func (r *crushRow) write() {
	var raw []string
	for _, p := range r.list {
		raw = append(raw, string(p.raw))
	}
	r.parts = "[" + strings.Join(raw, ",") + "]"
}

// crushSession is the rows of one session that the client sends.
type crushSession struct {
	id   string
	rows []*crushRow
	gone []*crushRow // rows that a repair drops
}

func repairCrush(s *store, o *session.Options, broken func(*session.Outcome)) (int, error) {
	ids, err := texts(s.db, "SELECT id FROM sessions ORDER BY id")
	if err != nil {
		return 0, err
	}
	summaries, err := crushSummaries(s.db)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		one, err := crushRows(s.db, id, summaries[id])
		if err != nil {
			return 0, err
		}
		outcome, err := one.repair(s, o)
		if err != nil {
			return 0, err
		}
		broken(outcome)
	}
	return len(ids), nil
}

// crushSummaries returns the messages that sessions begin with after a compaction, by session.
func crushSummaries(db *sql.DB) (map[string]string, error) {
	columns, err := texts(db, "SELECT name FROM pragma_table_info('sessions') "+
		"WHERE name = 'summary_message_id'")
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	rows, err := db.Query("SELECT id, summary_message_id FROM sessions " +
		"WHERE summary_message_id <> ''")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	summaries := map[string]string{}
	for rows.Next() {
		var id, message string
		if err := scan(rows, &id, &message); err != nil {
			return nil, err
		}
		summaries[id] = message
	}
	return summaries, rows.Err()
}

// crushRows reads a session from the message summary on, or all of it.
func crushRows(db *sql.DB, id, summary string) (*crushSession, error) {
	rows, err := db.Query("SELECT id, role, CAST(parts AS TEXT), COALESCE(model, ''), created_at "+
		"FROM messages WHERE session_id = ? ORDER BY created_at, rowid", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	one := &crushSession{id: id}
	for rows.Next() {
		row := &crushRow{}
		err := scan(rows, &row.id, &row.role, &row.parts, &row.model, &row.created)
		if err != nil {
			return nil, err
		}
		if row.id == summary {
			one.rows = nil
		}
		row.was = row.parts
		row.read()
		one.rows = append(one.rows, row)
	}
	return one, rows.Err()
}

// anthropic reports whether the session was last used with a model of Anthropic's.
func (s *crushSession) anthropic() bool {
	for k := len(s.rows) - 1; k >= 0; k-- {
		if model := s.rows[k].model; model != "" {
			return strings.Contains(model, "claude")
		}
	}
	return false
}

// body returns what the client would send.
func (s *crushSession) body() (*session.Session, error) {
	calls := map[string]bool{}
	var all []message
	for k, row := range s.rows {
		m := message{role: row.role, rows: []string{"message " + row.id}}
		if k == 0 && row.role == "assistant" || row.role == "tool" {
			m.role = "user" // a summary is sent as the user's
		}
		for _, p := range row.list {
			switch d := p.data; p.kind {
			case "text":
				if text := strings.TrimSpace(d.Text); text != "" {
					m.blocks = append(m.blocks, block{text: text})
				}
			case "binary":
				if pictures := p.pictures(); pictures != nil && m.role == "user" {
					m.blocks = append(m.blocks, block{pictures: pictures})
				}
			case "reasoning":
				m.blocks = append(m.blocks, block{text: d.Thinking, reasoning: true,
					signature: d.Signature})
			case "tool_call":
				calls[d.ID] = true
				input := json.RawMessage(d.Input)
				if !json.Valid(input) {
					input, _ = encode(d.Input)
				}
				m.blocks = append(m.blocks, block{call: d.ID, name: d.Name, input: input})
			case "tool_result":
				if calls[d.ToolCallID] {
					m.blocks = append(m.blocks, block{call: d.ToolCallID, text: d.Content,
						pictures: p.pictures(), result: true, failed: d.IsError})
				}
			}
		}
		all = append(all, m)
	}
	return build(all, s.anthropic())
}
