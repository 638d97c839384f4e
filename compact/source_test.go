package compact_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// This file holds the behaviour of the system this package follows, gemini-cli's pull request 24736
// ("union-find context compaction"), test by test: the functions are its test files, the subtests
// what they say. Where this package does something else on purpose, the subtest says "here";
// docs/compaction.md lists those with the reasons.

// subtests are tests by what they say.
type subtests []struct {
	says string
	test func(*testing.T)
}

func (list subtests) run(t *testing.T) {
	for _, s := range list {
		t.Run(s.says, s.test)
	}
}

// recorder is a Summarizer that remembers what it was given.
type recorder struct {
	mu    sync.Mutex
	calls [][]string
	err   error
	meet  func() // runs in the middle of a call
}

func (r *recorder) Summarize(_ context.Context, m compact.Material) (string, error) {
	if r.meet != nil {
		r.meet()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var texts []string
	for _, in := range m.Inputs {
		texts = append(texts, in.Text)
	}
	r.calls = append(r.calls, texts)
	if r.err != nil {
		return "", r.err
	}
	return "sum(" + strings.Join(texts, " + ") + ")", nil
}

func input(text string) compact.Input { return compact.Input{Text: text} }

// forest is a forest of texts a, b, c… with these vectors.
func forest(vectors ...compact.Vector) *compact.Forest {
	f := compact.NewForest(compact.Cosine)
	for i, v := range vectors {
		f.Insert(input(string(rune('a'+i))), v)
	}
	return f
}

var (
	east  = compact.Vector{1, 0}
	near  = compact.Vector{0.9, 0.1}
	north = compact.Vector{0, 1}
)

// settleAll resolves a forest by itself: the window does the same with a real summarizer.
func settleAll(f *compact.Forest) {
	for _, p := range f.Dirty() {
		var texts []string
		for _, in := range p.Inputs {
			texts = append(texts, in.Text)
		}
		f.SetSummary(p, strings.Join(texts, "+"))
	}
}

func textsOf(inputs []compact.Input) []string {
	var out []string
	for _, in := range inputs {
		out = append(out, in.Text)
	}
	return out
}

// like makes messages alike by their first word.
type like struct{}

func (like) Embed(_ context.Context, text string) (compact.Vector, error) {
	first, _, _ := strings.Cut(text, " ")
	v := make(compact.Vector, 26)
	if first != "" {
		v[(first[0]-'a')%26] = 1
	}
	return v, nil
}

func byFirstWord() compact.Embedder { return like{} }

// window is a window over texts, all of the user's.
func window(t *testing.T, config compact.Config, texts ...string) *compact.Window {
	t.Helper()
	w, err := compact.NewWindow(config)
	require.NoError(t, err)
	for _, s := range texts {
		require.NoError(t, w.Append(context.Background(), say(preflight.RoleUser, s)))
	}
	return w
}

// rendered is what a window shows: all of it as one text, and the texts of its messages.
func rendered(t *testing.T, w *compact.Window, q compact.Query) (string, []string, compact.Result) {
	t.Helper()
	res, err := w.Render(context.Background(), q)
	require.NoError(t, err)
	var texts []string
	for _, m := range res.Messages {
		for _, p := range m.Parts {
			texts = append(texts, p.(*preflight.Text).Text)
		}
	}
	return strings.Join(texts, "\n"), texts, res
}

func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%c word%d", 'a'+i%26, i)
	}
	return out
}

