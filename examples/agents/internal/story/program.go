package story

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Main is the program of an agent: it plays on standard output.
func Main(name string, play func(w io.Writer) error) {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Save stores a history in a file, as JSON.
func Save(file string, history any) error {
	stored, err := json.Marshal(history)
	if err != nil {
		return err
	}
	return os.WriteFile(file, stored, 0o600)
}

// Load reads a history from a file into the value that history points to.
func Load(file string, history any) error {
	stored, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(stored, history)
}

// Restart stores a history as JSON and reads it again, as a program does that ends and is resumed.
func Restart[History any](history *History) error {
	stored, err := json.Marshal(*history)
	if err != nil {
		return err
	}
	*history = *new(History)
	return json.Unmarshal(stored, history)
}
