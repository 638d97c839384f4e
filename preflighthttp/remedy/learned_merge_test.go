package remedy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// sharing returns a function that sends a request about a model, which breaks the one rule of the
// server, as a process of its own with the same file of lessons.
func sharing(t *testing.T, s *alternating, file string) (func(model string), *remedy.Learned) {
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	transport, _ := learning(s)
	transport.Learned = learned
	return func(model string) {
		r := post(t, address+chatPath, twiceUser(model))
		r.Header.Set("Authorization", "Bearer sk-one") // hashed with the key of the file
		status, _ := do(t, transport, r)
		if status != http.StatusOK {
			t.Error(status)
		}
		if err := learned.Err(); err != nil {
			t.Error(err)
		}
	}, learned
}

// models returns those that a file has lessons about.
func models(t *testing.T, file string) (names []string) {
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	for _, p := range learned.Profiles() {
		names = append(names, p.Model)
	}
	return names
}

// TestLearnedTogether: processes that share a file lose nothing of what the others have learned,
// learn from them when they write, and unlearn what one of them unlearned.
func TestLearnedTogether(t *testing.T) {
	file := filepath.Join(t.TempDir(), "learned.json")
	s := startAlternating(t)
	var all sync.WaitGroup
	for process := range 6 {
		ask, _ := sharing(t, s, file)
		all.Add(1)
		go func() {
			defer all.Done()
			for k := range 8 {
				ask(fmt.Sprintf("m%d-%d", process, k))
			}
		}()
	}
	all.Wait()
	require.EqualValues(t, 48, s.refusals.Load())
	require.Len(t, models(t, file), 48)

	first, _ := sharing(t, s, file)
	second, secondLearned := sharing(t, s, file)
	first("new")
	require.Len(t, secondLearned.Profiles(), 48)
	second("newer")
	require.Len(t, secondLearned.Profiles(), 50)
	s.refusals.Store(0)
	second("new")
	require.Zero(t, s.refusals.Load(), "the other one has learned it")

	s.lenient.Store(true)
	for range 100 { // one goes without the lesson, is accepted, and the lesson is gone
		first("new")
	}
	require.NotContains(t, models(t, file), "new")
	s.lenient.Store(false)
	second("newest")
	require.NotContains(t, models(t, file), "new", "whoever writes next does not bring it back")
	require.Len(t, models(t, file), 50)
	require.Len(t, secondLearned.Profiles(), 50)
	second("new")
	require.Contains(t, models(t, file), "new", "it can be learned again")

	now := time.Now().Truncate(time.Second)
	third, thirdLearned := sharing(t, s, file)
	remedy.SetClock(thirdLearned, func() time.Time {
		now = now.Add(time.Microsecond)
		return now
	})
	without, err := os.ReadFile(file)
	require.NoError(t, err)
	third("soon")
	// another one unlearns it; then one request goes without it and is refused
	require.NoError(t, os.WriteFile(file, without, 0o600))
	for range 100 {
		third("soon")
	}
	require.Contains(t, models(t, file), "soon", "it was learned again in the same second")

	// a file that is deleted is written again; one that is no file of lessons is left
	require.NoError(t, os.Remove(file))
	second("last")
	require.Len(t, models(t, file), 52)
	require.NoError(t, os.WriteFile(file, []byte("{}"), 0o600))
	transport, _ := learning(s)
	transport.Learned = secondLearned
	do(t, transport, post(t, address+chatPath, twiceUser("lost")))
	require.ErrorContains(t, secondLearned.Err(), "version")
	left, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "{}", string(left))
}

// TestLearnedByAnother: what another version wrote about rules that this one does not know, or with
// members that it does not know, is not followed, and stays in the file for a week.
func TestLearnedByAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "learned.json")
	s := startAlternating(t)
	ask, _ := sharing(t, s, file)
	ask("acme")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var written struct{ Lessons []map[string]any }
	require.NoError(t, json.Unmarshal(data, &written))
	line := func(days int, change map[string]any) string {
		one := map[string]any{}
		for _, from := range []map[string]any{written.Lessons[0], change} {
			for name, value := range from {
				one[name] = value
			}
		}
		one["learned"] = time.Now().AddDate(0, 0, -days).UTC().Format(time.RFC3339)
		text, err := json.Marshal(one)
		require.NoError(t, err)
		return string(text)
	}
	stay := []string{
		line(1, map[string]any{"rule": "acme/from-the-future"}),
		line(1, map[string]any{"rule": "acme/mended", "remedy": true}),
		line(1, map[string]any{"region": "eu", "list": []any{map[string]any{"a": []int{1}}}}),
	}
	all := append(stay[:3:3], line(8, map[string]any{"rule": "acme/old"}))
	require.NoError(t, os.WriteFile(file, []byte(`{"version":2,"key":"k","lessons":[`+
		strings.Join(all, ",")+`]}`), 0o600))
	for range 2 {
		s.refusals.Store(0)
		ask, learned := sharing(t, s, file)
		require.NotContains(t, fmt.Sprint(learned.Profiles()), "acme/")
		ask("acme")
		ask("acme")
		require.NoError(t, learned.Err())
		data, err = os.ReadFile(file)
		require.NoError(t, err)
		var got struct{ Lessons []json.RawMessage }
		require.NoError(t, json.Unmarshal(data, &got))
		require.Len(t, got.Lessons, 4)
		for k, want := range stay {
			require.JSONEq(t, want, string(got.Lessons[k+1]))
		}
	}
}

// TestLearnedCutOff: a file whose end a crash has lost has the lessons before, wherever it was cut,
// and is whole again when the next lesson is learned.
func TestLearnedCutOff(t *testing.T) {
	file := filepath.Join(t.TempDir(), "learned.json")
	s := startAlternating(t)
	ask, running := sharing(t, s, file)
	for _, model := range []string{"a", "b }", "c"} {
		ask(model)
	}
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	for n := range whole {
		end := strings.Repeat("\x00", n%2)
		require.NoError(t, os.WriteFile(file, []byte(string(whole[:n])+end), 0o600))
		require.Len(t, models(t, file), strings.Count(string(whole[:n]), "\n    }"), n)
	}
	require.NoError(t, os.Truncate(file, int64(len(whole)/2)))
	require.NoError(t, running.Err())
	ask("d")
	require.Equal(t, []string{"a", "b }", "c", "d"}, models(t, file))
}
