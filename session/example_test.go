package session_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-preflight/preflight/session"
)

// An agent that resumes sessions repairs them when it starts.
func ExampleRepairFile() {
	dir, err := os.MkdirTemp("", "sessions")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "session.jsonl")
	data := `{"uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"/p","type":"user",` +
		`"message":{"role":"user","parts":[{"text":"Fix the bug."}]}}` + "\n" +
		`{"uuid":"u3","parentUuid":"u2","sessionId":"s","cwd":"/p","type":"assistant",` +
		`"message":{"role":"model","parts":[{"text":"Done."}]}}` + "\n"
	hour := time.Now().Add(-time.Hour)
	err = errors.Join(os.WriteFile(name, []byte(data), 0o600), os.Chtimes(name, hour, hour))
	if err != nil {
		fmt.Println(err)
		return
	}

	file, err := session.RepairFile(name, &session.FileOptions{Write: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, broken := range file.Broken {
		fmt.Println(session.Title(file.Client), "would have forgotten",
			broken.Report.LostMessages, "message")
		for _, f := range broken.Report.Findings {
			fmt.Println("line", f.Lines, f.Fix)
		}
	}
	fmt.Println("a copy was kept:", file.Backup != "")
	// Output:
	// Qwen Code would have forgotten 1 message
	// line [2] link it to the record before it
	// a copy was kept: true
}
