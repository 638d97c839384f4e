// Package sqlite lets package session read and repair sessions that are kept in SQLite databases:
// those of opencode and Crush. Import it for its effect:
//
//	import _ "github.com/go-preflight/preflight/session/sqlite"
//
// Afterwards session.RepairFile takes their databases too, and session.Places names them. Only
// programs that import it link the driver for SQLite (modernc.org/sqlite, without cgo).
//
// A database is read together with the write-ahead log beside it. Reading opens it read-only, and
// changes neither file. A repair copies the database as it is to a new file, and makes all its
// changes in one transaction; rows that it has nothing to do with keep their bytes.
//
// To add a client, write a file with a value of type client, as opencode.go is one, and register it
// in that file's init function.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	_ "modernc.org/sqlite" // the driver

	"github.com/go-preflight/preflight/internal/atomicfile"
	"github.com/go-preflight/preflight/session"
)

// client is what differs from one client to another.
type client struct {
	tables   []string // which a database of the client has
	name     string   // of its database files, "" for any
	measured []string // the versions whose habits are known
	// repair looks at every session of a database.
	repair func(*store, *session.Options, func(*session.Outcome)) (sessions int, err error)
}

// register makes a client known to package session.
func register(d session.Database, c *client) {
	d.Open = func(file string) (session.Store, error) { return open(file, c) }
	session.RegisterDatabase(d)
}

// store is an open database.
type store struct {
	file   string
	db     *sql.DB
	client *client
	how    *session.Options // of the repair
	edits  []edit

	versions map[string]string  // of the client that wrote a session, by the session
	messages map[string]members // of opencode: a whole message of each role
}

// edit is a statement that changes one row, and no other number of rows.
type edit struct {
	statement string
	args      []any
}

func (s *store) edit(statement string, args ...any) {
	s.edits = append(s.edits, edit{statement, args})
}

// open opens a database to read it.
func open(file string, c *client) (*store, error) {
	if c.name != "" && filepath.Base(file) != c.name {
		return nil, session.ErrUnknown
	}
	query := url.Values{"mode": {"ro"}}
	if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
		// without a log there is nothing to share with other processes, and nothing to write
		query.Set("immutable", "1")
	}
	db, err := connect(file, query)
	if err != nil {
		return nil, err
	}
	names, err := texts(db, "SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, table := range c.tables {
		if !slices.Contains(names, table) {
			return nil, errors.Join(session.ErrUnknown, db.Close())
		}
	}
	return &store{file: file, db: db, client: c}, nil
}

// readVersions reads the versions that sessions name, if the client keeps them.
func (s *store) readVersions() error {
	s.versions = map[string]string{}
	columns, err := texts(s.db, "SELECT name FROM pragma_table_info('session') "+
		"WHERE name = 'version'")
	if err != nil || len(columns) == 0 {
		return err
	}
	rows, err := s.db.Query("SELECT id, COALESCE(version, '') FROM session")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, version string
		if err := scan(rows, &id, &version); err != nil {
			return err
		}
		s.versions[id] = version
	}
	return rows.Err()
}

func connect(file string, query url.Values) (*sql.DB, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path),
		RawQuery: query.Encode()}
	return sql.Open("sqlite", name.String())
}

// texts returns the one column of a query.
func texts(db *sql.DB, query string) ([]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := scan(rows, &text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// errType is the error of a row in which a column has a value of another type than the client
// writes. That of the driver would quote the value.
var errType = errors.New("a row has a value of another type than the client writes")

// scan reads the row that rows are at.
func scan(rows *sql.Rows, columns ...any) error {
	if rows.Scan(columns...) != nil {
		return errType
	}
	return nil
}

// Repair is part of session.Store.
func (s *store) Repair(o *session.Options, broken func(*session.Outcome)) (int, error) {
	s.how, s.edits = o, nil
	return s.client.repair(s, o, broken)
}

// Close is part of session.Store.
func (s *store) Close() error { return s.db.Close() }

// Save is part of session.Store.
func (s *store) Save(backup string) (err error) {
	db, err := connect(s.file, url.Values{"mode": {"rw"}, "_pragma": {"busy_timeout(2000)"}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := s.copyTo(ctx, conn, backup); err != nil {
		return fmt.Errorf("copying the database: %w", err)
	}
	kept := false // after an error the copy is of no use
	defer func() {
		if !kept {
			err = errors.Join(err, os.Remove(backup))
		}
	}()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("the database is in use: %w", err)
	}
	err = s.unchanged()
	if err == nil {
		err = apply(ctx, conn, s.edits)
	}
	if err != nil {
		_, undone := conn.ExecContext(ctx, "ROLLBACK")
		return errors.Join(err, undone)
	}
	kept = true
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

// copyTo copies the database to a new file, which has the permissions and the owner of the old one
// from the start, and takes its name when the disk has all of it.
func (s *store) copyTo(ctx context.Context, conn *sql.Conn, backup string) error {
	info, err := os.Stat(s.file)
	if err != nil {
		return err
	}
	part := backup + ".part"
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	atomicfile.KeepOwner(file, info)
	_, err = conn.ExecContext(ctx, "VACUUM INTO ?", part)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(part, backup)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// errChanged is the error of a repair that another program made out of date.
var errChanged = errors.New("the database changed while it was being repaired")

// unchanged makes sure that the repair is still the right one, while no other program can write: a
// result that is there by now must not be answered for. The rows that an edit changes name what
// they were, but what an edit adds depends on other rows.
func (s *store) unchanged() error {
	now, err := open(s.file, s.client)
	if err != nil {
		return err
	}
	_, err = now.Repair(s.how, func(*session.Outcome) {})
	err = errors.Join(err, now.Close())
	if err == nil && !reflect.DeepEqual(now.edits, s.edits) {
		err = errChanged
	}
	return err
}

func apply(ctx context.Context, conn *sql.Conn, edits []edit) error {
	for _, e := range edits {
		done, err := conn.ExecContext(ctx, e.statement, e.args...)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.Join(errChanged, err)
		}
	}
	return nil
}
