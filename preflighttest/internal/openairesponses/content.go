package openairesponses

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
)

// Texts that are too long.

func itemStringMax(r *fake.Request, found fake.Found) {
	openai.LongStrings(r.Root["input"], "input", func(path string, length int) {
		found(path, "input[2].content[0].text", path, "14274669", fmt.Sprint(length))
	})
}
