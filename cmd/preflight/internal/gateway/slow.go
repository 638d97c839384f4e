package gateway

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// This file bounds how long a body that is to be repaired may take to arrive. It counts among the
// bodies that are held from its first byte on, so that a few clients that send nothing more would
// keep all others out.

// slowest is how many bytes a second a body has to have on average, in each stretch of grace.
// Bodies that are not held, because they pass unread, may take any time.
const slowest = 16 << 10

var grace = 10 * time.Second

// paced is a body that has to arrive in time.
type paced struct {
	io.ReadCloser
	control *http.ResponseController
	since   time.Time   // when the stretch began
	came    int64       // in it
	held    atomic.Bool // it is to be repaired
	late    atomic.Bool // it did not arrive in time
	broken  atomic.Bool // it did not arrive whole
}

// pace returns the body of a request. It passes unread until it is held.
func pace(w http.ResponseWriter, r *http.Request) *paced {
	return &paced{ReadCloser: r.Body, control: http.NewResponseController(w)}
}

// hold says that the body is to be repaired.
func (p *paced) hold() {
	if p != nil {
		p.held.Store(true)
	}
}

// wasLate reports whether the body did not arrive in time.
func (p *paced) wasLate() bool { return p != nil && p.late.Load() }

// failed reports whether the body did not arrive whole.
func (p *paced) failed() bool { return p != nil && p.broken.Load() }

// writeLate answers a request whose body did not arrive in time.
func writeLate(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	writeText(w, http.StatusRequestTimeout, "preflight serve: the body did not arrive in time\n")
}

func (p *paced) Read(b []byte) (int, error) {
	held := p.held.Load()
	if held && (p.since.IsZero() || p.came >= int64(slowest*grace/time.Second)) {
		p.since, p.came = time.Now(), 0
		_ = p.control.SetReadDeadline(p.since.Add(grace)) // a test's writer may have none
	}
	n, err := p.ReadCloser.Read(b)
	p.came += int64(n)
	if err != nil && err != io.EOF {
		p.broken.Store(true)
	}
	switch {
	case !held:
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.late.Store(true)
	case err != nil:
		_ = p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
