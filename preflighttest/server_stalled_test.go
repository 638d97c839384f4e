package preflighttest_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestStalledClients: a client that sends half a request, or does not read its answer, does not
// keep the server from closing.
func TestStalledClients(t *testing.T) {
	const head = "POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
	body := `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"}]}`
	for name, sent := range map[string]string{
		"in its headers": head,
		"in its body":    head + "Content-Length: 100\r\n\r\n{",
		"in its answer":  fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := preflighttest.Start("anthropic", nil)
			require.NoError(t, err)
			server.Script(preflighttest.Reply{Text: strings.Repeat("word ", 10_000_000)})
			conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
			require.NoError(t, err)
			defer conn.Close()
			_, err = io.WriteString(conn, sent)
			require.NoError(t, err)
			time.Sleep(100 * time.Millisecond) // the server waits for the client now
			closed := make(chan bool)
			go func() {
				server.Close()
				close(closed)
			}()
			select {
			case <-closed:
			case <-time.After(20 * time.Second):
				t.Fatal("the server does not close")
			}
		})
	}
}
