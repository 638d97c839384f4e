package remedy

import (
	"regexp"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedy for reasoning that is bound to another beginning, where the refusal
// offers a setting under which the provider drops just that: it alone knows which it is.

const dropUnboundName = "drop-unbound"

// offersDrop is the offer, with the beta that the setting needs. Source: Anthropic's own words, see
// the rule anthropic/thinking-binding-prefix.
var offersDrop = regexp.MustCompile(
	`prefix_mismatch_behavior\W+to \W{0,4}drop_block\b.{0,80}?(thinking-binding-controls-[0-9-]{10})`)

// boundBlock is the first block that the refusal names.
var boundBlock = regexp.MustCompile(`messages\.([0-9]{1,9})\.content\.([0-9]{1,9})`)

// dropUnbound sets what the refusal offers, if the request names its thinking.
func dropUnbound(first *wire.Result, given, sent []byte, refusal string) (*wire.Result, []like) {
	refusal = unescaped(refusal)
	if !offersDrop.MatchString(refusal) {
		return nil, nil
	}
	doc, err := jsonscan.Parse(sent)
	if err != nil {
		return nil, nil
	}
	thinking := doc.Root().Get("thinking")
	if thinking.Kind() != jsonscan.Object || thinking.Get("block_binding").Exists() ||
		doc.Root().Get("anthropic_version").Exists() { // another host, which takes betas elsewhere
		return nil, nil
	}
	object := jsonscan.EditObject(thinking)
	object.SetMember("block_binding", []byte(`{"prefix_mismatch_behavior":"drop_block"}`))
	var edits jsonscan.Edits
	object.AppendTo(&edits)
	edited, err := edits.Apply(sent)
	if err != nil {
		return nil, nil
	}
	out := withoutMembers(first, given, edited, nil)
	out.Warnings = append(out.Warnings, wire.Warning{
		Warning: preflight.Warning{
			Code: codes.SettingAdded, Rule: "anthropic/thinking-binding-prefix", At: preflight.At(-1),
			Detail:  "asked the provider to drop the reasoning that is bound to another beginning",
			Unbinds: thoughtsFrom(doc.Root().Get("messages"), boundBlock.FindStringSubmatch(refusal)),
		},
		Path: "thinking.block_binding",
	})
	return out, nil
}

// thoughtsFrom counts the blocks of reasoning from a named one on, all if none is named.
func thoughtsFrom(messages jsonscan.Value, named []string) (n int) {
	var from [2]int
	for k := 1; k < len(named); k++ {
		from[k-1], _ = indexOf(named[k])
	}
	for i, m := range messages.All() {
		for j, block := range m.Get("content").All() {
			at := [2]int{i, j}
			kind := block.Get("type")
			if (kind.StrIs("thinking") || kind.StrIs("redacted_thinking")) &&
				slices.Compare(at[:], from[:]) >= 0 {
				n++
			}
		}
	}
	return n
}

// offeredBeta returns the beta feature that the setting needs.
func offeredBeta(refusal string) string {
	m := offersDrop.FindStringSubmatch(unescaped(refusal))
	if m == nil {
		return ""
	}
	return m[1]
}
