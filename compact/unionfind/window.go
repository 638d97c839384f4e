package unionfind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/internal/parts"
)

// This file is the window that grows with a session: the newest messages hot, the others cold in
// clusters.

// Config is how a Window works. The zero value is the default of every field.
type Config struct {
	// GraduateAt is how many of the latest messages are in no cluster; when there are more, the
	// oldest of them joins one. 0 is 26.
	GraduateAt int
	// EvictAt is how many messages are shown as they are, if the budget allows; 0 is 30. The
	// messages between the two are both in a cluster and shown, so that Resolve has time to
	// summarize them before their text is needed.
	EvictAt int
	// Clustering says how cold messages are grouped and summarized.
	Clustering Clustering
	// Limits is what every rendered history has to satisfy.
	Limits compact.Limits
}

// The defaults of Config: those of the source system.
const (
	defaultGraduateAt = 26
	defaultEvictAt    = defaultKeep
)

// Window shows another part of a session for every question: with a Query, Render returns the
// clusters that have to do with it. Use it to answer questions about a long record. To continue a
// conversation use a compact.Session: a window rewrites the beginning of the history at every
// Render, so that prompt caches miss and bound reasoning is removed, and it calls a summarizer for
// every cluster that changed.
//
// Append it what happens, Resolve it now and then (in the background, if the summarizer is slow),
// and send what Render returns. All methods are safe for concurrent use.
//
// Leading system messages are never compacted. The window keeps the messages it is given, and the
// caller must not write to them any more; Expand leads from a cluster back to them.
type Window struct {
	config Config
	// makes concurrent appends take turns; never taken while clusters.mu is held
	appending sync.Mutex
	clusters  *clusterer // its lock guards the fields below, too

	messages []preflight.Message
	head     int      // leading system messages
	waiting  []Vector // of the messages that are only hot
}

// NewWindow returns an empty window. It fails when EvictAt is less than GraduateAt: a message would
// be gone before it is in a cluster.
func NewWindow(config Config) (w *Window, err error) {
	defer contain.Into(&err)
	config.GraduateAt = cmp.Or(config.GraduateAt,
		min(defaultGraduateAt, cmp.Or(config.EvictAt, defaultGraduateAt)))
	config.EvictAt = cmp.Or(config.EvictAt, max(defaultEvictAt, config.GraduateAt))
	if config.GraduateAt < 1 || config.EvictAt < config.GraduateAt {
		return nil, fmt.Errorf(
			"unionfind: EvictAt (%d) must be at least GraduateAt (%d), and that at least 1",
			config.EvictAt, config.GraduateAt)
	}
	return &Window{config: config, clusters: newClusterer(config.Clustering, config.Limits)}, nil
}

// errNotMade is the error of a Window that is nil, or the zero value.
var errNotMade = errors.New("unionfind: NewWindow and Restore make windows")

// made reports whether the window was made by NewWindow or Restore.
func (w *Window) made() bool { return w != nil && w.clusters != nil }

// Append adds messages at the end of the window. It embeds them, and calls no summarizer. When the
// embedder fails or the context is done, the messages before that one are in the window, as Len
// says, and the others are not.
func (w *Window) Append(ctx context.Context, messages ...preflight.Message) (err error) {
	defer contain.Into(&err)
	if !w.made() {
		return errNotMade
	}
	ctx = orBackground(ctx)
	w.appending.Lock()
	defer w.appending.Unlock()
	for i, m := range messages {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, err := w.clusters.embed(ctx, w.clusters.inputOf(m).Text)
		if err != nil {
			return fmt.Errorf("unionfind: embedding message %d of %d: %w", i+1, len(messages), err)
		}
		w.add(m, v)
	}
	return nil
}

func (w *Window) add(m preflight.Message, v Vector) {
	c := w.clusters
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.head == len(w.messages) && parts.IsSystem(m.Role) {
		w.messages, w.head = append(w.messages, m), w.head+1
		return
	}
	c.learn(v)
	w.messages, w.waiting = append(w.messages, m), append(w.waiting, v)
	for len(w.waiting) > w.config.GraduateAt {
		next := w.messages[w.head+c.forest.Len()]
		first := w.waiting[0]
		w.waiting = w.waiting[1:]
		c.add(c.inputOf(next), first)
	}
}

