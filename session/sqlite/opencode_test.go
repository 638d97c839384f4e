package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// opencodeSchema are the columns that are read, and one more.
const opencodeSchema = `
CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
	data TEXT);
INSERT INTO session VALUES ('ses_1', 'a title');
INSERT INTO message VALUES
	('msg_1', 'ses_1', 1, '{"role":"user","model":{"modelID":"claude-sonnet-4-5"}}'),
	('msg_2', 'ses_1', 2, '{"role":"assistant","parentID":"msg_1","modelID":"claude-sonnet-4-5"}'),
	('msg_3', 'ses_1', 5, '{"role":"assistant","parentID":"msg_1","modelID":"claude-sonnet-4-5"}');
INSERT INTO part VALUES
	('prt_1', 'msg_1', 'ses_1', 1, '{"type":"text","text":"List the files."}'),
	('prt_2', 'msg_2', 'ses_1', 2, '{"type":"step-start"}'),
	('prt_3', 'msg_2', 'ses_1', 3, '{"type":"reasoning","text":"A plan.","metadata":` +
	`{"anthropic":{"signature":"c2lnbmVk"}}}'),
	('prt_4', 'msg_2', 'ses_1', 4, '{"type":"tool","tool":"ls","callID":"toolu_1","state":` +
	`{"status":"completed","input":{"n": 1.0},"output":"one","time":{"start":4}}}'),
	('prt_6', 'msg_3', 'ses_1', 6, '{"type":"text","text":"One file."}');
`

// opencodeRows adds a part to the message with the call.
func opencodeRows(data string) string {
	return "INSERT INTO part VALUES ('prt_5', 'msg_2', 'ses_1', 5, '" + data + "');"
}

// all is what of the sessions may change.
const all = "SELECT id || data FROM message UNION ALL SELECT id || data FROM part ORDER BY 1"

func TestOpencode(t *testing.T) {
	const failed = `prt_5{"type":"tool","tool":"ls","callID":"toolu_2","state":` +
		`{"status":"error","input":{"n":2},"error":"` + session.DefaultInterruptedText +
		`","time":{"start":5,"end":5}}}`
	for _, test := range []struct {
		name, data string
		code       session.Code // "" for a healthy one
		has        string       // of the rows afterwards; "" for no row prt_5
	}{
		{"healthy", `{"type":"tool","tool":"ls","callID":"toolu_2","state":{"status":"error",` +
			`"input":{"n":2},"error":"no"}}`, "", "prt_5"},
		{"an open call, which the client answers", `{"type":"tool","tool":"ls",` +
			`"callID":"toolu_2","state":{"status":"running","input":{}}}`, "", "prt_5"},
		{"a blank text", `{"type":"text","text":""}`, session.CodeBlankText, ""},
		{"a completed call without output", `{"type":"tool","tool":"ls","callID":"toolu_2",` +
			`"state":{"status":"completed","input":{"n":2}}}`, session.CodeDanglingCall, failed},
		{"a call cut off in its output", `{"type":"tool","tool":"ls","callID":"toolu_2",` +
			`"state":{"status":"completed","input":{"n":2},"output":"tw`,
			session.CodeHalfWritten, failed},
		{"a text cut off", `{"type":"text","te`, session.CodeHalfWritten, ""},
		{"a text cut off after it", `{"type":"text","text":"Two.","time":{"start"`,
			session.CodeHalfWritten, `prt_5{"type":"text","text":"Two.","time":{}}`},
		{"an unknown part", `{"type":"future","text":7}`, "", "prt_5"},
	} {
		for _, wal := range []bool{false, true} {
			name := test.name
			if wal {
				name += ", in the log"
			}
			t.Run(name, func(t *testing.T) {
				file := create(t, opencodeSchema+opencodeRows(test.data), wal)
				was := dump(t, file, all)
				done := repair(t, file, all)
				require.Equal(t, 1, done.Sessions)
				require.Equal(t, "opencode", done.Client)
				is := dump(t, file, all)
				if test.code == "" {
					require.Empty(t, done.Broken)
					require.Equal(t, was, is)
					return
				}
				require.Len(t, done.Broken, 1)
				o := done.Broken[0]
				require.Equal(t, "ses_1", o.Session)
				require.Len(t, o.Report.Findings, 1)
				require.Equal(t, test.code, o.Report.Findings[0].Code)
				require.Equal(t, []string{"part prt_5"}, o.Report.Findings[0].Rows)
				require.Equal(t, without(was, "prt_5"), without(is, "prt_5"))
				if test.has == "" {
					require.NotContains(t, is, "prt_5")
				} else {
					require.Contains(t, is, test.has)
				}
			})
		}
	}
}

