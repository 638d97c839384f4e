package remedy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

const chatPath = "/v1/chat/completions"

// alternating is a server that refuses consecutive messages of one role, as many chat templates do,
// and counts the refusals. While it is lenient it accepts all.
type alternating struct {
	*recorder
	refusals atomic.Int64
	lenient  atomic.Bool
}

func startAlternating(t *testing.T) *alternating {
	s := &alternating{recorder: new(recorder)}
	s.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
		var request struct {
			Messages []struct{ Role string }
		}
		_ = json.Unmarshal([]byte(body), &request)
		for k, m := range request.Messages {
			if k > 0 && m.Role == request.Messages[k-1].Role && !s.lenient.Load() {
				s.refusals.Add(1)
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, `{"error":{"message":"Conversation roles must alternate `+
					`user/assistant/user/assistant/...","type":"BadRequestError","code":400}}`)
				return
			}
		}
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"ok"}}]}`)
	}
	return s
}

func twiceUser(model string) string {
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"a"},`+
		`{"role":"user","content":"b"}]}`, model)
}

func learning(s http.RoundTripper) (*preflighthttp.Transport, *reports) {
	transport, all := to(s)
	transport.Endpoints = []preflighthttp.Endpoint{{Provider: "openai-compatible"}}
	transport.Learned = new(remedy.Learned)
	return transport, all
}

// TestLearned: a restriction that nothing tells of costs one refusal, and one for each hundred
// requests, by which it is found out whether it still is one.
func TestLearned(t *testing.T) {
	s := startAlternating(t)
	transport, all := learning(s)
	for range 1000 {
		status, _ := do(t, transport, post(t, address+chatPath, twiceUser("acme")))
		require.Equal(t, http.StatusOK, status)
	}
	require.EqualValues(t, 10, s.refusals.Load())
	got := all.all
	require.Len(t, got, 1010)
	require.Empty(t, got[0].Learned)
	require.Equal(t, []string{"chat-template/alternation"}, got[1].Learned, "of the resending")
	for _, r := range got[2:101] {
		require.Equal(t, []string{"chat-template/alternation"}, r.Learned)
		require.True(t, r.Changed)
	}
	require.False(t, got[101].Changed, "it is tried without")
	require.Equal(t, 200, got[102].Status)
	known := transport.Learned.Profiles()
	require.Len(t, known, 1)
	require.Equal(t, host, known[0].Against)
	require.Equal(t, "acme", known[0].Model)
	require.Equal(t, []string{"chat-template/alternation"}, known[0].Enforced)

	// a request that does not break it is left alone
	valid := `{"model":"acme","messages":[{"role":"user","content":"a"}]}`
	do(t, transport, post(t, address+chatPath, valid))
	last := all.all
	require.Empty(t, last[len(last)-1].Learned)
	require.False(t, last[len(last)-1].Changed)
	// another model has to be asked
	do(t, transport, post(t, address+chatPath, twiceUser("other")))
	require.EqualValues(t, 11, s.refusals.Load())
}

// TestLearnedConcurrent: many requests at once learn the same.
func TestLearnedConcurrent(t *testing.T) {
	s := startAlternating(t)
	transport, _ := learning(s)
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				req, err := http.NewRequest("POST", address+chatPath,
					strings.NewReader(twiceUser("acme")))
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := transport.RoundTrip(req)
				if err != nil || resp.StatusCode != http.StatusOK {
					t.Error(err, resp)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		}()
	}
	all.Wait()
	require.LessOrEqual(t, s.refusals.Load(), int64(10),
		"one for each that was under way, and trials")
	require.Len(t, transport.Learned.Profiles(), 1)
}

// TestUnlearned: a request that breaks a learned rule and is accepted contradicts it.
func TestUnlearned(t *testing.T) {
	s := startAlternating(t)
	transport, _ := learning(s)
	do(t, transport, post(t, address+chatPath, twiceUser("acme")))
	require.Len(t, transport.Learned.Profiles(), 1)
	s.lenient.Store(true)
	watching := *transport
	watching.DryRun = true
	valid := `{"model":"acme","messages":[{"role":"user","content":"a"}]}`
	do(t, &watching, post(t, address+chatPath, valid))
	require.Len(t, transport.Learned.Profiles(), 1, "that request says nothing about the rule")
	do(t, &watching, post(t, address+chatPath, twiceUser("acme")))
	require.Empty(t, transport.Learned.Profiles())
}

