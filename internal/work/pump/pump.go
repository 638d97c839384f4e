//go:build workcount

package pump

import (
	"flag"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"

	"github.com/go-preflight/preflight/internal/work"
)

var (
	times = flag.Int("pump", 40, "how often pumped tests repeat a stretch, at first")
	share = flag.Int("pump.share", 1, "pumped tests try one of this many stretches")
)

// A Stretch is a place of a body that is repeated.
type Stretch struct {
	Text     string // that is repeated
	from, to int    // the place of it
	fresh    bool   // the copies are members of an object, each with another name
	apart    bool   // there is a comma between the copies
	after    string // what comes after the copies
}

// Stretches returns those of a JSON body: one to three neighbours in a list, a member of an object,
// the characters of a text, one character of it. Further ones repeat a fault of their own, as
// often: those with texts, with texts that are not Unicode; and objects, with texts as new members.
func Stretches(body string) []Stretch {
	var out []Stretch
	add := func(s Stretch) {
		out = append(out, s)
		if broken := Broken(s.Text); broken != s.Text {
			s.Text = broken
			out = append(out, s)
		}
	}
	for _, at := range places(body) {
		if body[at[0]] == '"' {
			if at[1]-at[0] > 3 {
				out = append(out, Part(body, at[0]+1, at[1]-1))
			}
			continue
		}
		ends := elements(body, at)
		isObject := body[at[0]] == '{'
		for i := range ends {
			for j := i; j < min(i+3, len(ends)); j++ {
				if isObject && j > i {
					break
				}
				from, to := ends[i][0], ends[j][1]
				add(Stretch{body[from:to], from, to, isObject, true, ""})
			}
		}
		if isObject {
			comma := ""
			if len(ends) > 0 {
				comma = ","
			}
			add(Stretch{`"x":"v"`, at[0] + 1, at[0] + 1, true, true, comma})
		}
	}
	return out
}

// Broken returns JSON with a lone surrogate at the end of each text, but for the names of members.
func Broken(json string) string {
	var out strings.Builder
	for k := 0; k < len(json); k++ {
		out.WriteByte(json[k])
		if json[k] != '"' {
			continue
		}
		end := endOfText(json, k)
		out.WriteString(json[k+1 : end-1])
		if end == len(json) || json[end] != ':' {
			out.WriteString(`\ud800`)
		}
		out.WriteByte('"')
		k = end - 1
	}
	return out.String()
}

// Part returns the stretch of a text from one byte to another.
func Part(text string, from, to int) Stretch {
	return Stretch{Text: text[from:to], from: from, to: to}
}

// Times returns the body with the stretch n times.
func (s Stretch) Times(body string, n int) []byte {
	return s.Each(body, n, func(text string, _ int) string { return text })
}

// Each returns the body with the stretch n times, each copy as edit makes it of the stretch and the
// number of the copy.
func (s Stretch) Each(body string, n int, edit func(text string, k int) string) []byte {
	out := []byte(body[:s.from])
	for k := range n {
		if k > 0 && s.apart {
			out = append(out, ',')
		}
		copied := edit(s.Text, k)
		if s.fresh && k > 0 {
			copied = fmt.Sprintf(`"x%d%s`, k, copied[1:])
		}
		out = append(out, copied...)
	}
	out = append(out, s.after...)
	return append(out, body[s.to:]...)
}

// Skipped reports whether a stretch is not in the share that is tried: the same one in each run.
func Skipped(name string, s Stretch) bool {
	h := fnv.New32a()
	fmt.Fprint(h, name, s.from, s.to, s.Text)
	return h.Sum32()%uint32(*share) != 0
}

// failing is a test.
type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Linear fails if the steps or bytes of a job grow faster than its length. Of 1, 2 and 4 times the
// length, what is linear takes twice as much more for the second doubling as for the first, to the
// step; what is over that, the bend, is quadratic, however much linear work hides it. Lists that
// grow and sorting bend a little, too, and a limit after which something is done in another way
// bends once. So a job that bends is tried again 4, 16 and 64 times as long, where a quadratic bend
// is 16 times as large each time.
func Linear(t failing, name string, job func(n int) func()) {
	t.Helper()
	var last growth
	for k, longer := range []int{1, 4, 16, 64} {
		g := measure(job, longer**times)
		if k == 0 {
			pairs := float64(*times * *times)
			g.suspect[0] = float64(g.steps.bend()) > leastSteps*pairs
			g.suspect[1] = float64(g.bytes.bend()) > leastBytes*pairs
		} else {
			g.suspect[0] = last.suspect[0] && g.steps.bend() > 8*last.steps.bend()
			g.suspect[1] = last.suspect[1] && g.bytes.bend() > 8*last.bytes.bend()
		}
		if g.suspect == [2]bool{} {
			return
		}
		last = g
		if g.suspect[0] && (k == 1 && g.steps.plain() || k == 2) && g.steps.bend() > enough {
			break
		}
	}
	t.Fatalf("%.300s: steps %v, bytes %v", name, last.steps, last.bytes)
}

// The bends that sorting, and lists and buffers that grow, have at first: for each pair of copies.
// A loop over all copies for each copy has 3 steps or more.
const (
	leastSteps = 2.5
	leastBytes = 600
)

// enough is a bend that is not tried longer, if it is most of the work and lasted 4 times the
// length, or lasted 16 times: it would take minutes.
const enough = 5_000_000

// A growth is what a job took for 1, 2 and 4 times a length.
type growth struct {
	steps, bytes taken
	suspect      [2]bool
}

type taken [3]int64

// bend is what the second doubling took more than twice the first.
func (t taken) bend() int64 { return t[2] - t[1] - 2*(t[1]-t[0]) }

// plain reports whether the job does little else than what is quadratic.
func (t taken) plain() bool { return t[2]-t[1] > 3*(t[1]-t[0]) }

func measure(job func(n int) func(), n int) growth {
	var g growth
	for k := range g.steps {
		do := job(n << k)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g.steps[k] = work.Count(do)
		runtime.ReadMemStats(&after)
		g.bytes[k] = int64(after.TotalAlloc - before.TotalAlloc)
	}
	return g
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
