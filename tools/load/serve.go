package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// This file runs the command that is measured.

// process is a gateway that runs.
type process struct {
	base string
	dir  string
	cmd  *exec.Cmd
}

// startServe builds the command and starts a gateway with one route, /load.
func startServe(upstream string, held int) (*process, error) {
	return startConfig(fmt.Sprintf(`{"max_held":%d,"routes":[{"prefix":"/load","upstream":%q,`+
		`"provider":"anthropic"}]}`, held, upstream))
}

// startRoutes starts a gateway with a route for each format, named by its number.
func startRoutes(held int, upstream string, formats []format) (*process, error) {
	var routes []string
	for k, f := range formats {
		routes = append(routes, fmt.Sprintf(`{"prefix":"/%d","upstream":%q,"provider":%q}`, k, upstream,
			f.provider))
	}
	return startConfig(fmt.Sprintf(`{"max_held":%d,"routes":[%s]}`, held, strings.Join(routes, ",")))
}

func startConfig(text string) (*process, error) {
	dir, err := os.MkdirTemp("", "preflight-load")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir}
	program, config := filepath.Join(dir, "preflight"), filepath.Join(dir, "config.json")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Stderr = filepath.Join("..", "cmd", "preflight"), os.Stderr
	if err := build.Run(); err != nil {
		p.stop()
		return nil, err
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		p.stop()
		return nil, err
	}
	cmd := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--config", config)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	p.cmd = cmd
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.stop()
		return nil, err
	}
	words := strings.Fields(line)
	if len(words) < 5 {
		p.stop()
		return nil, fmt.Errorf("serve printed %q", line)
	}
	p.base = strings.TrimSuffix(words[4], ";")
	return p, nil
}

// memory returns bytes of memory of the process, as Linux counts them: VmHWM: is the most it ever
// had, VmRSS: what it has.
func (p *process) memory(kind string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("memory is read on Linux alone: %w", err)
	}
	_, after, _ := strings.Cut(string(status), kind)
	kilobytes, err := strconv.ParseInt(strings.Fields(after + " x")[0], 10, 64)
	return kilobytes << 10, err
}

// metrics returns figures of the gateway by their names, once no request is under way.
func (p *process) metrics(names ...string) (figures []int, err error) {
	for range 100 {
		resp, err := http.Get(p.base + "/metrics")
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		figures = figures[:0]
		for _, name := range names {
			_, after, _ := strings.Cut(string(text), "\n"+name+" ")
			n, err := strconv.Atoi(strings.Fields(after + " x")[0])
			if err != nil {
				return nil, fmt.Errorf("%s is no metric", name)
			}
			figures = append(figures, n)
		}
		if bytes.Contains(text, []byte("\npreflight_open_requests 0\n")) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return figures, nil
}

// stop ends the gateway and removes its files.
func (p *process) stop() {
	if p.cmd != nil {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		_ = p.cmd.Wait()
	}
	os.RemoveAll(p.dir)
}
