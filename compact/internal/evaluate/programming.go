package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// This file makes long sessions of a coding agent: real code as the output of its tools, users who
// give orders, answer in every form and repeat themselves, and values that only tools said. It knows
// nothing of how package compact chooses.

// sources are the modules whose code the outputs are: their versions are those of go.sum, so that it
// is the same on every machine.
var sources = []string{"pgregory.net/rapid", "github.com/stretchr/testify"}

// source is a file of code.
type source struct {
	path  string
	lines []string
}

// readSources reads the code of the modules.
func readSources() ([]source, error) {
	var out []source
	for _, module := range sources {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			return nil, fmt.Errorf("where is the code of %s: %w", module, err)
		}
		root := strings.TrimSpace(string(dir))
		err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if n := strings.Count(string(text), "\n"); n >= 100 {
				name, _ := filepath.Rel(root, path)
				out = append(out, source{filepath.ToSlash(name), strings.Split(string(text), "\n")})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b source) int { return cmp.Compare(a.path, b.path) })
	return out, nil
}

// order is what the user demands once and for all.
type order struct {
	text string
	said int // the first message that says it
}

// program is a long session of a coding agent.
type program struct {
	working
	orders []order
	told   []fact // by tools alone
}

// programmer writes one.
type programmer struct {
	*writer
	sources []source
	forms   []form
	told    []fact
	late    []string // what the agent will say of what a tool told
}

// standing are orders for the whole session.
var standing = []string{
	"Never delete anything without asking me first.",
	"Every commit has to name its ticket in the first line.",
	"Do not add dependencies, whatever happens.",
	"Please write all comments in plain English.",
	"The public names of the packages must stay as they are.",
	"Run the tests of the whole module before you say that something is done.",
}

// programTasks is how many tasks a session has: it is some 1330 messages then.
const programTasks = 53

// programmed writes the session of a seed, with answers in some forms.
func programmed(code []source, seed uint64, forms []form) program {
	x := &programmer{writer: newWriter("long coding session", 31000+seed), sources: code, forms: forms}
	x.say("system", "You are a coding agent. You work in the repository of the user.")
	out := program{}
	repeats := 0 // each session has an order that the user says again and again
	first := x.rand.IntN(len(standing))
	for k := range programTasks {
		said := ""
		if k%9 == 1 && k/9 < len(standing) {
			said = standing[(first+k/9)%len(standing)]
			out.orders = append(out.orders, order{said, len(x.history)})
		} else if k%7 == 5 {
			said = standing[(first+repeats%2)%len(standing)]
			repeats++
			if k < 10 {
				said = standing[first]
			}
		}
		out.answered = append(out.answered, x.task(k, said)...)
	}
	out.session, out.told = x.end(), x.told
	return out
}

// end returns the session so far, and a last order.
func (x *programmer) end() session {
	x.user("Now look once more at what is open, and tell me what comes next.")
	for range 4 {
		file := pick(x.writer, x.sources)
		x.run("read", file.path, x.excerpt(file, 40), false)
	}
	return x.session
}

// task returns one order of the user's.
func (x *programmer) task(k int, standing string) []exchange {
	file := pick(x.writer, x.sources)
	name := x.name(file)
	ticket, person := x.code("BUG"), x.code("Kim")
	text := fmt.Sprintf("%s: %s in %s %s.", ticket, name, file.path, pick(x.writer, []string{
		"returns too early", "is hard to read", "fails when it is called twice", "needs a test",
		"loses the message of the error", "takes too long for long lists", "has an odd name",
	}))
	if x.rand.IntN(3) > 0 {
		wish := pick(x.writer, []string{"talk to %s before you change the test",
			"%s wants to see it in the changelog", "it has to be ready when %s is back",
			"%s reported it and can try it out"})
		wish = fmt.Sprintf(wish, person)
		text += " And " + wish + "."
		x.hard(fmt.Sprintf("Who is %s about?", ticket), wish)
	}
	if standing != "" {
		text += " " + standing
	}
	x.user("%s", text)
	x.hard(fmt.Sprintf("Which ticket is about %s?", name), ticket)
	var asked []exchange
	for step := range 10 + x.rand.IntN(3) {
		x.step(file, name)
		if step == 7 && k%2 == 0 {
			f := x.forms[(k/2)%len(x.forms)]
			verb := pick(x.writer, []string{"rename", "remove", "split", "move"})
			deed := fmt.Sprintf("%s %s of %s", verb, x.name(file), x.code("step"))
			asked = append(asked, f.ask(x.writer, deed))
		}
	}
	done := "Done. " + name + " is as you wanted it, and the tests pass."
	for _, late := range x.late {
		done += " " + late
	}
	x.late = nil
	x.assistant("%s", done)
	if x.rand.IntN(3) == 0 {
		x.user("%s", pick(x.writer, []string{"Thanks.", "Good, go on.", "All right.", "Fine."}))
		x.assistant("What is next?")
	}
	return asked
}

