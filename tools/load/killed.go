package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// This file kills preflight fix --jsonl, again and again, and compares what it has written in the
// end with what a run writes that was left alone.

// The size of the run.
const (
	shards = 12
	lines  = 10_000 // of each
	kills  = 8
)

// killed returns how many files differ.
func killed() (failed int, err error) {
	dir, err := os.MkdirTemp("", "preflight-load")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "preflight")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Stderr = filepath.Join("..", "cmd", "preflight"), os.Stderr
	if err := build.Run(); err != nil {
		return 0, err
	}
	var files []string
	for k := range shards {
		name := filepath.Join(dir, fmt.Sprintf("part-%02d.jsonl", k))
		if err := writeShard(name); err != nil {
			return 0, err
		}
		files = append(files, name)
	}
	run := func(to string) *exec.Cmd {
		return exec.Command(program, append([]string{"fix", "--jsonl", "--output", to, "--dead-letter",
			filepath.Join(to, "dead.jsonl")}, files...)...)
	}
	alone, again := filepath.Join(dir, "alone"), filepath.Join(dir, "again")
	for _, to := range []string{alone, again} {
		if err := os.Mkdir(to, 0o700); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	if err := ended(run(alone)); err != nil {
		return 0, err
	}
	took := time.Since(start)
	middle := 0
	for range kills {
		cmd := run(again)
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		time.Sleep(time.Duration(rand.Int64N(int64(took) / kills)))
		_ = cmd.Process.Kill() // SIGKILL
		_ = cmd.Wait()
		done, err := filepath.Glob(filepath.Join(again, "*.done"))
		if err != nil {
			return 0, err
		}
		if len(done) < shards {
			middle++
		}
	}
	if err := ended(run(again)); err != nil {
		return 0, err
	}
	names, err := os.ReadDir(alone)
	if err != nil {
		return 0, err
	}
	left, err := os.ReadDir(again)
	if err != nil {
		return 0, err
	}
	failed = max(len(left)-len(names), 0)
	for _, name := range names {
		one, _ := os.ReadFile(filepath.Join(alone, name.Name()))
		other, err := os.ReadFile(filepath.Join(again, name.Name()))
		if err != nil || !bytes.Equal(one, other) {
			failed++
		}
	}
	fmt.Printf("\n| bodies | killed before the end | files | that differ |\n|---|---|---|---|\n"+
		"| %d | %d | %d | %d |\n", shards*lines, middle, len(names), failed)
	if middle == 0 {
		return 1, nil
	}
	return failed, nil
}

// ended runs a command that finds lines that cannot be repaired, and says so by its exit code.
func ended(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 1 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// writeShard writes bodies of all formats: valid, broken, and now and then a line that is none.
func writeShard(name string) error {
	var b bytes.Buffer
	for k := range lines {
		if k%500 == 499 {
			b.WriteString("{\"messages\":\n")
			continue
		}
		f := &formats[k%len(formats)]
		b.Write(f.body(1+rand.IntN(4), rand.IntN(4) == 0))
		b.WriteByte('\n')
	}
	return os.WriteFile(name, b.Bytes(), 0o600)
}
