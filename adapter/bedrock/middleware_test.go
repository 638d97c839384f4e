package preflightbedrock_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/go-preflight/preflight"
	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// reports collects what a middleware reports.
type reports []*preflighthttp.Report

func (r *reports) add(_ context.Context, report *preflighthttp.Report) { *r = append(*r, report) }

// with are the options of a client whose requests a transport's policies repair.
func with(transport *preflighthttp.Transport) func(*bedrockruntime.Options) {
	return bedrockruntime.WithAPIOptions(preflightbedrock.Middleware(transport))
}

func TestMiddleware(t *testing.T) {
	ctx := context.Background()
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			s := newSession(t, c.replies...)
			c.breaks(s)
			before := len(s.server.Requests())
			was := asJSON(t, s.input.Messages)
			_, err := s.client.Converse(ctx, s.input)
			requireRefused(t, err, c.refusal)

			var told reports
			client := newClient(s.server.URL, with(&preflighthttp.Transport{Report: told.add}))
			if _, err := client.Converse(ctx, s.input); err != nil {
				t.Fatalf("with preflight: %v", err)
			}
			requests := s.server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
			if len(told) != 1 || !told[0].Changed || told[0].Provider != "bedrock" ||
				told[0].Model != sonnet || !slices.Equal(clienttest.Codes(told[0].Warnings), c.codes) {
				t.Errorf("%+v", told)
			}
			want, err := wire.Sanitize(ctx, requests[0].Body,
				&wire.Options{Provider: "bedrock", Model: sonnet})
			if err != nil || string(want.Body) != string(requests[1].Body) {
				t.Errorf("%v\n got  %s\n want %s", err, requests[1].Body, want.Body)
			}
			if asJSON(t, s.input.Messages) != was {
				t.Error("the caller's input was written to")
			}

			// What is valid goes out as it would without.
			input, _, err := preflightbedrock.Input(ctx, s.input, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, client := range []*bedrockruntime.Client{s.client, client} {
				if _, err := client.Converse(ctx, input); err != nil {
					t.Fatal(err)
				}
			}
			requests = s.server.Requests()[before+2:]
			if string(requests[0].Body) != string(requests[1].Body) || told[1].Changed {
				t.Errorf("a valid request was changed\n was %s\n is  %s", requests[0].Body,
					requests[1].Body)
			}
		})
	}
}

// dangling is a history that has to be repaired.
var dangling = []types.Message{
	user(text("Build it.")), model(text("Building."), call("t1", long())), user(text("Stop.")),
}

func TestMiddlewareStreams(t *testing.T) {
	ctx := context.Background()
	server := preflighttest.New(t, "bedrock", nil)
	server.Script(preflighttest.Reply{Text: "Because."})
	input := &bedrockruntime.ConverseStreamInput{
		ModelId:    aws.String(sonnet),
		Messages:   dangling,
		ToolConfig: tools("run"),
	}
	_, err := receive(ctx, newClient(server.URL), input)
	requireRefused(t, err,
		"Expected toolResult blocks at messages.2.content for the following Ids: t1")
	var told reports
	answer, err := receive(ctx,
		newClient(server.URL, with(&preflighthttp.Transport{Report: told.add})), input)
	if err != nil || answer.Content[0].(*types.ContentBlockMemberText).Value != "Because." {
		t.Fatalf("with preflight: %v", err)
	}
	if len(told) != 1 ||
		!slices.Equal(clienttest.Codes(told[0].Warnings), []string{"dangling-removed"}) {
		t.Errorf("%+v", told)
	}
}

