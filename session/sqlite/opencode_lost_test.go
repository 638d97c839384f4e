package sqlite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// wholeMessages are messages with all members that the client needs.
const wholeMessages = `
CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
	time_updated INTEGER NOT NULL, "odd name" TEXT, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
	data TEXT);
INSERT INTO session VALUES ('ses_1', 'a title');
INSERT INTO message VALUES
	('msg_1', 'ses_1', 1, 1, 'x', '{"role":"user","time":{"created":1},"agent":"a","model":"m"}'),
	('msg_2', 'ses_1', 2, 2, 'x', '{"role":"assistant","parentID":"msg_1","mode":"b","agent":"a",` +
	`"path":{},"cost":0,"tokens":{},"modelID":"claude-sonnet-4-5","providerID":"p",` +
	`"time":{"created":2}}'),
	('msg_3', 'ses_1', 4, 4, 'x', '{"role":"user","time":{"created":4},"agent":"a","model":"m"}'),
	('msg_4', 'ses_1', 5, 5, 'x', '{"role":"assistant","parentID":"msg_3","mode":"b","agent":"a",` +
	`"path":{},"cost":0,"tokens":{},"modelID":"claude-sonnet-4-5","providerID":"p",` +
	`"time":{"created":5}}');
INSERT INTO part VALUES
	('prt_1', 'msg_1', 'ses_1', 1, '{"type":"text","text":"Look."}'),
	('prt_2', 'msg_2', 'ses_1', 2, '{"type":"tool","tool":"ls","callID":"toolu_1","state":` +
	`{"status":"completed","input":{},"output":"one","time":{"start":2}}}'),
	('prt_3', 'msg_3', 'ses_1', 4, '{"type":"text","text":"And now?"}'),
	('prt_4', 'msg_4', 'ses_1', 5, '{"type":"text","text":"Done.","time":{"start":5,"end":5}}');
`

// TestLostMessage: parts whose message is lost get one of the same owner in the same place.
func TestLostMessage(t *testing.T) {
	whole := dump(t, create(t, wholeMessages, false), all)
	for _, id := range []string{"msg_1", "msg_2", "msg_3", "msg_4"} {
		file := create(t, wholeMessages+"DELETE FROM message WHERE id = '"+id+"';", false)
		done := repair(t, file, all)
		require.Len(t, done.Broken, 1, id)
		report := done.Broken[0].Report
		require.Equal(t, 1, report.LostMessages)
		require.Equal(t, []string{"message " + id}, report.Findings[0].Rows)
		require.Empty(t, report.Left)
		is := dump(t, file, all)
		require.Equal(t, strings.Count(whole, "msg_"), strings.Count(is, "msg_"), is)
		body := string(done.Broken[0].After.Body)
		require.Less(t, strings.Index(body, "Look."), strings.Index(body, "toolu_1"))
		require.Less(t, strings.Index(body, "toolu_1"), strings.Index(body, "And now?"))
		require.Less(t, strings.Index(body, "And now?"), strings.Index(body, "Done."))
		require.Contains(t, body, `{"role":"user","content":[{"type":"text","text":"And now?"}]}`)
		require.Empty(t, repair(t, file, all).Broken)
	}
	const early = "UPDATE message SET id = replace(id, '_1', '_9'); " +
		"UPDATE part SET message_id = replace(message_id, '_1', '_9');"
	file := create(t, wholeMessages+early+"DELETE FROM message WHERE id = 'msg_2';", false)
	repair(t, file, all)
	require.Contains(t, dump(t, file, all), `"parentID":"msg_9"`, "it comes by its time, not by its id")
}

// TestLostMessageOfNobody: where nothing shows whose message it was, it is not made up.
func TestLostMessageOfNobody(t *testing.T) {
	file := create(t, wholeMessages+"DELETE FROM message WHERE id IN ('msg_3', 'msg_4');", false)
	was := dump(t, file, all)
	done, err := session.RepairFile(file, &session.FileOptions{Messages: true})
	require.NoError(t, err)
	require.Len(t, done.Broken, 1)
	for _, f := range done.Broken[0].Report.Findings {
		require.Equal(t, f.Rows[0] == "message msg_3", f.Fix == "", "%+v", f)
	}
	require.Equal(t, was, dump(t, file, all))
}
