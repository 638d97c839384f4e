//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/session"
)

// This file stores the sessions that faults are applied to.

// The texts by which parts of the conversation are found in files and requests. The commands do not
// hold the texts of their results.
const (
	promptFirst  = "Please run the PROMPT-ONE commands"
	promptAgain  = "Please run the PROMPT-TWO commands"
	promptResume = "Please continue with PROMPT-NEXT"
)

var markers = []string{"PROMPT-ONE", "TEXT-ONE", "RES-one", "RES-two", "RES-three", "TEXT-THREE"}

// script is the conversation that is stored: a call, two parallel calls, and an answer.
func (r *rig) script() []preflighttest.Reply {
	return []preflighttest.Reply{
		{
			Reasoning: "One command first.", Text: "TEXT-ONE I will run a command.",
			Calls: []preflighttest.Call{r.shell("printf 'RES-%s' one")},
		},
		{
			Reasoning: "Now two commands.",
			Calls: []preflighttest.Call{
				r.shell("printf 'RES-%s' two"), r.shell("printf 'RES-%s' three"),
			},
		},
		{Text: "TEXT-THREE Both are done."},
	}
}

// A start is a state of a session that faults are applied to.
type start struct {
	name    string
	markers []string
	store   func() error
	faults  func(fault) bool // nil for all
	usual   []byte           // the request of the session without a fault
}

func (r *rig) starts() []start {
	all := r.states()
	if r.agent != nil {
		all = append(all, start{"with a subagent", []string{"PROMPT-ONE", "TEXT-ONE", "TEXT-THREE"},
			r.delegated, func(f fault) bool { return f.name == "none" }, nil})
	}
	return all
}

func (r *rig) states() []start {
	noFault := func(f fault) bool { return f.name == "none" }
	states := []start{
		{"", markers, r.fresh, nil, nil},
		{"resumed once", append(markers[:6:6], "PROMPT-TWO", "RES-four", "TEXT-FOUR"),
			func() error { return r.resumed(1) }, r.ofRecords, nil},
		{"resumed twice", append(markers[:6:6], "PROMPT-TWO", "RES-four", "TEXT-FOUR"),
			func() error { return r.resumed(2) }, noFault, nil},
		{killedInTool, []string{"PROMPT-ONE", "TEXT-ONE"}, r.killed, noFault, nil},
	}
	if r.form == "lines" { // the other forms are written anew, or have rows of their own
		states = append(states, start{twoProcesses,
			append(markers[:6:6], "PROMPT-TWO", "RES-four", "TEXT-FOUR"), r.shared, noFault, nil})
	}
	return states
}

// ofRecords reports whether a fault may do something else in a session that was resumed.
func (r *rig) ofRecords(f fault) bool {
	return r.form != "rows" || !slices.ContainsFunc(rowContentFaults(), func(said fault) bool {
		return said.name == f.name
	})
}

const twoProcesses = "by two processes"

// shared stores a session that two processes resumed at the same time: the records of both are at
// its end, in turns.
func (r *rig) shared() error {
	var whole, began [][]byte // the lines of each, and those that both have
	for n := range 2 {
		if err := r.restore("fresh"); err != nil {
			return err
		}
		file, err := r.session()
		if err != nil {
			return err
		}
		if began, err = readLines(file); err != nil {
			return err
		}
		_, err = r.do(run{resume: true, prompt: promptAgain + strings.Repeat(" too", n),
			replies: []preflighttest.Reply{
				{
					Reasoning: "One more command.", Text: "I go on.",
					Calls: []preflighttest.Call{r.shell("printf 'RES-%s' four")},
				},
				{Text: "TEXT-FOUR That is done."},
			}})
		if err != nil {
			return err
		}
		if file, err = r.session(); err != nil {
			return err
		}
		lines, err := readLines(file)
		if err != nil {
			return err
		}
		if n == 0 {
			whole = lines
			continue
		}
		if len(lines) < len(began) || len(whole) < len(began) {
			return errors.New("the session was written anew, and not appended to")
		}
		both := slices.Clone(began)
		first, second := whole[len(began):], lines[len(began):]
		for k := range max(len(first), len(second)) {
			if k < len(first) {
				both = append(both, first[k])
			}
			if k < len(second) {
				both = append(both, second[k])
			}
		}
		return os.WriteFile(file, bytes.Join(both, nil), 0o600)
	}
	return nil
}

func readLines(file string) ([][]byte, error) {
	data, err := os.ReadFile(file)
	lines := bytes.SplitAfter(data, []byte("\n"))
	return slices.DeleteFunc(lines, func(line []byte) bool { return len(line) == 0 }), err
}

const killedInTool = "killed in a tool"

// reported counts the session files in which something is found.
func (r *rig) reported() (n int) {
	files, _ := filepath.Glob(filepath.Join(r.home.dir, filepath.FromSlash(r.sessions)))
	for _, file := range files {
		if found, err := session.RepairFile(file, nil); err == nil && len(found.Broken) > 0 {
			n++
			fmt.Fprintln(r.log, file, summary(found))
		}
	}
	return n
}

// fresh stores a session in an empty home folder.
func (r *rig) fresh() error {
	if err := r.empty(); err != nil {
		return err
	}
	_, err := r.do(run{prompt: promptFirst, replies: r.script()})
	return err
}

// resumed stores a session that was resumed a number of times.
func (r *rig) resumed(times int) error {
	if err := r.restore("fresh"); err != nil {
		return err
	}
	for k := range times {
		prompt := promptAgain + strings.Repeat(" again", k)
		_, err := r.do(run{resume: true, prompt: prompt, replies: []preflighttest.Reply{
			{
				Reasoning: "One more command.", Text: "I go on.",
				Calls: []preflighttest.Call{r.shell("printf 'RES-%s' four")},
			},
			{Text: "TEXT-FOUR That is done."},
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// killed stores a session whose client was killed while a tool ran.
func (r *rig) killed() error {
	if err := r.empty(); err != nil {
		return err
	}
	_, err := r.do(run{prompt: promptFirst, kill: 6 * time.Second, replies: []preflighttest.Reply{
		{Reasoning: "It takes long.", Text: "TEXT-ONE I will run a command.",
			Calls: []preflighttest.Call{r.shell("sh wait.sh 30; printf 'RES-%s' late")}},
	}})
	return err
}

// delegated stores a session in which a subagent ran a command.
func (r *rig) delegated() error {
	if err := r.empty(); err != nil {
		return err
	}
	_, err := r.do(run{prompt: promptFirst, replies: []preflighttest.Reply{
		{
			Reasoning: "An agent first.", Text: "TEXT-ONE I will ask an agent.",
			Calls: []preflighttest.Call{r.agent(promptFirst + " as an agent")},
		},
		{Reasoning: "One.", Calls: []preflighttest.Call{r.shell("printf 'RES-%s' one")}},
		{Text: "It ran."},
		{Text: "TEXT-THREE It is done."},
	}})
	return err
}

// empty makes the home folder and the project.
func (r *rig) empty() error {
	if err := os.RemoveAll(filepath.Dir(r.home.dir)); err != nil {
		return err
	}
	for _, dir := range []string{r.home.dir, r.home.project} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	// some clients refuse a command that begins with sleep
	return os.WriteFile(filepath.Join(r.home.project, "wait.sh"), []byte("sleep $1\n"), 0o644)
}
