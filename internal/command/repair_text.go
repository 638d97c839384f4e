package command

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// This file says in words what repair found.

// printRepairs says what is wrong with each file and what was done, and ends with a summary.
func printRepairs(w io.Writer, found []*stored, wrote bool) int {
	sessions, broken, repaired := 0, 0, 0
	for _, s := range found {
		sessions += s.Sessions
		broken += len(s.Broken)
		if s.Backup != "" {
			repaired += len(s.Broken)
		}
		if !s.sound() {
			s.print(w)
		}
	}
	fmt.Fprintf(w, "%s, %d broken", countOf(sessions, "session"), broken)
	switch {
	case wrote:
		fmt.Fprintf(w, ", %d repaired", repaired)
	case broken > 0:
		fmt.Fprint(w, "; nothing was written: run it again with --write to repair them")
	}
	fmt.Fprintln(w)
	return repairCode(found)
}

func (s *stored) print(w io.Writer) {
	if s.Client == "" {
		fmt.Fprintf(w, "%s\n  %v\n", s.Name, s.err)
		return
	}
	fmt.Fprintf(w, "%s  (%s)\n", s.Name, session.Title(s.Client))
	for _, o := range s.Broken {
		if o.Session != "" {
			fmt.Fprintf(w, "  session %s\n", o.Session)
		}
		printReport(w, o.Report, s.Backup != "")
	}
	switch {
	case errors.Is(s.err, session.ErrInUse):
		fmt.Fprintf(w, "  not written: %v; end the client first, or give --force\n", s.err)
	case s.err != nil:
		fmt.Fprintf(w, "  not written: %v\n", s.err)
	case s.Backup != "":
		fmt.Fprintf(w, "  repaired; the file as it was is kept as %s\n", filepath.Base(s.Backup))
	}
}

// printReport says what is wrong with one session.
func printReport(w io.Writer, r *session.Report, repaired bool) {
	if r.LostMessages > 0 {
		task := ""
		if r.LosesStart {
			task = ", among them your task"
		}
		fmt.Fprintf(w, "  %s will forget %s without a word%s (%s)\n", session.Title(r.Client),
			countOf(r.LostMessages, "message"), task, placeText(r.Lost, nil))
	}
	if len(r.Refused) > 0 {
		fmt.Fprintf(w, "  the provider will refuse every request of this session (%s)\n",
			strings.Join(r.Refused, ", "))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "  %s: %s\n", placeText(f.Lines, f.Rows), f.Problem)
		switch {
		case f.Done == "":
			fmt.Fprintln(w, "    nothing can be done about it")
		case repaired:
			fmt.Fprintf(w, "    %s\n", f.Done)
		default:
			fmt.Fprintf(w, "    the repair: %s\n", f.Done)
		}
	}
	for k, v := range r.Left {
		var lines []int
		var rows []string
		if k < len(r.LeftLines) {
			lines = r.LeftLines[k]
		}
		if k < len(r.LeftRows) {
			rows = r.LeftRows[k]
		}
		fmt.Fprintf(w, "  %s: the provider would refuse it all the same: %s (%s)\n",
			placeText(lines, rows), v.Detail, v.Rule)
	}
}

// placeText names a few lines or rows: "line 3", "lines 3, 4 and 9", "lines 3, 4, 5, 6, 7 and 12
// more".
func placeText(lines []int, rows []string) string {
	const most = 5
	names, kind := rows, ""
	if len(lines) > 0 {
		names, kind = nil, "line "
		if len(lines) > 1 {
			kind = "lines "
		}
	}
	for _, n := range lines {
		names = append(names, fmt.Sprint(n))
	}
	last := ""
	switch n := len(names); {
	case n == 0:
		return "the file"
	case n == 1:
		return kind + names[0]
	case n > most:
		names, last = names[:most], fmt.Sprintf("%d more", n-most)
	default:
		names, last = names[:n-1], names[n-1]
	}
	return kind + strings.Join(names, ", ") + " and " + last
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
