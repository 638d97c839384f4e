// Package recorded reads requests that real providers answered, for the tests. They are data of
// others, outside of this module: in ../shared/recorded beside it, whose README says where they are
// from. Where they are absent, the tests that need them are skipped, and say so.
package recorded

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Kind is what became of a request.
type Kind string

// The kinds.
const (
	Accepted Kind = "accepted" // answered with 2xx
	// an accepted request, with its real answer appended as it came, and the next turn
	FollowUp Kind = "followups"
	Refused  Kind = "refused" // answered with 4xx
)

// Request is a request, and what the provider said to it.
type Request struct {
	Kind     Kind            `json:"-"`
	ID       string          `json:"id"`
	Provider string          `json:"provider"` // the format, or the dialect of OpenAI's Chat
	Host     string          `json:"host"`
	Path     string          `json:"url_path"`
	Model    string          `json:"model"`
	Status   int             `json:"status"`
	Source   string          `json:"source"`
	Error    json.RawMessage `json:"error"` // what the provider refused it with
	Body     json.RawMessage `json:"body"`
}

// Restriction is a request that one host or model refused and another accepted.
type Restriction struct {
	ID       string          `json:"id"`
	Row      string          `json:"row"`
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Request  json.RawMessage `json:"request"`
	Verdict  string          `json:"verdict"` // what a repair does with it, and why
	Now      string          `json:"now"`     // what it did when the verdict was written
}

// TwoSided loads the restrictions with evidence on both sides. root is as for Load.
func TwoSided(t *testing.T, root string) []Restriction {
	t.Helper()
	name := filepath.Join(root, "..", "shared", "reported", "two-sided.jsonl")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here: only the bodies in testdata are checked", name)
	}
	all, err := readLines(name, func(*Restriction) {})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// longest bounds the length of a line.
const longest = 16 << 20

// Load reads all requests of the kinds. root is the path from the test to the module's root.
func Load(t *testing.T, root string, kinds ...Kind) []Request {
	t.Helper()
	dir := filepath.Join(root, "..", "shared", "recorded")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here: nothing is checked against what real providers answered", dir)
	}
	var all []Request
	for _, kind := range kinds {
		some, err := read(filepath.Join(dir, string(kind)+".jsonl"), kind)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

func read(name string, kind Kind) ([]Request, error) {
	return readLines(name, func(r *Request) { r.Kind = kind })
}

// readLines reads a file of JSON lines. set is called with each value before it is read.
func readLines[T any](name string, set func(*T)) ([]T, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		var r T
		set(&r)
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(all)+1, err)
		}
		all = append(all, r)
	}
	if len(all) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("%s is empty", name)
	}
	return all, lines.Err()
}
