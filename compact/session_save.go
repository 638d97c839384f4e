package compact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/internal/digest"
	"github.com/go-preflight/preflight/compact/internal/parts"
	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file stores what a session knows beside its messages, and brings it back.

// savedVersion is the version of the JSON form. A form that older code would misread gets another
// number.
const savedVersion = 3

// ErrSaved is wrapped by the errors of saving a session that JSON cannot hold, and of restoring one
// from JSON that does not describe any.
var ErrSaved = errors.New("compact: not a saved session")

type savedSession struct {
	Version     int                 `json:"version"`
	Messages    int                 `json:"messages"`
	Head        int                 `json:"head"`
	Tail        int                 `json:"tail"`
	Before      int                 `json:"before,omitempty"`
	Pinned      []int               `json:"pinned,omitempty"`
	Lead        []preflight.Message `json:"lead,omitempty"`
	Kept        []preflight.Message `json:"kept,omitempty"`
	KeptFrom    [][]int             `json:"kept_from,omitempty"`
	Clusters    []Cluster           `json:"clusters,omitempty"`
	Warnings    []preflight.Warning `json:"warnings,omitempty"`
	Compactions int                 `json:"compactions"`
	Untold      bool                `json:"untold,omitempty"`
	Asked       bool                `json:"asked,omitempty"`
	Room        int                 `json:"room,omitempty"`
	Aim         int                 `json:"aim,omitempty"`
	Archive     savedArchive        `json:"archive"`
	Digest      string              `json:"digest"` // of the messages
	Sum         string              `json:"sum,omitempty"`
}

type savedArchive struct {
	Tokens   int              `json:"tokens,omitempty"`
	Sources  []int            `json:"sources,omitempty"`
	Roles    []preflight.Role `json:"roles,omitempty"`
	From     int              `json:"from"`
	Written  string           `json:"written,omitempty"`
	Cost     int              `json:"cost,omitempty"`
	Covered  int              `json:"covered,omitempty"`
	Pool     []savedSegment   `json:"pool,omitempty"`
	Words    []string         `json:"words,omitempty"`
	With     []int            `json:"with,omitempty"`
	Segments int              `json:"segments"`
	Units    int              `json:"units,omitempty"`
	Spoke    int              `json:"spoke,omitempty"`
	Spoken   int              `json:"spoken,omitempty"`
	Asks     bool             `json:"asks,omitempty"`
	Ends     bool             `json:"ends,omitempty"`
	Last     int              `json:"last,omitempty"`
	Heard    heard            `json:"heard"`
	Calls    []savedCall      `json:"calls,omitempty"`
}

// savedCall is a call that asks the user, and has no answer yet.
type savedCall struct {
	ID   string `json:"id"`
	Unit int    `json:"unit"`
	Most int    `json:"most"`
}

type savedSegment struct {
	Entry   int     `json:"entry"`
	At      int     `json:"at"`
	Left    int     `json:"left"`
	Label   string  `json:"label"`
	Text    string  `json:"text"`
	Lead    string  `json:"lead,omitempty"`
	Weight  float64 `json:"weight"`
	Score   float64 `json:"score"`
	Cost    int     `json:"cost"`
	Tied    bool    `json:"bound,omitempty"`
	Unit    int     `json:"unit,omitempty"`
	Said    bool    `json:"said,omitempty"`
	Answers bool    `json:"answers,omitempty"`
	Times   int     `json:"times,omitempty"`
	Speaker speaker `json:"speaker,omitempty"`
	Heard   heard   `json:"heard"`
	Skip    int     `json:"skip,omitempty"`
	Past    bool    `json:"past,omitempty"`
	Revises bool    `json:"revises,omitempty"`
	Tells   bool    `json:"tells,omitempty"`
}

