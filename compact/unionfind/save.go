package unionfind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/internal/parts"
	"github.com/go-preflight/preflight/compact/internal/told"
)

// This file stores a window and brings it back.

// savedVersion is the version of the JSON form. A form that older code would misread gets another
// number.
const savedVersion = 1

// ErrSaved is wrapped by the errors of saving a window that JSON cannot hold, and of restoring one
// from JSON that does not describe any.
var ErrSaved = errors.New("unionfind: not a saved window")

type savedWindow struct {
	Version  int                 `json:"version"`
	Messages []preflight.Message `json:"messages"`
	Head     int                 `json:"head"`
	Waiting  []Vector            `json:"waiting"`
	Forest   savedForest         `json:"forest"`
	Embedder json.RawMessage     `json:"embedder,omitempty"`
}

type savedForest struct {
	Parent   []int          `json:"parent"`
	Rank     []int          `json:"rank"`
	Unions   int            `json:"unions"`
	Clusters []savedCluster `json:"clusters"`
}

type savedCluster struct {
	Root     int          `json:"root"`
	Members  []int        `json:"members"`
	Centroid Vector       `json:"centroid"`
	Summary  *string      `json:"summary,omitempty"`
	Dirty    []savedInput `json:"dirty,omitempty"`
	Since    int          `json:"since,omitempty"`
}

// savedInput is an input; a text that the window holds anyway is only named.
type savedInput struct {
	First   int     `json:"first"`
	Summary *string `json:"summary,omitempty"`
}

