package preflightbedrock_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"

	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file drives the SDK's own client against a strict fake of the service, through the ways in
// which sessions break.

// newClient is a client of the fake that signs what it sends.
func newClient(url string, options ...func(*bedrockruntime.Options)) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		BaseEndpoint: aws.String(url), Region: "us-east-1", RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(
			func(context.Context) (aws.Credentials, error) { return credentials, nil }),
	}, options...)
}

var credentials = aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret"}

// session is a conversation with the fake.
type session struct {
	t      *testing.T
	server *preflighttest.Server
	client *bedrockruntime.Client
	input  *bedrockruntime.ConverseInput
}

func newSession(t *testing.T, replies ...preflighttest.Reply) *session {
	server := preflighttest.New(t, "bedrock", nil)
	server.Script(replies...)
	return &session{
		t:      t,
		server: server,
		client: newClient(server.URL),
		input: &bedrockruntime.ConverseInput{
			ModelId: aws.String(sonnet),
			System: []types.SystemContentBlock{
				&types.SystemContentBlockMemberText{Value: "You are terse."},
				&types.SystemContentBlockMemberCachePoint{
					Value: types.CachePointBlock{Type: types.CachePointTypeDefault},
				}},
			ToolConfig:      tools("run"),
			InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(4096)},
			AdditionalModelRequestFields: document.NewLazyDocument(map[string]any{
				"thinking": map[string]any{"type": "enabled", "budget_tokens": 1024},
				"top_k":    smithydocument.Number("12345678901234567890")}),
		},
	}
}

// say appends what the user says.
func (s *session) say(blocks ...types.ContentBlock) {
	s.input.Messages = append(s.input.Messages, user(blocks...))
}

// ask sends the conversation as it is and appends the answer, as an agent does.
func (s *session) ask() {
	s.t.Helper()
	answer, err := s.client.Converse(context.Background(), s.input)
	if err != nil {
		s.t.Fatal(err)
	}
	s.input.Messages = append(s.input.Messages,
		answer.Output.(*types.ConverseOutputMemberMessage).Value)
}

// asked is the id of the last call of the conversation.
func (s *session) asked() string {
	s.t.Helper()
	for _, b := range s.input.Messages[len(s.input.Messages)-1].Content {
		if c, ok := b.(*types.ContentBlockMemberToolUse); ok {
			return *c.Value.ToolUseId
		}
	}
	s.t.Fatal("there is no call to answer")
	return ""
}

