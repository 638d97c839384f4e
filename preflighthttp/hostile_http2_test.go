package preflighthttp

import (
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRedirectLoop: a server that redirects a request to itself gets it as often as http.Client
// follows.
func TestRedirectLoop(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	h := newHostile(server.URL)
	defer h.base.CloseIdleConnections()
	_, err := (&http.Client{Transport: h}).Post(server.URL+"/v1/messages", "application/json",
		strings.NewReader(dirtyBody))
	require.ErrorContains(t, err, "redirects")
	require.Equal(t, slices.Repeat([]string{dirtyBody}, 10), got)
	require.Len(t, h.all, 10)
	h.quiet(t)
}

// frames are what an HTTP/2 server sends for the first request that is complete; it accepts others.
type frames func(send sender, stream uint32)

type sender func(kind, flags byte, stream uint32, payload ...byte)

// The types and flags of frames, and status codes in HPACK. RFC 9113, section 6; RFC 7541.
const (
	frameData, frameHeaders, frameReset, frameSettings, frameGoAway = 0, 1, 3, 4, 7

	flagEndStream, flagEndHeaders = 1, 4

	hpack200, hpack400 = 0x88, 0x8c
)

// serveHTTP2 is just enough of an HTTP/2 server, without encryption.
func serveHTTP2(t *testing.T, first frames) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	var n atomic.Int64
	serve := func(conn net.Conn) {
		defer conn.Close()
		send := func(kind, flags byte, stream uint32, payload ...byte) {
			head := make([]byte, 9, 9+len(payload))
			binary.BigEndian.PutUint32(head, uint32(len(payload))<<8|uint32(kind))
			head[4] = flags
			binary.BigEndian.PutUint32(head[5:], stream)
			_, _ = conn.Write(append(head, payload...))
		}
		preface := int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
		if _, err := io.CopyN(io.Discard, conn, preface); err != nil {
			return
		}
		send(frameSettings, 0, 0)
		for {
			head := make([]byte, 9)
			if _, err := io.ReadFull(conn, head); err != nil {
				return
			}
			size := int64(binary.BigEndian.Uint32(head) >> 8)
			if _, err := io.CopyN(io.Discard, conn, size); err != nil {
				return
			}
			stream, flags := binary.BigEndian.Uint32(head[5:]), head[4]
			switch kind := head[3]; {
			case kind == frameSettings && flags == 0:
				send(frameSettings, 1, 0)
			case kind <= frameHeaders && flags&flagEndStream != 0:
				if n.Add(1) == 1 {
					first(send, stream)
				} else {
					send(frameHeaders, flagEndHeaders, stream, hpack200)
					send(frameData, flagEndStream, stream, []byte("ok")...)
				}
			}
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return "http://" + listener.Addr().String()
}

func TestHostileHTTP2(t *testing.T) {
	log.SetOutput(io.Discard) // net/http logs what such servers do
	defer log.SetOutput(os.Stderr)
	goAway := func(last, code byte) []byte {
		return append([]byte{0, 0, 0, last, 0, 0, 0, code}, secret...)
	}
	for name, c := range map[string]struct {
		first frames
		body  string
		fails bool // there is no answer, or it breaks off
	}{
		"GOAWAY before the stream": {
			first: func(send sender, _ uint32) {
				send(frameGoAway, 0, 0, goAway(0, 0)...)
			},
			body: "ok", // net/http sends it again, with a new body
		},
		"GOAWAY in the answer": {
			first: func(send sender, stream uint32) {
				send(frameGoAway, 0, 0, goAway(byte(stream), 0)...)
				send(frameHeaders, flagEndHeaders, stream, hpack400)
				send(frameData, flagEndStream, stream, []byte(knownSecret)...)
			},
			body: "ok", // understood, repaired harder, and sent again
		},
		"reset": {
			first: func(send sender, stream uint32) {
				send(frameReset, 0, stream, 0, 0, 0, 2)
			},
			fails: true,
		},
		"reset in a refusal": {
			first: func(send sender, stream uint32) {
				send(frameHeaders, flagEndHeaders, stream, hpack400)
				send(frameData, 0, stream, []byte(knownSecret)...)
				send(frameReset, 0, stream, 0, 0, 0, 2)
			},
			fails: true,
		},
		"data after the end": {
			first: func(send sender, stream uint32) {
				send(frameHeaders, flagEndHeaders|flagEndStream, stream, hpack200)
				send(frameData, 0, stream, []byte(secret)...)
			},
		},
		"a frame too large": {
			first: func(send sender, stream uint32) {
				send(frameHeaders, flagEndHeaders, stream, hpack400)
				send(frameData, 0, stream, make([]byte, 1<<21)...)
			},
			fails: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := serveHTTP2(t, c.first)
			h := newHostile(url)
			h.base.Protocols = new(http.Protocols)
			h.base.Protocols.SetUnencryptedHTTP2(true)
			defer h.base.CloseIdleConnections()
			_, body, err := h.send(t, url, mostRead)
			require.Equal(t, c.fails, err != nil, "%v", err)
			if !c.fails {
				require.Equal(t, c.body, string(body))
			}
			h.quiet(t)
			_, body, err = h.send(t, url, mostRead)
			require.NoError(t, err, "afterwards")
			require.Equal(t, "ok", string(body))
		})
	}
}
