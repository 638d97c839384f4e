package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

const crushTables = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, summary_message_id TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
	parts BLOB NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL, finished_at INTEGER);
CREATE TRIGGER touched AFTER UPDATE ON messages BEGIN
	UPDATE messages SET updated_at = 99 WHERE id = new.id; END;
INSERT INTO sessions (id, title) VALUES ('s1', 'a title');
INSERT INTO messages VALUES
	('m1', 's1', 'user', '[{"type":"text","data":{"text":"List the files."}}]', '', 1, 1, 1);
`

const (
	crushCalls = `{"type":"reasoning","data":{"thinking":"A plan.","signature":"c2lnbmVk"}},` +
		`{"type":"tool_call","data":{"id":"toolu_1","name":"ls","input":"{\"n\":1.0}",` +
		`"finished":true}},` +
		`{"type":"tool_call","data":{"id":"toolu_2","name":"ls","input":"{}","finished":true}}`
	crushFirst = `{"type":"tool_result","data":{"tool_call_id":"toolu_1","name":"ls",` +
		`"content":"one"}}`
	crushSecond = `{"type":"tool_result","data":{"tool_call_id":"toolu_2","name":"ls",` +
		`"content":"two"}}`
	crushFinish = `{"type":"finish","data":{"reason":"stop","time":0}}`
)

// crushMessage adds a message of the session.
func crushMessage(id, role, parts, time string) string {
	model := ""
	if role == "assistant" {
		model = "claude-sonnet-4-5"
	}
	return "INSERT INTO messages VALUES ('" + id + "', 's1', '" + role + "', '" + parts + "', '" +
		model + "', " + time + ", " + time + ", " + time + ");"
}

const crushAll = "SELECT id || role || CAST(parts AS TEXT) FROM messages ORDER BY created_at, rowid"

// crushImage is a result with an image.
func crushImage(data string) string {
	return `{"type":"tool_result","data":{"tool_call_id":"toolu_1","name":"see","content":"",` +
		`"data":"` + data + `","mime_type":"image/png"}}`
}

func TestCrush(t *testing.T) {
	answer := crushMessage("m4", "assistant", `[{"type":"text","data":{"text":"Two."}}]`, "4")
	for _, test := range []struct {
		name, rows string
		code       session.Code // "" for a healthy one
		has        string       // of the rows afterwards
	}{
		{"healthy", crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
			crushMessage("m3", "tool", "["+crushFirst+","+crushSecond+","+crushFinish+"]", "3") +
			answer, "", ""},
		{"one result is missing", crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
			crushMessage("m3", "tool", "["+crushFirst+","+crushFinish+"]", "3") + answer,
			session.CodeDanglingCall, crushFirst + `,{"type":"tool_result","data":` +
				`{"tool_call_id":"toolu_2","name":"ls","content":"Tool call was interrupted`},
		{"all results are missing", crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
			answer, session.CodeDanglingCall, `tool[{"type":"tool_result","data":{"tool_call_id":"toolu_1"`},
		{"a result twice", crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
			crushMessage("m3", "tool", "["+crushFirst+","+crushSecond+","+crushFirst+"]", "3") +
			answer, session.CodeDoubledResult, "[" + crushFirst + "," + crushSecond + "]"},
		{"a message cut off", crushMessage("m2", "assistant",
			`[{"type":"text","data":{"text":"I will."}},{"type":"tool_call","da`, "2"),
			session.CodeHalfWritten, `[{"type":"text","data":{"text":"I will."}}]`},
		{"arguments cut off", crushMessage("m2", "assistant",
			`[{"type":"tool_call","data":{"id":"toolu_1","input":"{\"n\":1,\"o\":\"t","name":"ls"}}]`,
			"2") + crushMessage("m3", "tool", "["+crushFirst+"]", "3"),
			session.CodeHalfWritten, `"input":"{\"n\":1}"`},
		{"both results come later", crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
			crushMessage("m3", "user", `[{"type":"text","data":{"text":"Go on."}}]`, "3") +
			crushMessage("m4", "tool", "["+crushFirst+","+crushSecond+"]", "4") + crushMessage("m5",
			"assistant", `[{"type":"text","data":{"text":"Two."}}]`, "5"),
			session.CodeOutOfOrder, "tool[" + crushFirst + "," + crushSecond + "," + crushFinish},
		{"one result comes later", crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
			crushMessage("m3", "tool", "["+crushSecond+"]", "3") +
			crushMessage("m4", "user", `[{"type":"text","data":{"text":"Go on."}}]`, "4") +
			crushMessage("m5", "tool", "["+crushFirst+"]", "5"),
			session.CodeOutOfOrder, "tool[" + crushSecond + "," + crushFirst + "]"},
		{"white space before arguments", crushMessage("m2", "assistant",
			`[{"type":"tool_call","data":{"id":"toolu_1","input":" \n{\"n\":1.0}","name":"ls"}}]`,
			"2") + crushMessage("m3", "tool", "["+crushFirst+"]", "3"), "", ""},
		{"arguments in a string", crushMessage("m2", "assistant",
			`[{"type":"tool_call","data":{"id":"toolu_1","input":"\"{\\\"n\\\":1}\"","name":"ls"}}]`,
			"2") + crushMessage("m3", "tool", "["+crushFirst+"]", "3"),
			session.CodeHalfWritten, `"input":"{\"n\":1}"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := create(t, crushTables+test.rows, true)
			done := repair(t, file, crushAll)
			require.Equal(t, "crush", done.Client)
			require.Equal(t, 1, done.Sessions)
			if test.code == "" {
				require.Empty(t, done.Broken)
				return
			}
			require.Len(t, done.Broken, 1)
			require.Equal(t, test.code, done.Broken[0].Report.Findings[0].Code)
			require.Contains(t, dump(t, file, crushAll), test.has)
		})
	}
}

// TestCrushImages: results that differ in their images alone are different ones.
func TestCrushImages(t *testing.T) {
	file := create(t, crushTables+crushMessage("m2", "assistant",
		`[{"type":"tool_call","data":{"id":"toolu_1","input":"{}","name":"see"}}]`, "2")+
		crushMessage("m3", "tool", "["+crushImage(onePixel)+","+crushImage(otherPixel)+","+
			crushImage(onePixel)+"]", "3"), true)
	_, err := session.RepairFile(file, &session.FileOptions{Write: true})
	require.NoError(t, err)
	require.Contains(t, dump(t, file, crushAll),
		"["+crushImage(onePixel)+","+crushImage(otherPixel)+"]")
}

// TestCrushReusedID: a result that follows a later call of the same id is of that one.
func TestCrushReusedID(t *testing.T) {
	const results = "[" + crushFirst + "," + crushSecond + "]"
	file := create(t, crushTables+crushMessage("m2", "assistant", "["+crushCalls+"]", "2")+
		crushMessage("m3", "tool", "["+crushSecond+"]", "3")+
		crushMessage("m4", "assistant", "["+crushCalls+"]", "4")+
		crushMessage("m5", "tool", results, "5"), true)
	found, err := session.RepairFile(file, &session.FileOptions{Write: true})
	require.NoError(t, err)
	require.Equal(t, session.CodeDanglingCall, found.Broken[0].Report.Findings[0].Code)
	require.Contains(t, dump(t, file, crushAll), "m5tool"+results)
}

// Crush lists its projects in a file of its own; without one there is the current folder.
func TestCrushProjects(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	here := filepath.Join(".crush", "crush.db")
	require.Equal(t, []string{here}, crushProjects())
	require.NoError(t, os.MkdirAll(filepath.Join(data, "crush"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(data, "crush", "projects.json"),
		[]byte(`{"projects":[{"path":"/home/dev/app","data_dir":".crush"}]}`), 0o600))
	require.Equal(t, []string{here, "/home/dev/app/.crush/crush.db"}, crushProjects())
}
