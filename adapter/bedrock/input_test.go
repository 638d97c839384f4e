package preflightbedrock_test

import (
	"context"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"

	"github.com/go-preflight/preflight/adapter"
	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

const sonnet = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"

// tools declares a tool by name.
func tools(names ...string) *types.ToolConfiguration {
	config := &types.ToolConfiguration{}
	for _, name := range names {
		config.Tools = append(config.Tools, &types.ToolMemberToolSpec{
			Value: types.ToolSpecification{
				Name: aws.String(name),
				InputSchema: &types.ToolInputSchemaMemberJson{
					Value: document.NewLazyDocument(map[string]any{
						"type":    "object",
						"maximum": smithydocument.Number("12345678901234567890"),
					}),
				},
			},
		})
	}
	config.Tools = append(config.Tools, &types.ToolMemberCachePoint{
		Value: types.CachePointBlock{Type: types.CachePointTypeDefault},
	})
	return config
}

func TestInput(t *testing.T) {
	ctx := context.Background()
	clean := []types.Message{user(text("a"))}
	system := []types.SystemContentBlock{
		&types.SystemContentBlockMemberText{Value: "Be brief."},
		&types.SystemContentBlockMemberCachePoint{
			Value: types.CachePointBlock{Type: types.CachePointTypeDefault},
		},
	}

	t.Run("nothing to do", func(t *testing.T) {
		input := &bedrockruntime.ConverseInput{
			ModelId:    aws.String(sonnet),
			Messages:   clean,
			System:     system,
			ToolConfig: tools("run"),
		}
		same, warnings, err := preflightbedrock.Input(ctx, input, nil)
		if err != nil || len(warnings) > 0 || same != input {
			t.Error(warnings, err)
		}
	})
	t.Run("a name that the service refuses", func(t *testing.T) {
		input := &bedrockruntime.ConverseInput{
			ModelId:         aws.String(sonnet),
			Messages:        clean,
			System:          system,
			ToolConfig:      tools("a tool"),
			InferenceConfig: &types.InferenceConfiguration{Temperature: aws.Float32(0.5)},
		}
		was := input.ToolConfig
		out, warnings, err := preflightbedrock.Input(ctx, input, nil)
		if err != nil || len(warnings) != 1 {
			t.Fatal(warnings, err)
		}
		spec := out.ToolConfig.Tools[0].(*types.ToolMemberToolSpec).Value
		schema, _ := spec.InputSchema.(*types.ToolInputSchemaMemberJson).Value.MarshalSmithyDocument()
		if *spec.Name == "a tool" ||
			!adapter.Equal(schema, []byte(`{"type":"object","maximum":12345678901234567890}`)) ||
			len(out.ToolConfig.Tools) != 2 {
			t.Errorf("%s %s", *spec.Name, schema)
		}
		if !sameMessage(out.Messages[0], clean[0]) || &out.System[0] != &system[0] ||
			out.InferenceConfig != input.InferenceConfig || out.ModelId != input.ModelId {
			t.Error("what did not change is not the caller's own")
		}
		if input.ToolConfig != was ||
			*was.Tools[0].(*types.ToolMemberToolSpec).Value.Name != "a tool" {
			t.Error("the caller's input was written to")
		}
	})
	t.Run("a leading system message", func(t *testing.T) {
		input := &bedrockruntime.ConverseInput{
			ModelId: aws.String(sonnet),
			Messages: append(
				[]types.Message{{Role: "system", Content: []types.ContentBlock{text("Be brief.")}}},
				clean...),
		}
		out, _, err := preflightbedrock.Input(ctx, input, nil)
		if err != nil || len(out.Messages) != 1 || !sameMessage(out.Messages[0], clean[0]) ||
			len(out.System) != 1 ||
			out.System[0].(*types.SystemContentBlockMemberText).Value != "Be brief." {
			t.Errorf("%v %+v", err, out)
		}
	})
	t.Run("blocks of tools without tools", func(t *testing.T) {
		input := &bedrockruntime.ConverseStreamInput{
			ModelId: aws.String(sonnet),
			Messages: []types.Message{
				user(text("a")), model(call("t1", nil)), user(result("t1", "ok")),
			},
			InferenceConfig: &types.InferenceConfiguration{Temperature: aws.Float32(0.5)},
		}
		out, warnings, err := preflightbedrock.StreamInput(ctx, input, nil)
		if err != nil || len(warnings) == 0 || out.ToolConfig == nil ||
			*out.ToolConfig.Tools[0].(*types.ToolMemberToolSpec).Value.Name != "run" {
			t.Fatal(warnings, err)
		}
		if out.InferenceConfig != input.InferenceConfig || input.ToolConfig != nil ||
			!sameMessage(out.Messages[0], input.Messages[0]) {
			t.Error("what did not change is not the caller's own")
		}
		again, warnings, err := preflightbedrock.StreamInput(ctx, out, nil)
		if err != nil || len(warnings) > 0 || again != out {
			t.Errorf("what came out is repaired again: %v %v", warnings, err)
		}
	})
	t.Run("thinking that cannot go on", func(t *testing.T) {
		fields := document.NewLazyDocument(map[string]any{
			"thinking": map[string]any{"type": "enabled", "budget_tokens": 1024},
			"top_k":    smithydocument.Number("12345678901234567890"),
		})
		input := &bedrockruntime.ConverseInput{
			ModelId:                      aws.String(sonnet),
			AdditionalModelRequestFields: fields,
			ToolConfig:                   tools("run"),
			Messages: []types.Message{
				user(text("a")), model(call("t1", long())), user(result("t1", "ok")),
			},
		}
		out, warnings, err := preflightbedrock.Input(ctx, input, nil)
		if err != nil || len(warnings) != 1 {
			t.Fatal(warnings, err)
		}
		raw, err := out.AdditionalModelRequestFields.MarshalSmithyDocument()
		if err != nil ||
			!adapter.Equal(raw,
				[]byte(`{"thinking":{"type":"disabled"},"top_k":12345678901234567890}`)) {
			t.Errorf("%s %v", raw, err)
		}
		if &out.Messages[0] != &input.Messages[0] || out.ToolConfig != input.ToolConfig {
			t.Error("what did not change is not the caller's own")
		}
	})
	t.Run("the model counts, and options go before it", func(t *testing.T) {
		failed := user(&types.ContentBlockMemberToolResult{
			Value: types.ToolResultBlock{
				ToolUseId: aws.String("t1"),
				Status:    types.ToolResultStatusSuccess,
				Content: []types.ToolResultContentBlock{
					&types.ToolResultContentBlockMemberText{Value: "ok"},
				},
			},
		})
		input := &bedrockruntime.ConverseInput{
			ModelId:    aws.String("us.writer.palmyra-x4-v1:0"),
			ToolConfig: &types.ToolConfiguration{Tools: tools("run").Tools[:1]},
			Messages:   []types.Message{user(text("a")), model(call("t1", long())), failed},
		}
		_, warnings, err := preflightbedrock.Input(ctx, input, nil)
		if err != nil || !slices.Equal(clienttest.Codes(warnings), []string{"field-removed"}) {
			t.Error(warnings, err) // not every model takes the status
		}
		if _, warnings, err = preflightbedrock.Input(ctx, input,
			&wire.Options{Model: sonnet}); err !=
			nil || len(warnings) > 0 {
			t.Error(warnings, err)
		}
	})
}
