//go:build sdk

package drift

// The SDKs, whose sources the test reads. Nothing is compiled: that takes minutes, and the names
// are all that is needed.
import (
	_ "github.com/anthropics/anthropic-sdk-go"
	_ "github.com/anthropics/anthropic-sdk-go/v2"
	_ "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	_ "github.com/cohere-ai/cohere-go/v2"
	_ "github.com/ollama/ollama/api"
	_ "github.com/openai/openai-go/v3"
	_ "google.golang.org/genai"
)
