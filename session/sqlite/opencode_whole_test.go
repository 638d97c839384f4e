package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

const wholeAssistant = `{"role":"assistant","parentID":"msg_1","mode":"build","agent":"build",` +
	`"path":{"cwd":"/p","root":"/p"},"cost":0,"tokens":{"input":1},"modelID":"claude-sonnet-4-5",` +
	`"providerID":"p","time":{"created":4}}`

const cutMessage = `INSERT INTO message VALUES ('msg_4', 'ses_1', 7, ` +
	`'{"parentID":"msg_1","role":"assistant","mode":"bui');`

// A message of which only the beginning was written stays as it is, and is not called repaired, if
// no other has what the client needs.
func TestOpencodeMessageAlone(t *testing.T) {
	file := create(t, opencodeSchema+cutMessage, false)
	was := dump(t, file, all)
	found, err := session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
	require.NoError(t, err)
	require.Empty(t, found.Broken[0].Report.Findings[0].Fix)
	require.False(t, found.Broken[0].Report.Changed)
	require.Equal(t, was, dump(t, file, all))
}

// A message of which only the beginning was written gets what the client needs from another one.
func TestOpencodeMessage(t *testing.T) {
	file := create(t, opencodeSchema+cutMessage+`INSERT INTO message VALUES ('msg_5', 'ses_1', 8, '`+
		wholeAssistant+`');`, false)
	repair(t, file, all)
	require.Contains(t, dump(t, file, all), `msg_4{"parentID":"msg_1","role":"assistant",`+
		`"mode":"build","agent":"build","path":{"cwd":"/p","root":"/p"},"cost":0,`+
		`"tokens":{"input":1},"modelID":"claude-sonnet-4-5","providerID":"p","time":{"created":7}}`)
}

func TestOpencodeOutputInMetadata(t *testing.T) {
	file := create(t, opencodeSchema+opencodeRows(`{"type":"tool","tool":"ls","callID":"toolu_2",`+
		`"state":{"status":"completed","input":{"n":2},"metadata":{"output":"two"},"title":"t",`+
		`"time":{"start":1,"end":2}}}`), false)
	repair(t, file, all)
	require.Contains(t, dump(t, file, all), `"time":{"start":1,"end":2},"output":"two"}}`)
}

func TestOpencodeDoubledCall(t *testing.T) {
	file := create(t, opencodeSchema+opencodeRows(`{"type":"tool","tool":"ls","callID":"toolu_1",`+
		`"state":{"status":"completed","input":{"n": 1.0},"output":"one","time":{"start":4}}}`), false)
	done := repair(t, file, all)
	require.Equal(t, session.CodeDoubledResult, done.Broken[0].Report.Findings[0].Code)
	require.NotContains(t, dump(t, file, all), "prt_5")
}