// Resolve summarizes the clusters whose summaries are out of date, several at a time. Messages may
// be appended meanwhile; a cluster that changes while it is summarized stays out of date. When the
// summarizer fails, or the context is done, Resolve returns that error; what is left is done by the
// next call. Two calls at the same time may summarize a cluster twice.
//
// A window need not be resolved: Render extracts what it can show of a cluster that is out of date.
// Without a Summarizer Resolve does nothing, and Render always extracts from the messages
// themselves.
func (w *Window) Resolve(ctx context.Context) (err error) {
	defer contain.Into(&err)
	if !w.made() {
		return errNotMade
	}
	ctx = orBackground(ctx)
	return w.clusters.resolve(ctx, max(0, w.config.Limits.Budget)/2)
}

// Render returns the history to send: all of it, where it fits a budget and there is no query; else
// leading system messages, the summaries of the clusters the query asks for, and the last EvictAt
// messages; more where the cut would part a tool call from its result, fewer where the budget
// demands it. It calls no summarizer and changes nothing. A summary that is out of date is never
// shown: what is known of the cluster is extracted instead. Indices in the result are those of the
// messages in the order they were appended.
//
// The error is the embedder's (with a query), a
// *compact.BudgetError, one of preflight.Sanitize, or the
// context's. The cost is linear in the window.
func (w *Window) Render(ctx context.Context, query Query) (res compact.Result, err error) {
	defer contain.Into(&err)
	if !w.made() {
		return compact.Result{}, errNotMade
	}
	ctx = orBackground(ctx)
	if err := ctx.Err(); err != nil {
		return compact.Result{}, err
	}
	v, err := w.clusters.embedQuery(ctx, query)
	if err != nil {
		return compact.Result{}, fmt.Errorf("unionfind: embedding the query: %w", err)
	}
	history, head, views := w.snapshot(query, v)
	show := w.clusters.texts(history, views, query, func(node int) int { return head + node })
	replace := func(limits compact.Limits) (compact.Result, error) {
		return limits.Replace(ctx, history, w.config.EvictAt,
			func(old []int, tokens int) ([]compact.Cluster, error) {
				return show(old, tokens), nil
			})
	}
	limits := w.config.Limits
	if res, err = replace(limits); err != nil || query.Text == "" || len(res.Clusters) > 0 {
		return res, err
	}
	limits.Budget = 0 // everything fits, and the query asks for less
	asked, err := replace(limits)
	if err != nil || w.config.Limits.Budget > 0 && asked.Tokens > w.config.Limits.Budget {
		return res, nil
	}
	return asked, nil
}

// snapshot returns the window at one moment.
func (w *Window) snapshot(query Query, v Vector) ([]preflight.Message, int, []view) {
	w.clusters.mu.Lock()
	defer w.clusters.mu.Unlock()
	return slices.Clip(w.messages), w.head, w.clusters.views(query, v)
}

// Len returns the number of messages that were appended.
func (w *Window) Len() int {
	if !w.made() {
		return 0
	}
	w.clusters.mu.Lock()
	defer w.clusters.mu.Unlock()
	return len(w.messages)
}

// Clusters returns the clusters in the order of their roots, each as ascending indices of messages.
// Leading system messages, and messages that have not joined a cluster yet (Config.GraduateAt), are
// in none.
func (w *Window) Clusters() [][]int {
	if !w.made() {
		return nil
	}
	w.clusters.mu.Lock()
	defer w.clusters.mu.Unlock()
	var out [][]int
	for _, root := range w.clusters.forest.Roots() {
		members := w.clusters.forest.Members(root)
		for k := range members {
			members[k] += w.head
		}
		out = append(out, members)
	}
	return out
}

// Dirty returns the number of clusters whose summaries are out of date.
func (w *Window) Dirty() int {
	if !w.made() {
		return 0
	}
	w.clusters.mu.Lock()
	defer w.clusters.mu.Unlock()
	return len(w.clusters.forest.Dirty())
}

// Expand returns the messages of the cluster that holds message i, as they were appended; message i
// alone when it is in no cluster; nil when there is no message i.
func (w *Window) Expand(i int) []preflight.Message {
	if !w.made() {
		return nil
	}
	w.clusters.mu.Lock()
	defer w.clusters.mu.Unlock()
	if i < 0 || i >= len(w.messages) {
		return nil
	}
	members := w.clusters.forest.Members(i - w.head)
	if members == nil {
		return []preflight.Message{w.messages[i]}
	}
	out := make([]preflight.Message, len(members))
	for k, m := range members {
		out[k] = w.messages[w.head+m]
	}
	return out
}
