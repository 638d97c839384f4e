package compact_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/provider"
)

// This file has the cases of a Session: what a model may do to it, what it costs, and what it says
// of itself.

// play appends messages one by one, renders before each of the assistant's, and calls after with
// what was rendered.
func play(t *testing.T, s *compact.Session, h []preflight.Message, after func(compact.Result)) {
	t.Helper()
	for _, m := range h {
		if m.Role == preflight.RoleAssistant {
			res, err := s.Render(context.Background())
			require.NoError(t, err)
			after(res)
		}
		require.NoError(t, s.Append(context.Background(), m))
	}
}

func newSession(t *testing.T, config compact.SessionConfig) *compact.Session {
	t.Helper()
	s, err := compact.NewSession(config)
	require.NoError(t, err)
	return s
}

// written is the text that the history begins with.
func written(res compact.Result) string {
	for _, m := range res.Messages {
		if m.Role != preflight.RoleSystem {
			return compact.InputOf(m).Text
		}
	}
	return ""
}

// TestSessionModels: what a model answers is shown from the next compaction on; one that fails,
// panics, says nothing or ends its goroutine costs nothing but its text; and none is called more
// than once for each compaction.
func TestSessionModels(t *testing.T) {
	const secret = "alice@example.org"
	for name, model := range map[string]func(n int) (string, error){
		"answers":  func(n int) (string, error) { return fmt.Sprintf("model text %d", n), nil },
		"fails":    func(int) (string, error) { return "", errors.New("overloaded") },
		"panics":   func(int) (string, error) { panic(secret) },
		"is blank": func(int) (string, error) { return " ", nil },
		"ends":     func(int) (string, error) { runtime.Goexit(); return "", nil },
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			summarizer := compact.Generate(func(context.Context, string) (string, error) {
				calls++
				return model(calls)
			})
			s := newSession(t, compact.SessionConfig{
				Limits:   compact.Limits{Budget: 2000},
				Strategy: compact.Flat{Summarizer: summarizer},
			})
			shown, compactions, failures := 0, 0, 0
			play(t, s, agentLoop(120, 200), func(res compact.Result) {
				if strings.Contains(written(res), "model text") {
					shown++
					require.False(t, res.Clusters[0].Provisional)
				} else if len(res.Clusters) > 0 {
					require.True(t, res.Clusters[0].Provisional)
					require.Contains(t, written(res), "user: Fix the build.", "the extract")
				}
				for range 2 {
					done := make(chan error, 1)
					go func() {
						defer close(done)
						done <- s.Resolve(context.Background())
					}()
					if err := <-done; err != nil {
						failures++
						require.NotContains(t, err.Error(), secret)
					}
				}
				compactions = s.Compactions()
			})
			require.Greater(t, compactions, 5)
			require.Equal(t, compactions, calls, "one call for each compaction")
			require.Equal(t, name == "answers", shown > 0)
			if name == "fails" || name == "panics" || name == "is blank" {
				require.Equal(t, compactions, failures)
			}
		})
	}
}

