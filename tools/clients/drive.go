//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-preflight/preflight/preflighttest"
)

// This file installs clients and runs them.

// rig is one client in a folder of its own.
type rig struct {
	*client
	dir  string // with the installed packages
	home home
	log  *os.File

	// server is the fake of all runs: another would give its first answers the ids that this one
	// gave its own, and clients join the records of one id.
	server  *preflighttest.Server
	respond atomic.Pointer[func(preflighttest.Request) preflighttest.Reply] // of the run
}

// serve starts the fake, unless it runs.
func (r *rig) serve() (err error) {
	if r.server != nil {
		return nil
	}
	r.server, err = preflighttest.Start(r.provider, &preflighttest.Options{
		Lenient: true,
		Respond: func(request preflighttest.Request) preflighttest.Reply {
			return (*r.respond.Load())(request)
		},
	})
	return err
}

// install installs the client's packages, unless they are there.
func (r *rig) install() error {
	program := filepath.Join(r.dir, "node_modules", ".bin", r.program)
	if _, err := os.Stat(program); err == nil {
		return nil
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	npm := exec.Command("npm", append([]string{
		"install", "--no-audit", "--no-fund", "--prefix", r.dir,
	}, r.npm...)...)
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, out)
	}
	_, err := os.Stat(program)
	return err
}

// A run is one start of a client with one prompt.
type run struct {
	resume  bool
	prompt  string                // has to be one that no other run has
	replies []preflighttest.Reply // one to each request, then a text
	// during is called after the first request, while the client goes on.
	during func()
	// kill ends the client some time after its first request, accepted or not: some clients try a
	// refused one again for minutes.
	kill time.Duration
}

// timeout bounds one run. What a client would have sent that did not come so far is not known.
const timeout = 4 * time.Minute

var errTimeout = errors.New("no request arrived in time")

// asked is a request of a client, and what the fake thought of it.
type asked struct {
	body    []byte
	refused string // "" for an accepted request
}

