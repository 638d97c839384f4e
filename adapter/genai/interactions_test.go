package preflightgenai_test

import (
	"context"
	"encoding/json"
	"testing"

	"google.golang.org/genai/interactions/models/interactions"

	"github.com/go-preflight/preflight/adapter"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// stepsOf reads steps from their JSON, as a session is read from a file.
func stepsOf(t *testing.T, raw string) (steps []interactions.Step) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &steps); err != nil {
		t.Fatal(err)
	}
	return steps
}

const (
	askStep  = `{"type":"user_input","content":[{"type":"text","text":"q"}]}`
	thought  = `{"type":"thought","signature":"QUJD"}`
	callStep = `{"type":"function_call","id":"c1","name":"f","arguments":{"n":1}}`
	told     = `{"type":"function_result","call_id":"c1","name":"f","result":"r"}`
	said     = `{"type":"model_output","content":[{"type":"text","text":"a"}]}`
	aborted  = `{"type":"function_result","call_id":"c1","name":"f","is_error":true,` +
		`"result":"Tool call was interrupted before a result was recorded."}`
	searched = `{"type":"google_search_call","id":"s1","arguments":{"queries":["q"]}}`
)

func TestSteps(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to do", askStep + `,` + thought + `,` + searched + `,` + callStep + `,` + told + `,` + said, ""},
		{"a call is aborted", askStep + `,` + thought + `,` + callStep + `,` + askStep,
			askStep + `,` + thought + `,` + callStep + `,` + aborted + `,` + askStep},
		{"a call without a signed thought goes", askStep + `,` + callStep + `,` + askStep,
			askStep + `,` + askStep},
		{"the window is trimmed between a call and its result", told + `,` + said + `,` + askStep,
			said + `,` + askStep},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := stepsOf(t, `[`+c.in+`]`)
			before := clienttest.JSON(t, in)
			out, warnings, err := preflightgenai.Steps(context.Background(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if len(warnings) > 0 || &out[0] != &in[0] {
					t.Errorf("%v", warnings)
				}
				return
			}
			if got := clienttest.JSON(t, out); !adapter.Equal([]byte(got), []byte(`[`+c.want+`]`)) {
				t.Errorf("\n got  %s\n want %s", got, c.want)
			}
			if len(warnings) == 0 || clienttest.JSON(t, in) != before {
				t.Error("there is no warning, or the input was written to")
			}
		})
	}
}

// TestInteraction: what the rest of the request says counts, and so does the form of its input.
func TestInteraction(t *testing.T) {
	steps := stepsOf(t, `[`+told+`,`+askStep+`]`)
	input := interactions.NewInteractionsInput(steps)
	params := interactions.CreateModelInteraction{Model: "gemini-3.7-flash", Input: &input}
	out, warnings, err := preflightgenai.Interaction(context.Background(), params, nil)
	if err != nil || len(warnings) != 1 || len(out.Input.ArrayOfStep) != 1 {
		t.Fatalf("%v %v %s", err, warnings, clienttest.JSON(t, out))
	}
	if params.Input != &input || len(input.ArrayOfStep) != 2 {
		t.Error("the input was written to")
	}

	previous := "int_1"
	params.PreviousInteractionID = &previous // the server has the call
	out, warnings, err = preflightgenai.Interaction(context.Background(), params, nil)
	if err != nil || len(warnings) > 0 || len(out.Input.ArrayOfStep) != 2 {
		t.Errorf("%v %v", err, warnings)
	}

	text := interactions.NewInteractionsInput("nul\x00")
	params.Input = &text
	out, warnings, err = preflightgenai.Interaction(context.Background(), params, nil)
	if err != nil || len(warnings) != 1 || out.Input.Str == nil || *out.Input.Str != "nul" {
		t.Errorf("%v %v %s", err, warnings, clienttest.JSON(t, out))
	}
}