// MarshalJSON writes the window: its messages in preflight's JSON form, the forest with its
// summaries and what is out of date, and what the embedder has learned. The configuration is not
// written; Restore is given it again.
//
// It fails where JSON cannot hold a message without loss: nil parts, strings that are not UTF-8.
// Sanitize such messages before they are appended.
func (w *Window) MarshalJSON() (data []byte, err error) {
	defer contain.Into(&err)
	if !w.made() {
		return nil, errNotMade
	}
	c := w.clusters
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, m := range w.messages {
		if !parts.ValidText(m) {
			return nil, fmt.Errorf("%w: messages[%d] holds a string that is not UTF-8; "+
				"run preflight.Sanitize before Append", ErrSaved, i)
		}
	}
	out := savedWindow{
		Version:  savedVersion,
		Messages: orEmpty(w.messages),
		Head:     w.head,
		Waiting:  orEmpty(w.waiting),
		Forest:   c.forest.saved(),
	}
	if m, ok := c.embedder.(json.Marshaler); ok {
		state, err := savedState(m)
		if err != nil {
			return nil, fmt.Errorf("unionfind: saving the embedder: %w", err)
		}
		out.Embedder = state
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

func savedState(embedder json.Marshaler) ([]byte, error) {
	defer contain.Guard("embedder")
	return embedder.MarshalJSON()
}

func orEmpty[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return list
}

func (f *Forest) saved() savedForest {
	out := savedForest{
		Parent:   orEmpty(f.parent),
		Rank:     orEmpty(f.rank),
		Unions:   f.unions,
		Clusters: []savedCluster{},
	}
	for _, root := range f.Roots() {
		c := f.clusters[root]
		s := savedCluster{Root: root, Members: c.members, Centroid: c.centroid, Since: c.since}
		if c.summarized && c.dirty == nil {
			s.Summary = &c.summary
		}
		for _, in := range c.dirty {
			d := savedInput{First: in.first}
			if in.Summary {
				d.Summary = &in.Text
			}
			s.Dirty = append(s.Dirty, d)
		}
		out.Clusters = append(out.Clusters, s)
	}
	return out
}

// Restore returns the window that MarshalJSON wrote. It continues exactly as the saved one would
// have, given the configuration of that one; a configuration that graduates earlier or allows fewer
// clusters takes effect with the next message. The error wraps ErrSaved when data is of another
// version, or does not describe a window.
func Restore(data []byte, config Config) (*Window, error) {
	w, err := NewWindow(config)
	if err != nil {
		return nil, err
	}
	var in savedWindow
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	if in.Version != savedVersion {
		return nil, fmt.Errorf("%w: its version is %d, and this package reads %d", ErrSaved,
			in.Version, savedVersion)
	}
	n := len(in.Forest.Parent)
	if in.Head < 0 || in.Head+n+len(in.Waiting) != len(in.Messages) {
		return nil, fmt.Errorf(
			"%w: %d messages, of which %d lead, %d are in the forest and %d wait", ErrSaved,
			len(in.Messages), in.Head, n, len(in.Waiting))
	}
	c := w.clusters
	texts := make([]text, n)
	for i, m := range in.Messages[in.Head : in.Head+n] {
		texts[i] = text{compact.InputOf(told.Of(m, w.config.Limits.Options)), i}
	}
	if err := c.restore(in.Embedder, in.Forest, texts); err != nil {
		return nil, err
	}
	w.messages, w.head, w.waiting = in.Messages, in.Head, in.Waiting
	return w, nil
}

func restoreState(embedder json.Unmarshaler, state []byte) error {
	defer contain.Guard("embedder")
	return embedder.UnmarshalJSON(state)
}

// restore fills an empty clusterer.
func (c *clusterer) restore(
	embedder json.RawMessage, forest savedForest, texts []text,
) (err error) {
	defer contain.Into(&err)
	if embedder != nil {
		u, ok := c.embedder.(json.Unmarshaler)
		if !ok {
			return fmt.Errorf("%w: it was saved with an embedder that learns, "+
				"and the embedder of this configuration takes no state", ErrSaved)
		}
		if err := restoreState(u, embedder); err != nil {
			return fmt.Errorf("%w: the embedder's state: %w", ErrSaved, err)
		}
	}
	c.forest.texts = append(c.forest.texts, texts...)
	return c.forest.restore(forest)
}

// restore rebuilds the clusters over the forest's texts, and makes sure that they are a forest:
// every text is in exactly one cluster, and every path ends at its root.
func (f *Forest) restore(in savedForest) error {
	n := len(f.texts)
	if len(in.Parent) != n || len(in.Rank) != n {
		return fmt.Errorf("%w: %d texts, %d parents, %d ranks", ErrSaved, n, len(in.Parent),
			len(in.Rank))
	}
	f.parent, f.rank, f.unions, f.clusters = in.Parent, in.Rank, in.Unions, make(map[int]*cluster)
	owner := make([]int, n)
	for i := range owner {
		owner[i] = -1
	}
	for _, s := range in.Clusters {
		c := &cluster{members: s.Members, centroid: s.Centroid, since: s.Since}
		if len(s.Members) == 0 || f.clusters[s.Root] != nil {
			return fmt.Errorf("%w: cluster %d is empty or comes twice", ErrSaved, s.Root)
		}
		for _, m := range s.Members {
			if m < 0 || m >= n || owner[m] >= 0 {
				return fmt.Errorf("%w: text %d of cluster %d does not exist or is in another one",
					ErrSaved, m, s.Root)
			}
			owner[m] = s.Root
		}
		c.first = slices.Min(s.Members)
		if s.Summary != nil {
			c.summary, c.summarized = *s.Summary, true
		}
		for _, d := range s.Dirty {
			if d.First < 0 || d.First >= n {
				return fmt.Errorf("%w: cluster %d needs text %d, which does not exist", ErrSaved,
					s.Root, d.First)
			}
			input := f.texts[d.First]
			if d.Summary != nil {
				input = text{compact.Input{Text: *d.Summary, Summary: true}, d.First}
			}
			c.dirty = append(c.dirty, input)
		}
		if len(s.Members) > 1 && !c.summarized && c.dirty == nil {
			return fmt.Errorf("%w: cluster %d has neither a summary nor anything to make one of",
				ErrSaved, s.Root)
		}
		f.clusters[s.Root] = c
	}
	return f.checkPaths(owner)
}

// checkPaths makes sure that following parents leads every text to the root of its cluster. Each
// path is walked once.
func (f *Forest) checkPaths(owner []int) error {
	const unknown, walking, good = 0, 1, 2
	state := make([]int, len(owner))
	for i := range owner {
		var path []int
		for k := i; state[k] != good; k = f.parent[k] {
			p := f.parent[k]
			if p < 0 || p >= len(owner) || state[k] == walking || owner[k] < 0 ||
				owner[p] != owner[k] || p == k && owner[k] != k {
				return fmt.Errorf("%w: text %d does not lead to the root of its cluster", ErrSaved,
					i)
			}
			state[k] = walking
			path = append(path, k)
			if p == k {
				break
			}
		}
		for _, k := range path {
			state[k] = good
		}
	}
	return nil
}