// TestInvokeModel: the bodies of Anthropic's API are repaired where the model says that they are,
// others by an Endpoint alone.
func TestInvokeModel(t *testing.T) {
	ctx := context.Background()
	claude := `{"anthropic_version":"bedrock-2023-05-31","max_tokens":1.0,` +
		`"messages":[{"role":"user","content":"a"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
		`"input":{"n":12345678901234567890}},{"type":"text","text":"t"}]},` +
		`{"role":"user","content":"b"}]}`
	repaired, err := wire.Sanitize(ctx, []byte(claude),
		&wire.Options{Provider: "anthropic", Model: sonnet})
	if err != nil || !repaired.Changed {
		t.Fatal(err)
	}
	tests := []struct {
		name, model, body, want string
		endpoints               []preflighthttp.Endpoint
		reported                bool
	}{
		{"Claude", sonnet, claude, string(repaired.Body), nil, true},
		{"a profile that does not say what it is",
			"arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/p", claude,
			claude, nil, false},
		{"the same with an endpoint",
			"arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/p", claude,
			string(repaired.Body),
			[]preflighthttp.Endpoint{{Path: "/model/{model}/invoke", Provider: "anthropic"}}, true},
		{"Claude, skipped", sonnet, claude, claude,
			[]preflighthttp.Endpoint{{Path: "/model/{model}/invoke", Provider: preflighthttp.Skip}},
			false},
		{"another model", "amazon.titan-embed-text-v2:0", `{"inputText":"a"}`, `{"inputText":"a"}`,
			nil, false},
		{"Claude's name and another body", sonnet, `{"prompt":"\n\nHuman: a\n\nAssistant:"}`,
			`{"prompt":"\n\nHuman: a\n\nAssistant:"}`, nil, true},
		{"no JSON", sonnet, `{"messages":`, `{"messages":`, nil, true},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			server := newReceived(t)
			var told reports
			client := newClient(server.URL,
				with(&preflighthttp.Transport{Endpoints: c.endpoints, Report: told.add}))
			if _, err := client.InvokeModel(ctx,
				&bedrockruntime.InvokeModelInput{ModelId: aws.String(c.model), Body: []byte(c.body),
					ContentType: aws.String("application/json")}); err !=
				nil {
				t.Fatal(err)
			}
			if string(server.bodies[0]) != c.want {
				t.Errorf("\n got  %s\n want %s", server.bodies[0], c.want)
			}
			if got := server.requests[0].Header.Get("Authorization"); got !=
				signature(t, server.requests[0], []byte(c.want)) {
				t.Error("the signature is not that of the body")
			}
			if len(told) > 0 != c.reported {
				t.Errorf("%+v", told)
			}
		})
	}
}

// TestOtherOperations pass untouched, whatever is in them.
func TestOtherOperations(t *testing.T) {
	server := newReceived(t)
	var told reports
	client := newClient(server.URL, with(&preflighthttp.Transport{Report: told.add}))
	_, err := client.CountTokens(context.Background(), &bedrockruntime.CountTokensInput{
		ModelId: aws.String(sonnet),
		Input: &types.CountTokensInputMemberConverse{
			Value: types.ConverseTokensRequest{Messages: dangling},
		},
	})
	if err != nil || len(told) > 0 {
		t.Errorf("%v %+v", err, told)
	}
	var sent struct {
		Input struct {
			Converse struct{ Messages json.RawMessage }
		}
	}
	if err := json.Unmarshal(server.bodies[0], &sent); err != nil ||
		string(sent.Input.Converse.Messages) != asJSON(t, dangling) {
		t.Errorf("%v %s", err, server.bodies[0])
	}
	if _, err := client.ListAsyncInvokes(context.Background(), nil); err != nil { // has no body
		t.Error(err)
	}
}

// TestPolicies: the transport's policies hold.
func TestPolicies(t *testing.T) {
	ctx := context.Background()
	broke := errors.New("broke")
	failing := preflight.Options{
		Hooks: []preflight.Hook{
			{
				Name: "h",
				Message: func(context.Context, preflight.Message) (preflight.Message, error) {
					return preflight.Message{}, broke
				},
			},
		},
	}
	unfixable := []types.Message{}
	tests := []struct {
		name      string
		transport *preflighthttp.Transport
		messages  []types.Message
		sent      bool // as it was
		err       error
	}{
		{"a dry run", &preflighthttp.Transport{DryRun: true}, dangling, true, nil},
		{"too large", &preflighthttp.Transport{MaxBody: 10}, dangling, true, nil},
		{"a history that cannot be repaired", &preflighthttp.Transport{}, unfixable, true, nil},
		{"the same, refused", &preflighthttp.Transport{Unfixable: preflighthttp.Fail}, unfixable,
			false, preflight.ErrEmptyHistory},
		{"a hook that fails", &preflighthttp.Transport{Options: failing}, dangling, false, broke},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			input := &bedrockruntime.ConverseInput{
				ModelId:    aws.String(sonnet),
				Messages:   c.messages,
				ToolConfig: tools("run"),
			}
			plain, server := newReceived(t), newReceived(t)
			if _, err := newClient(plain.URL).Converse(ctx, input); err != nil {
				t.Fatal(err)
			}
			_, err := newClient(server.URL, with(c.transport)).Converse(ctx, input)
			if !errors.Is(err, c.err) {
				t.Fatal(err)
			}
			if c.sent !=
				(len(server.bodies) == 1 && bytes.Equal(server.bodies[0], plain.bodies[0])) {
				t.Errorf("%s", server.bodies)
			}
		})
	}
}

// build runs a middleware on a request whose body an earlier step of Build makes, and gives the
// request that goes on.
func build(t *testing.T, body io.Reader) *smithyhttp.Request {
	t.Helper()
	out, err := buildWith(new(preflighthttp.Transport), body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// buildWith is build with a transport, or its error.
func buildWith(
	transport *preflighthttp.Transport, body io.Reader,
) (out *smithyhttp.Request, err error) {
	stack := middleware.NewStack("Converse", smithyhttp.NewStackRequest)
	earlier := middleware.BuildMiddlewareFunc("Earlier",
		func(
			ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler,
		) (middleware.BuildOutput, middleware.Metadata, error) {
			request, err := in.Request.(*smithyhttp.Request).SetStream(body)
			if err != nil {
				return middleware.BuildOutput{}, middleware.Metadata{}, err
			}
			request.Method, request.URL.Path = http.MethodPost, "/model/"+sonnet+"/converse"
			in.Request = request
			return next.HandleBuild(ctx, in)
		})
	if err := stack.Build.Add(earlier, middleware.After); err != nil {
		return nil, err
	}
	if err := preflightbedrock.Middleware(transport)(stack); err != nil {
		return nil, err
	}
	last := middleware.HandlerFunc(
		func(_ context.Context, request any) (any, middleware.Metadata, error) {
			out = request.(*smithyhttp.Request)
			return nil, middleware.Metadata{}, nil
		})
	_, _, err = stack.HandleMiddleware(context.Background(), nil, last)
	return out, err
}

// TestPlace: what earlier steps of Build have made is repaired, and a body that can be read only
// once is not read.
func TestPlace(t *testing.T) {
	body := `{"messages":[{"role":"user","content":[{"text":"a"},{"text":""}]}]}`
	request := build(t, strings.NewReader(body))
	sent, err := io.ReadAll(request.GetStream())
	if want := `{"messages":[{"role":"user","content":[{"text":"a"}]}]}`; err != nil ||
		string(sent) != want || request.ContentLength != int64(len(want)) {
		t.Errorf("%v, %d bytes: %s", err, request.ContentLength, sent)
	}
	once := bytes.NewBufferString(body)
	if request := build(t, once); request.GetStream() != once || once.String() != body {
		t.Errorf("%s", once)
	}
	transport := &preflighthttp.Transport{Options: preflight.Options{Untrusted: true}}
	if request, err := buildWith(transport, once); request != nil ||
		!errors.Is(err, preflighthttp.ErrHooksNotRun) {
		t.Errorf("%v, %v", request, err)
	}
}

// TestMiddlewareReturnsNames: the calls of an answer have the name that the caller's tool has,
// although the service knows it by another.
func TestMiddlewareReturnsNames(t *testing.T) {
	const declared = "docs.search"
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = string(regexp.MustCompile(`docs_search_[0-9a-f]+`).Find(body))
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"output":{"message":{"role":"assistant","content":[{"toolUse":`+
			`{"toolUseId":"t","name":"`+sent+`","input":{}}}]}},"stopReason":"tool_use",`+
			`"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}`)
	}))
	defer server.Close()
	out, err := newClient(server.URL, with(nil)).Converse(context.Background(),
		&bedrockruntime.ConverseInput{
			ModelId:  aws.String("anthropic.claude-sonnet-4-5-20250929-v1:0"),
			Messages: []types.Message{user(text("q"))},
			ToolConfig: &types.ToolConfiguration{Tools: []types.Tool{
				&types.ToolMemberToolSpec{Value: types.ToolSpecification{
					Name: aws.String(declared),
					InputSchema: &types.ToolInputSchemaMemberJson{
						Value: document.NewLazyDocument(map[string]any{"type": "object"}),
					},
				}},
			}},
		})
	if err != nil || sent == "" {
		t.Fatal(sent, err)
	}
	message := out.Output.(*types.ConverseOutputMemberMessage).Value
	if got := *message.Content[0].(*types.ContentBlockMemberToolUse).Value.Name; got != declared {
		t.Errorf("the call is of %q", got)
	}
}
