package session

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is the registry of clients.

// client is what differs from one client that writes lines of JSON to another.
type client struct {
	name   string   // as in Report.Client
	title  string   // as people write it
	places []Place  // where it keeps sessions
	format string   // of Session.Body
	opens  string   // a message like the one that the client sends before those of the session
	starts []string // how records begin; see parseLog
	habits []habits // of the versions that were measured, the newest last

	// heals is the first version that was measured to write U+FFFD for lone surrogates and to leave
	// blank answers out itself, "" if none was, or all do.
	heals    string
	programs []string // the names of its processes
	noFolder bool     // its records do not name the folder that it works in
	lock     string   // files next to a session, with * for the id of the process that has locked it

	// version returns the version of the client that a record names, "" for none. Nil for a client
	// whose sessions have no version.
	version func(*line) string

	// knows reports whether a record is one of the client's, and of no other client.
	knows func(*line) bool
	// repair edits the log.
	repair func(*log, *Report)
	// says is the path to the member of a record with what it says.
	says []string
	// emptied reports whether nothing is left in a record, so that it can be taken out. Nil for a
	// client of which no record can.
	emptied func(*line) bool
	// formatOf returns the format that the client sends a session in, which depends on the provider
	// that it goes to. Nil for a client that has one: format.
	formatOf func(*log) string
	// textBlock writes a text as the client stores one, nil where that is as it is sent.
	textBlock func(string) []byte
	// links returns the records that name the ones before them; nil if the client's name none, or
	// it does not follow them.
	links func(*log) *tree
	// id is the member with the client's own id or number of a record.
	id string
	// compacts and hooked report whether a record is of a compaction, or of a hook or an extension.
	// Nil for a client that stores none.
	compacts, hooked func(*line) bool
	// model returns the model that a record names, "" for none.
	model func(*line) string
	// thinks reports whether the client asks for thinking, as far as the session says so. Where it
	// does not, or for nil, it asks for it if the model has answered with it.
	thinks func(*log) (asked, known bool)
	// sends returns further members of the request that the client sends, each with a comma
	// before it. Nil for none.
	sends func(*log) []byte
	// betas are the beta features that the client was measured to ask for in its headers.
	betas []string
	// read returns what the client would send, and the lines that it would leave out although
	// they are part of the conversation, as it does with a call that has no result.
	read func(*log) (messages []message, lost []int)
}

// emptyAt returns a function that reports whether a member of a record is an empty list or text.
func emptyAt(path ...string) func(*line) bool {
	return func(l *line) bool { return l.at(path...).Exists() && isEmpty(l.at(path...)) }
}

// isEmpty reports whether a value is missing, or an empty list or text.
func isEmpty(v jsonscan.Value) bool {
	switch v.Kind() {
	case jsonscan.Absent:
		return true
	case jsonscan.String:
		return v.Str() == ""
	case jsonscan.Array:
		return v.Len() == 0
	}
	return false
}

// clients are the known clients. To add one, write a file with a client value and list it here.
var clients = []*client{&claudeCode, &codex, &geminiCLI, &qwenCode, &pi, &copilotCLI}

// Database is a client that keeps its sessions in a database. This package opens no databases:
// other packages add them with RegisterDatabase. A panic in one of its functions, or in a method of
// its Store, is an error that wraps preflight.ErrHook.
type Database struct {
	Client string  // as in Report.Client
	Title  string  // the client's name as people write it
	Places []Place // where it keeps databases
	// Find returns databases in further places, which may differ from user to user; nil for none.
	Find func() []string
	// Programs are the names of the client's processes: while one of them runs, a database is not
	// written.
	Programs []string
	// Open opens the database in a file, and writes nothing. The error wraps ErrUnknown when the
	// file is not one of the client's.
	Open func(file string) (Store, error)
}

// Store is an open database of sessions. Its methods are not called at the same time.
type Store interface {
	// Repair checks every session, and passes an Outcome for each broken one to broken: with
	// Session, Before and After, and in its Report the findings. It writes nothing, and returns the
	// number of sessions.
	Repair(options *Options, broken func(*Outcome)) (sessions int, err error)
	// Save writes the database as it is to a new file of the given name, and then all edits of
	// Repair to the database, or none of them.
	Save(backup string) error
	Close() error
}

var databases []*Database

// RegisterDatabase makes a client known whose sessions are kept in databases. It is to be called
// from an init function.
func RegisterDatabase(d Database) { databases = append(databases, &d) }

// Place is a file or folder in which a client keeps sessions.
type Place struct {
	// Env is an environment variable with the folder that Path is in; "" for none.
	Env string
	// Home is the folder when Env is not set, below the user's home folder.
	Home string
	// Path is the file or folder, below that folder.
	Path string
}

// path returns the place for a user's home folder.
func (p Place) path(home string) string {
	dir := ""
	if p.Env != "" {
		dir = os.Getenv(p.Env)
	}
	if dir == "" {
		dir = filepath.Join(home, filepath.FromSlash(p.Home))
	}
	return filepath.Join(dir, filepath.FromSlash(p.Path))
}

// Places returns the files and folders in which the known clients keep sessions and that are there.
func Places() ([]string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, c := range clients {
		for _, p := range c.places {
			all = append(all, p.path(home))
		}
	}
	for _, f := range listForms {
		for _, p := range f.places {
			all = append(all, p.path(home))
		}
	}
	for _, d := range databases {
		for _, p := range d.Places {
			all = append(all, p.path(home))
		}
		found, err := d.find()
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	all = slices.DeleteFunc(all, func(name string) bool {
		_, err := os.Stat(name)
		return err != nil
	})
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Clients returns the names of the known clients.
func Clients() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	for _, f := range listForms {
		if f.programs != nil {
			names = append(names, f.name)
		}
	}
	for _, d := range databases {
		names = append(names, d.Client)
	}
	return names
}

// Title returns the name of a client as people write it: "Claude Code" for "claude-code".
func Title(name string) string {
	for _, c := range clients {
		if c.name == name {
			return c.title
		}
	}
	for _, d := range databases {
		if d.Client == name {
			return d.Title
		}
	}
	for _, f := range listForms {
		if f.name == name {
			return f.title
		}
	}
	return name
}

// listMember returns the member of a format's request bodies that holds the messages.
func listMember(format string) string {
	switch format {
	case "openai-responses":
		return "input"
	case "gemini":
		return "contents"
	}
	return "messages"
}

// promptOf returns a message of the user's in a format: what comes next when a session is resumed.
func promptOf(format string) string {
	switch format {
	case "gemini":
		return `{"role":"user","parts":[{"text":"Go on."}]}`
	case "bedrock":
		return `{"role":"user","content":[{"text":"Go on."}]}`
	}
	return `{"role":"user","content":"Go on."}`
}
