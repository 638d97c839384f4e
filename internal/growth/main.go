package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

func main() {
	log.SetFlags(0)
	sessions := flag.Int("sessions", 40, "sessions for each provider, mode and kind of damage")
	page := flag.String("write", "", "the page whose tables are written anew")
	binding := flag.Bool("bound", false, "measure what repairs cost where reasoning is bound")
	which := flag.Int("show", -1, "show an example of this cause for each row")
	flag.Parse()
	if *binding {
		print(*page, boundBegin, boundEnd, boundTable(bindAll(*sessions, binders)))
		return
	}
	rows := measure(*sessions)
	if *which >= 0 {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			if f := rows[name]; f.example[*which] != "" {
				fmt.Printf("%s\n%s\n", name, f.example[*which])
			}
		}
	}
	print(*page, begin, end, table(rows))
}

// print writes a text between the marks of a page, or to the standard output if there is no page.
func print(page, begin, end, text string) {
	if page == "" {
		fmt.Print(text)
		return
	}
	old, err := os.ReadFile(page)
	if err != nil {
		log.Fatal(err)
	}
	written, err := replace(string(old), begin, end, text)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(written), 0o666); err != nil {
		log.Fatal(err)
	}
}

// measure grows sessions of every kind of damage for every subject. The figures are by row.
func measure(sessions int) map[string]*figures {
	rows := map[string]*figures{}
	var lock sync.Mutex
	var group sync.WaitGroup
	free := make(chan bool, 2)
	for _, s := range subjects() {
		group.Add(1)
		free <- true
		go func() {
			defer group.Done()
			var f figures
			for _, c := range histgen.Corruptions() {
				for n := range sessions {
					f.add(s.grow(s.session(c, n+1)))
				}
			}
			lock.Lock()
			defer lock.Unlock()
			name := s.row()
			if rows[name] == nil {
				rows[name] = &figures{}
			}
			rows[name].add(f)
			<-free
		}()
	}
	group.Wait()
	return rows
}

// row returns the row of the table that a subject counts in.
func (s subject) row() string {
	format := s.profile.Format
	if format == "" {
		format = s.profile.Provider
	}
	if format == "" {
		format = "portable"
	}
	if s.body {
		return format + ", request bodies"
	}
	if s.switched {
		return format + ", thinking switched off"
	}
	switch s.thinking {
	case provider.ThinkingUnknown:
		return format
	case provider.ThinkingOff:
		return format + ", thinking off, reasoning in every turn"
	}
	return format + ", thinking on"
}

const begin, end = "<!-- growth: make growth -->\n", "<!-- /growth -->\n"

// replace puts a text into the page between two marks.
func replace(page, begin, end, text string) (string, error) {
	before, rest, found := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("the page has no %q and %q", begin, end)
	}
	return before + begin + text + end + after, nil
}

// table writes the tables.
func table(rows map[string]*figures) string {
	var b bytes.Buffer
	b.WriteString("| | steps | refused unrepaired | steps that change what was sent | " +
		"a perfect repairer's | cached bytes lost | a perfect repairer's |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	var total figures
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		f := rows[name]
		total.add(*f)
		line(&b, name, f)
	}
	line(&b, "all", &total)
	fmt.Fprintf(&b, "\n| why a step changes what was sent, in %s sessions | steps |\n|---|--:|\n",
		number(total.sessions))
	for c := range causes {
		fmt.Fprintf(&b, "| %s | %s |\n", c, number(total.broken[c]))
	}
	fmt.Fprintf(&b, "| of all: the perfect repairer's step keeps what was sent | %s |\n",
		number(total.unforced))
	fmt.Fprintf(&b, "| of all: without a warning, or without `FirstChanged` | %s |\n",
		number(total.silent))
	return b.String()
}

func line(b *bytes.Buffer, name string, f *figures) {
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", name, number(f.steps),
		share(f.refused, f.steps), share(f.all(), f.steps), share(f.perfect, f.steps),
		share(f.lost, f.sent), share(f.lostPerfect, f.sent))
}

func share(a, b int) string {
	if a == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(a)/float64(b))
}

// number is n with commas between its thousands.
func number(n int) string {
	s := fmt.Sprint(n)
	for k := len(s) - 3; k > 0; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return s
}
