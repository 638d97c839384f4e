// Package story is what the example agents live through: the ways in which sessions break, one
// after the other, against a fake provider that is as strict as the real one. It is the same for
// every SDK; what differs is the agent.
package story

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest"
)

// Agent is an agent loop over some SDK.
type Agent interface {
	// Turn sends text to the model and runs the tools that it calls, until it calls none. A turn
	// that is stopped by ctx leaves the history as it is at that moment, and gives the error of
	// ctx.
	Turn(ctx context.Context, text string) error
	// SendAsIs sends the history without preflight.
	SendAsIs(ctx context.Context) error
	// Save and Load keep the history in a file.
	Save(file string) error
	Load(file string) error
	// Trim drops the oldest n messages.
	Trim(n int)
}

// Replies are what the model answers, in the order of the story.
func Replies() []preflighttest.Reply {
	deploy := preflighttest.Reply{
		Reasoning: "That needs the deploy tool.",
		Calls:     []preflighttest.Call{{Name: "deploy", Arguments: `{"build":4711}`}},
	}
	return []preflighttest.Reply{
		deploy,
		{Text: "Because it waits for a lock."},
		deploy,
		{Text: "You wanted to deploy."},
		{
			Reasoning: "That is in the configuration.",
			Calls:     []preflighttest.Call{{Name: "read_config"}},
		},
		{Text: "It listens on port 8080."},
		{Text: "You are welcome."},
	}
}

// Play plays the story with agents that open makes, and tells it on w. trim is the number of
// messages in front of the result of the last call.
func Play(w io.Writer, server *preflighttest.Server, open func() Agent, trim int) error {
	s := &stage{w: w, server: server, agent: open()}
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "session.json")

	s.scene("The user stops a tool while it runs, and asks something else.")
	s.stopped("Deploy it.")
	s.refused()
	s.turn("Why does that take so long?")

	s.scene("The process dies while a tool runs. Another one resumes the session from its file.")
	s.stopped("Then deploy it now.")
	s.do(func() error { return s.agent.Save(file) })
	s.agent = open()
	s.do(func() error { return s.agent.Load(file) })
	s.refused()
	s.turn("Where were we?")

	s.scene("A tool reads a secret. A hook keeps it from the model.")
	s.turn("Which port does it use?")

	s.scene("The window is full: the oldest messages are removed, a call but not its result.")
	s.do(func() error { s.agent.Trim(trim); return nil })
	s.refused()
	s.turn("Thanks.")

	s.do(func() error {
		for _, r := range server.Requests() {
			if strings.Contains(string(r.Body), Secret) {
				return errors.New("the secret has reached the provider")
			}
		}
		return nil
	})
	return s.err
}

// stage tells what happens, until something happens that should not.
type stage struct {
	w      io.Writer
	server *preflighttest.Server
	agent  Agent
	err    error
}

// do does the next thing.
func (s *stage) do(next func() error) {
	if s.err == nil {
		s.err = next()
	}
}

func (s *stage) scene(title string) {
	s.do(func() error {
		_, err := fmt.Fprintf(s.w, "\n== %s\n", title)
		return err
	})
}

// turn is a turn that ends well.
func (s *stage) turn(text string) {
	s.do(func() error {
		fmt.Fprintf(s.w, "user: %s\n", text)
		return s.agent.Turn(context.Background(), text)
	})
}

// stopped is a turn that the user stops as soon as a tool runs.
func (s *stage) stopped(text string) {
	s.do(func() error {
		fmt.Fprintf(s.w, "user: %s\n", text)
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		running = stop
		defer func() { running = nil }()
		if err := s.agent.Turn(ctx, text); !errors.Is(err, context.Canceled) {
			return errors.Join(errors.New("the turn was not stopped"), err)
		}
		fmt.Fprintln(s.w, "(stopped)")
		return nil
	})
}

// refused shows what the provider says to the history as it is.
func (s *stage) refused() {
	s.do(func() error {
		if err := s.agent.SendAsIs(context.Background()); err == nil {
			return errors.New("the history was accepted as it is")
		}
		all := s.server.Refused()
		if len(all) == 0 {
			return errors.New("the request did not arrive")
		}
		fmt.Fprintf(s.w, "without preflight, the provider: %s\n",
			ShortIDs(all[len(all)-1].Refusal.Message))
		return nil
	})
}

var ids = regexp.MustCompile(`\b(toolu|tooluse|call)_[0-9A-Za-z]{8,}`)

// ShortIDs shortens the ids of calls in a text.
func ShortIDs(text string) string { return ids.ReplaceAllString(text, "${1}_…") }
