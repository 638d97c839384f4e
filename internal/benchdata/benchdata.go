// Package benchdata makes the histories that the benchmarks measure: those of long agent sessions,
// sound and broken.
package benchdata

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-preflight/preflight"
)

// Shape is what sort of history it is.
type Shape string

// The shapes. A mean message has 1.3 KB; 45 % of the messages are one half of a tool pair.
const (
	Clean   Shape = "clean"   // a valid session
	Dirty1  Shape = "dirty1"  // the same with one message in a hundred broken
	Dirty20 Shape = "dirty20" // one in five
	Run     Shape = "run"     // messages of one role in a row
	// half as many calls in one turn as messages asked for, with their results in reverse order
	Parallel Shape = "parallel"
	// provider-executed tools with results of 200 KB, one in a hundred messages
	Payloads Shape = "payloads"
)

// Shapes lists them all.
var Shapes = []Shape{Clean, Dirty1, Dirty20, Run, Parallel, Payloads}

// textSize is the bytes of an ordinary text, so that with the long results a mean message has 1.3
// KB.
const textSize = 1000

// History returns a history of about n messages, always the same one. No two texts share memory.
func History(shape Shape, n int) []preflight.Message {
	g := &generator{rng: rand.New(rand.NewPCG(1, 2))}
	switch shape {
	case Run:
		for range n {
			g.add(preflight.RoleUser, g.text())
		}
	case Parallel:
		g.parallel(n / 2)
	default:
		for len(g.out) < n-1 {
			g.turn(shape)
		}
	}
	if shape == Dirty1 {
		g.spoil(100)
	}
	if shape == Dirty20 {
		g.spoil(5)
	}
	g.add(preflight.RoleUser, g.text())
	return g.out
}

type generator struct {
	rng   *rand.Rand
	out   []preflight.Message
	calls int
}

func (g *generator) add(role preflight.Role, parts ...preflight.Part) {
	g.out = append(g.out, preflight.Message{Role: role, Parts: parts})
}

// turn is what a user says and what comes of it: eleven messages, five of which hold a tool call or
// its result.
func (g *generator) turn(shape Shape) {
	g.add(preflight.RoleUser, g.text())
	first := g.call()
	g.add(preflight.RoleAssistant, g.thinking(), g.text(), first)
	g.add(preflight.RoleUser, g.result(first))
	second := g.call()
	g.add(preflight.RoleAssistant, second)
	g.add(preflight.RoleUser, g.result(second), g.text())
	g.add(preflight.RoleAssistant, g.text())
	for range 2 {
		g.add(preflight.RoleUser, g.text())
		g.add(preflight.RoleAssistant, g.text())
	}
	if shape == Payloads && g.calls%18 == 2 {
		g.out[len(g.out)-1].Parts = g.searched()
	}
}

// call returns a call of the client's tool.
func (g *generator) call() *preflight.ToolCall {
	g.calls++
	return &preflight.ToolCall{
		ID: fmt.Sprintf("toolu_%016x%06d", g.rng.Uint64(), g.calls), Name: "read_file",
		Input: json.RawMessage(fmt.Sprintf(`{"path":"internal/file_%d.go","limit":200}`, g.calls)),
	}
}

// result answers a call; one in thirty is a file of 20 to 50 KB.
func (g *generator) result(c *preflight.ToolCall) *preflight.ToolResult {
	size := textSize
	if g.calls%30 == 7 {
		size = 20_000 + g.rng.IntN(30_000)
	}
	return &preflight.ToolResult{
		CallID:  c.ID,
		Content: []preflight.Part{&preflight.Text{Text: g.prose(size)}},
	}
}

func (g *generator) thinking() *preflight.Reasoning {
	return &preflight.Reasoning{
		Text:      g.prose(400),
		Signature: strings.Repeat("EqQBCgIYAhIk", 20) + fmt.Sprint(g.calls),
	}
}