// without leaves the line out that starts with an id.
func without(lines, id string) string {
	var kept []string
	for _, line := range strings.Split(lines, "\n") {
		if !strings.HasPrefix(line, id) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// Messages are as the client sends them, with the bytes of arguments.
func TestOpencodeBody(t *testing.T) {
	file := create(t, opencodeSchema+`
INSERT INTO message VALUES ('msg_4', 'ses_1', 7, '{"role":"user"}'),
	('msg_5', 'ses_1', 8, '{"role":"assistant"}');
INSERT INTO part VALUES ('prt_7', 'msg_4', 'ses_1', 7, '{"type":"text","text":"Go on."}'),
	('prt_8', 'msg_5', 'ses_1', 8, '{"type":"text","text":" "}');`, false)
	found, err := session.RepairFile(file, &session.FileOptions{Messages: true})
	require.NoError(t, err)
	o := found.Broken[0]
	require.Equal(t, []string{"anthropic/whitespace-text-block"}, o.Report.Refused)
	require.Equal(t, `{"messages":[{"role":"user","content":[{"type":"text","text":`+
		`"List the files."}]},{"role":"assistant","content":[{"type":"thinking","thinking":`+
		`"A plan.","signature":"c2lnbmVk"},{"type":"tool_use","id":"toolu_1","name":"ls","input":`+
		`{"n":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",`+
		`"content":"one"}]},{"role":"assistant","content":[{"type":"text","text":"One file."}]},`+
		`{"role":"user","content":[{"type":"text","text":"Go on."}]}]}`,
		string(o.After.Body))
	require.Contains(t, string(o.Before.Body), `{"type":"text","text":" "}`)
}

// TestOpencodeOrder: messages follow each other by their time, and an answer that ended in an error
// is not sent, unless the user aborted it.
func TestOpencodeOrder(t *testing.T) {
	const failed = `"error":{"name":"APIError"},`
	for _, test := range []struct{ statements, first, without string }{
		{"UPDATE message SET time_created = 0 WHERE id = 'msg_3'", `"One file."`, "no such text"},
		{opencodeError(failed), `"List the files."`, "A plan."},
		{opencodeError(strings.Replace(failed, "API", "MessageAborted", 1)), "List", "no such text"},
		{opencodeError(`"error":false,`), "List", "no such text"},
	} {
		file := create(t, opencodeSchema+`
INSERT INTO message VALUES ('msg_4', 'ses_1', 7, '{"role":"user"}');
INSERT INTO part VALUES ('prt_7', 'msg_4', 'ses_1', 7, '{"type":"text","text":" "}');`+
			test.statements+";", false)
		found, err := session.RepairFile(file, &session.FileOptions{Messages: true})
		require.NoError(t, err)
		body := string(found.Broken[0].After.Body)
		first, _, _ := strings.Cut(body, "}]}")
		require.Contains(t, first, test.first)
		require.NotContains(t, body, test.without)
		require.Equal(t, test.without != "A plan.", strings.Contains(body, "A plan."))
	}
}

// TestFailedAnswer: rows with which the client cannot open the session are repaired in an answer
// that it does not send, and what the provider would refuse there is left.
func TestFailedAnswer(t *testing.T) {
	for data, code := range map[string]session.Code{
		`{"type":"text","text":"abc`: session.CodeHalfWritten,
		`{"type":"tool","tool":"ls","callID":"toolu_2","state":{"status":"completed","input":{}}}`: session.CodeDanglingCall,
		`{"type":"text","text":" "}`: "",
	} {
		file := create(t, opencodeSchema+opencodeRows(data)+
			opencodeError(`"error":{"name":"APIError"},`)+";", false)
		done := repair(t, file, all)
		if code == "" {
			require.Empty(t, done.Broken)
			continue
		}
		require.Len(t, done.Broken, 1)
		require.Len(t, done.Broken[0].Report.Findings, 1)
		require.Equal(t, code, done.Broken[0].Report.Findings[0].Code)
	}
}

// opencodeError gives the answer with the call a member.
func opencodeError(member string) string {
	return "UPDATE message SET data = replace(data, '\"role\"', '" + member + "\"role\"') " +
		"WHERE id = 'msg_2'"
}

// A compaction hides what is before it.
func TestOpencodeCompaction(t *testing.T) {
	file := create(t, opencodeSchema+opencodeRows(`{"type":"text","text":""}`)+`
INSERT INTO message VALUES
	('msg_4', 'ses_1', 7, '{"role":"user"}'),
	('msg_5', 'ses_1', 8, '{"role":"assistant","parentID":"msg_4","summary":true,"finish":"stop"}');
INSERT INTO part VALUES
	('prt_7', 'msg_4', 'ses_1', 7, '{"type":"compaction","auto":true}'),
	('prt_8', 'msg_5', 'ses_1', 8, '{"type":"text","text":"A summary."}');`, false)
	found, err := session.RepairFile(file, nil)
	require.NoError(t, err)
	require.Empty(t, found.Broken)
}

// TestRealOpencode repairs what the client itself wrote.
func TestRealOpencode(t *testing.T) {
	files, err := filepath.Glob("../../../shared/sessions/opencode/*.sql")
	require.NoError(t, err)
	if files == nil {
		t.Skip("the sessions of real clients are kept beside the project, and are not there")
	}
	broken := map[string]session.Code{
		"killed-in-answer.sql":  session.CodeBlankText,
		"part-half-written.sql": session.CodeHalfWritten,
		"result-missing.sql":    session.CodeDanglingCall,
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			statements, err := os.ReadFile(name)
			require.NoError(t, err)
			file := create(t, string(statements), true)
			done := repair(t, file, all)
			code := broken[filepath.Base(name)]
			if code == "" {
				require.Empty(t, done.Broken)
				return
			}
			require.Len(t, done.Broken, 1)
			require.Equal(t, code, done.Broken[0].Report.Findings[0].Code)
		})
	}
}
