package preflighthttp_test

import (
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// refusing is just enough of an HTTP/2 server, without encryption, to refuse the first stream once
// its request is complete and answer the others. It sends the bodies it received. RFC 9113,
// sections 4.1, 6 and 8.7.
func refusing(listener net.Listener, bodies chan<- string) {
	const (
		data, headers, reset, settings = 0, 1, 3, 4
		ack, endStream, endHeaders     = 1, 1, 4
		refusedStream                  = 7
		status200                      = 0x88 // HPACK's static entry 8
	)
	conn, err := listener.Accept()
	if err != nil {
		return
	}
	defer conn.Close()
	send := func(kind, flags byte, stream uint32, payload ...byte) {
		head := make([]byte, 9, 9+len(payload))
		binary.BigEndian.PutUint32(head, uint32(len(payload))<<8|uint32(kind))
		head[4] = flags
		binary.BigEndian.PutUint32(head[5:], stream)
		_, _ = conn.Write(append(head, payload...)) // the client sees what is missing
	}
	if _, err := io.CopyN(io.Discard, conn, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err !=
		nil {
		return
	}
	send(settings, 0, 0)
	received := map[uint32]string{}
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		payload := make([]byte, binary.BigEndian.Uint32(head)>>8)
		if _, err := io.ReadFull(conn, payload); err != nil {
			return
		}
		stream := binary.BigEndian.Uint32(head[5:])
		switch kind, flags := head[3], head[4]; {
		case kind == settings && flags&ack == 0:
			send(settings, ack, 0)
		case kind == data || kind == headers:
			if kind == data {
				received[stream] += string(payload)
			}
			if flags&endStream == 0 {
				continue
			}
			bodies <- received[stream]
			if len(received) == 1 {
				send(reset, 0, stream, 0, 0, 0, refusedStream)
			} else {
				send(headers, endStream|endHeaders, stream, status200)
			}
		}
	}
}

// TestHTTP2Retry: a stream that the server refused is sent again by net/http, with the body of
// GetBody.
func TestHTTP2Retry(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	bodies := make(chan string, 4)
	go refusing(listener, bodies)
	transport, all := to(t, "http://"+listener.Addr().String())
	base := transport.Base.(*http.Transport)
	base.Protocols = new(http.Protocols)
	base.Protocols.SetUnencryptedHTTP2(true)

	status, _ := do(t, transport,
		post(t, "http://"+listener.Addr().String()+path, strings.NewReader(dirty)))
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, repaired, <-bodies)
	require.Equal(t, repaired, <-bodies)
	require.Len(t, all.all, 1)
}
