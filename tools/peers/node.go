package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

// This file measures the peers that are written in JavaScript, in a process of their own.

//go:embed peers.mjs
var script []byte

// packages are the peers in JavaScript, pinned.
var packages = []string{"deepagents@1.14.1", "@mariozechner/pi-ai@0.73.1"}

// install installs them in a new directory, beside the script. It is "" where there is no npm.
func install(ctx context.Context) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "peers"); err != nil {
		return "", err
	}
	npm := exec.CommandContext(ctx, "npm", append([]string{
		"install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", "--silent",
	}, packages...)...)
	if text, err := npm.CombinedOutput(); err != nil {
		log.Printf("the peers in JavaScript are left out: npm: %v\n%s", err, text)
		return "", os.RemoveAll(dir)
	}
	for name, content := range map[string][]byte{"peers.mjs": script, "given.json": []byte("{}")} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// node installs and measures them.
func node(ctx context.Context, out io.Writer) error {
	dir, err := install(ctx)
	if dir == "" {
		return err
	}
	defer os.RemoveAll(dir)
	type input struct {
		Name    string    `json:"name"`
		History []message `json:"history"`
	}
	var given struct {
		Measured []input `json:"measured"`
		Faults   []input `json:"faults"`
	}
	for _, shape := range shapes {
		for _, n := range sizes {
			given.Measured = append(given.Measured,
				input{fmt.Sprintf("%s/%d", shape, n), history(shape, n)})
		}
	}
	for _, f := range faults {
		given.Faults = append(given.Faults, input{f.name, f.history})
	}
	data, err := json.Marshal(given)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "given.json"), data, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "node", "peers.mjs")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	var got []struct {
		Name     string
		Lines    []string             // of the form of go test -bench
		Repaired map[string][]message // by the name of the fault
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	for _, p := range got {
		for _, line := range p.Lines {
			fmt.Fprintln(out, line)
		}
		for _, f := range faults {
			if err := f.judge(out, p.Name, p.Repaired[f.name]); err != nil {
				return err
			}
		}
	}
	return nil
}
