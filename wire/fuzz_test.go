package wire_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// seeds are the bodies of the other tests.
func seeds(f *testing.F, provider string) {
	for _, c := range sound(f) {
		if c.provider == provider {
			f.Add([]byte(c.body))
		}
	}
	f.Add([]byte(samples[provider]))
	for k := range 40 {
		f.Add(body(provider).Example(k))
	}
}

func FuzzSanitizeAnthropic(f *testing.F) { fuzzSanitize(f, "anthropic") }

func FuzzSanitizeOpenAIChat(f *testing.F) { fuzzSanitize(f, "openai-chat") }

func FuzzSanitizeBedrock(f *testing.F) { fuzzSanitize(f, "bedrock") }

func FuzzSanitizeInteractions(f *testing.F) { fuzzSanitize(f, "gemini-interactions") }

func FuzzSanitizeOpenAIResponses(f *testing.F) { fuzzSanitize(f, "openai-responses") }

func FuzzSanitizeGemini(f *testing.F) { fuzzSanitize(f, "gemini") }

func FuzzSanitizeMistral(f *testing.F) { fuzzSanitize(f, "mistral") }

func FuzzSanitizeCohere(f *testing.F) { fuzzSanitize(f, "cohere") }

func FuzzSanitizeOllama(f *testing.F) { fuzzSanitize(f, "ollama") }

func FuzzSanitizeDeepSeek(f *testing.F) { fuzzSanitize(f, "deepseek") }

func FuzzSanitizeGroq(f *testing.F) { fuzzSanitize(f, "groq") }

func FuzzSanitizeChatTemplate(f *testing.F) { fuzzSanitize(f, "chat-template") }

// fuzzSanitize holds Sanitize to its promises on any bytes.
func fuzzSanitize(f *testing.F, provider string) {
	seeds(f, provider)
	f.Fuzz(func(t *testing.T, in []byte) {
		requireGuarantees(t, in, &wire.Options{Provider: provider})
	})
}

// FuzzDecodeEncode decodes any bytes, drops, doubles and reorders messages as the mask says, and
// encodes: what comes out can be decoded, and holds as many messages. A body that lost messages, or
// was a mixture of two formats, may show another format than before, and be refused for it.
func FuzzDecodeEncode(f *testing.F) {
	for k, provider := range wire.Providers() {
		for _, c := range sound(f) {
			if c.provider == provider {
				f.Add([]byte(c.body), uint64(0xd), byte(k))
			}
		}
		f.Add([]byte(samples[provider]), uint64(0x1b), byte(k))
	}
	f.Fuzz(func(t *testing.T, in []byte, mask uint64, format byte) {
		providers := wire.Providers()
		options := &wire.Options{Provider: providers[int(format)%len(providers)]}
		r, err := wire.Decode(in, options)
		if err != nil {
			return
		}
		var messages []preflight.Message
		left := false
		for k, m := range r.Messages {
			switch mask >> (2 * (k % 32)) & 3 {
			case 0:
				messages = append(messages, m)
			case 1:
				messages = append(messages, m, m)
			case 2:
				messages = append([]preflight.Message{m}, messages...)
			case 3:
				left = true
			}
		}
		out, err := r.Encode(messages)
		if errors.Is(err, wire.ErrEncode) && isForeign(t, in, options) {
			return // a block of another format that was not repaired, in a message that was
		}
		if err != nil {
			t.Fatalf("%v\n in %s", err, in)
		}
		again, err := wire.Decode(out, options)
		if errors.Is(err, wire.ErrNotARequest) && (left || isForeign(t, in, options)) {
			return
		}
		if err != nil {
			t.Fatalf("%v\n in  %s\n out %s", err, in, out)
		}
		if options.Provider == "openai-chat" && len(again.Messages) != len(messages) {
			t.Fatalf("%d messages, want %d\n in  %s\n out %s", len(again.Messages), len(messages),
				in, out)
		}
	})
}

// isForeign reports whether in has blocks of another format: Sanitize writes them in its own form,
// or refuses the body.
func isForeign(t *testing.T, in []byte, options *wire.Options) bool {
	out, err := wire.Sanitize(t.Context(), in, options)
	return err != nil || slices.ContainsFunc(out.Warnings, func(w wire.Warning) bool {
		return w.Code == codes.BlockConverted
	})
}
