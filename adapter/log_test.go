package adapter_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

func TestLogTo(t *testing.T) {
	var log bytes.Buffer
	ctx := context.Background()
	report := adapter.LogTo(slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, report.Tell(ctx, nil, nil))
	require.Empty(t, log.String())
	require.NoError(t, report.Tell(ctx, []wire.Warning{{
		Warning: preflight.Warning{Code: codes.OrphanRemoved}, Path: "messages[1]",
	}}, nil))
	require.Contains(t, log.String(), "level=WARN")
	require.Contains(t, log.String(), "warning.code=orphan-removed")
	log.Reset()
	reason := errors.New("no")
	require.Equal(t, reason, report.Tell(ctx, nil, reason))
	require.Contains(t, log.String(), "level=ERROR")
	require.NotPanics(t, func() { adapter.LogTo(nil) })
}
