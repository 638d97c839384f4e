package sqlite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestStrangeRows puts values of any type in the place of each column, of all rows or of one, and
// into the JSON of the rows. There is no panic, an error writes nothing, and a repair needs no
// second one.
func TestStrangeRows(t *testing.T) {
	const secret = "alice@example.org"
	values := []string{
		"NULL", "-9223372036854775808", "1e300", "''", "x''", "x'00ff'", "'" + secret + "'",
		"char(0)", "x'eda080'", "'null'", "'[]'", "'{}'", "'[{}]'", `'"` + secret + `"'`,
		`'{"type":"` + secret + `"}'`, `'[{"type":"tool_call","data":{"id":{},"input":[1]}}]'`,
		"replace(hex(zeroblob(30000)), '00', '[')",
	}
	inside := []string{`null`, `{}`, `[]`, `1e999999`, `"\ud800"`, `"` + secret + `"`, `"\u0000"`}
	crush := crushTables + crushMessage("m2", "assistant", "["+crushCalls+"]", "2") +
		crushMessage("m3", "tool", "["+crushFirst+","+crushFinish+"]", "3") +
		crushMessage("m4", "assistant", `[{"type":"text","data":{"text":"Two."}}]`, "4")
	opencode := opencodeSchema + opencodeRows(`{"type":"tool","tool":"ls","callID":"toolu_2",`+
		`"state":{"status":"completed","input":{"n":2}}}`)
	for _, d := range []struct {
		tables  string
		columns []string // with their tables
		members []string // of the JSON
	}{
		{crush, []string{
			"sessions.id", "sessions.summary_message_id", "messages.id", "messages.session_id",
			"messages.role", "messages.parts", "messages.model", "messages.created_at",
		}, []string{`"type":"tool_call"`, `"id":"toolu_1"`, `"tool_call_id":"toolu_1"`,
			`"name":"ls"`, `"input":"{}"`, `"finished":true`}},
		{opencode, []string{
			"session.id", "message.id", "message.session_id", "message.time_created",
			"message.data", "part.id", "part.message_id", "part.session_id", "part.time_created",
			"part.data",
		}, []string{`"role":"assistant"`, `"parentID":"msg_1"`, `"type":"tool"`, `"tool":"ls"`,
			`"callID":"toolu_1"`, `"status":"completed"`, `"input":{"n": 1.0}`, `"output":"one"`}},
	} {
		for i, column := range d.columns {
			table, name, _ := strings.Cut(column, ".")
			for k, value := range values {
				rows := []string{"", " WHERE rowid = 2"}[(i+k)%2]
				requireOnce(t, d.tables+fmt.Sprintf("UPDATE OR IGNORE %s SET %s = %s%s;",
					table, name, value, rows), secret)
			}
		}
		for _, member := range d.members {
			name, was, _ := strings.Cut(member, ":")
			for _, value := range inside {
				strange := strings.ReplaceAll(d.tables, name+":"+was, name+":"+value)
				require.NotEqual(t, d.tables, strange, member)
				requireOnce(t, strange, secret)
			}
		}
	}
}

// requireOnce repairs a database of statements, and requires that a second repair has nothing to
// do.
func requireOnce(t *testing.T, statements, secret string) {
	t.Helper()
	what := statements[max(0, len(statements)-200):]
	file := create(t, "BEGIN;"+statements+"COMMIT;", false)
	before := contents(t, file)
	options := &session.FileOptions{Write: true, Force: true, Messages: true}
	first, err := session.RepairFile(file, options)
	if err != nil {
		require.NotContains(t, err.Error(), secret, what)
		require.NotContains(t, err.Error(), "panicked", what)
		require.Equal(t, before, contents(t, file), what)
		return
	}
	for _, o := range first.Broken {
		for _, f := range o.Report.Findings {
			require.NotContains(t, f.Problem+f.Fix, secret, what)
		}
		require.NotContains(t, o.Report.Failure, secret, what)
	}
	second, err := session.RepairFile(file, options)
	require.NoError(t, err, what)
	for _, o := range second.Broken {
		require.False(t, o.Report.Changed, "%+v\n%s", o.Report, what)
	}
}
