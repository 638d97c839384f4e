package compact

import "context"

// Resolve lets the summarizer of the strategy write what the last mark extracted in its place. It
// calls the summarizer at most once for each mark, whether it answers or not, and returns at once
// when there is nothing to write, or while another call of Resolve waits for an answer. The session
// can be used meanwhile. What was written is shown from the next mark on, so that the history stays
// as it is until then.
//
// The error is the summarizer's; a panic is one, too. The extracted text then stays in place.
func (s *Session) Resolve(ctx context.Context) (err error) {
	defer contain(&err)
	if !s.made() {
		return errNotMade
	}
	ctx = orBackground(ctx)
	j, ok := s.claim()
	if !ok {
		return nil
	}
	text, err := "", errEnded
	defer func() { s.accept(j, text, err) }() // also when the summarizer ends the goroutine
	text, err = summarize(ctx, s.archive.summarizer, j.material)
	return err
}

// claim is the job that is to be done now.
func (s *Session) claim() (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.marks == 0 || s.asked || s.asking {
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
	s.asking = false
	if err == nil {
		s.archive.write(j, text)
	}
}