func TestSourceContextWindow(t *testing.T) {
	small := compact.Config{
		GraduateAt: 3,
		EvictAt:    4,
		Clustering: compact.Clustering{NewEmbedder: byFirstWord},
	}
	subtests{
		{"cosine of identical vectors is 1",
			func(t *testing.T) { require.InDelta(t, 1, compact.Cosine(near, near), 1e-12) }},
		{"cosine of orthogonal vectors is 0",
			func(t *testing.T) { require.Zero(t, compact.Cosine(east, north)) }},
		{"cosine with a zero vector is 0",
			func(t *testing.T) { require.Zero(t, compact.Cosine(east, compact.Vector{0, 0})) }},
		{"cosine of opposite vectors is -1", func(t *testing.T) {
			require.Equal(t, -1.0, compact.Cosine(east, compact.Vector{-1, 0}))
		}},
		{"cosine of different lengths is symmetric and a number", func(t *testing.T) {
			a, b := compact.Vector{1, 2}, compact.Vector{1, 2, 2}
			require.Equal(t, compact.Cosine(a, b), compact.Cosine(b, a))
			require.InDelta(t, 5/(2.2360679775*3), compact.Cosine(a, b), 1e-9)
		}},
		{"cosine without overlap is 0", func(t *testing.T) {
			require.Zero(t, compact.Cosine(compact.Vector{1}, compact.Vector{0, 5}))
		}},
		{"insert makes a singleton", func(t *testing.T) {
			f := forest(east)
			require.Equal(t, 0, f.Find(0))
			require.Equal(t, []int{0}, f.Members(0))
		}},
		{"find of an unknown id, here -1 and no panic", func(t *testing.T) {
			f := forest(east)
			require.Equal(t, -1, f.Find(7))
			require.Equal(t, -1, f.Find(-1))
			require.Equal(t, -1, f.Union(0, 7))
			require.Nil(t, f.Members(7))
			require.Nil(t, f.Centroid(7))
			require.Equal(t, -1, new(compact.Forest).Find(0), "the zero value is an empty forest")
		}},
		{"find compresses paths",
			func(t *testing.T) { // the paths themselves are looked at in forest_internal_test.go
				f := forest(east, east, east, east)
				f.Union(0, 1)
				f.Union(2, 3)
				root := f.Union(1, 3)
				for i := range 4 {
					require.Equal(t, root, f.Find(i))
				}
			}},
		{"the root with the higher rank stays", func(t *testing.T) {
			f := forest(east, east, east)
			root := f.Union(0, 1)
			require.Equal(t, root, f.Union(2, 0))
		}},
		{"on a tie the first root stays",
			func(t *testing.T) { require.Equal(t, 1, forest(east, east).Union(1, 0)) }},
		{"union returns the root and marks it dirty", func(t *testing.T) {
			f := forest(east, north)
			root := f.Union(0, 1)
			require.Len(t, f.Dirty(), 1)
			require.Equal(t, root, f.Dirty()[0].Root)
		}},
		{"union does not call the summarizer", func(t *testing.T) {
			sum := &recorder{}
			w := window(t,
				compact.Config{
					GraduateAt: 1,
					EvictAt:    1,
					Clustering: compact.Clustering{NewEmbedder: byFirstWord, Summarizer: sum},
				}, "a 1", "a 2", "a 3")
			require.Equal(t, 1, w.Dirty())
			require.Empty(t, sum.calls)
		}},
		{"a singleton is not dirty",
			func(t *testing.T) { require.Empty(t, forest(east, north).Dirty()) }},
		{"resolving leaves nothing dirty, and the summary holds both", func(t *testing.T) {
			f := forest(east, north)
			root := f.Union(0, 1)
			settleAll(f)
			require.Empty(t, f.Dirty())
			text, current := f.Summary(root)
			require.Equal(t, "a+b", text)
			require.True(t, current)
		}},
		{"the summarizer gets the raw members", func(t *testing.T) {
			f := forest(east, north)
			f.Union(1, 0)
			require.Equal(t, []string{"a", "b"}, textsOf(f.Dirty()[0].Inputs),
				"here in the order of the texts, whatever the order of the union")
		}},
		{"after resolving, a new member comes with the summary", func(t *testing.T) {
			f := forest(east, north, near)
			f.Union(0, 1)
			settleAll(f)
			f.Union(0, 2)
			require.Equal(t, []string{"a+b", "c"}, textsOf(f.Dirty()[0].Inputs))
		}},
		{"three dirty clusters are three calls", func(t *testing.T) {
			sum := &recorder{}
			c := compact.Clustering{NewEmbedder: byFirstWord, Summarizer: sum}
			w := window(t, compact.Config{GraduateAt: 1, EvictAt: 1, Clustering: c}, "a 1", "a 2",
				"b 1", "b 2", "c 1", "c 2", "z")
			require.Equal(t, 3, w.Dirty())
			require.NoError(t, w.Resolve(context.Background()))
			require.Len(t, sum.calls, 3)
		}},
		{"two clean clusters bring both summaries", func(t *testing.T) {
			f := forest(east, east, north, north)
			f.Union(0, 1)
			f.Union(2, 3)
			settleAll(f)
			f.Union(0, 2)
			require.Equal(t, []string{"a+b", "c+d"}, textsOf(f.Dirty()[0].Inputs))
		}},
		{"the centroid is the mean over all members", func(t *testing.T) {
			f := forest(east, east, north)
			f.Union(0, 1)
			root := f.Union(0, 2)
			require.InDelta(t, 2.0/3, f.Centroid(root)[0], 1e-12)
			require.InDelta(t, 1.0/3, f.Centroid(root)[1], 1e-12)
		}},
		{"centroids of different lengths: the longer one, and numbers", func(t *testing.T) {
			f := forest(compact.Vector{1, 0}, compact.Vector{0, 0, 1})
			require.Equal(t, compact.Vector{0.5, 0, 0.5}, f.Centroid(f.Union(0, 1)))
		}},
		{"union with itself does nothing", func(t *testing.T) {
			f := forest(east)
			require.Equal(t, 0, f.Union(0, 0))
			require.Empty(t, f.Dirty())
			require.Equal(t, []int{0}, f.Members(0))
		}},
		{"a singleton stands for itself", func(t *testing.T) {
			text, current := forest(east).Summary(0)
			require.Equal(t, "a", text)
			require.True(t, current)
		}},
		{"a resolved cluster is its summary", func(t *testing.T) {
			f := forest(east, north)
			f.Union(0, 1)
			settleAll(f)
			text, _ := f.Summary(1)
			require.Equal(t, "a+b", text)
		}},
		{"a dirty cluster, here has no text, and not that of its root", func(t *testing.T) {
			f := forest(east, north, near)
			f.Union(0, 1)
			settleAll(f)
			f.Union(0, 2)
			text, current := f.Summary(0)
			require.Empty(t, text)
			require.False(t, current)
		}},
		{"a dirty cluster, here is rendered with everything that is known of it",
			func(t *testing.T) {
				w := window(t,
					compact.Config{
						GraduateAt: 1,
						EvictAt:    1,
						Clustering: compact.Clustering{NewEmbedder: byFirstWord},
					}, "a first", "a second", "a third", "z")
				all, _, _ := rendered(t, w, compact.Query{})
				require.Equal(t, 1, w.Dirty())
				for _, s := range []string{"a first", "a second", "a third"} {
					require.Contains(t, all, s)
				}
			}},
		{"expand returns the texts of all members", func(t *testing.T) {
			f := forest(east, north)
			f.Union(1, 0)
			require.Equal(t, []string{"a", "b"}, textsOf(f.Expand(1)))
		}},
		{"nearest is in order of similarity", func(t *testing.T) {
			m := forest(north, east, near).Nearest(east, 2, -1)
			require.Equal(t, []int{1, 2}, []int{m[0].Root, m[1].Root})
		}},
		{"nearest leaves out what is not similar enough", func(t *testing.T) {
			require.Len(t, forest(north, east, near).Nearest(east, 3, 0.9), 2)
		}},
		{"the nearest root", func(t *testing.T) {
			require.Equal(t, 1, forest(north, near).Nearest(east, 1, 0)[0].Root)
		}},
		{"nearest in an empty forest is nothing",
			func(t *testing.T) { require.Empty(t, forest().Nearest(east, 1, -1)) }},
		{"members are all of the cluster", func(t *testing.T) {
			f := forest(east, north, near)
			f.Union(2, 0)
			require.Equal(t, []int{0, 2}, f.Members(2))
		}},
		{"members are a copy", func(t *testing.T) {
			f := forest(east, north)
			f.Members(0)[0] = 9
			require.Equal(t, []int{0}, f.Members(0))
		}},
		{"what becomes dirty during a resolve is not lost", func(t *testing.T) {
			f := forest(east, north, near)
			f.Union(0, 1)
			p := f.Dirty()[0]
			f.Union(0, 2)
			require.False(t, f.SetSummary(p, "too late"))
			require.Equal(t, []string{"a", "b", "c"}, textsOf(f.Dirty()[0].Inputs))
		}},
		{"a root that is merged away in flight stays dirty under the new one", func(t *testing.T) {
			f := forest(east, east, north, north, north)
			f.Union(0, 1)
			f.Union(2, 3)
			f.Union(2, 4)
			f.Union(2, 2)
			pending := f.Dirty()
			f.Union(2, 0)
			for _, p := range pending {
				require.False(t, f.SetSummary(p, "too late"))
			}
			require.Equal(t, []string{"a", "b", "c", "d", "e"}, textsOf(f.Dirty()[0].Inputs))
		}},
		{"the same in a window, with a summarizer at work", func(t *testing.T) {
			sum := &recorder{}
			w := window(t,
				compact.Config{
					GraduateAt: 1,
					EvictAt:    1,
					Clustering: compact.Clustering{NewEmbedder: byFirstWord, Summarizer: sum},
				}, "a 1", "a 2", "z")
			var once sync.Once
			sum.meet = func() {
				once.Do(func() {
					require.NoError(t,
						w.Append(context.Background(), say("user", "a 3"), say("user", "y")))
				})
			}
			require.NoError(t, w.Resolve(context.Background()))
			require.Equal(t, 1, w.Dirty())
			require.NoError(t, w.Resolve(context.Background()))
			require.Zero(t, w.Dirty())
			require.Equal(t, []string{"a 1", "a 2", "a 3"}, sum.calls[1])
		}},
		{"three texts and one union are two roots", func(t *testing.T) {
			f := forest(east, north, near)
			f.Union(0, 2)
			require.Len(t, f.Roots(), 2)
			require.Equal(t, 3, f.Len())
		}},
		{"no closest pair of fewer than two", func(t *testing.T) {
			_, _, ok := forest(east).ClosestPair(nil)
			require.False(t, ok)
		}},
		{"the closest pair is the two most alike", func(t *testing.T) {
			a, b, ok := forest(north, east, near).ClosestPair(nil)
			require.True(t, ok)
			require.Equal(t, []int{1, 2}, []int{a, b})
		}},
		{"under the limit nothing is cold", func(t *testing.T) {
			w := window(t, small, "a", "b", "c")
			require.Empty(t, w.Clusters())
			_, texts, _ := rendered(t, w, compact.Query{})
			require.Equal(t, []string{"a", "b", "c"}, texts)
		}},
		{"the message after graduateAt makes the first cold, and all stay hot", func(t *testing.T) {
			w := window(t, small, "a", "b", "c", "d")
			require.Equal(t, [][]int{{0}}, w.Clusters())
			_, texts, _ := rendered(t, w, compact.Query{})
			require.Equal(t, []string{"a", "b", "c", "d"}, texts)
		}},
		{"the message after evictAt takes the first out of hot", func(t *testing.T) {
			w := window(t, small, "a", "b", "c", "d", "e")
			_, texts, res := rendered(t, w, compact.Query{})
			require.Equal(t, []string{"b", "c", "d", "e"}, texts[1:])
			require.Equal(t, [][]int{nil, {1}, {2}, {3}, {4}}, res.Sources)
			require.Equal(t, []int{0}, res.Clusters[0].Sources)
		}},
		{"append and render call no summarizer", func(t *testing.T) {
			sum := &recorder{}
			c := small
			c.Clustering.Summarizer = sum
			w := window(t, c, "a 1", "a 2", "a 3", "a 4", "a 5", "a 6", "a 7")
			_, _, _ = rendered(t, w, compact.Query{})
			require.Empty(t, sum.calls)
		}},
		{"similar messages merge when they graduate", func(t *testing.T) {
			w := window(t, small, "a 1", "b 1", "a 2", "c", "d", "e")
			require.Equal(t, [][]int{{0, 2}, {1}}, w.Clusters())
		}},
		{"no more than the most clusters", func(t *testing.T) {
			c := small
			c.Clustering.MaxClusters = 3
			w := window(t, c, numbered(20)...)
			require.Len(t, w.Clusters(), 3)
		}},
		{"the hot messages come last", func(t *testing.T) {
			w := window(t, small, numbered(9)...)
			_, texts, _ := rendered(t, w, compact.Query{})
			require.Equal(t, numbered(9)[5:], texts[len(texts)-4:])
			require.Contains(t, texts[0], "a word0")
		}},
		{"a query returns the cluster it is about", func(t *testing.T) {
			w := window(t, compact.Config{GraduateAt: 1, EvictAt: 1}, "my cat is called Tom",
				"the server runs on port 80", "my cat eats fish", "deploy the server at night",
				"bye")
			require.NoError(t, w.Resolve(context.Background()))
			all, _, res := rendered(t, w, compact.Query{Text: "which cat?", Top: 1})
			require.Contains(t, all, "Tom")
			require.NotContains(t, all, "port 80")
			hidden := slices.IndexFunc(res.Clusters,
				func(c compact.Cluster) bool { return !c.Shown })
			require.Contains(t, res.Clusters[hidden].Sources, 1,
				"here what is not shown is still accounted for")
		}},
		{"a query that nothing is about shows no cluster", func(t *testing.T) {
			w := window(t, small, numbered(9)...)
			_, _, res := rendered(t, w, compact.Query{Text: "zebra"})
			for _, c := range res.Clusters {
				require.False(t, c.Shown)
			}
		}},
		{"resolve calls the summarizer", func(t *testing.T) {
			sum := &recorder{}
			c := small
			c.Clustering.Summarizer = sum
			w := window(t, c, "a 1", "a 2", "c", "d", "e", "f")
			require.NoError(t, w.Resolve(context.Background()))
			require.Equal(t, [][]string{{"a 1", "a 2"}}, sum.calls)
			all, _, _ := rendered(t, w, compact.Query{})
			require.Contains(t, all, "sum(a 1 + a 2)")
		}},
		{"a message of the overlap is shown once, as it was", func(t *testing.T) {
			all, _, res := rendered(t, window(t, small, numbered(4)...), compact.Query{})
			require.Equal(t, 1, strings.Count(all, "word0"))
			require.Empty(t, res.Clusters)
		}},
		{"an evicted message appears in its cluster, one that is still hot only there",
			func(t *testing.T) {
				w := window(t,
					compact.Config{
						GraduateAt: 2,
						EvictAt:    4,
						Clustering: compact.Clustering{NewEmbedder: byFirstWord},
					}, numbered(5)...)
				all, _, _ := rendered(t, w, compact.Query{})
				require.Equal(t, 1, strings.Count(all, "word0"), "evicted")
				require.Equal(t, 1, strings.Count(all, "word1"), "in a cluster, and hot")
			}},
		{"counts, here each message counts once", func(t *testing.T) {
			w := window(t, small, numbered(9)...)
			require.Equal(t, 9, w.Len())
			require.Len(t, slices.Concat(w.Clusters()...), 6)
		}},
		{"a query does not teach the embedder anything", func(t *testing.T) {
			w := window(t, compact.Config{GraduateAt: 1, EvictAt: 1}, "red apples", "green pears",
				"blue plums")
			before, err := w.MarshalJSON()
			require.NoError(t, err)
			_, _, _ = rendered(t, w, compact.Query{Text: "red pears and bananas"})
			after, err := w.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(before), string(after))
		}},
		{"evictAt below graduateAt is refused", func(t *testing.T) {
			_, err := compact.NewWindow(compact.Config{GraduateAt: 5, EvictAt: 3})
			require.ErrorContains(t, err, "EvictAt (3) must be at least GraduateAt (5)")
		}},
		{"the forest is exposed, here as a snapshot", func(t *testing.T) {
			w := window(t, small, numbered(6)...)
			w.Clusters()[0][0] = 99
			require.Equal(t, 0, w.Clusters()[0][0])
		}},
		{"expand leads back to the messages themselves", func(t *testing.T) {
			w := window(t, small, "a 1", "b", "a 2", "c", "d", "e")
			require.Equal(t, []preflight.Message{say("user", "a 1"), say("user", "a 2")},
				w.Expand(2))
			require.Equal(t, []preflight.Message{say("user", "e")}, w.Expand(5), "hot")
			require.Nil(t, w.Expand(6))
		}},
	}.run(t)
}

