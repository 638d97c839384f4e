package adapter

import (
	"context"
	"log/slog"

	"github.com/go-preflight/preflight/wire"
)

// This file tells a logger of repairs.

// LogTo returns a Report that logs each repair at level Warn, and the reason why a history could
// not be repaired at level Error. Neither holds content of messages. A nil logger is slog.Default.
func LogTo(logger *slog.Logger) Report {
	if logger == nil {
		logger = slog.Default()
	}
	return func(ctx context.Context, warnings []wire.Warning, err error) {
		for _, w := range warnings {
			logger.WarnContext(ctx, "preflight: the history was repaired", "warning", w)
		}
		if err != nil {
			logger.ErrorContext(ctx, "preflight: the history cannot be repaired", "error", err)
		}
	}
}