// TestSessionSlowModel: a model that does not answer blocks nothing; its answer counts when it
// comes, and cancelling ends it.
func TestSessionSlowModel(t *testing.T) {
	asked, answer := make(chan struct{}, 100), make(chan string)
	s := newSession(t, compact.SessionConfig{
		Limits: compact.Limits{Budget: 2000},
		Strategy: compact.Flat{Summarizer: compact.Generate(
			func(ctx context.Context, _ string) (string, error) {
				asked <- struct{}{}
				select {
				case text := <-answer:
					return text, nil
				case <-ctx.Done():
					return "", ctx.Err()
				}
			})},
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	resolve := func() { done <- s.Resolve(ctx) }
	turns, waiting := 0, false
	play(t, s, agentLoop(60, 200), func(compact.Result) {
		turns++
		switch {
		case waiting:
			require.NoError(t, s.Resolve(ctx), "it returns at once")
		case s.Compactions() > 0:
			go resolve()
			<-asked
			waiting = true
		}
	})
	require.Equal(t, 60, turns)
	require.Greater(t, s.Compactions(), 2)
	require.Empty(t, asked, "while it has not answered it is not asked again")
	answer <- "late text"
	require.NoError(t, <-done)
	seen := false
	play(t, s, agentLoop(60, 200)[2:], func(res compact.Result) {
		seen = seen || strings.Contains(written(res), "late text")
	})
	require.True(t, seen)
	go resolve()
	<-asked
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
}

// TestSessionThinking: at a compaction the reasoning that stays is removed where it is bound to
// what was compacted, and only there; what the model thinks afterwards stays, with its signature.
func TestSessionThinking(t *testing.T) {
	for model, bound := range map[string]bool{"claude-sonnet-4-5": false, "claude-opus-5-5": true} {
		profile := provider.Anthropic(model)
		require.Equal(t, bound, profile.Reasoning.Bound, "the models were chosen for this")
		s := newSession(t, compact.SessionConfig{
			Limits: compact.Limits{Budget: 3000, Profile: profile},
		})
		compactions, most := 0, 0
		play(t, s, agentLoop(80, 300), func(res compact.Result) {
			n := preflight.TallyOf(res.Messages...).Reasonings
			most = max(most, n)
			removed := 0
			for _, w := range res.Warnings {
				if w.Code == codes.ReasoningRemoved {
					removed++
				}
			}
			if s.Compactions() > compactions {
				require.Equal(t, bound, n == 0, "right after a compaction")
				require.Equal(t, bound, removed > 0)
			}
			compactions = s.Compactions()
		})
		require.Greater(t, compactions, 3)
		require.Greater(t, most, 5, "between compactions the reasoning adds up")
	}
}

// TestSessionStartsWhole: what fits is sent as it is, and nothing is ever added to the end.
func TestSessionStartsWhole(t *testing.T) {
	h := agentLoop(20, 200)
	s := newSession(t, compact.SessionConfig{
		Limits: compact.Limits{Budget: 1 << 20, Profile: provider.Anthropic("claude-opus-5-5")},
	})
	require.NoError(t, s.Append(context.Background(), h...))
	require.NoError(t, s.Append(context.Background(), say(preflight.RoleAssistant, "Done.")))
	res, err := s.Render(context.Background())
	require.NoError(t, err)
	require.Equal(t, append(h, say(preflight.RoleAssistant, "Done.")), res.Messages)
	require.False(t, res.Changed)
	require.Zero(t, s.Compactions())
}

// TestSessionRecognisesSummaries: in a history that was compacted elsewhere the summary is one
// message, and its labels and delimiters do not nest, however often that is done.
func TestSessionRecognisesSummaries(t *testing.T) {
	h := append([]preflight.Message{say(preflight.RoleUser, "The vault is at k-7731.")},
		chatter(400)...)
	limits := compact.Limits{Budget: 1500}
	for generation := range 4 {
		s := newSession(t, compact.SessionConfig{Limits: limits})
		require.NoError(t, s.Append(context.Background(), h...))
		res, err := s.Render(context.Background())
		require.NoError(t, err)
		block := res.Messages[0].Parts[0].(*preflight.Text).Text
		kept := len(res.Messages) - 1
		require.Contains(t, block,
			fmt.Sprintf("\n%d earlier messages were compacted.", len(h)-kept), "generation %d",
			generation)
		require.Equal(t, 1, strings.Count(block, "<compacted_history>"))
		require.NotContains(t, block, "user: user:")
		require.NotContains(t, block, "summary of earlier messages")
		require.Contains(t, block, "k-7731")
		h = append(res.Messages, chatter(60)...)
	}
}

// TestSessionIsLinear: a session that is twice as long takes twice the work: the bytes that are
// counted and sent to the summarizer. The target is configured, because another is lower in the
// beginning, when there is less to remember.
func TestSessionIsLinear(t *testing.T) {
	for name, strategy := range map[string]func(*meter) compact.Strategy{
		"flat":    func(*meter) compact.Strategy { return compact.Flat{} },
		"masking": func(*meter) compact.Strategy { return compact.Masking{} },
		"model":   func(m *meter) compact.Strategy { return compact.Flat{Summarizer: m.summarize} },
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) int {
				m := &meter{}
				s := newSession(t, compact.SessionConfig{
					Limits:   compact.Limits{Budget: 1000, Count: m.count},
					Strategy: strategy(m),
					Target:   700,
				})
				play(t, s, agentLoop(n, 150), func(compact.Result) {
					require.NoError(t, s.Resolve(context.Background()))
				})
				return m.bytes
			}
			once, twice := work(300), work(600)
			require.Less(t, float64(twice), 2.3*float64(once), "%d, then %d bytes", once, twice)
		})
	}
}

// meter counts bytes that are read.
type meter struct {
	bytes int
}

func (m *meter) count(msg preflight.Message) int {
	m.bytes += len(compact.InputOf(msg).Text)
	return tokens.Estimate(msg)
}

func (m *meter) summarize(_ context.Context, x compact.Material) (string, error) {
	for _, in := range x.Inputs {
		m.bytes += len(in.Text)
	}
	return "what was said", nil
}

// TestSessionWaitingCalls: a call that waits for approval, and everything after it, is never
// compacted, and its result finds it; where that no longer fits, the error says so.
func TestSessionWaitingCalls(t *testing.T) {
	waiting := call("toolu_w", "deploy")
	waiting.Awaiting = preflight.AwaitingApproval
	profile := provider.OpenAIChat("")
	s := newSession(t, compact.SessionConfig{
		Limits:   compact.Limits{Budget: 1200, Profile: profile},
		Strategy: compact.Flat{Keep: 2},
	})
	ctx := context.Background()
	require.NoError(t, s.Append(ctx, chatter(100)...))
	require.NoError(t, s.Append(ctx, message(preflight.RoleAssistant, waiting)))
	for range 10 {
		require.NoError(t, s.Append(ctx, say(preflight.RoleUser, strings.Repeat("while ", 40))))
		res, err := s.Render(ctx)
		require.NoError(t, err)
		require.Contains(t, dump(res.Messages), "tool_call")
	}
	require.Positive(t, s.Compactions())
	require.NoError(t, s.Append(ctx, message(preflight.RoleTool, answer("toolu_w", "deployed"))))
	res, err := s.Render(ctx)
	require.NoError(t, err)
	require.Contains(t, dump(res.Messages), "deployed")
	require.Empty(t, preflight.Check(res.Messages, profile, nil))

	s = newSession(t, compact.SessionConfig{Limits: compact.Limits{Budget: 1200, Profile: profile}})
	require.NoError(t, s.Append(ctx, say(preflight.RoleUser, "deploy"),
		message(preflight.RoleAssistant, waiting)))
	require.NoError(t, s.Append(ctx, chatter(200)...))
	_, err = s.Render(ctx)
	require.True(t, isBudget(err))
}

