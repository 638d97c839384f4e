package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

const secret = "alice@example.org"

// faultyStore panics in one of its methods.
type faultyStore struct{ method string }

func (s faultyStore) call(method string) {
	if s.method == method {
		panic(secret)
	}
}

func (s faultyStore) Repair(_ *Options, broken func(*Outcome)) (int, error) {
	s.call("Repair")
	broken(&Outcome{Report: &Report{Changed: true, Findings: []Finding{{}}}})
	return 1, nil
}

func (s faultyStore) Save(backup string) error {
	s.call("Save")
	return os.WriteFile(backup, nil, 0o600)
}

func (s faultyStore) Close() error { s.call("Close"); return nil }

// TestFaultyDatabase: a panic in a function of a registered database is a typed error that quotes
// nothing, and the file stays as it is.
func TestFaultyDatabase(t *testing.T) {
	registered := databases
	t.Cleanup(func() { databases = registered })
	t.Setenv("HOME", t.TempDir())
	name := filepath.Join(t.TempDir(), "sessions.db")
	require.NoError(t, os.WriteFile(name, []byte(databaseStart), 0o600))
	options := &FileOptions{Write: true, Force: true}
	for _, function := range []string{"Find", "Open", "Repair", "Save", "Close", ""} {
		faulty := faultyStore{method: function}
		databases = []*Database{{
			Find: func() []string { faulty.call("Find"); return nil },
			Open: func(string) (Store, error) { faulty.call("Open"); return faulty, nil },
		}}
		_, err := Places()
		if function != "Find" {
			require.NoError(t, err)
			_, err = RepairFile(name, options)
		}
		if function == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, preflight.ErrHook, function)
		require.NotContains(t, err.Error(), secret)
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, databaseStart, string(data))
	}
}
