package preflighttest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// The smallest possible client of each fake, written from the providers' documentation: enough to
// hold a conversation. Each provider's is in a file of its own.

type (
	object = map[string]any
	array  = []any
)

// dialect is how a client speaks with one provider.
type dialect struct {
	path   string
	stream string // the path of streamed answers, where it is another

	// read reads the events of a stream. It is nil for server-sent events.
	read func(r io.Reader) ([]sent, error)

	// start returns a request with one user message, and tools f and g.
	start func(text string) object

	// say adds a user message.
	say func(body object, text string)

	// keep adds the answer to the request, and returns the ids of the calls in
	// it, its text and its reasoning.
	keep func(body, answer object) said

	// result adds the result of a call.
	result func(body object, id, text string)

	// gather puts an answer together from the events of a stream.
	gather func(t *testing.T, events []sent) object
}

// said is what an answer holds.
type said struct {
	Reasoning, Text string
	Calls           []string // name and arguments
	ids             []string
}

// sent is an event of a stream.
type sent struct {
	name string
	data string
	json object // nil when the data is not an object
}

var dialects = map[string]dialect{
	"anthropic": {"/v1/messages", "", nil, anthropicStart, anthropicSay, anthropicKeep,
		anthropicResult, anthropicGather},
	"openai-chat": {"/v1/chat/completions", "", nil, chatStart, chatSay, chatKeep, chatResult,
		chatGather},
	"openai-responses": {"/v1/responses", "", nil, responsesStart, responsesSay, responsesKeep,
		responsesResult, responsesGather},
	"gemini": {"/v1beta/models/gemini-3-pro-preview:generateContent",
		"/v1beta/models/gemini-3-pro-preview:streamGenerateContent", nil, geminiStart, geminiSay,
		geminiKeep, geminiResult, geminiGather},
	"bedrock": {"/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse",
		"/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse-stream", readMessages,
		bedrockStart, bedrockSay, bedrockKeep, bedrockResult, bedrockGather},
	"mistral": {"/v1/chat/completions", "", nil, mistralStart, chatSay, mistralKeep, chatResult,
		mistralGather},
	"cohere": {"/v2/chat", "", nil, cohereStart, chatSay, cohereKeep, chatResult, cohereGather},
	"gemini-interactions": {"/v1beta/interactions", "", nil, interactionsStart, interactionsSay,
		interactionsKeep, interactionsResult, interactionsGather},
	"ollama": {"/api/chat", "", readLines, ollamaStart, chatSay, ollamaKeep, ollamaResult,
		ollamaGather},
}

// eachDialect runs the test for each provider that has a client here.
func eachDialect(t *testing.T, test func(t *testing.T, provider string, d dialect)) {
	for _, provider := range slices.Sorted(maps.Keys(dialects)) {
		t.Run(provider, func(t *testing.T) { test(t, provider, dialects[provider]) })
	}
}

// pathOf returns the path of answers that are streamed, or of those that are not.
func (d dialect) pathOf(stream bool) string {
	if stream && d.stream != "" {
		return d.stream
	}
	return d.path
}

// request returns the body of a request for a streamed answer, or for one
// that is not, where the body says so.
func (d dialect) request(body object, stream bool) string {
	if d.stream == "" {
		body = maps.Clone(body)
		body["stream"] = stream
	}
	return compact(body)
}

// events reads the events of a stream.
func (d dialect) events(r io.Reader) ([]sent, error) {
	if d.read != nil {
		return d.read(r)
	}
	return readEvents(r)
}

// post sends a request and returns the response, its body unread.
func (d dialect) post(
	t *testing.T,
	s *preflighttest.Server,
	body object,
	stream bool,
) *http.Response {
	t.Helper()
	resp, err := s.Client().Post(s.URL+d.pathOf(stream), "application/json",
		strings.NewReader(d.request(body, stream)))
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// ask sends a request that has to be accepted, and returns the answer.
func (d dialect) ask(t *testing.T, s *preflighttest.Server, body object, stream bool) object {
	t.Helper()
	resp := d.post(t, s, body, stream)
	if stream && resp.StatusCode == http.StatusOK {
		events, err := d.events(resp.Body)
		require.NoError(t, err)
		return d.gather(t, events)
	}
	var answer object
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Equal(t, http.StatusOK, resp.StatusCode, "%v", answer)
	return answer
}

// readEvents reads server-sent events until the end of the stream.
func readEvents(r io.Reader) (events []sent, err error) {
	var e sent
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		switch field, value, _ := strings.Cut(scanner.Text(), ": "); field {
		case "event":
			e.name = value
		case "data":
			e.data = value
			_ = json.Unmarshal([]byte(value), &e.json) // [DONE] is no JSON
		case "":
			events, e = append(events, e), sent{}
		default:
			return events, fmt.Errorf("line %q of an event stream", scanner.Text())
		}
	}
	return events, scanner.Err()
}

func obj(v any) object { o, _ := v.(map[string]any); return o }
func arr(v any) array  { a, _ := v.([]any); return a }
func str(v any) string { s, _ := v.(string); return s }

func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func add(body object, list string, v any) { body[list] = append(arr(body[list]), v) }

// decoded returns v as it comes out of a decoder.
func decoded(v object) (out object) {
	if err := json.Unmarshal([]byte(compact(v)), &out); err != nil {
		panic(err)
	}
	return out
}