// do runs the client, and returns its requests with the prompt and with tools: the others are for
// titles and the like.
func (r *rig) do(what run) ([]asked, error) {
	var mutex sync.Mutex
	step := 0
	respond := func(request preflighttest.Request) preflighttest.Reply {
		if !isMain(request.Body, what.prompt) {
			return preflighttest.Reply{Text: "Notes"}
		}
		mutex.Lock()
		defer mutex.Unlock()
		step++
		if step > len(what.replies) {
			return preflighttest.Reply{Text: "That is all."}
		}
		return what.replies[step-1]
	}
	r.respond.Store(&respond)
	if err := r.serve(); err != nil {
		return nil, err
	}
	r.home.url = r.server.URL
	earlier := len(r.server.Requests())
	if r.setup != nil {
		if err := r.setup(&r.home); err != nil {
			return nil, err
		}
	}
	if r.login != nil {
		if out, err := r.command(context.Background(), r.login(&r.home)).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
	}
	arguments := r.start
	if what.resume {
		arguments = r.client.resume
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := r.command(ctx, arguments(&r.home, what.prompt))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	fmt.Fprintf(r.log, "\n--- %s\n", strings.Join(cmd.Args[1:], " "))
	cmd.Stdout, cmd.Stderr = r.log, r.log
	if typed := what.resume && r.ready != ""; typed {
		if err := r.inTerminal(cmd, what.prompt); err != nil {
			return nil, err
		}
		what.kill = time.Second // it waits for another prompt
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if what.kill > 0 || what.during != nil {
		for len(ended) == 0 && !r.asked(earlier, what.prompt) {
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(what.kill)
		if what.during != nil {
			what.during()
		} else {
			_ = cmd.Cancel()
		}
	}
	ran := <-ended
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running
	r.endAll()
	var all []asked
	for _, request := range r.server.Requests()[earlier:] {
		if !isMain(request.Body, what.prompt) {
			fmt.Fprintf(r.log, "(%s %s)\n", request.Method, request.Path)
			continue
		}
		one := asked{body: request.Body}
		if request.Refusal != nil {
			one.refused = request.Refusal.Rule + ": " + request.Refusal.Message
		}
		fmt.Fprintf(r.log, "request of %d bytes, refused: %q\n", len(one.body), one.refused)
		all = append(all, one)
	}
	switch {
	case len(all) > 0:
		return all, nil
	case ctx.Err() != nil:
		return nil, errTimeout
	case ran != nil:
		return nil, fmt.Errorf("no request arrived: %w", ran)
	}
	return nil, errors.New("no request arrived")
}

// asked reports whether a request with the prompt came after the earlier ones.
func (r *rig) asked(earlier int, prompt string) bool {
	return slices.ContainsFunc(r.server.Requests()[earlier:], func(q preflighttest.Request) bool {
		return isMain(q.Body, prompt)
	})
}

// endAll ends what clients left running in sessions of their own: processes whose program is in the
// rig's folder, where /proc lists them.
func (r *rig) endAll() {
	folders, _ := filepath.Glob("/proc/[0-9]*") // no error: it is well-formed
	for _, folder := range folders {
		line, err := os.ReadFile(filepath.Join(folder, "cmdline"))
		if err != nil || !bytes.Contains(line, []byte(filepath.Join(r.dir, "node_modules"))) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// inTerminal makes a command one that runs in a terminal of its own, into which a prompt is typed
// when the client is ready for it. The terminal is that of the program script of util-linux.
func (r *rig) inTerminal(cmd *exec.Cmd, prompt string) error {
	quoted := []string{"stty rows 40 cols 200; exec"}
	for _, arg := range cmd.Args {
		quoted = append(quoted, "'"+strings.ReplaceAll(arg, "'", `'\''`)+"'")
	}
	script, err := exec.LookPath("script")
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = script, []string{
		"script", "-qefc", strings.Join(quoted, " "), os.DevNull,
	}
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool {
		return strings.HasPrefix(v, "TERM=") || strings.HasPrefix(v, "CI=")
	})
	cmd.Env = append(cmd.Env, "TERM=xterm")
	keys, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var typing sync.Once
	cmd.Stdout = &watcher{want: []byte(r.ready), seen: func() {
		typing.Do(func() {
			go func() { // what the client asks the terminal is answered by nobody
				for { // what is typed too early is lost
					time.Sleep(2 * time.Second)
					if _, err := keys.Write([]byte(prompt)); err != nil {
						return // it has ended
					}
					time.Sleep(time.Second)
					_, _ = keys.Write([]byte("\r"))
					time.Sleep(10 * time.Second)
				}
			}()
		})
	}}
	return nil
}

// watcher looks for a text in what is written to it, which may come in pieces.
type watcher struct {
	want []byte
	seen func()
	last []byte
}

func (w *watcher) Write(data []byte) (int, error) {
	w.last = append(w.last, data...)
	if bytes.Contains(w.last, w.want) {
		w.seen()
	}
	w.last = bytes.Clone(w.last[max(0, len(w.last)-len(w.want)):])
	return len(data), nil
}

// command is a start of the client in its home folder.
func (r *rig) command(ctx context.Context, arguments []string) *exec.Cmd {
	program := filepath.Join(r.dir, "node_modules", ".bin", r.program)
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir = r.home.project
	cmd.Env = append([]string{
		"HOME=" + r.home.dir, "PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH"),
		"TERM=dumb", "CI=1", "LANG=C.UTF-8", "NO_COLOR=1", "SHELL=/bin/sh", "NO_PROXY=127.0.0.1",
	}, r.env(&r.home)...)
	return cmd
}

// isMain reports whether a request is one of the conversation.
func isMain(body []byte, prompt string) bool {
	return bytes.Contains(body, []byte(prompt)) && bytes.Contains(body, []byte(`"tools"`))
}

// keep copies the home folder, and restore puts the copy in its place.
func (r *rig) keep(name string) error {
	return copyDir(filepath.Dir(r.home.dir), r.kept(name))
}

func (r *rig) restore(name string) error { return copyDir(r.kept(name), filepath.Dir(r.home.dir)) }

func (r *rig) kept(name string) string { return filepath.Join(r.dir, "kept-"+name) }

func copyDir(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// session returns the newest session file.
func (r *rig) session() (string, error) {
	files, err := filepath.Glob(filepath.Join(r.home.dir, filepath.FromSlash(r.sessions)))
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", fmt.Errorf("no session in %s", r.sessions)
	}
	newest := files[0]
	for _, name := range files[1:] {
		if modified(name).After(modified(newest)) {
			newest = name
		}
	}
	return newest, nil
}

func modified(name string) time.Time {
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
