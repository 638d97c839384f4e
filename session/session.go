package session

import (
	"bytes"
	"errors"
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
			return readDocument(document, "")
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
