package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/go-preflight/preflight/internal/contain"
)

// This file repairs files. All the other files of this package work on bytes.

// FileOptions say what RepairFile does. The zero value changes nothing.
type FileOptions struct {
	Options
	// Write repairs the file, and keeps a copy of it beside it.
	Write bool
	// Force also repairs a file that is in use.
	Force bool
	// Messages also returns the messages before and after the repair.
	Messages bool
}

// Outcome is what was found in one broken session, and what was or would be done.
type Outcome struct {
	// Session is the client's id of the session, where a file holds several.
	Session string `json:"session,omitempty"`
	// Report says what is wrong.
	Report *Report `json:"report"`
	// Before and After are the session before and after the repair; nil without
	// FileOptions.Messages.
	Before *Session `json:"-"`
	After  *Session `json:"-"`
}

// File is what was found in a file.
type File struct {
	// Name is the name of the file.
	Name string `json:"file"`
	// Client is the program that wrote it, one of Clients.
	Client string `json:"client,omitempty"`
	// Sessions is how many sessions the file holds.
	Sessions int `json:"sessions"`
	// Broken has those with something wrong, in the order of the file.
	Broken []*Outcome `json:"broken,omitempty"`
	// Backup is the copy of the file as it was; "" if nothing was written.
	Backup string `json:"backup,omitempty"`
	// InUse says why the file is taken to be in use by its client; "" if it is not, or if nothing
	// has to be written. A client that runs does not see a repair, and what it writes next may not
	// fit.
	InUse string `json:"in_use,omitempty"`
	// Modified is when the file was changed last, before the repair.
	Modified time.Time `json:"modified"`
}

// RepairFile finds what is wrong with the sessions in a file, and repairs them if options.Write is
// set. Nil options mean the zero value.
//
// The file is replaced in one step, so that at every moment either the old or the new one exists,
// whole; a database is changed in one transaction. A copy of the old file, with the date in its
// name, is kept next to it. Permissions are kept, and so is the owner if the system allows it. A
// file that is in use is not written without options.Force: the error wraps ErrInUse. A file is in
// use if it was changed in the last ten seconds, if another process has it open, or if its client
// runs in the session's folder, as far as the system shows that. A tool call without a result that
// is so new that its tool may still run is left alone without options.Force, and the rest is
// repaired; if there is nothing else to repair, the error wraps ErrInUse. A file whose content
// changed since it was read is not written either. The error wraps ErrUnknown if the file holds no
// session of a known client; a link is an error too. If an error occurs after the file was read,
// the File with the findings is returned as well.
func RepairFile(name string, options *FileOptions) (*File, error) {
	if options == nil {
		options = &FileOptions{}
	}
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&os.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a link, and links are not followed", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f := &File{Name: name, Modified: info.ModTime()}
	switch isDatabase, err := startsLikeDatabase(name); {
	case err != nil:
		return nil, err
	case isDatabase:
		return f, f.repairDatabase(info, options)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	made, outcome, err := repairData(data, options)
	if err != nil {
		return f, err
	}
	f.Client, f.Sessions = outcome.Report.Client, 1
	if outcome.Report.Sound() {
		return f, nil
	}
	called := justCalled(outcome.Report)
	if called != nil {
		f.InUse = called.Error()
		if !options.Force && options.Running.IsZero() {
			still := *options
			still.Running = time.Now().Add(-mayAnswer())
			if made, outcome, err = repairData(data, &still); err != nil {
				return f, err
			}
		}
	}
	f.Broken = []*Outcome{outcome}
	if !outcome.Report.Changed {
		if options.Write {
			return f, called
		}
		return f, nil
	}
	if err := f.mayWrite(name, info, clientOf(name, data, outcome.Report), options); err != nil {
		return f, err
	}
	if !options.Write {
		return f, nil
	}
	f.Backup, err = replaceFile(name, info, data, made)
	return f, err
}

// mayWrite finds out whether a file is in use, and returns an error if it must not be written.
func (f *File) mayWrite(name string, info os.FileInfo, by user, options *FileOptions) error {
	err := inUse(name, info, by)
	if err == nil {
		return nil
	}
	f.InUse = err.Error()
	if !options.Write || options.Force {
		return nil
	}
	return err
}

func repairData(data []byte, options *FileOptions) (*repaired, *Outcome, error) {
	made, report, err := repair(data, &options.Options)
	if err != nil {
		return nil, nil, err
	}
	if made == nil {
		made = &repaired{data: data}
	}
	outcome := &Outcome{Report: report}
	if options.Messages && !report.Sound() {
		if outcome.Before, err = Read(data); err != nil {
			return nil, nil, err
		}
		is := made.bytes()
		if outcome.After, err = Read(is); err != nil && len(is) > 0 {
			return nil, nil, err
		}
	}
	return made, outcome, nil
}

// databaseStart is how files of SQLite begin.
const databaseStart = "SQLite format 3\x00"

func startsLikeDatabase(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, len(databaseStart))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return bytes.Equal(head[:n], []byte(databaseStart)), nil
}

// repairDatabase does for a database what RepairFile does for a file of lines.
func (f *File) repairDatabase(info os.FileInfo, options *FileOptions) (err error) {
	defer contain.Panic("Database", &err)
	store, d, err := openDatabase(f.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	f.Client = d.Client
	changed := false
	how := options.Options
	if how.Running.IsZero() && !options.Force {
		how.Running = time.Now().Add(-mayAnswer())
	}
	f.Sessions, err = store.Repair(&how, func(o *Outcome) {
		if err := o.complete(d, options.Causes); err != nil {
			o.Report.Failure = err.Error()
		}
		changed = changed || o.Report.Changed
		if !options.Messages {
			o.Before, o.After = nil, nil
		}
		if !o.Report.Sound() {
			f.Broken = append(f.Broken, o)
		}
	})
	if err != nil || !changed {
		return err
	}
	for _, name := range []string{f.Name, f.Name + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			by := user{programs: d.Programs, anywhere: true}
			if err := f.mayWrite(name, info, by, options); err != nil {
				return err
			}
		}
	}
	if !options.Write {
		return nil
	}
	backup, err := freeName(f.Name)
	if err != nil {
		return err
	}
	if err := store.Save(backup); err != nil {
		return err
	}
	f.Backup = backup
	return errors.Join(os.Chmod(backup, info.Mode().Perm()), syncDir(filepath.Dir(backup)))
}

// openDatabase opens a database of the client that knows it.
func openDatabase(name string) (Store, *Database, error) {
	if len(databases) == 0 {
		return nil, nil, fmt.Errorf("%w: it is an SQLite database, and this program was built "+
			"without github.com/go-preflight/preflight/session/sqlite", ErrUnknown)
	}
	for _, d := range databases {
		store, err := d.Open(name)
		if err == nil {
			return store, d, nil
		}
		if !errors.Is(err, ErrUnknown) {
			return nil, nil, err
		}
	}
	return nil, nil, fmt.Errorf("%w: it is an SQLite database of another program", ErrUnknown)
}

// complete fills what follows from the findings and the messages.
func (o *Outcome) complete(d *Database, causes bool) error {
	r := o.Report
	r.Client = d.Client
	r.joinFindings()
	if causes {
		r.setRowCauses()
	}
	if o.Before == nil || o.After == nil {
		return nil
	}
	o.Before.Client, o.After.Client = d.Client, d.Client
	refused, err := o.Before.refused("")
	if err != nil {
		return err
	}
	r.Refused = append(r.Refused, refused...)
	return o.After.judge(r, "")
}
