package preflighthttp

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

// This file holds the bodies of a request for as long as they are needed: until the answer begins
// and what is being sent was sent. An answer that streams for minutes holds no body.

// memory is what one request has in memory. It is safe for concurrent use: a body is sent on a
// goroutine of its own.
type memory struct {
	budget *Budget
	tenant string

	mu    sync.Mutex
	taken int64       // of the budget
	all   []*inMemory // those that the request can be sent with
	open  int         // readers of them that are not at the end
	ended bool        // the answer has begun, or there is none
}

// take takes n bytes more of the budget. The error is ErrBusy.
func (m *memory) take(n int64) error {
	if n <= 0 {
		return nil
	}
	if err := m.budget.takeFor(m.tenant, n); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken += n
	return nil
}

// add takes n bytes more, also beyond the limit: for memory that is in use already. A negative n
// gives bytes back.
func (m *memory) add(n int64) {
	m.budget.addFor(m.tenant, n)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken += n
}

// end releases everything when it is no longer read: the answer has begun, or there is none. It
// reports whether all is released.
func (m *memory) end() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	for _, b := range m.all {
		b.release()
	}
	return m.giveBack()
}

// readEnd counts a reader that is at its end.
func (m *memory) readEnd() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open--
	if m.ended {
		m.giveBack()
	}
}

// giveBack gives the room back unless something is read.
func (m *memory) giveBack() bool {
	if m.open > 0 {
		return false
	}
	m.budget.addFor(m.tenant, -m.taken)
	m.taken = 0
	return true
}

// forget gives all room back. What is read yet stays in memory until then.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open = 0
	m.giveBack()
}

// endWith is end for a response, whose end is the latest at which room is given back: an upstream
// may answer before it has read the body, and a RoundTripper may never close it.
func (m *memory) endWith(resp *http.Response, err error) {
	switch {
	case m.end(), m.budget == nil:
	case err != nil || resp == nil || resp.Body == nil,
		resp.StatusCode == http.StatusSwitchingProtocols:
		m.forget()
	default:
		resp.Body = &forgetting{ReadCloser: resp.Body, memory: m}
	}
}

// forgetting is the body of a response, at whose end a request's room is given back.
type forgetting struct {
	io.ReadCloser
	memory *memory
	once   sync.Once
}

func (f *forgetting) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if err != nil {
		f.once.Do(f.memory.forget)
	}
	return n, err
}

func (f *forgetting) Close() error {
	f.once.Do(f.memory.forget)
	return f.ReadCloser.Close()
}

// inMemory is a body that can be read repeatedly until it is released, and after that if the
// request that came can give it again.
type inMemory struct {
	memory *memory
	again  func() (io.ReadCloser, error)

	mu       sync.Mutex
	data     []byte
	released bool
}

// body makes data a body of the request. again is nil, or gives it again after it was released.
func (m *memory) body(data []byte, again func() (io.ReadCloser, error)) *inMemory {
	b := &inMemory{memory: m, again: again, data: data}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, b)
	return b
}

func (b *inMemory) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data, b.released = nil, true
}

var errReleased = errors.New(
	"preflighthttp: the body of the request was released when the answer began")

// open returns the body from its start.
func (b *inMemory) open() (io.ReadCloser, error) {
	b.mu.Lock()
	data, released := b.data, b.released
	b.mu.Unlock()
	switch {
	case !released:
		b.memory.mu.Lock()
		b.memory.open++
		b.memory.mu.Unlock()
		return &reading{from: bytes.NewReader(data), memory: b.memory}, nil
	case b.again != nil:
		return b.again()
	}
	return nil, errReleased
}

// reading reads a body once. It forgets the body at the end.
type reading struct {
	mu     sync.Mutex
	from   *bytes.Reader // nil at the end
	memory *memory
}

// reader returns what is left, nil at the end.
func (r *reading) reader() *bytes.Reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.from
}

// end forgets the body.
func (r *reading) end() {
	r.mu.Lock()
	was := r.from
	r.from = nil
	r.mu.Unlock()
	if was != nil {
		r.memory.readEnd()
	}
}

// Read reads on.
func (r *reading) Read(p []byte) (int, error) {
	from := r.reader()
	if from == nil {
		return 0, io.EOF
	}
	n, err := from.Read(p)
	if err != nil {
		r.end()
	}
	return n, err
}

// WriteTo writes all that is left at once.
func (r *reading) WriteTo(w io.Writer) (int64, error) {
	from := r.reader()
	if from == nil {
		return 0, nil
	}
	n, err := from.WriteTo(w)
	if err == nil {
		r.end()
	}
	return n, err
}

// Close ends reading.
func (r *reading) Close() error {
	r.end()
	return nil
}