// MarshalJSON writes what the session knows beside the messages in its Store: what it renders, and
// what it kept of the messages that it compacted. The configuration is not written; RestoreSession
// is given it again. Take a snapshot after each Render and Resolve.
//
// It fails where JSON cannot hold a message without loss: nil parts, strings that are not UTF-8.
// Sanitize such messages before they are appended.
func (s *Session) MarshalJSON() (data []byte, err error) {
	defer contain.Into(&err)
	if !s.made() {
		return nil, errNotMade
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range [][]preflight.Message{s.lead, s.kept} {
		for _, m := range list {
			if !parts.ValidText(m) {
				return nil, fmt.Errorf("%w: a message holds a string that is not UTF-8; "+
					"run preflight.Sanitize before Append", ErrSaved)
			}
		}
	}
	out := savedSession{
		Version: savedVersion, Messages: s.n, Head: len(s.head), Tail: len(s.tail),
		Lead: s.lead, Kept: s.kept, KeptFrom: s.keptFrom, Clusters: s.clusters,
		Warnings: s.warnings, Compactions: s.compactions, Untold: s.untold,
		Asked: s.asked && !s.asking, Room: s.room, Aim: s.aim,
		Before: s.before, Pinned: slices.Sorted(maps.Keys(s.pinned)),
	}
	out.Archive, out.Digest = s.archive.saved(), s.digest.String()
	if data, err = out.encoded(); err != nil {
		return nil, err
	}
	if out.Sum, err = digest.Sum(data); err != nil {
		return nil, err
	}
	return out.encoded()
}

func (in savedSession) encoded() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(in); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

func (a *archive) saved() savedArchive {
	out := savedArchive{
		Tokens: a.tokens, Sources: a.sources, Roles: a.roles, From: a.from,
		Written: a.written, Cost: a.cost, Covered: a.covered,
		Units: a.pool.x.units, Spoke: a.pool.x.spoke, Spoken: a.pool.x.words, Asks: a.pool.x.asks,
		Ends: a.pool.x.ends, Last: a.pool.x.last, Heard: a.pool.x.heard,
	}
	out.Words, out.With, out.Segments = a.pool.words.Saved()
	for _, s := range a.pool.found {
		out.Pool = append(out.Pool, savedSegment{
			s.entry, s.at, s.left, s.label, s.text, s.lead, s.weight, s.score, s.cost, s.tied,
			s.unit, s.said, s.answers, s.times, s.speaker, s.heard, s.skip, s.past, s.revises,
			s.tells,
		})
	}
	for _, id := range slices.Sorted(maps.Keys(a.pool.x.calls)) {
		c := a.pool.x.calls[id]
		out.Calls = append(out.Calls, savedCall{id, c.unit, c.most})
	}
	return out
}

// RestoreSession returns the session that Session.MarshalJSON wrote, given its configuration. It
// renders what the saved one would have rendered, to the byte. Messages that the Store got after
// the snapshot was taken are appended, so that a crash between the two loses nothing. All messages
// are loaded once, some hundreds at a time, to see whether they are those of the session.
//
// The error wraps ErrStore where the Store does not begin with the messages that the session had,
// and ErrSaved where data does not describe a session; where a snapshot was edited it wraps both.
// Others are those of the Store. A snapshot that an earlier version of this package wrote is
// ErrSaved, too: append the messages to a new session then, which compacts them anew.
func RestoreSession(
	ctx context.Context, data []byte, config SessionConfig,
) (s *Session, err error) {
	defer contain.Into(&err)
	ctx = orBackground(ctx)
	if config.Store == nil {
		return nil, fmt.Errorf("%w: a session is restored with the store of its messages", ErrStore)
	}
	made, err := NewSession(config)
	if err != nil {
		return nil, err
	}
	var in savedSession
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	if err := in.valid(); err != nil {
		return nil, err
	}
	if of, err := digest.Sum(data); err != nil || of != in.Sum {
		return nil, fmt.Errorf("%w: it was edited: %w", ErrSaved, ErrStore)
	}
	has, err := storeLen(ctx, config.Store)
	if err != nil {
		return nil, fmt.Errorf("compact: counting the messages of the store: %w", err)
	}
	if has < in.Messages {
		return nil, fmt.Errorf("%w: it has %d messages, and the session had %d", ErrStore, has,
			in.Messages)
	}
	if err := digestStore(ctx, &made.digest, config.Store, 0, in.Messages); err != nil {
		return nil, err
	}
	if made.digest.String() != in.Digest {
		return nil, fmt.Errorf("%w: the first %d are others than those of the session", ErrStore,
			in.Messages)
	}
	if err := digestStore(ctx, &made.digest, config.Store, in.Messages, has); err != nil {
		return nil, err
	}
	if made.head, err = load(ctx, config.Store, from(0, in.Head)); err != nil {
		return nil, err
	}
	if made.tail, err = load(ctx, config.Store, from(in.Messages-in.Tail, has)); err != nil {
		return nil, err
	}
	for len(made.head) == has-len(made.tail) && len(made.tail) > 0 &&
		parts.IsSystem(made.tail[0].Role) {
		made.head, made.tail = append(made.head, made.tail[0]), made.tail[1:]
	}
	made.n, made.lead, made.kept, made.keptFrom = has, in.Lead, in.Kept, in.KeptFrom
	made.before, made.aim = in.Before, in.Aim
	for _, i := range in.Pinned {
		made.pinned[i] = true
	}
	for i := in.Messages; i < has; i++ { // appended after the snapshot
		if config.Limits.pins(made.at(i)) {
			made.pinned[i] = true
		}
	}
	made.clusters, made.warnings, made.compactions = in.Clusters, in.Warnings, in.Compactions
	made.untold, made.asked, made.room = in.Untold, in.Asked, in.Room
	if err := made.archive.restore(ctx, in.Archive, config.Store); err != nil {
		return nil, err
	}
	return made, nil
}

// valid makes sure that the numbers of a saved session fit together.
func (in savedSession) valid() error {
	if in.Version != savedVersion {
		return fmt.Errorf("%w: its version is %d, and this package reads %d", ErrSaved, in.Version,
			savedVersion)
	}
	a := in.Archive
	ok := in.Head >= 0 && in.Tail >= 0 && in.Head+in.Tail <= in.Messages &&
		len(in.Kept) == len(in.KeptFrom) && in.Before >= 0 && in.Before <= len(in.Kept) &&
		a.Covered >= 0 && a.Covered <= len(a.Sources) && a.Cost >= 0 && a.Tokens >= 0 &&
		in.Aim >= 0 &&
		len(a.Roles) == len(a.Sources) && a.From >= 0 && a.From <= len(a.Sources) &&
		len(a.Words) == len(a.With) &&
		in.Compactions >= 0
	lists := append([][]int{a.Sources, in.Pinned}, in.KeptFrom...)
	for _, c := range in.Clusters {
		lists = append(lists, c.Sources)
	}
	for _, list := range lists {
		for _, src := range list {
			ok = ok && src >= 0 && src < in.Messages
		}
	}
	for _, s := range a.Pool {
		ok = ok && s.Entry >= 0 && s.Entry < len(a.Sources) && s.Cost >= 0
	}
	if !ok {
		return fmt.Errorf("%w: its numbers do not fit together", ErrSaved)
	}
	return nil
}

// at returns a message of the head or of the tail.
func (s *Session) at(i int) preflight.Message {
	if i < len(s.head) {
		return s.head[i]
	}
	return s.tail[i-(s.n-len(s.tail))]
}

// from returns the numbers from first up to before end.
func from(first, end int) []int {
	var out []int
	for i := first; i < end; i++ {
		out = append(out, i)
	}
	return out
}

// restore fills an empty archive.
func (a *archive) restore(ctx context.Context, in savedArchive, store Store) error {
	fresh, err := load(ctx, store, in.Sources[in.From:])
	if err != nil {
		return err
	}
	a.tokens, a.sources, a.roles, a.from = in.Tokens, in.Sources, in.Roles, in.From
	a.written, a.cost, a.covered = in.Written, in.Cost, in.Covered
	a.fresh = inputsOf(a.limits.offloads(ctx).recorded(fresh))
	a.pool.x = exchanges{units: in.Units, spoke: in.Spoke, words: in.Spoken, asks: in.Asks,
		ends: in.Ends, last: in.Last, heard: in.Heard}
	for _, c := range in.Calls {
		if a.pool.x.calls == nil {
			a.pool.x.calls = make(map[string]ask)
		}
		a.pool.x.calls[c.ID] = ask{c.Unit, c.Most}
	}
	a.pool.words = words.Restored(in.Words, in.With, in.Segments)
	for _, s := range in.Pool {
		a.pool.found = append(a.pool.found, pooled{
			segment: segment{
				from: s.Entry, at: s.At, left: s.Left, label: s.Label, text: s.Text, lead: s.Lead,
				weight: s.Weight, score: s.Score, cost: s.Cost, tied: s.Tied,
				unit: s.Unit, said: s.Said, answers: s.Answers, times: s.Times, speaker: s.Speaker,
				heard: s.Heard, skip: s.Skip, past: s.Past,
				revises: s.Revises, tells: s.Tells,
			},
			entry: s.Entry, words: a.pool.words.Known(s.Text),
		})
	}
	return nil
}

// digestBatch is how many messages are loaded at a time.
const digestBatch = 256

// digestStore adds the messages of a store to a digest, with the indices from first up to before
// end.
func digestStore(ctx context.Context, d *digest.Digest, s Store, first, end int) error {
	for ; first < end; first += digestBatch {
		messages, err := load(ctx, s, from(first, min(end, first+digestBatch)))
		if err != nil {
			return err
		}
		for _, m := range messages {
			d.Add(m)
		}
	}
	return nil
}
