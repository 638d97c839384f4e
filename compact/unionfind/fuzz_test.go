package unionfind_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// FuzzRestore: whatever is read, there is an error or a window that works.
func FuzzRestore(f *testing.F) {
	for _, config := range []unionfind.Config{{}, {GraduateAt: 1, EvictAt: 1}} {
		w, err := unionfind.NewWindow(config)
		require.NoError(f, err)
		require.NoError(f, w.Append(context.Background(), chatter(9)...))
		saved, err := w.MarshalJSON()
		require.NoError(f, err)
		f.Add(saved)
	}
	f.Add([]byte(`{"version":1,"messages":[],"head":0,"waiting":[],"forest":{"parent":[],` +
		`"rank":[],"unions":0,"clusters":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := context.Background()
		w, err := unionfind.Restore(data,
			unionfind.Config{GraduateAt: 1, EvictAt: 1, Limits: compact.Limits{Budget: 100}})
		if err != nil {
			require.ErrorIs(t, err, unionfind.ErrSaved)
			return
		}
		require.NoError(t,
			w.Append(ctx, say(preflight.RoleUser, "go on"), say(preflight.RoleUser, "and on")))
		require.NoError(t, w.Resolve(ctx))
		res, err := w.Render(ctx, unionfind.Query{Text: "go"})
		if err == nil {
			require.Empty(t, preflight.Check(res.Messages, &preflight.Profile{}, nil))
		}
	})
}
