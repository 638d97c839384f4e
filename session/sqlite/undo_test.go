package sqlite

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// insert runs statements as the client does, some time after a repair.
func insert(t *testing.T, file, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.Exec(statements)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// lateIs repairs a database, lets a result arrive, repairs again, and requires that the result is
// sent then, and no error that a repair added.
func lateIs(t *testing.T, file, rows, late, result string) {
	t.Helper()
	force := &session.FileOptions{Write: true, Force: true}
	force.Messages = true
	first, err := session.RepairFile(file, force)
	require.NoError(t, err)
	require.NotEmpty(t, first.Backup)
	require.Contains(t, dump(t, file, rows), session.DefaultInterruptedText)
	insert(t, file, late)
	_, err = session.RepairFile(file, force)
	require.NoError(t, err)
	is := dump(t, file, rows)
	require.NotContains(t, is, session.DefaultInterruptedText)
	require.Contains(t, is, result)
	again, err := session.RepairFile(file, force)
	require.NoError(t, err)
	require.Empty(t, again.Broken)
	require.Equal(t, is, dump(t, file, rows))
}

// TestCrushLateResult: the tool's own result arrives after a repair added one: in a row right after
// it, in one after other messages, or beside the result of another call.
func TestCrushLateResult(t *testing.T) {
	calls := crushMessage("m2", "assistant", "["+crushCalls+"]", "2")
	next := crushMessage("m4", "user", `[{"type":"text","data":{"text":"Go on."}}]`, "4")
	first := crushMessage("m3", "tool", "["+crushFirst+","+crushFinish+"]", "3")
	both := "[" + crushFirst + "," + crushSecond + "," + crushFinish + "]"
	for name, test := range map[string]struct{ rows, late string }{
		"both, at once":   {calls, crushMessage("m9", "tool", both, "9")},
		"both, later":     {calls + next, crushMessage("m9", "tool", both, "9")},
		"the other's too": {calls + first + next, crushMessage("m9", "tool", "["+crushSecond+"]", "9")},
	} {
		t.Run(name, func(t *testing.T) {
			lateIs(t, create(t, crushTables+test.rows, true), crushAll, test.late, crushSecond)
		})
	}
}

// TestOpencodeLateResult: the client keeps a call and its result in one row, and writes it anew
// when the result arrives.
func TestOpencodeLateResult(t *testing.T) {
	const done = `{"type":"tool","tool":"ls","callID":"toolu_2","state":{"status":"completed",` +
		`"input":{"n":2},"output":"two","title":"","time":{"start":1,"end":2}}}`
	file := create(t, opencodeSchema+opencodeRows(`{"type":"tool","tool":"ls","callID":"toolu_2",`+
		`"state":{"status":"completed","input":{"n":2}}}`), true)
	lateIs(t, file, all, "UPDATE part SET data = '"+done+"' WHERE id = 'prt_5'", done)
}

// TestCrushRunning: a call that was just made is left alone, and the rest of its session repaired.
func TestCrushRunning(t *testing.T) {
	now := fmt.Sprint(time.Now().UnixMilli())
	file := create(t, crushTables+crushMessage("m2", "assistant", "["+crushCalls+"]", "2")+
		crushMessage("m3", "tool", "["+crushFirst+","+crushFirst+","+crushSecond+"]", "3")+
		crushMessage("m4", "assistant", "["+crushCalls+"]", now), true)
	found, err := session.RepairFile(file, nil)
	require.NoError(t, err)
	require.Len(t, found.Broken[0].Report.Findings, 2)
	require.Equal(t, session.CodeDoubledResult, found.Broken[0].Report.Findings[0].Code)
	require.Empty(t, found.Broken[0].Report.Findings[1].Fix)
	_, err = session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
	require.NoError(t, err)
	require.Contains(t, dump(t, file, crushAll), session.DefaultInterruptedText)
}
