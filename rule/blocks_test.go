package rule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

const blocksFile = "../docs/blocks.md"

// TestDocsOfBlocks keeps docs/blocks.md the same as the tables.
func TestDocsOfBlocks(t *testing.T) { requireCurrent(t, blocksFile, blockDocs()) }

// blockDocs is the tables of content types as Markdown.
func blockDocs() string {
	var b strings.Builder
	b.WriteString(`# Content types

Generated from package ·rule· by ·make docs·; do not edit. Each request format has a closed set of
content types. A block whose type is only in the table of another format is converted (text,
reasoning, calls, results, media), taken out of a message where it is an item of the list, or
written as text that names its type; the warning is
[·block-converted·](warnings.md#block-converted). The result of a tool becomes a result, never text
of the user. A type that is in no table may be new, and is left alone.

A host in this table takes the types listed for it in addition to those of its format. The blocks of
Gemini and Bedrock have no type: the table lists the member that holds the data, which Gemini also
takes in snake_case.

| format | place | types |
|---|---|---|
`)
	for _, format := range formatsOf(rule.BlockTypes()) {
		for _, place := range []rule.Place{
			rule.InList, rule.InSystem, rule.InUser, rule.InAssistant, rule.InTool, rule.InResult,
			rule.InReasoning, rule.InCalls,
		} {
			if kinds := kindsIn(format, place); kinds != nil {
				fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", format, place,
					strings.Join(kinds, "`, `"))
			}
		}
	}
	return strings.ReplaceAll(b.String(), "·", "`")
}

// kindsIn returns the types of content that a place of a format may hold.
func kindsIn(format string, place rule.Place) (kinds []string) {
	for _, b := range rule.BlockTypes() {
		if b.Format == format && slices.Contains(b.Places, place) {
			kinds = append(kinds, b.Kind)
		}
	}
	return kinds
}

func formatsOf(blocks []rule.BlockType) []string {
	var names []string
	for _, b := range blocks {
		names = append(names, b.Format)
	}
	return slices.Compact(names)
}

func TestBlockTypes(t *testing.T) {
	seen := make(map[string]bool)
	for _, b := range rule.BlockTypes() {
		key := b.Format + " " + b.Kind
		require.False(t, seen[key], "%s is listed twice", key)
		seen[key] = true
		require.NotEmpty(t, b.Places)
		if !slices.Contains(rule.Providers(), b.Format) {
			t.Errorf("%s is no provider", b.Format)
		}
	}
	require.True(t, seen["gemini functionCall"])
}
