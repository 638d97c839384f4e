package preflight

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
)

// TestDraftReleasesMemory: a draft keeps its memory from one history to the next, and nothing of
// the caller's in it.
func TestDraftReleasesMemory(t *testing.T) {
	said := Message{Role: RoleUser, Parts: []Part{&Text{Text: "a"}, &Text{Text: ""}}}
	d := newDraft([]Message{said, said},
		&Profile{Content: provider.ContentRules{RefuseEmptyText: true}}, &Options{})
	DropEmpty.repair(d)
	require.Len(t, d.warnings, 2)
	d.release()
	for _, n := range d.nodes[:cap(d.nodes)] {
		require.Zero(t, n)
	}
	for _, w := range d.warnings[:cap(d.warnings)] {
		require.Zero(t, w)
	}
	require.NotEmpty(t, d.parts.Block)
	require.Zero(t, d.parts.Used)
	for _, p := range d.parts.Block {
		require.Nil(t, p)
	}
	require.NotEmpty(t, d.origins.Block)
	require.Zero(t, d.origins.Used)
	for _, o := range d.origins.Block {
		require.Zero(t, o)
	}
}