// TestSessionStoreFails: the error of a store is returned, and the session continues when it works
// again.
func TestSessionStoreFails(t *testing.T) {
	store := &flaky{}
	s := newSession(t, compact.SessionConfig{Limits: compact.Limits{Budget: 1000}, Store: store})
	h := chatter(100)
	require.NoError(t, s.Append(context.Background(), h...))
	store.err = errors.New("no disk")
	require.ErrorIs(t, s.Append(context.Background(), h[0]), store.err)
	require.Equal(t, 100, s.Len())
	_, err := s.Render(context.Background())
	require.ErrorIs(t, err, store.err)
	store.err = nil
	res, err := s.Render(context.Background())
	require.NoError(t, err)
	require.LessOrEqual(t, res.Tokens, 1000)
	back, err := s.Expand(context.Background(), res.Clusters[0].Sources)
	require.NoError(t, err)
	require.Equal(t, h[:len(back)], back)
	_, err = s.Expand(context.Background(), []int{100})
	require.ErrorContains(t, err, "there is no message 100")
}

// TestSessionUsedStore: a session does not take the messages of another one for its own.
func TestSessionUsedStore(t *testing.T) {
	store, ctx := &flaky{}, context.Background()
	config := compact.SessionConfig{Limits: compact.Limits{Budget: 1000}, Store: store}
	first := newSession(t, config)
	require.NoError(t, first.Append(ctx, chatter(60)...))
	second := newSession(t, config)
	require.ErrorIs(t, second.Append(ctx, chatter(60)...), compact.ErrStore)
	require.Zero(t, second.Len())
	require.Len(t, store.messages, 60, "nothing was appended")
	require.NoError(t, first.Append(ctx, chatter(60)...), "the first session continues")

	store.messages = store.messages[:90]
	require.ErrorIs(t, first.Append(ctx, chatter(1)...), compact.ErrStore, "messages are missing")
	require.Equal(t, 120, first.Len())
}

type flaky struct {
	messages []preflight.Message
	err      error
}

func (f *flaky) Len(context.Context) (int, error) { return len(f.messages), f.err }

func (f *flaky) Append(_ context.Context, messages []preflight.Message) error {
	if f.err == nil {
		f.messages = append(f.messages, messages...)
	}
	return f.err
}

func (f *flaky) Load(_ context.Context, indices []int) ([]preflight.Message, error) {
	var out []preflight.Message
	for _, i := range indices {
		out = append(out, f.messages[i])
	}
	return out, f.err
}

// TestSessionRemembersRefusals: a session that cannot be compacted to its budget is not tried again
// before a message is appended.
func TestSessionRemembersRefusals(t *testing.T) {
	counted := 0
	s := newSession(t, compact.SessionConfig{Limits: compact.Limits{
		Budget: 100,
		Count:  func(m preflight.Message) int { counted++; return tokens.Estimate(m) },
	}})
	long := say(preflight.RoleUser, strings.Repeat("word ", 1000))
	for appended := 1; appended < 4; appended++ {
		require.NoError(t, s.Append(context.Background(), long))
		for tries := range 5 {
			before := counted
			res, err := s.Render(context.Background())
			require.True(t, isBudget(err))
			require.NotEmpty(t, res.Messages)
			if tries == 0 {
				require.Greater(t, counted-before, 4*appended, "all is tried")
			} else {
				require.Equal(t, appended, counted-before, "only what is returned is counted")
			}
		}
	}
}

// TestSessionOutdated: what a message that stays says otherwise takes no room in the summary.
func TestSessionOutdated(t *testing.T) {
	s := newSession(t, compact.SessionConfig{Limits: compact.Limits{Budget: 400}})
	var h []preflight.Message
	for k := range 40 {
		h = append(h, say(preflight.RoleUser, fmt.Sprintf("Part %d is ticket OPS-%d.", k, 7000+k)))
		if k%8 == 1 {
			h = append(h, say(preflight.RoleUser, fmt.Sprintf("The port of server%c is %d.", 'a'+k/8, 100+k)))
		}
	}
	for k := range 5 {
		h = append(h, say(preflight.RoleUser, fmt.Sprintf("The port of server%c is %d.", 'a'+k, 200+k)))
	}
	require.NoError(t, s.Append(context.Background(), h...))
	res, err := s.Render(context.Background())
	require.NoError(t, err)
	require.Equal(t, 5, strings.Count(inJSON(t, res.Messages), "The port of"))
}
