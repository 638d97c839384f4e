//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/session"
	_ "github.com/go-preflight/preflight/session/sqlite" // opencode and Kilo
)

// This file measures one client.

// row is a row of the table.
type row struct {
	title         string // of the client
	client, start string
	failure       string // why it could not be measured

	faults, unmeasured         int
	validBefore, validAfter    int
	readable                   int // texts and results, without those that are alone
	lostBefore, lostAfter      int // of the readable
	alone                      int // results whose call cannot be read in the file
	sentBefore, sentAfter      int // of those alone: in the request, as whatever
	claims, falseClaims        int
	unreported                 int // faults that the report does not name, but which do harm
	healthyChanged, unfinished int
}

// measure passes the rows of the client to each, one after the other.
func (r *rig) measure(only, fault string, each func(row)) {
	failed := func(what string, err error) {
		each(row{client: r.label(), failure: what + firstLine(err)})
	}
	if err := r.install(); err != nil {
		failed("not installed: ", err)
		return
	}
	for _, s := range r.starts() {
		if s.name == "" {
			if err := s.store(); err != nil {
				failed("not driven: ", err)
				return
			}
			if err := r.keep("fresh"); err != nil {
				failed("", err)
				return
			}
		}
		if only != "" && !strings.Contains(sessionName(s.name), only) {
			continue
		}
		each(r.measureStart(s, fault))
	}
	if only == "" || strings.Contains("still running", only) {
		each(r.measureLiving())
	}
}

func (r *rig) label() string { return r.title + " " + r.version }

func (r *rig) measureStart(s start, only string) row {
	w := row{client: r.label(), start: s.name}
	if s.name != "" {
		if err := s.store(); err != nil {
			w.failure = firstLine(err)
			return w
		}
		if err := r.keep("start"); err != nil {
			w.failure = firstLine(err)
			return w
		}
	} else if err := copyDir(r.kept("fresh"), r.kept("start")); err != nil {
		w.failure = firstLine(err)
		return w
	}
	for _, f := range faultsOf(r.form) {
		if (s.faults == nil || s.faults(f)) && strings.Contains(f.name, only) {
			r.measureFault(&w, &s, f)
		}
	}
	return w
}

// broken puts a broken session in place, and returns its file.
func (r *rig) broken(f fault) (file string, there bool, err error) {
	if err := r.restore("start"); err != nil {
		return "", false, err
	}
	if file, err = r.session(); err != nil {
		return "", false, err
	}
	there, err = f.apply(file)
	return file, there, err
}

func (r *rig) measureFault(w *row, s *start, f fault) {
	file, there, err := r.broken(f)
	if err != nil || !there {
		fmt.Fprintf(r.log, "\n=== %s: left out (%v)\n", f.name, err)
		return
	}
	fmt.Fprintf(r.log, "\n=== %s: %s\n", s.name, f.name)
	can, err := readable(r.form, file, s.markers)
	if err != nil {
		fmt.Fprintln(r.log, err)
	}
	calls, err := readable(r.form, file, callsOf(can))
	if err != nil {
		fmt.Fprintln(r.log, err)
	}
	single := alone(can, calls)
	can = without(can, single)
	found, err := session.RepairFile(file, nil)
	fmt.Fprintln(r.log, "dry run:", summary(found), err)
	lines := linesOf(file)
	reported := r.reported()
	before := r.next(can, s.name+"-"+f.name+"-before")
	if before.late {
		w.unmeasured++
		fmt.Fprintf(r.log, "NOT MEASURED %s/%s/%s\n", r.name, s.name, f.name)
		return
	}
	if f.name == "none" {
		s.usual = before.body
		if before.valid && len(before.lost) == 0 && s.name != killedInTool && s.name != twoProcesses {
			w.healthyChanged += reported
		}
	}
	if f.name == "none" && strings.HasPrefix(s.name, "resumed") {
		// a client may take a prompt back that was refused: no fault did that
		s.markers, can = without(s.markers, before.lost), without(can, before.lost)
		before.lost = nil
	}
	if file, _, err = r.broken(f); err != nil {
		w.failure = firstLine(err)
		return
	}
	repaired, err := session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
	fmt.Fprintln(r.log, "repair:", err)
	if again, err := session.RepairFile(file, nil); err == nil && repaired != nil {
		for _, o := range again.Broken {
			if o.Report.Changed {
				w.unfinished++
			}
		}
	}
	after := r.next(can, s.name+"-"+f.name+"-after")
	if after.late {
		w.unmeasured++
		fmt.Fprintf(r.log, "NOT MEASURED %s/%s/%s\n", r.name, s.name, f.name)
		return
	}
	w.faults++
	w.readable += len(can)
	w.count(before, after)
	w.alone += len(single)
	w.sentBefore += len(single) - len(missing(single, before.body))
	w.sentAfter += len(single) - len(missing(single, after.body))
	w.judgeClaims(r, found, before, lines, s.usual)
	if (found == nil || len(found.Broken) == 0) && (!before.valid || len(before.lost) > 0) {
		w.unreported++
		fmt.Fprintln(r.log, "NOT REPORTED")
	}
	fmt.Fprintf(r.log, "RESULT %s/%s/%s: valid %v -> %v (%s -> %s), lost %v -> %v of %v; "+
		"alone %v\n", r.name, s.name, f.name, before.valid, after.valid, before.why, after.why,
		before.lost, after.lost, can, single)
}

