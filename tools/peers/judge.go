package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight/preflighttest"
)

// This file judges what a peer made of a fault.

// judge writes whether the repaired history is accepted, and whether all that is real was kept. It
// is an error if the fault itself is accepted.
func (f *fault) judge(out io.Writer, peer string, repaired []message) error {
	accepted, err := accepts(f.history)
	if err != nil {
		return err
	}
	if accepted {
		return fmt.Errorf("the fault %q is accepted as it is", f.name)
	}
	if accepted, err = accepts(repaired); err != nil {
		return err
	}
	kept := true
	for _, text := range f.real {
		kept = kept && count(repaired, text) == 1
	}
	_, err = fmt.Fprintf(out, "BenchmarkRepair/%s/%s 1 %d accepted %d kept\n",
		peer, strings.ReplaceAll(f.name, " ", "_"), number(accepted), number(kept))
	return err
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// accepts reports whether the strict fake of OpenAI's Chat Completions accepts a history.
func accepts(messages []message) (bool, error) {
	body, err := bodyOf(messages)
	if err != nil {
		return false, err
	}
	violations, err := preflighttest.Violations("openai-chat", body)
	return len(violations) == 0, err
}

// bodyOf is a request with a history.
func bodyOf(messages []message) ([]byte, error) {
	return json.Marshal(struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}{"gpt-4o", messages})
}
