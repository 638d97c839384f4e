package session

import (
	"bytes"
	"errors"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Session is a stored session as its client reads it.
type Session struct {
	// Client is the program that wrote it, one of Clients.
	Client string

	// Format is the wire format of Body, one of wire.Providers.
	Format string

	// Body is a request body with the messages that the client would send when it resumes the
	// session, and nothing else: no settings, no tools, no system prompt, and not what the client
	// adds of its own. Parts that are stored in the provider's form have their stored bytes.
	Body []byte

	// Lines gives, for each message of Body, the lines of the file that it comes from, from 1; nil
	// for a database.
	Lines [][]int

	// Rows gives, for each message of Body, the rows of the database that it comes from; nil for a
	// file of lines.
	Rows [][]string

	messages [][]byte // of Body, before that is made
	settings []byte   // members of the request beside the messages, as far as they are known
	betas    []string // that the client asks for in its headers
}

// ErrUnknown is what Read and Repair return, wrapped, for data that is no session of a known
// client.
var ErrUnknown = errors.New("session: not a stored session of a known client")

// ErrDamaged is what Repair returns, wrapped, for a session of which a repair would leave nothing
// that its client knows. Such a file stays as it is, for a person to look at.
var ErrDamaged = errors.New("session: too damaged to repair: no record would be left")

// message is one message that a client would send.
type message struct {
	json    []byte
	lines   []int
	records []*line  // that it is from
	blocks  []origin // of the elements of its content, nil where they are not known
}

// Read reads a stored session. data is the whole file; it is not modified, and Body may share its
// memory. The error wraps ErrUnknown. The cost is linear in data.
func Read(data []byte) (*Session, error) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	c, err := detect(data)
	if errors.Is(err, ErrUnknown) {
		if document, _ := documentOf(data); document != nil {
			return readDocument(document)
		}
	}
	if err != nil {
		return nil, err
	}
	l := c.parse(data)
	l.asStored = true
	c = c.speaking(l)
	messages, _ := c.read(l)
	s := c.session(messages)
	s.setBody()
	return s, nil
}

// speaking returns the client as it sends a session: in the format of the provider that it goes to.
func (c *client) speaking(l *log) *client {
	if c.formatOf == nil {
		return c
	}
	format := c.formatOf(l)
	if format == c.format {
		return c
	}
	other := *c
	other.format = format
	other.read = func(l *log) (messages []message, lost []int) {
		whole := *l
		whole.asStored = true
		read, lost := c.read(&whole)
		return l.add(nil, inFormat(format, read)...), lost
	}
	return &other
}

// parse reads a file as the client does.
func (c *client) parse(data []byte) *log {
	l, _ := parseLog(data, nil)
	c.setHabits(l)
	return l
}

// setHabits finds the version of the client that wrote a log.
func (c *client) setHabits(l *log) {
	version := c.versionOf(l)
	l.habits, _ = habitsOf(c.habits, version)
	l.heals = c.heals != "" && version != "" && compareVersions(c.heals, version) <= 0
}

// session returns a session without its body, which is as long as the messages.
func (c *client) session(messages []message) *Session {
	s := &Session{
		Client: c.name, Format: c.format,
		messages: make([][]byte, len(messages)), Lines: linesOf(messages),
	}
	for k, m := range messages {
		s.messages[k] = m.json
	}
	return s
}

// setBody makes the body from the messages.
func (s *Session) setBody() {
	s.Body = listed(`{"`+listMember(s.Format)+`":[`, s.messages, "]}")
	s.messages = nil
}

// looked is how many records are looked at before a file is given up as unknown.
const looked = 50

// detect finds the client that wrote a file, by the first record that only one client writes.
func detect(data []byte) (*client, error) {
	records := 0
	for rest := data; len(rest) > 0 && records < looked; {
		var raw []byte
		raw, rest, _ = bytes.Cut(rest, []byte("\n"))
		l := newLine(0, raw)
		if !l.object {
			continue
		}
		records++
		for _, c := range clients {
			if c.knows(l) {
				return c, nil
			}
		}
	}
	return nil, &UnknownError{looksLike(data)}
}

// client returns the client that is found in the log; nil for none.
func (l *log) client() *client {
	records := 0
	for _, line := range l.lines {
		if line.dropped || !line.object {
			continue
		}
		for _, c := range clients {
			if c.knows(line) {
				return c
			}
		}
		if records++; records == looked {
			break
		}
	}
	return nil
}

// looksLike says in words what data is instead, as far as a short look shows it.
func looksLike(data []byte) string {
	trimmed := bytes.TrimSpace(data)
	switch {
	case len(trimmed) == 0:
		return "the file is empty"
	case bytes.HasPrefix(trimmed, []byte("SQLite format 3\x00")):
		return "it is an SQLite database"
	}
	doc, err := jsonscan.Parse(trimmed)
	switch root := docRoot(doc, err); root.Kind() {
	case jsonscan.Array:
		return "it is a JSON array, perhaps of messages: use preflight fix"
	case jsonscan.Object:
		if root.Get("messages").First().Has("id") { // those of a request have none
			return "it is a list of messages of another program"
		}
		for _, list := range []string{"messages", "input", "contents"} {
			if root.Get(list).Exists() {
				return "it is a request body: use preflight fix"
			}
		}
		return "it is one JSON object"
	}
	first, _, _ := bytes.Cut(trimmed, []byte("\n"))
	if newLine(0, first).object {
		return "its lines are JSON objects of another program"
	}
	return "it is no JSON"
}

func docRoot(doc *jsonscan.Doc, err error) jsonscan.Value {
	if err != nil {
		return jsonscan.Value{}
	}
	return doc.Root()
}
