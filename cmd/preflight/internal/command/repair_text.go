package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// This file says in words what repair found.

// repairPrinter prints what was found, file by file, and counts it.
type repairPrinter struct {
	flags  repairFlags
	std    stdio
	page   *page // nil without --html
	colors colors

	roots []string // the files and folders that were looked at

	files, sessions, broken, repaired int
	unknown                           []*checkedFile // below the roots, of no known client
	code                              int
	err                               error
}

// add prints what was found in a file.
func (p *repairPrinter) add(s *checkedFile) {
	p.sessions += s.Sessions
	p.broken += len(s.Broken)
	if s.Backup != "" {
		p.repaired += len(s.Broken)
	}
	switch {
	case s.err != nil && s.Client == "":
		p.code = exitUsage
	case !s.sound() && !s.repaired():
		p.code = max(p.code, exitWrong)
	}
	switch {
	case p.flags.json:
		p.addJSON(s)
	case !s.sound():
		s.print(p.std.out, p.colors)
		if p.flags.diff {
			for _, o := range s.Broken {
				p.diff(pairsOfSession(o))
			}
		}
	}
	if err := p.page.add(s); p.err == nil {
		p.err = err
	}
	p.files++
}

// addJSON prints one element of a JSON list.
func (p *repairPrinter) addJSON(s *checkedFile) {
	start := ",\n  "
	if p.files == 0 {
		start = "[\n  "
	}
	raw, err := json.MarshalIndent(s, "  ", "  ")
	if err == nil {
		_, err = fmt.Fprint(p.std.out, start, string(raw))
	}
	if p.err == nil {
		p.err = err
	}
}

// end prints the summary, and returns the exit code.
func (p *repairPrinter) end() (int, error) {
	err := p.page.end(p.summary())
	if !errors.Is(err, p.err) { // one of the page may be the same
		err = errors.Join(p.err, err)
	}
	switch {
	case p.flags.json && p.files == 0:
		fmt.Fprintln(p.std.out, "[]")
	case p.flags.json:
		fmt.Fprintln(p.std.out, "\n]")
	default:
		fmt.Fprintln(p.std.out, p.summary())
		p.nameUnknown()
		p.looked()
	}
	return p.code, err
}

// mostUnknown is how many files of unknown programs are named.
const mostUnknown = 5

// nameUnknown names files of unknown programs, and says what they look like.
func (p *repairPrinter) nameUnknown() {
	for k, s := range p.unknown {
		if k == mostUnknown {
			fmt.Fprintf(p.std.out, "  and %d more\n", len(p.unknown)-k)
			break
		}
		looks := ""
		var unknown *session.UnknownError
		if errors.As(s.err, &unknown) {
			looks = ": " + printable(unknown.Looks, longLine)
		}
		fmt.Fprintf(p.std.out, "  %s%s\n", printable(s.Name, longLine), looks)
	}
}

// looked says where no session was found.
func (p *repairPrinter) looked() {
	if p.sessions > 0 || p.files > 0 {
		return
	}
	if len(p.roots) == 0 {
		fmt.Fprintln(p.std.out, "there is no folder of any of these clients: "+
			strings.Join(titles(), ", "))
		return
	}
	fmt.Fprintln(p.std.out, "looked in:")
	for _, root := range p.roots {
		fmt.Fprintf(p.std.out, "  %s\n", printable(root, longLine))
	}
}

func (p *repairPrinter) summary() string {
	summary := fmt.Sprintf("%s, %d broken", countOf(p.sessions, "session"), p.broken)
	if n := len(p.unknown); n > 0 {
		summary = fmt.Sprintf("%s of an unknown program; %s", countOf(n, "file"), summary)
	}
	switch {
	case p.flags.write:
		return summary + fmt.Sprintf(", %d repaired", p.repaired)
	case p.broken > 0:
		return summary + "; nothing was written: run it again with --write to repair them"
	}
	return summary
}

// longLine is the most that is printed of a file's name or an error, which may quote one.
const longLine = 4096

func (s *checkedFile) print(w io.Writer, c colors) {
	failure := ""
	if s.err != nil {
		failure = printable(s.err.Error(), longLine)
	}
	if s.Client == "" {
		fmt.Fprintf(w, "%s\n  %s\n", c.bold(printable(s.Name, longLine)), failure)
		return
	}
	fmt.Fprintf(w, "%s  (%s)\n", c.bold(printable(s.Name, longLine)), session.Title(s.Client))
	for _, o := range s.Broken {
		if o.Session != "" {
			fmt.Fprintf(w, "  session %s\n", printable(o.Session, 100))
		}
		printReport(w, c, o.Report, s.Backup != "")
		printWhom(w, o.Report)
	}
	switch {
	case errors.Is(s.err, session.ErrInUse):
		fmt.Fprintf(w, "  not written: %s; end the client first, or give --force\n", failure)
	case s.err != nil:
		fmt.Fprintf(w, "  not written: %s\n", failure)
	case s.Backup != "":
		fmt.Fprintf(w, "  repaired; the file as it was is kept as %s\n",
			printable(filepath.Base(s.Backup), longLine))
		if s.InUse != "" {
			fmt.Fprintf(w, "  %s: the client does not see the repair, and what it writes next may not "+
				"fit it\n", printable(s.InUse, longLine))
		}
	case s.InUse != "":
		fmt.Fprintf(w, "  %s: end the client before the repair\n", printable(s.InUse, longLine))
	}
}