// resumption is the first request of a resumed session.
type resumption struct {
	valid bool
	late  bool   // nothing is known of it
	why   string // it is not valid
	lost  []string
	body  []byte
}

// next resumes the session, looks at the first request, and keeps it under a name.
func (r *rig) next(can []string, name string) resumption {
	requests, err := r.do(run{resume: true, prompt: promptResume, kill: time.Second})
	if err != nil {
		return resumption{
			why: firstLine(err), lost: can, late: errors.Is(err, errTimeout),
		}
	}
	first := requests[0]
	file := filepath.Join(r.dir, "requests", strings.ReplaceAll(name, " ", "-")+".json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
		_ = os.WriteFile(file, first.body, 0o644) // to look at
	}
	lost, err := lostIn(r.provider, can, first.body)
	if err != nil {
		return resumption{why: firstLine(err), lost: can, body: first.body}
	}
	return resumption{
		valid: first.refused == "", why: first.refused, lost: lost, body: first.body,
	}
}

func (w *row) count(before, after resumption) {
	if before.valid {
		w.validBefore++
	}
	if after.valid {
		w.validAfter++
	}
	w.lostBefore += len(before.lost)
	w.lostAfter += len(after.lost)
}

// measureLiving repairs a session while the client runs a tool, and looks whether the real result
// is sent when the session is resumed.
func (r *rig) measureLiving() row {
	w := row{client: r.label(), start: "still running"}
	if err := r.empty(); err != nil {
		w.failure = firstLine(err)
		return w
	}
	_, err := r.do(run{prompt: promptFirst, kill: 14 * time.Second,
		replies: []preflighttest.Reply{
			{Reasoning: "It takes long.", Text: "TEXT-ONE I will run a command.",
				Calls: []preflighttest.Call{r.shell("sh wait.sh 20; printf 'RES-%s' late")}},
			{Text: "TEXT-THREE It is done."},
		},
		during: func() {
			file, err := r.session()
			if err != nil {
				return
			}
			done, err := session.RepairFile(file, &session.FileOptions{Write: true})
			fmt.Fprintln(r.log, "repair under a living client:", err)
			if done != nil && done.Backup != "" {
				w.healthyChanged++ // nothing is wrong with it
			}
		}})
	if err != nil {
		w.failure = firstLine(err)
		return w
	}
	can := []string{"PROMPT-ONE", "TEXT-ONE", "RES-late", "TEXT-THREE"}
	if file, err := r.session(); err == nil {
		_, err := session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
		fmt.Fprintln(r.log, "repair after it:", err)
	}
	w.faults, w.readable = 1, len(can)
	after := r.next(can, "still-running")
	w.count(after, after)
	fmt.Fprintf(r.log, "RESULT %s/still running: %v %s %v\n", r.name, after.valid, after.why,
		after.lost)
	return w
}

func linesOf(file string) [][]byte {
	data, err := os.ReadFile(file)
	if err != nil || bytes.HasPrefix(data, []byte("SQLite")) {
		return nil
	}
	return bytes.Split(data, []byte("\n"))
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// summary says what was found.
func summary(f *session.File) string {
	if f == nil {
		return "no session"
	}
	var all []string
	for _, o := range f.Broken {
		for _, found := range o.Report.Findings {
			all = append(all, fmt.Sprint(found.Code, found.Lines, found.Rows, " "+found.Fix))
		}
		all = append(all, fmt.Sprintf("lost %v, refused %v, left %d", o.Report.Lost,
			o.Report.Refused, len(o.Report.Left)))
	}
	return strings.Join(all, "; ")
}
