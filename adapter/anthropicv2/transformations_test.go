package preflightanthropicv2_test

import (
	"context"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
)

// TestTransformations: the SDK reads what a server says of thinking that it dropped, from a whole
// answer and from a stream, and so does the transport: the edit was the client's.
func TestTransformations(t *testing.T) {
	server := preflighttest.New(t, "anthropic", nil)
	server.Script(preflighttest.Reply{Reasoning: "hm", Text: "a"})
	var verdicts []*preflighthttp.Verdict
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"),
		option.WithMiddleware(preflightanthropicv2.Middleware(&preflighthttp.Transport{
			Verdict: func(_ context.Context, v *preflighthttp.Verdict) {
				verdicts = append(verdicts, v)
			},
		})))
	ask := func(text string) anthropic.BetaMessageParam {
		return anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(text))
	}
	params := anthropic.BetaMessageNewParams{
		Model: "claude-opus-5-5", MaxTokens: 64,
		Betas: []anthropic.AnthropicBeta{anthropic.AnthropicBetaThinkingBindingControls2026_08_01},
		Thinking: anthropic.BetaThinkingConfigParamUnion{
			OfAdaptive: &anthropic.BetaThinkingConfigAdaptiveParam{
				BlockBinding: anthropic.BetaThinkingBlockBindingParam{
					PrefixMismatchBehavior: anthropic.BetaThinkingPrefixMismatchBehaviorDropBlock,
				},
			},
		},
		Messages: []anthropic.BetaMessageParam{ask("q")},
	}
	first, err := client.Beta.Messages.New(context.Background(), params)
	if err != nil {
		t.Fatal(err)
	}
	params.Messages = []anthropic.BetaMessageParam{ask("another"), first.ToParam(), ask("r")}
	second, err := client.Beta.Messages.New(context.Background(), params)
	if err != nil {
		t.Fatal(err)
	}
	stream := client.Beta.Messages.NewStreaming(context.Background(), params)
	var streamed anthropic.BetaMessage
	for stream.Next() {
		if err := streamed.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if stream.Err() != nil {
		t.Fatal(stream.Err())
	}
	for _, answer := range []*anthropic.BetaMessage{second, &streamed} {
		if len(answer.InputTransformations) != 1 {
			t.Fatalf("%d transformations", len(answer.InputTransformations))
		}
		dropped, ok := answer.InputTransformations[0].AsAny().(anthropic.BetaThinkingDroppedInputTransformation)
		if !ok || dropped.Path != "messages.1.content.0" || dropped.Reason !=
			anthropic.BetaThinkingDroppedInputTransformationReasonPrefixBindingMismatch {
			t.Errorf("read %+v", answer.InputTransformations[0])
		}
	}
	if len(verdicts) != 3 || len(verdicts[2].Transformations) != 1 || verdicts[2].Ours() != 0 {
		t.Errorf("verdicts are %+v", verdicts)
	}
}
