package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// This file compares what two versions of the program do with bodies of one's own.

// runCompareVersions prints the lines that two programs treat differently, with the rules of each.
// Exit 0: none. 1: some. 2: usage. 3: a program cannot be run.
func runCompareVersions(args []string, std stdio) int {
	set := flags("compare-versions")
	bodies := set.String("bodies", "", "`FILE` with a body in each line, as fix --jsonl takes it")
	provider := set.String("provider", "", providerHelp)
	names, code, done := parse(set, args, std, 2)
	if done {
		return code
	}
	if len(names) != 2 || *bodies == "" {
		return std.fail("compare-versions", errors.New(
			"two programs and --bodies are needed: preflight compare-versions OLD NEW --bodies FILE"),
			exitUsage)
	}
	dir, err := os.MkdirTemp("", "preflight")
	if err != nil {
		return std.fail("compare-versions", err, exitFailed)
	}
	defer os.RemoveAll(dir)
	var outs, reports [2]*bufio.Reader
	for k, program := range names {
		out := filepath.Join(dir, fmt.Sprint("out", k))
		if err := fixedBy(program, *bodies, *provider, out); err != nil {
			return std.fail("compare-versions", fmt.Errorf("%s: %w", program, err), exitFailed)
		}
		for to, name := range map[*[2]*bufio.Reader]string{&outs: out, &reports: out + ".report"} {
			file, err := os.Open(name)
			if err != nil {
				return std.fail("compare-versions", err, exitFailed)
			}
			defer file.Close()
			to[k] = bufio.NewReader(file)
		}
	}
	return compareLines(outs, reports, std)
}

// fixedBy repairs the lines of a file by a program.
func fixedBy(program, bodies, provider, out string) error {
	in, err := os.Open(bodies)
	if err != nil {
		return err
	}
	defer in.Close()
	to, err := os.Create(out)
	if err != nil {
		return err
	}
	defer to.Close()
	args := []string{"fix", "--jsonl", "--report", out + ".report"}
	if provider != "" {
		args = append(args, "--provider", provider)
	}
	if !strings.ContainsRune(program, filepath.Separator) {
		if path, err := exec.LookPath(program); err == nil {
			program = path
		}
	}
	cmd := exec.Command(program, args...)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, to, &said
	err = cmd.Run()
	var code *exec.ExitError
	if errors.As(err, &code) && code.ExitCode() == exitWrong {
		return nil // lines that cannot be repaired are in the report
	}
	if err != nil && said.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return err
}

// compareLines prints the lines that differ, and counts them by rule.
func compareLines(outs, reports [2]*bufio.Reader, std stdio) int {
	all, differ := 0, 0
	for {
		var out, report [2][]byte
		var ends int
		for k := range outs {
			var err error
			if out[k], err = outs[k].ReadBytes('\n'); err == io.EOF && len(out[k]) == 0 {
				ends++
			}
			report[k], _ = reports[k].ReadBytes('\n')
		}
		if ends > 0 {
			break
		}
		all++
		rules := [2][]string{rulesIn(report[0]), rulesIn(report[1])}
		if bytes.Equal(out[0], out[1]) && slices.Equal(rules[0], rules[1]) {
			continue
		}
		differ++
		fmt.Fprintf(std.out, "line %d\told: %s\tnew: %s\n", all, strings.Join(rules[0], ", "),
			strings.Join(rules[1], ", "))
	}
	fmt.Fprintf(std.err, "%d of %d bodies are treated differently\n", differ, all)
	if differ == 0 {
		return exitOK
	}
	return exitWrong
}

// rulesIn returns the rules in a line of a report, sorted, or its error.
func rulesIn(report []byte) []string {
	var r struct {
		Error    string
		Warnings []struct{ Code, Rule string }
	}
	if json.Unmarshal(report, &r) != nil {
		return nil
	}
	var all []string
	for _, w := range r.Warnings {
		if w.Rule == "" {
			w.Rule = w.Code
		}
		all = append(all, w.Rule)
	}
	slices.Sort(all)
	if r.Error != "" {
		all = append(all, "error: "+r.Error)
	}
	return all
}
