package compact

import (
	"context"

	"github.com/go-preflight/preflight/compact/internal/contain"
)

// Resolve asks the summarizer of the strategy for the summaries of the last compaction, which
// Render has extracted until then. It calls the summarizer at most once for each compaction,
// whether it answers or not. It returns at once if there is nothing to summarize, or if another
// call of Resolve is waiting for an answer. The session can be used in the meantime. The new
// summaries are shown from the next compaction on, so that the history does not change before.
//
// The error is that of the summarizer, also for a panic in it, and wraps context.DeadlineExceeded if it
// takes longer than Limits.SummaryTimeout. The extracted summaries then stay.
func (s *Session) Resolve(ctx context.Context) (err error) {
	defer contain.Into(&err)
	if !s.made() {
		return errNotMade
	}
	ctx = orBackground(ctx)
	j, ok := s.claim()
	if !ok {
		return nil
	}
	text, err := s.config.Limits.Summarize(ctx, s.archive.summarizer, j.material)
	s.accept(j, text, err)
	return err
}

// claim returns the job that is to be done now.
func (s *Session) claim() (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.compactions == 0 || s.asked || s.asking {
		return job{}, false
	}
	j, ok := s.archive.next(s.room)
	s.asked, s.asking = true, ok
	return j, ok
}

// accept stores what the summarizer answered.
func (s *Session) accept(j job, text string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking, s.refused = false, nil
	if err == nil {
		s.archive.write(j, text)
	}
}