func embed(t *testing.T, e compact.Embedder, text string) compact.Vector {
	t.Helper()
	v, err := e.Embed(context.Background(), text)
	require.NoError(t, err)
	return v
}

// learned is a TFIDF that has seen texts.
func learned(t *testing.T, texts ...string) *compact.TFIDF {
	e := compact.NewTFIDF()
	for _, s := range texts {
		e.Learn(embed(t, e, s))
	}
	return e
}

func TestSourceEmbedding(t *testing.T) {
	zero := compact.Vector(make([]float64, len(embed(t, compact.NewTFIDF(), ""))))
	alike := func(t *testing.T, e *compact.TFIDF, a, b string) float64 {
		return e.Similarity(embed(t, e, a), embed(t, e, b))
	}
	subtests{
		{"a text has a vector that is not zero",
			func(t *testing.T) { require.NotEqual(t, zero, embed(t, learned(t), "hello world")) }},
		{"an empty text has the zero vector and is not counted", func(t *testing.T) {
			require.Equal(t, zero, embed(t, learned(t), " … "))
			a, err := learned(t, "x y", "", "?").MarshalJSON()
			require.NoError(t, err)
			b, err := learned(t, "x y").MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(b), string(a))
		}},
		{"similar texts are more alike than others", func(t *testing.T) {
			e := learned(t, "the cat sat on the mat", "a cat on a mat", "stock markets fell today")
			require.Greater(t, alike(t, e, "the cat sat on the mat", "a cat on a mat"),
				alike(t, e, "the cat sat on the mat", "stock markets fell today"))
		}},
		{"different topics are below 0.3", func(t *testing.T) {
			e := learned(t, "docker containers restart with systemd",
				"the recipe needs flour and butter")
			require.Less(t,
				alike(t, e, "docker containers restart with systemd",
					"the recipe needs flour and butter"), 0.3)
		}},
		{"a single word has a vector",
			func(t *testing.T) { require.NotEqual(t, zero, embed(t, learned(t), "word")) }},
		{"the vocabulary grows, here without changing the length of vectors", func(t *testing.T) {
			e := learned(t, "one two")
			before := embed(t, e, "one two")
			e.Learn(embed(t, e, "three four five"))
			require.Equal(t, before, embed(t, e, "one two"))
		}},
		{"common words weigh less", func(t *testing.T) {
			e := learned(t, "the build fails", "the tests pass", "the server starts",
				"the cache fails")
			require.Greater(t, alike(t, e, "the build fails", "fails"),
				alike(t, e, "the build fails", "the"))
		}},
		{"a query changes nothing, and unknown words are nothing", func(t *testing.T) {
			e := learned(t, "known words here")
			before, _ := e.MarshalJSON()
			require.Zero(t, alike(t, e, "entirely foreign", "known words here"))
			after, _ := e.MarshalJSON()
			require.Equal(t, string(before), string(after))
		}},
		{"a query of known words finds them", func(t *testing.T) {
			require.Positive(t,
				alike(t, learned(t, "known words here", "other things there"), "known",
					"known words here"))
		}},
		// removeDocument (two tests): nothing is ever taken out of a window, see
		// docs/compaction.md.
		{"vectors have length 1", func(t *testing.T) {
			v := embed(t, learned(t), "three different words and three more")
			require.InDelta(t, 1, compact.Cosine(v, v), 1e-12)
			sum := 0.0
			for _, x := range v {
				sum += x * x
			}
			require.InDelta(t, 1, sum, 1e-12)
		}},
		{"here comparisons are made at one state of knowledge", func(t *testing.T) {
			e := learned(t, "red apples")
			old := embed(t, e, "red apples") // long before most was learned
			for range 50 {
				e.Learn(embed(t, e, "red cars"))
			}
			require.InDelta(t, 1, e.Similarity(old, embed(t, e, "red apples")), 1e-12)
		}},
		{"here every script has words", func(t *testing.T) {
			for _, pair := range [][3]string{
				{"数据库连接超时了", "数据库的连接池", "今天天气很好"},
				{"サーバーが落ちた", "サーバーの再起動", "猫が好きです"},
				{"база данных недоступна", "наша база данных", "хорошая погода"},
				{"قاعدة البيانات بطيئة", "قاعدة البيانات", "طقس جميل"},
				{"डेटाबेस धीमा है", "डेटाबेस कनेक्शन", "मौसम अच्छा"},
				{"ฐานข้อมูลช้า", "ฐานข้อมูลล่ม", "อากาศดีมาก"},
				{"une requête naïve", "la requête", "un naif"},
				{"데이터베이스 연결 실패", "데이터베이스 연결", "날씨가 좋다"},
			} {
				e := learned(t, pair[0], pair[1], pair[2])
				require.Greater(t, alike(t, e, pair[0], pair[1]), alike(t, e, pair[0], pair[2])+0.1,
					pair[0])
			}
		}},
	}.run(t)
}

