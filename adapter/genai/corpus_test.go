package preflightgenai_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/wire"
)

// TestRepairsFit: what package wire makes of its golden cases, the SDK's types can hold, and what
// they then say is in order.
func TestRepairsFit(t *testing.T) {
	files, err := filepath.Glob("../../wire/testdata/golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, in, _ := strings.Cut(string(data), "\n-- input.json --\n")
		in, _, _ = strings.Cut(in, "\n-- ")
		if r, err := wire.Decode([]byte(in), nil); err != nil || r.Provider != "gemini" {
			continue
		}
		var body struct{ Contents []*genai.Content }
		if json.Unmarshal([]byte(in), &body) != nil {
			continue // not a body that the SDK can hold
		}
		for _, model := range []string{"gemini-2.5-pro", "gemini-3-pro-preview"} {
			options := &wire.Options{
				Provider: "gemini",
				Model:    model,
				Sanitize: preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			out, _, err := preflightgenai.Contents(context.Background(), body.Contents, options)
			if errors.Is(err, preflight.ErrEmptyHistory) {
				continue // the SDK has read nothing of it
			}
			if err != nil {
				t.Errorf("%s, %s: %v", filepath.Base(file), model, err)
				continue
			}
			report, err := wire.Check([]byte(asJSON(t, out)), options)
			if err != nil || len(report.Violations) > 0 {
				t.Errorf("%s, %s: %v %v\n%s", filepath.Base(file), model, err, report,
					asJSON(t, out))
			}
			tried++
		}
	}
	if tried < 8 {
		t.Errorf("only %d bodies could be tried", tried)
	}
}