// name returns that of a function in a file.
func (x *programmer) name(file source) string {
	var names []string
	for _, line := range file.lines {
		if rest, ok := strings.CutPrefix(line, "func "); ok {
			if strings.HasPrefix(rest, "(") {
				_, rest, _ = strings.Cut(rest, ") ")
			}
			if name, _, ok := strings.Cut(rest, "("); ok && name != "" {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return "init"
	}
	return pick(x.writer, names)
}

// excerpt returns some lines of a file, with their numbers.
func (x *programmer) excerpt(file source, most int) string {
	n := min(most/2+x.rand.IntN(most), len(file.lines)-1)
	from := x.rand.IntN(len(file.lines) - n)
	return lines(n, func(k int) string { return fmt.Sprintf("%5d\t%s", from+k+1, file.lines[from+k]) })
}

// run is a call with an output.
func (x *programmer) run(tool, input, output string, failed bool) {
	says := pick(x.writer, []string{"Next I %s %s.", "Let me %s %s.", "I %s %s to be sure."})
	x.called(fmt.Sprintf(says, tool, input), tool, fmt.Sprintf(`{"input":%q}`, input), output, failed)
}

// into puts a line into a text: at its beginning, its end, or in between.
func (x *programmer) into(text, line string) string {
	all := strings.Split(text, "\n")
	at := []int{0, len(all), 1 + x.rand.IntN(len(all)), 1 + x.rand.IntN(len(all))}[x.rand.IntN(4)]
	return strings.Join(slices.Insert(all, at, line), "\n")
}

// tell is a fact that only a tool says; later is what the agent says of it some time afterwards, with
// %s for it, if it does.
func (x *programmer) tell(question, answer, later string) {
	x.told = append(x.told, fact{question: question, answer: answer})
	if later != "" {
		x.late = append(x.late, fmt.Sprintf(later, answer))
	}
}

// step is one call.
func (x *programmer) step(file source, name string) {
	other := pick(x.writer, x.sources)
	switch x.rand.IntN(8) {
	case 0, 1, 2:
		x.run("read", file.path, x.excerpt(file, 60), false)
	case 3: // what is found in other files
		var found []string
		word := name
		for _, f := range x.sources {
			for k, line := range f.lines {
				if len(found) < 12 && strings.Contains(line, word) {
					found = append(found, fmt.Sprintf("%s:%d:%s", f.path, k+1, line))
				}
			}
		}
		x.run("grep", word, strings.Join(append(found, ""), "\n"), false)
	case 4: // tests, some of which fail
		text := lines(15+x.rand.IntN(30), func(int) string {
			test := x.name(pick(x.writer, x.sources))
			return fmt.Sprintf("=== RUN   Test%s\n--- PASS: Test%s (0.%02ds)", test, test, x.rand.IntN(99))
		})
		if x.rand.IntN(2) == 0 {
			x.run("test", "./...", text+"\nPASS\nok  \tmodule\t0.412s", false)
			return
		}
		at := fmt.Sprintf("%s:%d", strings.TrimSuffix(other.path, ".go")+"_test.go", 100+x.rand.IntN(9000))
		text = x.into(text, fmt.Sprintf("--- FAIL: Test%s (0.01s)\n    %s: want %d, got %d",
			x.name(other), at, x.rand.IntN(90), x.rand.IntN(90)))
		x.run("test", "./...", text+"\nFAIL\nexit status 1", x.rand.IntN(2) == 0)
		x.tell("Where did a test fail?", at, pick(x.writer, []string{"", "", "The test at %s was wrong."}))
	case 5: // settings, one of which matters
		key, value := x.code("limit"), x.code("v")
		text := lines(20+x.rand.IntN(20), func(k int) string {
			return fmt.Sprintf("%s_%d: %d", strings.ToLower(x.name(file)), k, x.rand.IntN(100000))
		})
		text = x.into(text, fmt.Sprintf("%s: %s", key, value))
		x.run("settings", other.path, text, false)
		x.tell("What is "+key+"?", value, pick(x.writer, []string{"", "I rely on %s."}))
	case 6: // an edit
		n := x.rand.IntN(len(file.lines) - 8)
		x.run("edit", file.path, fmt.Sprintf("@@ -%d,8 +%d,8 @@\n", n+1, n+1)+lines(8, func(k int) string {
			return pick(x.writer, []string{" ", " ", "+", "-"}) + file.lines[n+k]
		}), false)
	case 7: // a commit
		id := fmt.Sprintf("%07x", 0x1000000+x.rand.IntN(0xeffffff))
		text := lines(3+x.rand.IntN(8), func(int) string {
			return fmt.Sprintf(" %s | %d ++--", pick(x.writer, x.sources).path, 2+x.rand.IntN(80))
		})
		x.run("commit", name, x.into(text, fmt.Sprintf("[work %s] %s", id, name)), false)
		x.tell("Which commit is "+name+" in?", id,
			pick(x.writer, []string{"", "", "", "It is in %s."}))
	}
}
