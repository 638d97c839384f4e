package explain_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/explain"
)

// reported are the texts that users reported, in a folder beside the project; see
// TestReportedErrors.
const reported = "../../../shared/errors/errors.jsonl"

// recordedRefusals are refusals of real providers, in a folder beside the project.
const recordedRefusals = "../../../shared/recorded/refused.jsonl"

// TestReportedErrors explains the error texts of public issues: one about the history by its rule,
// or by a rule where the catalogue had none when it was reported, and any other by a class. Nothing
// is claimed falsely; docs/explain.md says how many are unknown.
func TestReportedErrors(t *testing.T) {
	named, classed, unknown := 0, 0, 0
	readLines(t, reported, func(line []byte) {
		var report struct {
			Text     string  `json:"text"`
			Expected *string `json:"expected_rule"`
		}
		require.NoError(t, json.Unmarshal(line, &report))
		e, ok := explain.Text(report.Text)
		switch {
		case !ok:
			unknown++ // an unknown text is no wrong claim; docs/explain.md counts them
		case report.Expected == nil:
			if e.Class == explain.ClassHistory {
				t.Errorf("not about the history, and taken for %s: %s", e.Rule.ID, report.Text)
			}
			classed++
		case e.Class != explain.ClassHistory:
			t.Errorf("about the history (%s), and classed as %s: %s", *report.Expected, e.Class,
				report.Text)
		case !expected(*report.Expected, e.Rule.ID):
			t.Errorf("want %s, got %s: %s", *report.Expected, e.Rule.ID, report.Text)
		default:
			named++
		}
	})
	requireFigures(t, "error texts of public issues", named, classed, unknown)
}

// TestRecordedRefusals explains what real providers answered: none of it is unknown, but for a
// recording that somebody made up.
func TestRecordedRefusals(t *testing.T) {
	named, classed := 0, 0
	readLines(t, recordedRefusals, func(line []byte) {
		var refusal struct {
			ID    string `json:"id"`
			Error any    `json:"error"`
		}
		require.NoError(t, json.Unmarshal(line, &refusal))
		text, ok := refusal.Error.(string)
		if !ok {
			data, err := json.Marshal(refusal.Error)
			require.NoError(t, err)
			text = string(data)
		}
		if strings.Contains(text, "Test error") {
			return
		}
		e, ok := explain.Text(text)
		switch {
		case !ok:
			t.Errorf("%s is unknown: %s", refusal.ID, text)
		case e.Class == explain.ClassHistory:
			named++
		default:
			classed++
		}
	})
	requireFigures(t, "recorded refusals", named, classed, 0)
}

// requireFigures holds docs/explain.md to what was counted.
func requireFigures(t *testing.T, texts string, named, classed, unknown int) {
	t.Helper()
	page, err := os.ReadFile("../../docs/explain.md")
	require.NoError(t, err)
	row := fmt.Sprintf("| %d %s | %d | %d | %d | 0 |", named+classed+unknown, texts, named, classed,
		unknown)
	require.Contains(t, string(page), row, "the figures of docs/explain.md are stale")
}

// readLines calls use for each line of a file that may be missing: then the test says so and ends.
func readLines(t *testing.T, name string, use func(line []byte)) {
	t.Helper()
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not there: the texts of public issues are kept beside the project, not in "+
			"it", name)
	}
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		use(lines.Bytes())
	}
	require.NoError(t, lines.Err())
}

// expected reports whether a rule is one that a report expects: patterns between bars, of rules
// with their provider or without. A report that begins with NEW: is of a rule that there was none
// of.
func expected(patterns, id string) bool {
	if strings.HasPrefix(patterns, "NEW:") {
		return true
	}
	if id == "bedrock/tool-result-exceeds" { // what Bedrock says of an orphan
		id = "bedrock/tool-result-orphan"
	}
	id = strings.ReplaceAll(id, "cache-point", "cachepoint")
	_, name, _ := strings.Cut(id, "/")
	return slices.ContainsFunc(strings.Split(patterns, "|"), func(p string) bool {
		p = strings.TrimSpace(p)
		if p == "*" {
			return true
		}
		full, _ := path.Match(p, id)
		short, _ := path.Match(p, name)
		return full || short
	})
}