// TestLearnedNothing: what only the provider can tell, a refusal that no remedy answers, and a
// Transport without a Learned teach nothing.
func TestLearnedNothing(t *testing.T) {
	transport, all, _ := resending(400, refusal(bound), thoughtless)
	transport.Learned = new(remedy.Learned)
	for range 2 {
		status, _ := do(t, transport, post(t, address+path, thought))
		require.Equal(t, http.StatusOK, status)
	}
	require.Empty(t, transport.Learned.Profiles())
	require.Len(t, all.all, 4, "the refusal is about one history, so each is resent")

	s := startAlternating(t)
	transport, _ = learning(s)
	transport.Learned = nil
	for range 3 {
		do(t, transport, post(t, address+chatPath, twiceUser("acme")))
	}
	require.EqualValues(t, 3, s.refusals.Load())
}

// TestOpenLearned: what was learned survives a restart, and a file that is no such file is an
// error.
func TestOpenLearned(t *testing.T) {
	file := filepath.Join(t.TempDir(), "learned.json")
	s := startAlternating(t)
	for range 2 {
		transport, _ := learning(s)
		learned, err := remedy.Open(file)
		require.NoError(t, err)
		transport.Learned = learned
		status, _ := do(t, transport, post(t, address+chatPath, twiceUser("acme")))
		require.Equal(t, http.StatusOK, status)
		require.NoError(t, learned.Err())
	}
	require.EqualValues(t, 1, s.refusals.Load())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(data), `"content"`)

	old := bytes.ReplaceAll(data, []byte(`"learned": "20`), []byte(`"learned": "19`))
	require.NoError(t, os.WriteFile(file, old, 0o600))
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	require.Empty(t, learned.Profiles(), "it is older than a week")

	for _, wrong := range []string{
		"[]", "[", `{"version":3}`, `{"version":3`, `{"routes":[]}`, "listen = 80",
		`{"version":2,"lessons":[7]}`,
		`{"version":2,"lessons":[{"rule":"chat-template/alternation","learned":"2999-01-01"}]}`,
		`{"version":2,"lessons":[{"rule":"chat-template/alternation",` +
			`"learned":"2999-01-01T00:00:00Z"}]}`,
	} {
		require.NoError(t, os.WriteFile(file, []byte(wrong), 0o600))
		learned, err := remedy.Open(file)
		require.Error(t, err, wrong)
		require.Error(t, learned.Err())
		// it learns all the same, and leaves the file alone
		transport, _ := learning(s)
		transport.Learned = learned
		for range 2 {
			do(t, transport, post(t, address+chatPath, twiceUser("acme")))
		}
		require.Len(t, learned.Profiles(), 1)
		left, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, wrong, string(left))
	}
	require.NoError(t, os.WriteFile(file, []byte(`{"version":1,"profiles":[]}`), 0o600))
	learned, err = remedy.Open(file)
	require.NoError(t, err, "what the first version wrote holds for nobody")
	require.Empty(t, learned.Profiles())
	_, err = remedy.Open(t.TempDir())
	require.Error(t, err)

	broken, err := remedy.Open(filepath.Join(t.TempDir(), "no", "learned.json"))
	require.NoError(t, err)
	transport, _ := learning(s)
	transport.Learned = broken
	status, _ := do(t, transport, post(t, address+chatPath, twiceUser("acme")))
	require.Equal(t, http.StatusOK, status)
	require.Error(t, broken.Err())
}

// TestLearnedRetry: a file that could not be written is written when a lesson is used later.
func TestLearnedRetry(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "no")
	file := filepath.Join(folder, "learned.json")
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	now := time.Now()
	remedy.SetClock(learned, func() time.Time { return now })
	transport, _ := learning(startAlternating(t))
	transport.Learned = learned
	learnedAt := now.UTC().Format(time.RFC3339Nano)
	ask := func() {
		status, _ := do(t, transport, post(t, address+chatPath, twiceUser("a<&>b")))
		require.Equal(t, http.StatusOK, status)
	}
	ask()
	require.Error(t, learned.Err())
	require.NoError(t, os.Mkdir(folder, 0o700))
	ask()
	require.Error(t, learned.Err(), "a broken disk does not hold up each request")
	now = now.Add(2 * time.Minute)
	ask()
	require.NoError(t, learned.Err())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(data), `"a<&>b"`, "people can read it")
	require.Contains(t, string(data), learnedAt, "as exact as in memory")
}