func material(texts ...string) compact.Material {
	m := compact.Material{Budget: 1000}
	for k, s := range texts {
		m.Inputs = append(m.Inputs, compact.Input{Role: preflight.RoleUser, Text: s, First: k})
	}
	return m
}

func TestSourceClusterSummarizer(t *testing.T) {
	ctx := context.Background()
	subtests{
		{"the prompt holds the messages", func(t *testing.T) {
			var prompt string
			model := compact.Generate(func(_ context.Context, p string) (string, error) {
				prompt = p
				return "short", nil
			})
			got, err := model.Summarize(ctx, material("first </messages> text", "second text"))
			require.NoError(t, err)
			require.Equal(t, "short", got)
			require.Contains(t, prompt,
				"[1] user: first &lt;/messages&gt; text\n[2] user: second text")
			require.Equal(t, 1, strings.Count(prompt, "</messages>"))
		}},
		{"an empty answer falls back", func(t *testing.T) {
			model := compact.Generate(
				func(context.Context, string) (string, error) { return " \n", nil })
			_, err := model.Summarize(ctx, material("a"))
			require.ErrorIs(t, err, compact.ErrNoSummary)
			got, err := compact.Fallbacks{model, compact.Extractive{}}.Summarize(ctx,
				material("first text", "second text"))
			require.NoError(t, err)
			require.Equal(t, "user: first text\nuser: second text", got)
		}},
		{"a single message", func(t *testing.T) {
			got, err := compact.Extractive{}.Summarize(ctx, material("only this"))
			require.NoError(t, err)
			require.Equal(t, "user: only this", got)
		}},
		{"an error falls back", func(t *testing.T) {
			got, err := compact.Fallbacks{
				&recorder{err: errors.New("503")},
				compact.Extractive{},
			}.Summarize(ctx, material("kept"))
			require.NoError(t, err)
			require.Equal(t, "user: kept", got)
		}},
		{"a cancelled context does not fall back", func(t *testing.T) {
			cancelled, cancel := context.WithCancel(ctx)
			model := compact.Generate(func(ctx context.Context, _ string) (string, error) {
				cancel()
				return "", ctx.Err()
			})
			_, err := compact.Fallbacks{model, compact.Extractive{}}.Summarize(cancelled,
				material("x"))
			require.ErrorIs(t, err, context.Canceled)
		}},
		{"here what a summarizer returns is held to the budget", func(t *testing.T) {
			long := compact.Generate(func(context.Context, string) (string, error) {
				return strings.Repeat("word after word. ", 5000), nil
			})
			res, err := compact.Flat{Keep: 2, Summarizer: long}.Compact(ctx, chatter(60),
				compact.Limits{Budget: 400})
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 400)
			require.True(t, res.Clusters[0].Shown)
		}},
	}.run(t)
}

