//go:build unix

// Command clients measures what agents make of their stored sessions: it installs each agent from
// the npm registry, lets it work against a fake provider on this machine, breaks the session that
// it stored, and resumes it, once as it is and once after a repair by package session. It prints,
// for each agent, how often the first request of the resumed session was valid, and how many of the
// texts and results that could still be read in the file were not in it.
//
//	go run . -only codex,pi
//
// Nothing but the registry and this machine is addressed. It takes an hour for all agents.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := flag.String("dir", filepath.Join(cache, "preflight-clients"), "the `folder` to work in")
	only := flag.String("only", "", "the clients to measure, separated by commas; default all")
	start := flag.String("start", "", "only the sessions whose `state` has this in its name")
	fault := flag.String("fault", "", "only the faults with this `text` in their name")
	probe := flag.Bool("probe", false, "only store a session with each client, and resume it")
	write := flag.String("write", "", "the `file` whose table is written anew")
	page := flag.String("page", "", "the `file` whose table of versions is written after that one's")
	flag.Parse()
	var rows []row
	for _, c := range clients {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), c.name) {
			continue
		}
		r, err := newRig(c, *dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "clients:", err)
			os.Exit(1)
		}
		if *probe {
			fmt.Printf("%s: %v\n", c.title, r.probe())
			continue
		}
		r.measure(*start, *fault, func(w row) { // a run that is ended keeps what it has measured
			w.title = c.title
			rows = append(rows, w)
			if err := written(*write, *page, w); err != nil {
				fmt.Fprintln(os.Stderr, "clients:", err)
				os.Exit(1)
			}
		})
	}
	if *probe {
		return
	}
	fmt.Print(table(rows))
}

// written writes a row into the tables of the documents, if there are any.
func written(write, page string, w row) error {
	if write == "" {
		return nil
	}
	if err := writeTable(write, []row{w}); err != nil || page == "" {
		return err
	}
	return writeVersions(page, write)
}

func newRig(c *client, dir string) (*rig, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r := &rig{client: c, dir: filepath.Join(dir, c.name+"-"+c.version)}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, err
	}
	r.home.dir = filepath.Join(r.dir, "work", "home")
	r.home.project = filepath.Join(r.dir, "work", "project")
	r.log, err = os.OpenFile(filepath.Join(r.dir, "log"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	return r, err
}

// probe stores a session and resumes it.
func (r *rig) probe() error {
	if err := r.install(); err != nil {
		return err
	}
	if err := r.fresh(); err != nil {
		return err
	}
	file, err := r.session()
	if err != nil {
		return err
	}
	fmt.Println(file)
	requests, err := r.do(run{resume: true, prompt: promptResume})
	if err != nil {
		return err
	}
	fmt.Println("missing:", missing(markers, requests[0].body), "refused:", requests[0].refused)
	return nil
}
