package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/go-preflight/preflight/session"
)

// This file says what made the faults of a session: repair --doctor.

// steps says in words what made a fault, and who should know. %s is the client with its version.
var steps = map[session.Step]struct{ by, tell string }{
	session.StepKilled: {"a process that was ended",
		"whoever ended %s; that it did not survive it is for its developers"},
	session.StepCompaction: {"a compaction", "the developers of %s, whose compaction it is"},
	session.StepHook: {"a hook or an extension",
		"the author of the hook or extension, and the developers of %s, which took its record"},
	session.StepTwoProcesses: {"two processes at the same time",
		"the developers of %s, which let two processes write one session"},
	session.StepOtherProgram: {"another program",
		"the author of the program that edits, copies or synchronizes the file; not those of %s"},
	session.StepRepair: {"an earlier repair", "the developers of preflight, and not those of %s"},
	session.StepClient: {"the client", "the developers of %s"},
	session.StepUnknown: {"something that the file does not show",
		"nobody yet, and look for what removes lines of the files of %s"},
}

// printCauses says what made a finding, once for what is the same for several lines.
func printCauses(w io.Writer, f *session.Finding) {
	type reason struct {
		step  session.Step
		shows string
	}
	var order []reason
	places := map[reason][]string{}
	for _, c := range f.Causes {
		r := reason{c.Step, c.Shows}
		if places[r] == nil {
			order = append(order, r)
		}
		places[r] = append(places[r], causePlace(c))
	}
	for _, r := range order {
		fmt.Fprintf(w, "    made by %s: %s (%s)\n", steps[r.step].by, printable(r.shows, 200),
			placeText(nil, places[r]))
	}
}

// causePlace names a record as its client does, with its time and version.
func causePlace(c session.Cause) string {
	place := ""
	if c.Line > 0 {
		place = fmt.Sprint("line ", c.Line)
	}
	add := func(before, what string) {
		if what == "" {
			return
		}
		if place != "" {
			place += before
		}
		place += printable(what, 60)
	}
	add(" is ", c.Record)
	if !c.Time.IsZero() {
		add(" of ", c.Time.UTC().Format("2006-01-02 15:04:05"))
	}
	add(" by ", c.Version)
	return place
}

// printWhom says who should know of the faults of a session, the step of most faults first.
func printWhom(w io.Writer, r *session.Report) {
	count := map[session.Step]int{}
	version := map[session.Step]string{}
	for _, f := range r.Findings {
		for _, c := range f.Causes {
			count[c.Step]++
			version[c.Step] = cmp.Or(c.Version, version[c.Step])
		}
	}
	var all []session.Step
	for step := range count {
		all = append(all, step)
	}
	slices.SortFunc(all, func(a, b session.Step) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a, b))
	})
	for _, step := range all {
		client := session.Title(r.Client)
		if v := cmp.Or(version[step], r.Version); v != "" {
			client += " " + printable(v, 60)
		}
		fmt.Fprintf(w, "  %s made by %s: tell %s\n", countOf(count[step], "fault"), steps[step].by,
			fmt.Sprintf(steps[step].tell, client))
	}
}