// stored is the conversation after a while in a file.
func (s *session) stored() []types.Message {
	s.t.Helper()
	file, err := preflightbedrock.Marshal(s.input.Messages)
	if err != nil {
		s.t.Fatal(err)
	}
	messages, err := preflightbedrock.Unmarshal(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return messages
}

var reply = preflighttest.Reply{
	Reasoning: "Let me look.",
	Redacted:  true,
	Text:      "Looking.",
	Calls: []preflighttest.Call{
		{Name: "run", Arguments: `{"command":"a <b> & c","size":12345678901234567890}`},
	},
}

// broken are the ways in which sessions break.
var broken = []struct {
	name    string
	replies []preflighttest.Reply
	breaks  func(s *session)
	refusal string      // the service's words, without preflight
	codes   []string    // what preflight says it did
	kept    map[int]int // messages of the refused request that arrive byte for byte, and where
}{
	{
		name:    "a tool call is aborted and the user goes on",
		replies: []preflighttest.Reply{reply},
		breaks: func(s *session) {
			s.say(text("Build it."))
			s.ask()
			s.say(text("Stop. What is <main> & why?"))
		},
		refusal: "Expected toolResult blocks at messages.2.content for the following Ids",
		codes:   []string{"dangling-answered"},
		kept:    map[int]int{0: 0, 1: 1},
	},
	{
		name:    "the window is trimmed between a call and its result",
		replies: []preflighttest.Reply{reply, {Text: "Built."}},
		breaks: func(s *session) {
			s.say(text("Build it."))
			s.ask()
			s.say(result(s.asked(), "ok"))
			s.ask()
			s.say(text("Thanks. Again?"))
			s.input.Messages = s.input.Messages[2:]
		},
		refusal: "exceeds the number of toolUse blocks of previous turn",
		codes:   []string{"orphan-removed"},
		kept:    map[int]int{1: 0, 2: 1},
	},
	{
		name:    "a session that died in mid-turn is resumed from a file",
		replies: []preflighttest.Reply{reply},
		breaks: func(s *session) {
			s.say(text("Build it."), &types.ContentBlockMemberCachePoint{
				Value: types.CachePointBlock{Type: types.CachePointTypeDefault},
			})
			s.ask()
			s.input.Messages = s.stored()
			s.say(text("Where were we?"))
		},
		refusal: "Expected toolResult blocks at messages.2.content for the following Ids",
		codes:   []string{"dangling-answered"},
		kept:    map[int]int{0: 0, 1: 1},
	},
}

// requireRefused checks that err is the service's refusal.
func requireRefused(t *testing.T, err error, words string) {
	t.Helper()
	var refused *types.ValidationException
	if !errors.As(err, &refused) || !strings.Contains(refused.ErrorMessage(), words) {
		t.Fatalf("without preflight: %v", err)
	}
}

func TestBrokenSessions(t *testing.T) {
	ctx := context.Background()
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			s := newSession(t, c.replies...)
			c.breaks(s)
			before := len(s.server.Requests())

			_, err := s.client.Converse(ctx, s.input)
			requireRefused(t, err, c.refusal)
			input, warnings, err := preflightbedrock.Input(ctx, s.input, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("warnings %v, want %v", got, c.codes)
			}
			if _, err = s.client.Converse(ctx, input); err != nil {
				t.Fatalf("with preflight: %v", err)
			}
			requests := s.server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
			again, warnings, err := preflightbedrock.Input(ctx, input, nil)
			if err != nil || len(warnings) > 0 || again != input {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}

// TestRequiredFields: the client refuses an input in which a required field is nil, before a
// middleware sees a body of it.
func TestRequiredFields(t *testing.T) {
	ctx := context.Background()
	s := newSession(t, preflighttest.Reply{Text: "Built."})
	s.input.AdditionalModelRequestFields = nil
	s.input.Messages = []types.Message{
		user(text("Build it.")), model(call("t1", nil)), user(result("t1", "ok")),
	}
	for _, client := range []*bedrockruntime.Client{
		s.client,
		newClient(s.server.URL, with(new(preflighthttp.Transport))),
	} {
		if _, err := client.Converse(ctx, s.input); err == nil ||
			!strings.Contains(err.Error(),
				"missing required field, ConverseInput.Messages[1].Content[0]") {
			t.Error(err)
		}
	}
	input, _, err := preflightbedrock.Input(ctx, s.input, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.Converse(ctx, input); err != nil {
		t.Errorf("with preflight: %v", err)
	}
}

// TestUnknownBlockInAnswer: in place of a block that it does not know, the SDK repeats the block
// before it. After a call that is a second call with the same id, which the service refuses.
func TestUnknownBlockInAnswer(t *testing.T) {
	const answer = `{"role":"assistant","content":[{"text":"Looking."},` +
		`{"toolUse":{"toolUseId":"t1","name":"run","input":{}}},{"newBlock":{"n":1}}]}`
	var received types.Message
	if err := receiveBody([]byte(answer), &received); err != nil {
		t.Fatal(err)
	}
	if len(received.Content) != 3 || received.Content[1] != received.Content[2] {
		t.Fatalf("the SDK has received %s", asJSON(t, []types.Message{received}))
	}
	ctx := context.Background()
	s := newSession(t, preflighttest.Reply{Text: "Built."})
	s.input.AdditionalModelRequestFields = nil
	s.input.Messages = []types.Message{user(text("Build it.")), received, user(result("t1", "ok"))}
	_, err := s.client.Converse(ctx, s.input)
	requireRefused(t, err, "duplicate Ids: t1")
	input, _, err := preflightbedrock.Input(ctx, s.input, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.Converse(ctx, input); err != nil {
		t.Errorf("with preflight: %v", err)
	}
	if got := input.Messages[1].Content; len(got) != 2 || got[0] != received.Content[0] ||
		got[1] != received.Content[1] {
		t.Errorf("%s", asJSON(t, input.Messages))
	}
}
