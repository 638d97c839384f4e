package preflighttest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/anthropic"
	"github.com/go-preflight/preflight/preflighttest/internal/bedrock"
	"github.com/go-preflight/preflight/preflighttest/internal/cohere"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/gemini"
	"github.com/go-preflight/preflight/preflighttest/internal/interactions"
	"github.com/go-preflight/preflight/preflighttest/internal/mistral"
	"github.com/go-preflight/preflight/preflighttest/internal/ollama"
	"github.com/go-preflight/preflight/preflighttest/internal/openaichat"
	"github.com/go-preflight/preflight/preflighttest/internal/openairesponses"
)

// formats lists the fakes in the order of [Providers], each with a package of its own.
var formats = []*fake.Format{
	&anthropic.Format, &openaichat.Format, &openairesponses.Format, &gemini.Format, &bedrock.Format,
	&mistral.Format, &cohere.Format, &ollama.Format, &interactions.Format,
}

// hosts are found by name like the formats, and speak one of them.
var hosts = slices.Concat(openaichat.Hosts, openairesponses.Hosts)

// Providers returns the names of the providers that can be faked, in a fresh slice. New, Start and
// Violations also accept the hosts of OpenAI's formats that have rules of their own, such as
// "deepseek" and "deepseek-responses".
func Providers() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

func formatOf(provider string) (*fake.Format, error) {
	for _, f := range slices.Concat(formats, hosts) {
		if f.Name == provider {
			return f, nil
		}
	}
	return nil, fmt.Errorf("preflighttest: there is no fake of provider %q; there is one of %s",
		provider, strings.Join(Providers(), ", "))
}
