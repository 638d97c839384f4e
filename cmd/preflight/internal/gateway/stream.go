package gateway

import (
	"io"
	"net/http"
	"sync/atomic"
)

// This file lets request bodies stream to the upstream while its answer streams back.
//
// net/http's server closes the body of a request when the answer begins, unless full duplex is
// enabled, and an upstream that answers early then gets half a request, and the client half an
// answer. With full duplex, a body that is read after its handler returned makes the connection's
// next request panic (invalid concurrent Body.Read call). So a connection whose body was not read
// to its end when the answer begins takes no next request.

// duplex is the body of a request. Closing it does not wait for a read that is under way.
type duplex struct {
	body   io.Reader
	ended  atomic.Bool // everything was read
	closed atomic.Bool
}

// streamed enables full duplex for a request and returns its body.
func streamed(w http.ResponseWriter, r *http.Request) *duplex {
	_ = http.NewResponseController(w).EnableFullDuplex() // HTTP/2 has it anyway
	d := &duplex{body: r.Body}
	d.ended.Store(r.Body == nil || r.Body == http.NoBody)
	return d
}

func (d *duplex) Read(p []byte) (int, error) {
	if d.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := d.body.Read(p)
	if err == io.EOF {
		d.ended.Store(true)
	}
	return n, err
}

// Close ends reading. The server closes the body itself.
func (d *duplex) Close() error {
	d.closed.Store(true)
	return nil
}

// endConnection makes the answer the last one of its connection if the body was not read to its
// end.
func (d *duplex) endConnection(header http.Header) {
	if d != nil && !d.ended.Load() {
		header.Set("Connection", "close")
	}
}
