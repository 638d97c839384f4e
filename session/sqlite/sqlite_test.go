package sqlite

import (
	"bytes"
	"database/sql"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/session"
)

// create makes a database of statements, which was last changed an hour ago. With wal, the rows
// are in the write-ahead log beside it, as after a client that was killed.
func create(t *testing.T, statements string, wal bool) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sessions.db")
	db, err := connect(file, url.Values{"_pragma": {"wal_autocheckpoint(0)"}})
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	if wal {
		run(t, db, "PRAGMA journal_mode = WAL")
	}
	run(t, db, statements)
	if wal { // a copy that is taken while it is open has its rows in the log
		killed := filepath.Join(t.TempDir(), "sessions.db")
		for _, end := range []string{"", "-wal", "-shm"} {
			data, err := os.ReadFile(file + end)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(killed+end, data, 0o600))
		}
		require.NoError(t, db.Close())
		file = killed
	} else {
		require.NoError(t, db.Close())
	}
	require.NoError(t, os.Chmod(file, 0o600))
	old(t, file)
	return file
}

func old(t *testing.T, file string) {
	hour := time.Now().Add(-time.Hour)
	for _, end := range []string{"", "-wal"} {
		if err := os.Chtimes(file+end, hour, hour); err != nil {
			require.ErrorIs(t, err, fs.ErrNotExist)
		}
	}
}

func run(t *testing.T, db *sql.DB, statements string) {
	t.Helper()
	_, err := db.Exec(statements)
	require.NoError(t, err)
}

// dump returns all rows of a query, a line each.
func dump(t *testing.T, file, query string) string {
	t.Helper()
	db, err := connect(file, url.Values{"mode": {"ro"}})
	require.NoError(t, err)
	defer db.Close()
	all, err := texts(db, query)
	require.NoError(t, err)
	return strings.Join(all, "\n")
}

// contents returns the bytes of a database and of the log beside it.
func contents(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	log, err := os.ReadFile(file + "-wal")
	if err != nil {
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	return append(data, log...)
}

// repair reads a database without writing, and then repairs it. It requires that looking
// changes no byte, that a copy is kept, that a second run changes nothing, and that the provider
// accepts what the client sends then.
func repair(t *testing.T, file, query string) *session.File {
	t.Helper()
	was, rows := contents(t, file), dump(t, file, query)
	old(t, file)
	found, err := session.RepairFile(file, nil)
	require.NoError(t, err)
	require.True(t, bytes.Equal(was, contents(t, file)), "looking changed the file")
	require.Empty(t, found.Backup)

	options := &session.FileOptions{Write: true, Messages: true}
	done, err := session.RepairFile(file, options)
	require.NoError(t, err)
	require.Len(t, done.Broken, len(found.Broken))
	for _, o := range done.Broken {
		require.Empty(t, o.Report.Left)
		require.Empty(t, o.Report.Failure)
		accepted(t, o.After)
	}
	if len(done.Broken) == 0 {
		require.Empty(t, done.Backup)
		require.True(t, bytes.Equal(was, contents(t, file)), "a healthy database was written")
		return done
	}
	require.Equal(t, rows, dump(t, done.Backup, query), "the copy is the database as it was")
	info, err := os.Stat(done.Backup)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	require.NotEqual(t, rows, dump(t, file, query))

	old(t, file)
	again, err := session.RepairFile(file, options)
	require.NoError(t, err)
	require.Empty(t, again.Broken)
	require.Empty(t, again.Backup)
	return done
}

func accepted(t *testing.T, s *session.Session) {
	t.Helper()
	model := map[string]string{"anthropic": "claude-sonnet-4-5", "openai-chat": "gpt-4o"}[s.Format]
	body := strings.TrimSuffix(string(s.Body), "]}") + `,{"role":"user","content":"Go on."}],` +
		`"max_tokens":100,"model":"` + model + `"}`
	if s.Format == "anthropic" {
		body = strings.TrimSuffix(body, "}") +
			`,"tools":[{"name":"any","input_schema":{"type":"object"}}]}`
	}
	fake := preflighttest.Options{Model: model, Lenient: true}
	refused, err := fake.Violations(s.Format, []byte(body))
	require.NoError(t, err)
	require.Empty(t, refused, body)
}

func TestUnknownDatabase(t *testing.T) {
	file := create(t, "CREATE TABLE notes (id TEXT)", false)
	_, err := session.RepairFile(file, nil)
	require.ErrorIs(t, err, session.ErrUnknown)
	require.ErrorContains(t, err, "another program")
}

func TestInUse(t *testing.T) {
	file := create(t, opencodeSchema+opencodeRows(`{"type":"text","text":""}`), false)
	now := time.Now()
	require.NoError(t, os.Chtimes(file, now, now))
	found, err := session.RepairFile(file, &session.FileOptions{Write: true})
	require.ErrorIs(t, err, session.ErrInUse)
	require.Len(t, found.Broken, 1)
	require.Empty(t, found.Backup)

	db, err := connect(file, nil) // as a client that writes would have it
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	run(t, db, "BEGIN IMMEDIATE")
	_, err = session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
	require.ErrorContains(t, err, "locked")
	require.Contains(t, dump(t, file, "SELECT data FROM part"), `"text":""`)
}

func TestWhole(t *testing.T) {
	for data, want := range map[string]string{
		`{"a":1,"b":{"c":2,"d":"x`:          `{"a":1,"b":{"c":2}}`,
		`{"a":1,"b":{"c":{"e":1,"f":2`:      `{"a":1,"b":{}}`,
		`{"a":1,"b":{"c":{"e":1,"f":2},"g"`: `{"a":1,"b":{"c":{"e":1,"f":2}}}`,
		`{"a":"x,\"y","b":"\`:               `{"a":"x,\"y"}`,
		`{"a":1}{"b"`:                       `{"a":1}`,
		" \n{\"a\":1,\"b":                   `{"a":1}`,
		`{"a`:                               `{}`,
		`{`:                                 `{}`,
		`{"a":,"b":1`:                       ``,
		`{"a":1]`:                           `{}`,
		`[1,2`:                              ``,
		``:                                  ``,
		`}`:                                 ``,
	} {
		require.Equal(t, want, string(whole(data)), data)
	}
}