// printReport says what is wrong with one session.
func printReport(w io.Writer, c colors, r *session.Report, repaired bool) {
	if r.NewerThan != "" {
		fmt.Fprintf(w, "  version %s is newer than those that were measured, up to %s\n",
			printable(r.Version, 60), printable(r.NewerThan, 60))
	}
	for _, harm := range harms(r) {
		fmt.Fprintf(w, "  %s\n", c.red(harm))
	}
	for _, f := range r.Findings {
		often := ""
		if f.Count > 1 {
			often = fmt.Sprintf(" (%d times)", f.Count)
		}
		fmt.Fprintf(w, "  %s: %s%s\n", placeText(f.Lines, f.Rows), f.Problem, often)
		switch {
		case f.Fix == "" && f.Code == session.CodeDanglingCall:
			fmt.Fprintln(w, "    left alone; --force adds an error result, and the tool's own result is lost")
		case f.Fix == "":
			fmt.Fprintln(w, "    no repair is known")
		case repaired:
			fmt.Fprintf(w, "    done: %s\n", c.green(done(f.Fix)))
		default:
			fmt.Fprintf(w, "    to do: %s\n", c.green(f.Fix))
		}
		printCauses(w, &f)
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
		fmt.Fprintf(w, "  %s: the provider still refuses this after the repair: %s (%s)\n",
			placeText(lines, rows), v.Detail, v.Rule)
	}
}

// doing has the verbs of what a repair does, each with what it has done then.
var doing = map[string]string{
	"add": "added", "begin": "began", "end": "ended", "keep": "kept", "link": "linked",
	"make": "made", "move": "moved", "number": "numbered", "put": "put", "remove": "removed",
	"take": "took", "turn": "turned", "write": "wrote",
}

// done says of what a repair does that it is done: "removed the line" for "remove the line".
func done(fix string) string {
	const next = ", and "
	clauses := strings.Split(fix, next)
	for k, clause := range clauses {
		verb, rest, _ := strings.Cut(clause, " ")
		if past := doing[verb]; past != "" {
			clauses[k] = past + " " + rest
		}
	}
	return strings.Join(clauses, next)
}

// harms says what becomes of a session that stays as it is: for sure only for the versions of a
// client that were measured.
func harms(r *session.Report) []string {
	will := "will"
	if r.Unsure {
		will = "may"
	}
	var all []string
	if r.LostMessages > 0 {
		task := ""
		if r.LosesStart {
			task = ", among them your task"
		}
		all = append(all, fmt.Sprintf("%s %s forget %s without telling you%s (%s)",
			session.Title(r.Client), will, countOf(r.LostMessages, "message"), task,
			placeText(r.Lost, nil)))
	}
	if len(r.Refused) > 0 {
		all = append(all, fmt.Sprintf("the provider %s refuse every request of this session (%s)",
			will, strings.Join(r.Refused, ", ")))
	}
	return all
}

// diff prints the messages that a repair changes.
func (p *repairPrinter) diff(pairs []viewedPair) {
	out := bufio.NewWriter(p.std.out)
	defer out.Flush()
	same := 0
	skip := func() {
		if same > 0 {
			fmt.Fprintf(out, "  %s\n",
				p.colors.faint("  "+countOf(same, "message")+" unchanged"))
		}
		same = 0
	}
	for _, pair := range pairs {
		if pair.Same {
			same++
			continue
		}
		skip()
		p.diffSide(out, "- ", pair.Before, p.colors.red)
		p.diffSide(out, "+ ", pair.After, p.colors.green)
	}
	skip()
}

func (p *repairPrinter) diffSide(
	out io.Writer, sign string, m *viewed, color func(string) string,
) {
	if m == nil {
		return
	}
	role := sign + printable(m.Role, 20)
	if len(m.Parts) == 0 || slices.ContainsFunc(m.Parts, func(v viewedPart) bool { return v.Changed }) {
		role = color(role)
	}
	fmt.Fprintf(out, "  %s\n", role)
	for _, part := range m.Parts {
		text := part.Size()
		if !p.flags.noContent {
			text = printable(part.Text, 200)
		}
		line := "    " + printable(part.Kind, 60) + ": " + text
		switch {
		case part.Moved:
			line = p.colors.faint("> " + line[2:] + " (moved)")
		case part.Changed:
			line = color(sign + line[2:])
		}
		fmt.Fprintf(out, "  %s\n", line)
	}
}

// placeText names a few lines or rows: "line 3", "lines 3, 4 and 9", "lines 3, 4, 5, 6, 7 and 12
// more".
func placeText(lines []int, rows []string) string {
	const most = 5
	names, kind := make([]string, 0, len(lines)+len(rows)), ""
	for _, row := range rows {
		names = append(names, printable(row, 100))
	}
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
