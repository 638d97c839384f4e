package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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
	text := fmt.Sprintf(`{"max_held":%d,"routes":[{"prefix":"/load","upstream":%q,`+
		`"provider":"anthropic"}]}`, held, upstream)
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

// stop ends the gateway and removes its files.
func (p *process) stop() {
	if p.cmd != nil {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		_ = p.cmd.Wait()
	}
	os.RemoveAll(p.dir)
}