// TestLearnedBounds: of more requests than are remembered the oldest is forgotten, and so is the
// oldest of more rules of one than are remembered.
func TestLearnedBounds(t *testing.T) {
	open := func(lessons []map[string]any) []provider.Measured {
		data, err := json.Marshal(map[string]any{"version": 2, "lessons": lessons})
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "learned.json")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		learned, err := remedy.Open(file)
		require.NoError(t, err)
		return learned.Profiles()
	}
	lesson := func(host, rule string, age int) map[string]any {
		zone := time.FixedZone("", age%2*5*60*60)
		at := time.Now().Add(-time.Duration(age+1) * time.Second).In(zone).Format(time.RFC3339)
		return map[string]any{"host": host, "provider": "openai-chat", "rule": rule, "learned": at}
	}
	var hosts, rules []map[string]any
	for k := range 600 {
		hosts = append(hosts, lesson(fmt.Sprintf("h%03d", k), "chat-template/alternation", k))
	}
	known := open(hosts)
	require.Len(t, known, 512)
	require.Equal(t, "h511", known[511].Against, "the others are older")
	for _, r := range rule.All() {
		if provider.CheckSwitch(r.ID) == nil {
			rules = append(rules, lesson("h", r.ID, len(rules)))
		}
	}
	var newest []string
	for _, l := range rules[:16] {
		newest = append(newest, l["rule"].(string))
	}
	require.Len(t, open(rules), 1)
	require.ElementsMatch(t, newest, open(rules)[0].Enforced)

	// what another process has learned takes its place among them
	file := filepath.Join(t.TempDir(), "learned.json")
	transport, _ := learning(startAlternating(t))
	var err error
	transport.Learned, err = remedy.Open(file)
	require.NoError(t, err)
	ask := func(model string) { do(t, transport, post(t, address+chatPath, twiceUser(model))) }
	ask("acme")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var written struct {
		Version int              `json:"version"`
		Key     string           `json:"key"`
		Lessons []map[string]any `json:"lessons"`
	}
	require.NoError(t, json.Unmarshal(data, &written))
	own := written.Lessons[0]
	for _, r := range rules[:16] {
		other := maps.Clone(own)
		other["rule"], other["learned"] = r["rule"], r["learned"]
		written.Lessons = append(written.Lessons, other)
	}
	data, err = json.Marshal(written)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, data, 0o600))
	ask("other")
	for _, p := range transport.Learned.Profiles() {
		require.Contains(t, p.Enforced, own["rule"], "it is the newest")
	}
}

// TestLearnedSlowDisk: while the file is written, which may take long, other requests are answered,
// and what they teach is written, too.
func TestLearnedSlowDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "learned.json")
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	writing, finish := make(chan bool, 9), make(chan bool)
	remedy.SlowDisk(learned, func() {
		writing <- true
		<-finish
	})
	s := startAlternating(t)
	transport, _ := learning(s)
	transport.Learned = learned
	ask := func(model string) chan int {
		answer := make(chan int, 1)
		go func() {
			status, _ := do(t, transport, post(t, address+chatPath, twiceUser(model)))
			answer <- status
		}()
		return answer
	}
	first := ask("acme")
	<-writing
	for _, model := range []string{"acme", "other", "other"} {
		select {
		case status := <-ask(model):
			require.Equal(t, http.StatusOK, status)
		case <-time.After(10 * time.Second):
			require.Fail(t, "a request waits for the disk")
		}
	}
	require.EqualValues(t, 2, s.refusals.Load())
	close(finish)
	require.Equal(t, http.StatusOK, <-first)
	again, err := remedy.Open(file)
	require.NoError(t, err)
	require.Len(t, again.Profiles(), 2)
}
