package bulk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/bulk"
	"github.com/go-preflight/preflight/wire"
)

// line is body number k: a valid one, one that is repaired, or one that cannot be read.
func line(k int) string {
	switch {
	case k%97 == 0:
		return `{"model":"claude-sonnet-4-5","broken":` + fmt.Sprint(k)
	case k%3 == 0:
		return fmt.Sprintf(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[`+
			`{"role":"user","content":"q %d"},{"role":"assistant","content":[`+
			`{"type":"tool_use","id":"toolu_%d","name":"run","input":{}}]},`+
			`{"role":"user","content":"%s"}]}`, k, k, strings.Repeat("x", k%700))
	}
	return fmt.Sprintf(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[`+
		`{"role":"user","content":"clean %d"}]}`, k)
}

// input is n bodies, with blank lines and both line ends, without one at the end.
func input(n int) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(line(k + 1))
		switch {
		case k == n-1:
		case k%5 == 0:
			b.WriteString("\r\n")
		case k%11 == 0:
			b.WriteString("\n \n\n")
		default:
			b.WriteString("\n")
		}
	}
	return b.String()
}

// oneByOne repairs the lines by wire.Sanitize alone.
func oneByOne(t *testing.T, in string, dead bool) (out, letters string, reports []string) {
	for line := range strings.Lines(in) {
		body := strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(body) == "" {
			out += line
			continue
		}
		result, err := wire.Sanitize(context.Background(), []byte(body), nil)
		report, marshalled := json.Marshal(wire.OutcomeOf(result, err))
		require.NoError(t, marshalled)
		reports = append(reports, string(report))
		switch {
		case err != nil && dead:
			letters += line
		case err != nil:
			out += line
		default:
			out += string(result.Body) + line[len(body):]
		}
	}
	return out, letters, reports
}

func TestLines(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1500} {
		in := input(n)
		for _, dead := range []bool{false, true} {
			want, wantDead, wantReports := oneByOne(t, in, dead)
			first := ""
			for _, jobs := range []int{0, 1, 3, 8} {
				var out, reports, letters bytes.Buffer
				var failures []int
				lines := bulk.Lines{
					Jobs: jobs, Reports: &reports,
					Failed: func(f bulk.Failure) { failures = append(failures, f.Line) },
				}
				if dead {
					lines.Dead = &letters
				}
				count, err := lines.Run(context.Background(), strings.NewReader(in), &out)
				require.NoError(t, err)
				require.Equal(t, want, out.String())
				require.Equal(t, wantDead, letters.String())
				require.Equal(t, n/97, count.Failed)
				require.Len(t, failures, n/97)
				require.IsIncreasing(t, append([]int{0}, append(failures, 1<<30)...))
				require.Equal(t, n, count.Lines)
				require.Equal(t, len(wantReports), strings.Count(reports.String(), "\n"))
				if first != "" {
					require.Equal(t, first, reports.String())
					continue
				}
				first = reports.String()
				for k, got := range strings.Split(strings.TrimSpace(first), "\n") {
					if n > 0 {
						require.JSONEq(t, wantReports[k], got)
					}
				}
			}
		}
	}
}

// TestPipe: a line from a pipe is answered before the next one comes.
func TestPipe(t *testing.T) {
	questions, ask := io.Pipe()
	answers, answer := io.Pipe()
	go func() {
		_, err := (&bulk.Lines{Jobs: 4}).Run(context.Background(), questions, answer)
		answer.CloseWithError(err)
	}()
	for k := range 20 {
		_, err := io.WriteString(ask, line(k*3+1)+"\n")
		require.NoError(t, err)
		buf := make([]byte, 4096)
		n, err := answers.Read(buf)
		require.NoError(t, err)
		require.Equal(t, line(k*3+1)+"\n", string(buf[:n]))
	}
	require.NoError(t, ask.Close())
	_, err := answers.Read(make([]byte, 1))
	require.Equal(t, io.EOF, err)
}

// endless reads the same lines again and again, and counts the bytes.
type endless struct {
	lines []byte
	read  atomic.Int64
}

func (e *endless) Read(to []byte) (n int, err error) {
	for n < len(to) {
		n += copy(to[n:], e.lines[(int(e.read.Load())+n)%len(e.lines):])
	}
	e.read.Add(int64(n))
	return n, nil
}

// TestMemory: what is in memory does not depend on the number of lines. While the output waits, no
// more is read than the batches that may be in memory.
func TestMemory(t *testing.T) {
	const jobs, most = 2, 7 * (1<<18 + 1<<16) // 2*jobs+2 batches, the one being filled, and buffers
	in := &endless{lines: []byte(line(1) + "\n" + line(3) + "\n" + line(97) + "\n")}
	answers, answer := io.Pipe()
	ended := make(chan error)
	go func() {
		_, err := (&bulk.Lines{Jobs: jobs}).Run(context.Background(), in, answer)
		ended <- err
	}()
	for n, before := int64(0), int64(-1); n != before; before, n = n, in.read.Load() {
		require.Less(t, n, int64(most))
		time.Sleep(100 * time.Millisecond)
	}
	require.NoError(t, answers.CloseWithError(io.ErrClosedPipe))
	require.ErrorIs(t, <-ended, io.ErrClosedPipe)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (f failing) Read([]byte) (int, error)  { return 0, f.err }

// TestErrors: a run ends at an error, also while its input waits.
func TestErrors(t *testing.T) {
	full := errors.New("the disk is full")
	waiting, ask := io.Pipe()
	go io.WriteString(ask, line(1)+"\n")
	_, err := (&bulk.Lines{Jobs: 2}).Run(context.Background(), waiting, failing{full})
	require.ErrorIs(t, err, full)
	ask.Close()

	_, err = (&bulk.Lines{Jobs: 2, Reports: failing{full}}).Run(context.Background(),
		strings.NewReader(input(3)), io.Discard)
	require.ErrorIs(t, err, full)
	_, err = (&bulk.Lines{Jobs: 2}).Run(context.Background(), failing{full}, io.Discard)
	require.ErrorIs(t, err, full)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = (&bulk.Lines{Jobs: 2}).Run(ctx, strings.NewReader(input(300)), io.Discard)
	require.ErrorIs(t, err, context.Canceled)
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := bulk.NewProgress(&out, 100_000_000, func() time.Time { return now })
	p.Skip(20_000_000)
	for range 100 {
		now = now.Add(10 * time.Millisecond)
		p.Add(100_000)
	}
	require.Less(t, strings.Count(out.String(), "%"), 8, "it is not written for every batch")
	require.Contains(t, out.String(), " 28.1 %  10.0 MB/s  7s left")
	out.Reset()
	p.End()
	require.Equal(t, "\r\x1b[K", out.String())
}

// TestCompressed: a compressed file that is broken is one error, and not an error for each line.
func TestCompressed(t *testing.T) {
	for form, data := range map[string]string{
		"zstd": "\x28\xb5\x2f\xfd\x04\x58\n\n", "gzip": "\x1f\x8b\x00\n\n\n",
	} {
		var out bytes.Buffer
		lines := bulk.Lines{Failed: func(f bulk.Failure) { t.Errorf("line %d: %v", f.Line, f.Err) }}
		count, err := lines.Run(t.Context(), strings.NewReader(data), &out)
		require.Error(t, err, form)
		require.Zero(t, count)
	}
}