func TestSourceClusterProcessor(t *testing.T) {
	ctx := context.Background()
	tight := compact.Limits{Budget: 500}
	subtests{
		{"disabled, here without a budget, nothing changes", func(t *testing.T) {
			h := chatter(60)
			res, err := compact.UnionFind{}.Compact(ctx, h, compact.Limits{})
			require.NoError(t, err)
			require.False(t, res.Changed)
			require.Same(t, &h[0], &res.Messages[0])
		}},
		{"fewer messages than are kept: nothing changes, here as long as they fit",
			func(t *testing.T) {
				h := chatter(2)
				res, err := compact.UnionFind{}.Compact(ctx, h, tight)
				require.NoError(t, err)
				require.Same(t, &h[0], &res.Messages[0])
			}},
		{"similar messages become one summary that names its sources", func(t *testing.T) {
			res, err := compact.UnionFind{Keep: 6}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.True(t,
				slices.ContainsFunc(res.Clusters,
					func(c compact.Cluster) bool { return c.Shown && len(c.Sources) >= 2 }))
		}},
		{"at most two clusters", func(t *testing.T) {
			res, err := compact.UnionFind{
				Keep:       6,
				Clustering: compact.Clustering{MaxClusters: 2},
			}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.LessOrEqual(t, len(res.Clusters), 2)
		}},
		{"a blank message, here goes with what comes before it", func(t *testing.T) {
			w := window(t, compact.Config{GraduateAt: 1, EvictAt: 1}, "red apples", " ",
				"green pears", "", "end")
			require.Equal(t, [][]int{{0, 1}, {2, 3}}, w.Clusters())
		}},
		{"nothing leaks from one call to the next", func(t *testing.T) {
			u := compact.UnionFind{Keep: 4}
			fresh, err := u.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			other := chatter(80)
			slices.Reverse(other)
			_, err = u.Compact(ctx, other, tight)
			require.NoError(t, err)
			again, err := u.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.Equal(t, fresh, again)
		}},
	}.run(t)
}

