package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/wire"
)

// This file shows what was done with a request that serve has logged, by the samples that were
// saved from /samples.

// runReplay repairs the sample of a logged request again. Exit 0: it is shown. 1: there is no
// sample of the request, or one without a body. 2: usage, or a line that is no sample.
func runReplay(args []string, std stdio) int {
	set := flags("replay")
	from := set.String("samples", "", "`FILE` or folder with lines of /samples")
	names, code, done := parse(set, args, std, 1)
	if done {
		return code
	}
	if len(names) == 0 || *from == "" {
		return std.fail("replay", errors.New("a line of the log, or its id, and --samples are needed"),
			exitUsage)
	}
	line := []byte(names[0])
	if names[0] == "-" {
		var err error
		if line, err = io.ReadAll(std.input()); err != nil {
			return std.fail("replay", err, exitUsage)
		}
	}
	id, err := idOf(line)
	if err != nil {
		return std.fail("replay", err, exitUsage)
	}
	s, err := findSample(*from, id)
	if err != nil {
		return std.fail("replay", err, exitWrong)
	}
	return replay(s, std)
}

// idOf returns the id of a request: a line of the log has it as "id".
func idOf(line []byte) (string, error) {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("{")) {
		return string(line), nil
	}
	var logged struct{ ID string }
	if err := json.Unmarshal(line, &logged); err != nil || logged.ID == "" {
		return "", errors.New("the line has no \"id\": it is about no request to an LLM")
	}
	return logged.ID, nil
}

// findSample finds the sample of a request in a file, or in the files of a folder.
func findSample(place, id string) (found *gateway.Sample, err error) {
	walked := filepath.WalkDir(place, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		for lines := bufio.NewReader(file); found == nil; {
			line, end := lines.ReadBytes('\n')
			var s gateway.Sample
			if bytes.Contains(line, []byte(id)) && json.Unmarshal(line, &s) == nil && s.ID == id {
				found = &s
			}
			if end != nil {
				break
			}
		}
		return nil
	})
	if walked == nil && found == nil {
		walked = fmt.Errorf("%s has no sample of %s: the gateway keeps as many as \"samples\" says",
			place, id)
	}
	return found, walked
}

// replay prints what is known of a request, and what a repair of its sample does now.
func replay(s *gateway.Sample, std stdio) int {
	fmt.Fprintf(std.out, "%s, %s %s on %s: %s, status %d\n", s.At.UTC().Format("2006-01-02 15:04:05"),
		s.Provider, s.Model, s.Route, s.Outcome, s.Status)
	for _, about := range []struct{ name, text string }{
		{"refused for", s.Refusal}, {"error", s.Error},
	} {
		if about.text != "" {
			fmt.Fprintf(std.out, "%s: %s\n", about.name, about.text)
		}
	}
	if s.Version != versionOf() {
		fmt.Fprintf(std.out, "it was %s that ran, with the configuration %s; this is %s\n", s.Version,
			s.Config, versionOf())
	}
	if s.Before == nil {
		return std.fail("replay", errors.New("there is no body: "+cmp.Or(s.Withheld, "none was kept")),
			exitWrong)
	}
	var options wire.Options
	if s.Options != nil {
		if err := json.Unmarshal(s.Options, &options); err != nil {
			return std.fail("replay", fmt.Errorf("options of the sample: %w", err), exitWrong)
		}
	}
	options.Provider, options.Model = s.Provider, s.Model
	result, err := wire.Sanitize(context.Background(), s.Before, &options)
	if err != nil {
		return std.fail("replay", err, exitWrong)
	}
	for _, w := range result.Warnings {
		fmt.Fprintln(std.out, strings.Join([]string{w.Path, string(w.Code), w.Rule, w.Detail}, "\t"))
	}
	if !result.Changed {
		fmt.Fprintln(std.out, "nothing is repaired in it")
	}
	diffBodies(std.out, "", s.Before, result.Body)
	return exitOK
}
