package sqlite

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// This file repairs sessions that an agent writes to at the same time.

// TestResultArrives: a result that arrives between the reading and the writing of a repair is not
// answered for, and the database stays as the agent left it.
func TestResultArrives(t *testing.T) {
	for _, wal := range []bool{true, false} {
		file := create(t, crushTables+crushMessage("m2", "assistant", "["+crushCalls+"]", "2"), wal)
		read, err := open(file, crush)
		require.NoError(t, err)
		_, err = read.Repair(nil, func(*session.Outcome) {})
		require.NoError(t, err)
		require.NotEmpty(t, read.edits)

		agent, err := connect(file, nil)
		require.NoError(t, err)
		run(t, agent, crushMessage("m3", "tool", "["+crushFirst+","+crushSecond+"]", "3"))
		was := dump(t, file, crushAll)
		require.ErrorIs(t, read.Save(file+".backup"), errChanged)
		require.NoError(t, read.Close())
		for _, copied := range []string{file + ".backup", file + ".backup.part"} {
			require.NoFileExists(t, copied, "a repair that gives up leaves no copy")
		}
		require.Equal(t, was, dump(t, file, crushAll))
		run(t, agent, crushMessage("m4", "user", "[]", "4")) // nothing is locked any more
		require.NoError(t, agent.Close())
	}
}

// TestConcurrentWriters: an agent writes rounds of calls and results while its database is repaired
// again and again. All that it wrote is there, the agent is never kept from writing, and a repair
// fails only because of the agent.
func TestConcurrentWriters(t *testing.T) {
	const rounds = 40
	file := create(t, "PRAGMA journal_mode = WAL;"+crushTables, false)
	agent, err := connect(file, url.Values{"_pragma": {"busy_timeout(60000)"}})
	require.NoError(t, err)
	defer agent.Close()
	agent.SetMaxOpenConns(1)
	written := make(chan error, 1)
	go func() {
		for k := range rounds {
			name := func(s string) string {
				return strings.ReplaceAll(s, "toolu_", fmt.Sprint("t", k, "_"))
			}
			_, err := agent.Exec(crushMessage(fmt.Sprint("c", k), "assistant", "["+name(crushCalls)+"]",
				fmt.Sprint(10+2*k)))
			if err == nil {
				_, err = agent.Exec(crushMessage(fmt.Sprint("r", k), "tool",
					"["+name(crushFirst+","+crushSecond)+"]", fmt.Sprint(11+2*k)))
			}
			if err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	repairs := 0
	for done := false; !done; repairs++ {
		select {
		case err := <-written:
			require.NoError(t, err)
			done = true
		default:
		}
		found, err := session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
		if err != nil {
			require.Regexp(t, "changed while|in use|locked|busy|used by", err.Error())
		}
		if found != nil && found.Backup != "" {
			require.NoError(t, os.Remove(found.Backup))
		}
	}
	require.Equal(t, "ok", dump(t, file, "PRAGMA integrity_check"))
	for k := range rounds {
		require.Equal(t, "1\n", dump(t, file, fmt.Sprintf("SELECT count(*) || char(10) FROM messages "+
			"WHERE id = 'r%d' AND CAST(parts AS TEXT) LIKE '%%one%%two%%'", k)))
	}
	t.Logf("%d repairs, %s rows", repairs, dump(t, file, "SELECT '' || count(*) FROM messages"))
}