func TestSourceCompressionService(t *testing.T) {
	ctx := context.Background()
	subtests{
		{"flat calls the summarizer, here once: it has no second call to probe the first",
			func(t *testing.T) {
				sum := &recorder{}
				_, err := compact.Flat{Keep: 4, Summarizer: sum}.Compact(ctx, chatter(60),
					compact.Limits{Budget: 500})
				require.NoError(t, err)
				require.Len(t, sum.calls, 1)
			}},
		{"35 messages are compacted", func(t *testing.T) {
			h := chatter(35)
			res, err := compact.UnionFind{}.Compact(ctx, h, compact.Limits{Budget: 500})
			require.NoError(t, err)
			require.True(t, res.Changed)
			require.Equal(t, h[34], res.Messages[len(res.Messages)-1])
		}},
		{"the result says what it is: tokens, clusters, sources", func(t *testing.T) {
			res, err := compact.UnionFind{Keep: 4}.Compact(ctx, chatter(35),
				compact.Limits{Budget: 500})
			require.NoError(t, err)
			require.Positive(t, res.Tokens)
			require.NotEmpty(t, res.Clusters)
			require.Len(t, res.Sources, len(res.Messages))
		}},
		{"an empty history, here is an error: there is nothing to send", func(t *testing.T) {
			for name, s := range strategies() {
				_, err := s.Compact(ctx, nil, compact.Limits{Budget: 500})
				require.ErrorIs(t, err, preflight.ErrEmptyHistory, name)
			}
		}},
		{"here a compacted history is never longer than the one it stands for", func(t *testing.T) {
			for name, s := range strategies() {
				h := chatter(60)
				res, err := s.Compact(ctx, h, compact.Limits{Budget: 600})
				require.NoError(t, err, name)
				require.LessOrEqual(t, res.Tokens, 600, name)
			}
		}},
		{"here what an earlier compaction said is not wrapped again", func(t *testing.T) {
			flat := compact.Flat{Keep: 4}
			first, err := flat.Compact(ctx, chatter(60), compact.Limits{Budget: 500})
			require.NoError(t, err)
			second, err := flat.Compact(ctx, append(slices.Clone(first.Messages), chatter(40)...),
				compact.Limits{Budget: 500})
			require.NoError(t, err)
			block := second.Messages[0].Parts[0].(*preflight.Text).Text
			require.Equal(t, 1, strings.Count(block, "compacted_history>")/2)
			require.NotContains(t, block, "&lt;compacted_history")
		}},
	}.run(t)
}
