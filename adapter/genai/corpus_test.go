package preflightgenai_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

// TestRepairsFit: what package wire makes of its golden cases, the SDK's types can hold, and what
// they then say is in order.
func TestRepairsFit(t *testing.T) {
	tried := 0
	for file, in := range clienttest.GoldenBodies(t, "gemini") {
		var body struct{ Contents []*genai.Content }
		if json.Unmarshal(in, &body) != nil {
			continue // not a body that the SDK can hold
		}
		for _, model := range []string{"gemini-2.5-pro", "gemini-3-pro-preview"} {
			options := &wire.Options{
				Provider: "gemini",
				Model:    model,
				Options:  preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			out, _, err := preflightgenai.Contents(context.Background(), body.Contents, options)
			if errors.Is(err, preflight.ErrEmptyHistory) {
				continue // the SDK has read nothing of it
			}
			if err != nil {
				t.Errorf("%s, %s: %v", file, model, err)
				continue
			}
			report, err := wire.Check([]byte(clienttest.JSON(t, out)), options)
			if err != nil || len(report.Violations) > 0 {
				t.Errorf("%s, %s: %v %v\n%s", file, model, err, report,
					clienttest.JSON(t, out))
			}
			tried++
		}
	}
	if tried < 8 {
		t.Errorf("only %d bodies could be tried", tried)
	}
}
