//go:build workcount

package pump

import (
	"flag"
	"fmt"
	"hash/fnv"
	"runtime"

	"github.com/go-preflight/preflight/internal/work"
)

var (
	times = flag.Int("pump", 40, "how often pumped tests repeat a stretch, at first")
	share = flag.Int("pump.share", 1, "pumped tests try one of this many stretches")
)

// A Stretch is a place of a body that is repeated.
type Stretch struct {
	Text     string // of the place
	from, to int
	fresh    bool // the copies are members of an object, each with another name
	apart    bool // there is a comma between the copies
}

// Stretches returns those of a JSON body: one to three neighbours in a list, a member of an object,
// the characters of a text, one character of it.
func Stretches(body string) []Stretch {
	var out []Stretch
	for _, at := range places(body) {
		if body[at[0]] == '"' {
			if at[1]-at[0] > 3 {
				out = append(out, Stretch{body[at[0]:at[1]], at[0] + 1, at[1] - 1, false, false})
			}
			continue
		}
		ends := elements(body, at)
		for i := range ends {
			for j := i; j < min(i+3, len(ends)); j++ {
				if body[at[0]] == '{' && j > i {
					break
				}
				text := body[ends[i][0]:ends[j][1]]
				out = append(out, Stretch{text, ends[i][0], ends[j][1], body[at[0]] == '{', true})
			}
		}
	}
	return out
}

// Part returns the stretch of a text from one byte to another.
func Part(text string, from, to int) Stretch {
	return Stretch{text[from:to], from, to, false, false}
}

// Times returns the body with the stretch n times.
func (s Stretch) Times(body string, n int) []byte {
	out := []byte(body[:s.from])
	for k := range n {
		if k > 0 && s.apart {
			out = append(out, ',')
		}
		copied := body[s.from:s.to]
		if s.fresh && k > 0 {
			copied = fmt.Sprintf(`"x%d%s`, k, copied[1:])
		}
		out = append(out, copied...)
	}
	return append(out, body[s.to:]...)
}

// Skipped reports whether a stretch is not in the share that is tried: the same one in each run.
func Skipped(name string, s Stretch) bool {
	h := fnv.New32a()
	fmt.Fprint(h, name, s.from, s.to)
	return h.Sum32()%uint32(*share) != 0
}

// failing is a test.
type failing interface {
	Helper()
	Errorf(format string, args ...any)
}

// Linear fails if a job that gets 2 and 4 times as long takes more than about 2 and 4 times the
// steps or bytes. The growth is compared, since a quadratic part may be small at first. A limit
// that is passed once, after which something is done in another way, looks the same: so what grows
// is tried again 4 and 16 times as long, where a quadratic part only shows more. job prepares what
// is counted.
func Linear(t failing, name string, job func(n int) func()) {
	t.Helper()
	var found string
	for _, longer := range []int{1, 4, 16} {
		if found = grows(job, longer**times); found == "" {
			return
		}
	}
	t.Errorf("%.300s: %s", name, found)
}

// grows says what grows faster than the job from n on; "" if nothing does.
func grows(job func(n int) func(), n int) string {
	var steps, bytes [3]int64
	for k := range steps {
		do := job(n << k)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		steps[k] = work.Count(do)
		runtime.ReadMemStats(&after)
		bytes[k] = int64(after.TotalAlloc - before.TotalAlloc)
	}
	faster := func(of [3]int64, slack int64) bool {
		return 10*(of[2]-of[1]) > 24*max(0, of[1]-of[0])+10*slack
	}
	switch {
	case faster(steps, 6_000): // lists and maps change their form as they grow
		return fmt.Sprint("steps ", steps)
	case faster(bytes, 1<<21):
		return fmt.Sprint("bytes ", bytes)
	}
	return ""
}

// places returns the lists, objects and texts of a body, without the names of members.
func places(body string) [][2]int {
	var out [][2]int
	var open []int
	for k := 0; k < len(body); k++ {
		switch body[k] {
		case '{', '[':
			open = append(open, k)
		case '}', ']':
			out = append(out, [2]int{open[len(open)-1], k + 1})
			open = open[:len(open)-1]
		case '"':
			end := endOfText(body, k)
			if end == len(body) || body[end] != ':' {
				out = append(out, [2]int{k, end})
			}
			k = end - 1
		}
	}
	return out
}

// endOfText returns the byte after the text that begins at k.
func endOfText(body string, k int) int {
	for k++; body[k] != '"'; k++ {
		if body[k] == '\\' {
			k++
		}
	}
	return k + 1
}

// elements returns the elements or members of the list or object at a place.
func elements(body string, at [2]int) [][2]int {
	var out [][2]int
	depth, from := 0, at[0]+1
	for k := at[0] + 1; k < at[1]; k++ {
		switch body[k] {
		case '{', '[':
			depth++
		case '"':
			k = endOfText(body, k) - 1
		case '}', ']', ',':
			if body[k] != ',' {
				depth--
			}
			if depth < 0 || depth == 0 && body[k] == ',' {
				if k > from {
					out = append(out, [2]int{from, k})
				}
				from = k + 1
			}
		}
	}
	return out
}
