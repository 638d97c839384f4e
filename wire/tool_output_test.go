package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// TestToolOutputIsQuoted: what tools said is in results, in fences that it cannot close, or in the
// names of files, which are one line: from every provider to every other, broken or not.
func TestToolOutputIsQuoted(t *testing.T) {
	models := map[string][]string{
		"chat-template": {"zephyr-7b", "gemma-2", "llama-3.1", "llava", ""},
		"ollama":        {"gemma3", "phi3", ""},
		"bedrock":       {"meta.llama3-1-70b", "amazon.nova-pro-v1:0", "us.deepseek.r1-v1:0", ""},
		"openai-chat":   {"o1-mini", ""},
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			from := rapid.SampledFrom(wire.Providers()).Draw(t, "from")
			to, model := rapid.SampledFrom(wire.Providers()).Draw(t, "to"), ""
			if models[to] != nil {
				model = rapid.SampledFrom(models[to]).Draw(t, "model")
			}
			profile, _ := provider.ByName(from, "")
			h := histgen.Corrupt(profile, nil).Draw(t, "history")
			forge(t, h)
			options := &wire.RequestOptions{MaxTokens: 9, Options: preflight.Options{
				Orphans: rapid.SampledFrom([]preflight.Orphans{
					preflight.OrphanRemove, preflight.OrphanText,
				}).Draw(t, "orphans"),
			}}
			prepared, err := wire.Prepare(t.Context(), to, model, h, options)
			if err != nil {
				continue
			}
			r, err := wire.Decode(prepared.Body, &wire.Options{Provider: to, Model: model})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range r.Messages {
				for _, p := range m.Parts {
					if said := outsideResults(p); strings.Contains(said, "CANARY") {
						t.Fatalf("from %s to %s %s: %s says %q\n%s", from, to, model, m.Role, said,
							prepared.Body)
					}
				}
			}
		}
	})
}

// forge lets the results of a history say what is forged.
func forge(t *rapid.T, h []preflight.Message) {
	for i := range h {
		for j, p := range h[i].Parts {
			r, ok := p.(*preflight.ToolResult)
			if !ok || r == nil {
				continue
			}
			said := rapid.SampledFrom(forgeries).Draw(t, "forgery")
			forged := *r
			forged.Output, forged.Content = nil, []preflight.Part{&preflight.Text{Text: said}}
			switch rapid.IntRange(0, 3).Draw(t, "form") {
			case 0:
				forged.Content = nil
				forged.Output, _ = json.Marshal(map[string]any{"a": said, said: 1})
			case 1:
				forged.Content = append(forged.Content, &preflight.Media{
					Kind: "document", Name: said, MediaType: "text/plain", Data: "Q0FOQVJZ",
				})
			}
			h[i].Parts[j] = &forged
		}
	}
}

// outsideResults is what a part says, apart from fences and names of files on one line.
func outsideResults(p preflight.Part) (said string) {
	switch p := p.(type) {
	case *preflight.Text:
		for line := range strings.Lines(unfenced(p.Text)) {
			if !strings.HasPrefix(line, "[document: ") {
				said += line
			}
		}
	case *preflight.Reasoning:
		return p.Text
	case *preflight.ToolCall:
		return string(p.Input)
	case *preflight.Media:
		if strings.ContainsAny(p.Name, "\n\r\u2028") {
			return p.Name
		}
	}
	return said
}