// searched returns a provider-executed call with its result.
func (g *generator) searched() []preflight.Part {
	id := fmt.Sprintf("srvtoolu_%06d", g.calls)
	var output strings.Builder
	output.WriteString(
		`{"type":"code_execution_result","return_code":0,"stderr":"","content":[],"stdout":`)
	line, _ := json.Marshal(g.prose(200_000))
	output.Write(line)
	output.WriteString("}")
	return []preflight.Part{
		&preflight.ToolCall{
			ID:               id,
			Name:             "code_execution",
			Input:            json.RawMessage(`{"code":"print(1)"}`),
			ProviderExecuted: true,
			Variant:          "server",
		},
		&preflight.ToolResult{
			CallID:           id,
			ProviderExecuted: true,
			Variant:          "code_execution_tool_result",
			Output:           json.RawMessage(output.String()),
		},
		g.text(),
	}
}

// parallel is one turn of n calls and their results, the last one first.
func (g *generator) parallel(n int) {
	g.add(preflight.RoleUser, g.text())
	var calls, results []preflight.Part
	for range n {
		c := g.call()
		calls = append(calls, c)
		results = append(results, &preflight.ToolResult{
			CallID:  c.ID,
			Content: []preflight.Part{&preflight.Text{Text: g.prose(2 * textSize)}},
		})
	}
	slices.Reverse(results)
	g.add(preflight.RoleAssistant, calls...)
	g.add(preflight.RoleUser, results...)
	g.add(preflight.RoleAssistant, g.text())
}

// spoil breaks one message in every so many, and the last of fewer, each in a way that every
// provider refuses, in turns: its calls and results get other ids, a text is empty, or the role is
// unknown. Where there is no call or result, a text is empty.
func (g *generator) spoil(every int) {
	for i := min(every, len(g.out)) - 1; i < len(g.out); i += every {
		m := &g.out[i]
		switch k := i / every % 3; {
		case k == 0 && g.astray(i, i+every/2):
		case k == 2 && m.Role == preflight.RoleUser:
			m.Role = "human"
		case k == 2:
			m.Parts = append([]preflight.Part{&preflight.Text{}}, m.Parts...)
		default:
			m.Parts = append(m.Parts, &preflight.Text{})
		}
	}
}

// astray gives the calls and results of the first message from i to last that has any other ids,
// and reports whether there is one.
func (g *generator) astray(i, last int) bool {
	for ; i <= min(last, len(g.out)-1); i++ {
		found := false
		for _, p := range g.out[i].Parts {
			switch p := p.(type) {
			case *preflight.ToolResult:
				p.CallID += "x"
				found = true
			case *preflight.ToolCall:
				p.ID += "x"
				found = true
			}
		}
		if found {
			return true
		}
	}
	return false
}

func (g *generator) text() *preflight.Text { return &preflight.Text{Text: g.prose(textSize)} }

// prose is n bytes and a few out of the corpus, in memory of their own.
func (g *generator) prose(n int) string {
	words := corpus()
	at := g.rng.IntN(len(words) - n)
	for words[at]&0xC0 == 0x80 {
		at++
	}
	end := min(at+n, len(words))
	for end < len(words) && words[end]&0xC0 == 0x80 {
		end++
	}
	return words[at:end] + "."
}

// corpus is lower-case words, with line breaks, tabs and quotes as source code and logs have them,
// and now and then a character outside ASCII.
var corpus = sync.OnceValue(func() string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b []byte
	for len(b) < 1<<20 {
		for range 2 + rng.IntN(8) {
			b = append(b, byte('a'+rng.IntN(26)))
		}
		b = append(b, ' ')
		switch rng.IntN(40) {
		case 0, 1, 2, 3:
			b = append(b, "\n\t"...)
		case 4:
			b = append(b, `"x"`...)
		case 5:
			if len(b)%16 == 0 {
				b = append(b, "— ✓ é"...)
			}
		}
	}
	return string(b)
})

// Measure runs pass as a benchmark, and reports the processor time of one as cpu-ns/op beside what
// the benchmark itself reports. A pass that says no fails.
func Measure(b *testing.B, pass func() bool) {
	b.ReportAllocs()
	if !pass() { // warms what is reused
		b.Fatal("the pass does not find what it should")
	}
	start := CPU()
	for b.Loop() {
		if !pass() {
			b.Fatal("the pass does not find what it should")
		}
	}
	b.ReportMetric(float64(CPU()-start)/float64(b.N), "cpu-ns/op")
}
