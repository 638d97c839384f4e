package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// history makes a request body like those of a long agent session: alternating turns of one text of
// about 1.3 KB each, or of a tool call or result, prose and code mixed. style picks what the texts
// are made of.
func history(size int, style string) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(`{"model":"m-1","max_tokens":4096,"messages":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		text := AppendString(nil, prose(rng, 1300, style))
		if style == "escaped" {
			text = []byte(strconv.QuoteToASCII(prose(rng, 700, "cjk")))
		}
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, `{"role":"user","content":[{"type":"text","text":%s}]}`, text)
		case 1:
			fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"text","text":%s},`+
				`{"type":"tool_use","id":"toolu_%06d","name":"read_file",`+
				`"input":{"path":"internal/a.go","limit":200,"all":false}}]}`, text, i)
		case 2:
			fmt.Fprintf(
				&b,
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%06d",`+
					`"content":%s}]}`,
				i-1,
				text,
			)
		case 3:
			fmt.Fprintf(&b, `{"role":"assistant","content":%s}`, text)
		}
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

// prose is n bytes of words: "plain" has nothing to escape, "code" has a line break, a tab or a
// quote every few words as source code and logs do, "mixed" is code with a few characters outside
// ASCII, "cjk" has hardly any ASCII, "escaped" is cjk as Python's json.dumps writes it.
func prose(rng *rand.Rand, n int, style string) string {
	var b strings.Builder
	for b.Len() < n {
		for range 2 + rng.IntN(8) {
			if style == "cjk" {
				b.WriteRune(rune(0x4E00 + rng.IntN(0x5000)))
			} else {
				b.WriteByte(byte('a' + rng.IntN(26)))
			}
		}
		b.WriteByte(' ')
		if style == "plain" {
			continue
		}
		switch rng.IntN(40) {
		case 0, 1, 2, 3:
			b.WriteString("\n\t")
		case 4:
			b.WriteString(`"x"`)
		case 5:
			if style == "mixed" {
				b.WriteString("— ✓ é")
			}
		}
	}
	return b.String()
}

var styles = []string{"plain", "code", "mixed", "cjk", "escaped"}

// documents are bodies of about a size that are made of more than long texts.
var documents = map[string]func(size int) []byte{
	"short texts": func(size int) []byte {
		return repeated(size, func(i int) string {
			return fmt.Sprintf(`{"role":"user","content":"yes, number %d of them"}`, i)
		})
	},
	"tools": tools,
	"indented": func(size int) []byte {
		var b bytes.Buffer
		_ = json.Indent(&b, tools(size/2), "", "  ")
		return b.Bytes()
	},
	"numbers": func(size int) []byte {
		return repeated(size, func(i int) string {
			return fmt.Sprintf(`{"at":%d,"score":%g,"x":[1,-2,%d]}`, i, 0.25+float64(i), 1000*i)
		})
	},
	"pictures": func(size int) []byte {
		return repeated(size, func(i int) string {
			return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
				strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", 1000) + `"}}`
		})
	},
}

// tools declares tools with nested schemas.
func tools(size int) []byte {
	return repeated(size, func(i int) string {
		return fmt.Sprintf(`{"type":"function","function":{"name":"tool_%d","strict":true,`+
			`"description":"Reads the lines of a file, from one to another.","parameters":{`+
			`"type":"object","properties":{"path":{"type":"string","description":"the file"},`+
			`"range":{"type":"array","items":{"type":"integer","minimum":0,"maximum":%d}},`+
			`"how":{"anyOf":[{"type":"string","enum":["head","tail"]},{"type":"null"}]}},`+
			`"required":["path"],"additionalProperties":false}}}`, i, 100*i)
	})
}

// repeated is an array of about size bytes.
func repeated(size int, element func(i int) string) []byte {
	b := []byte{'['}
	for i := 0; len(b) < size; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, element(i)...)
	}
	return append(b, ']')
}

func BenchmarkParse(b *testing.B) {
	sources := map[string][]byte{}
	for _, style := range styles {
		sources[style] = history(1<<20, style)
	}
	for name, document := range documents {
		sources[name] = document(1 << 20)
	}
	for _, style := range slices.Sorted(maps.Keys(sources)) {
		src := sources[style]
		b.Run(style, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			var d Doc
			for b.Loop() {
				if err := d.Parse(src); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(style+"/json.Valid", func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if !json.Valid(src) {
					b.Fatal("invalid")
				}
			}
		})
	}
}

func BenchmarkObjectEdit(b *testing.B) {
	src := history(1<<20, "code")
	d, err := Parse(src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var e Edits
	for b.Loop() {
		e.Reset()
		i := 0
		for m := d.Root().Get("messages").First(); m.Exists(); m = m.Next() {
			if i++; i%5 == 0 {
				o := EditObject(m)
				o.SetMember("role", []byte(`"user"`))
				o.DeleteMember("id")
				o.AppendTo(&e)
			}
		}
		if _, err = e.Apply(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	for _, style := range []string{"plain", "code", "mixed", "cjk"} {
		s := prose(rand.New(rand.NewPCG(1, 2)), 1300, style)
		b.Run(style, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out = AppendString(out[:0], s)
			}
		})
	}
}

func BenchmarkRepair(b *testing.B) {
	src := history(1<<20, "mixed")
	src = append(src[:len(src)-2], `,{"role":"user","content":"half \ud83d of it"}]}`...)
	d, err := Parse(src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out = Repair(out[:0], d.Root())
	}
}
