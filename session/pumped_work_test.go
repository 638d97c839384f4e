//go:build workcount

package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-preflight/preflight/internal/work/pump"
	"github.com/go-preflight/preflight/session"
)

// TestPumpedWork: whatever is repeated in a stored session, one to three records or a stretch of
// one, Read and Repair do about twice as much for twice the length.
func TestPumpedWork(t *testing.T) {
	try := func(name string, data func(n int) []byte) {
		pump.Linear(t, name, func(n int) func() {
			pumped := data(n)
			// an error is as good as a repair: both have to be found in time
			return func() {
				_, _ = session.Read(pumped)
				_, _, _ = session.Repair(pumped, nil)
			}
		})
	}
	for client, record := range chains {
		try(client+", a result recorded again", func(n int) []byte {
			lines, last := []string{record("p", "", "prompt", "Go."), record("c", "p", "call", "k0")}, "c"
			for k := range n {
				id := fmt.Sprint("r", k)
				lines, last = append(lines, record(id, last, "result", "k0")), id
			}
			return file(append(lines, record("a", last, "answer", "All done.")))
		})
	}
	try("gemini-cli, older versions of a record with many members", func(n int) []byte {
		members := ""
		for k := range n {
			members += fmt.Sprintf(`"a%d":1,`, k)
		}
		lines := append(stored["gemini-cli"][:2:2], strings.Replace(stored["gemini-cli"][4], "{",
			"{"+members, 1))
		return file(append(lines, slices.Repeat([]string{`{"id":"r2"}`}, n)...))
	})
	for client, lines := range stored {
		for _, fault := range saidFaults {
			faulty := func(lines []string) []string {
				for k := range lines {
					lines[k] = strings.ReplaceAll(lines[k], fault[0], fault[1])
				}
				return lines
			}
			name := fmt.Sprint(client, ", each copy with ", fault[1])
			if strings.Contains(string(file(lines)), fault[0]) {
				try(name, func(n int) []byte { return grown(lines, n, faulty) })
			}
		}
		for k := range lines {
			for to := k + 1; to <= min(k+3, len(lines)); to++ {
				name := fmt.Sprint(client, ", records ", k, " to ", to)
				if pump.Skipped(name, pump.Stretch{}) {
					continue
				}
				records := strings.Join(lines[k:to], "\n")
				for _, repeated := range []string{records, pump.Broken(records)} {
					try(name+", "+repeated, func(n int) []byte {
						all := append([]string{}, lines[:k]...)
						for range n {
							all = append(all, repeated)
						}
						return file(append(all, lines[to:]...))
					})
				}
			}
			if !strings.HasPrefix(lines[k], "{") {
				continue
			}
			inside := func(
				what, record string,
				tried func(pump.Stretch) bool, each func(string, int) string,
			) {
				for _, at := range pump.Stretches(record) {
					name := fmt.Sprint(client, ", record ", k, what, ", repeated: ", at.Text)
					if pump.Skipped(name, at) || !tried(at) {
						continue
					}
					try(name, func(n int) []byte {
						all := append([]string{}, lines...)
						all[k] = string(at.Each(record, n, each))
						return file(all)
					})
				}
			}
			inside("", lines[k], func(pump.Stretch) bool { return true },
				func(copied string, _ int) string { return copied })
			for _, fault := range saidFaults {
				if strings.Contains(lines[k], fault[0]) {
					inside(" with "+fault[1], strings.ReplaceAll(lines[k], fault[0], fault[1]),
						func(at pump.Stretch) bool {
							return strings.Contains(at.Text, fault[1]) || strings.Contains(fault[1], at.Text)
						}, renumbered)
				}
			}
		}
	}
}

// saidFaults are faults of what is said: each is mended with what a repair makes of its message.
var saidFaults = [][2]string{
	{`"name":"ls"`, `"name":"a tool"`},
	{`"toolu_1"`, `"toolu_1:"`},
	{`"call_1"`, `"call_1:"`},
	{`"Two files."`, `" "`},
	{`"two"`, `"two \ud83d"`},
	{`"text":"two"`, `"text":" "`},
	{`"content":"two"`, `"content":[{"type":"text","text":" "}]`},
}
