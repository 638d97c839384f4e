package unionfind_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

func TestSourceContextWindow(t *testing.T) {
	small := unionfind.Config{
		GraduateAt: 3,
		EvictAt:    4,
		Clustering: unionfind.Clustering{NewEmbedder: byFirstWord},
	}
	subtests{
		{"cosine of identical vectors is 1",
			func(t *testing.T) { require.InDelta(t, 1, unionfind.Cosine(near, near), 1e-12) }},
		{"cosine of orthogonal vectors is 0",
			func(t *testing.T) { require.Zero(t, unionfind.Cosine(east, north)) }},
		{"cosine with a zero vector is 0",
			func(t *testing.T) { require.Zero(t, unionfind.Cosine(east, unionfind.Vector{0, 0})) }},
		{"cosine of opposite vectors is -1", func(t *testing.T) {
			require.Equal(t, -1.0, unionfind.Cosine(east, unionfind.Vector{-1, 0}))
		}},
		{"cosine of different lengths is symmetric and a number", func(t *testing.T) {
			a, b := unionfind.Vector{1, 2}, unionfind.Vector{1, 2, 2}
			require.Equal(t, unionfind.Cosine(a, b), unionfind.Cosine(b, a))
			require.InDelta(t, 5/(2.2360679775*3), unionfind.Cosine(a, b), 1e-9)
		}},
		{"cosine without overlap is 0", func(t *testing.T) {
			require.Zero(t, unionfind.Cosine(unionfind.Vector{1}, unionfind.Vector{0, 5}))
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
			require.Equal(t, -1, new(unionfind.Forest).Find(0), "the zero value is an empty forest")
		}},
		{"find compresses paths",
			func(t *testing.T) { // forest_internal_test.go tests the paths
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
				unionfind.Config{
					GraduateAt: 1,
					EvictAt:    1,
					Clustering: unionfind.Clustering{
						NewEmbedder: byFirstWord, Summarizer: sum.Summarize,
					},
				}, "a 1", "a 2", "a 3")
			require.Equal(t, 1, w.Dirty())
			require.Empty(t, sum.calls)
		}},
		{"a singleton is not dirty",
			func(t *testing.T) { require.Empty(t, forest(east, north).Dirty()) }},
		{"resolving leaves nothing dirty, and the summary holds both", func(t *testing.T) {
			f := forest(east, north)
			root := f.Union(0, 1)
			resolveAll(f)
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
			resolveAll(f)
			f.Union(0, 2)
			require.Equal(t, []string{"a+b", "c"}, textsOf(f.Dirty()[0].Inputs))
		}},
		{"three dirty clusters are three calls", func(t *testing.T) {
			sum := &recorder{}
			c := unionfind.Clustering{NewEmbedder: byFirstWord, Summarizer: sum.Summarize}
			w := window(t, unionfind.Config{GraduateAt: 1, EvictAt: 1, Clustering: c}, "a 1", "a 2",
				"b 1", "b 2", "c 1", "c 2", "z")
			require.Equal(t, 3, w.Dirty())
			require.NoError(t, w.Resolve(context.Background()))
			require.Len(t, sum.calls, 3)
		}},
		{"two clean clusters bring both summaries", func(t *testing.T) {
			f := forest(east, east, north, north)
			f.Union(0, 1)
			f.Union(2, 3)
			resolveAll(f)
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
			f := forest(unionfind.Vector{1, 0}, unionfind.Vector{0, 0, 1})
			require.Equal(t, unionfind.Vector{0.5, 0, 0.5}, f.Centroid(f.Union(0, 1)))
		}},
		{"union with itself does nothing", func(t *testing.T) {
			f := forest(east)
			require.Equal(t, 0, f.Union(0, 0))
			require.Empty(t, f.Dirty())
			require.Equal(t, []int{0}, f.Members(0))
		}},
		{"a cluster of one is its own summary", func(t *testing.T) {
			text, current := forest(east).Summary(0)
			require.Equal(t, "a", text)
			require.True(t, current)
		}},
		{"a resolved cluster is its summary", func(t *testing.T) {
			f := forest(east, north)
			f.Union(0, 1)
			resolveAll(f)
			text, _ := f.Summary(1)
			require.Equal(t, "a+b", text)
		}},
		{"a dirty cluster, here has no text, and not that of its root", func(t *testing.T) {
			f := forest(east, north, near)
			f.Union(0, 1)
			resolveAll(f)
			f.Union(0, 2)
			text, current := f.Summary(0)
			require.Empty(t, text)
			require.False(t, current)
		}},
		{"a dirty cluster, here is rendered with everything that is known of it",
			func(t *testing.T) {
				w := window(t,
					unionfind.Config{
						GraduateAt: 1,
						EvictAt:    1,
						Clustering: unionfind.Clustering{NewEmbedder: byFirstWord},
					}, "a first", "a second", "a third", "z")
				all, _, _ := rendered(t, w, unionfind.Query{})
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
				unionfind.Config{
					GraduateAt: 1,
					EvictAt:    1,
					Clustering: unionfind.Clustering{
						NewEmbedder: byFirstWord, Summarizer: sum.Summarize,
					},
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
			_, texts, _ := rendered(t, w, unionfind.Query{})
			require.Equal(t, []string{"a", "b", "c"}, texts)
		}},
		{"the message after graduateAt makes the first cold, and all stay hot", func(t *testing.T) {
			w := window(t, small, "a", "b", "c", "d")
			require.Equal(t, [][]int{{0}}, w.Clusters())
			_, texts, _ := rendered(t, w, unionfind.Query{})
			require.Equal(t, []string{"a", "b", "c", "d"}, texts)
		}},
		{"the message after evictAt takes the first out of hot", func(t *testing.T) {
			w := window(t, small, "a", "b", "c", "d", "e")
			_, texts, res := rendered(t, w, unionfind.Query{})
			require.Equal(t, []string{"b", "c", "d", "e"}, texts[1:])
			require.Equal(t, [][]int{nil, {1}, {2}, {3}, {4}}, res.Sources)
			require.Equal(t, []int{0}, res.Clusters[0].Sources)
		}},
		{"append and render call no summarizer", func(t *testing.T) {
			sum := &recorder{}
			c := small
			c.Clustering.Summarizer = sum.Summarize
			w := window(t, c, "a 1", "a 2", "a 3", "a 4", "a 5", "a 6", "a 7")
			_, _, _ = rendered(t, w, unionfind.Query{})
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
			_, texts, _ := rendered(t, w, unionfind.Query{})
			require.Equal(t, numbered(9)[5:], texts[len(texts)-4:])
			require.Contains(t, texts[0], "a word0")
		}},
		{"a query returns the cluster it is about", func(t *testing.T) {
			w := window(t, unionfind.Config{GraduateAt: 1, EvictAt: 1}, "my cat is called Tom",
				"the server runs on port 80", "my cat eats fish", "deploy the server at night",
				"bye")
			require.NoError(t, w.Resolve(context.Background()))
			all, _, res := rendered(t, w, unionfind.Query{Text: "which cat?", Top: 1})
			require.Contains(t, all, "Tom")
			require.NotContains(t, all, "port 80")
			hidden := slices.IndexFunc(res.Clusters,
				func(c compact.Cluster) bool { return c.Summary == "" })
			require.Contains(t, res.Clusters[hidden].Sources, 1,
				"here what is not shown is still accounted for")
		}},
		{"a query that nothing is about shows no cluster", func(t *testing.T) {
			w := window(t, small, numbered(9)...)
			_, _, res := rendered(t, w, unionfind.Query{Text: "zebra"})
			for _, c := range res.Clusters {
				require.False(t, c.Summary != "")
			}
		}},
		{"resolve calls the summarizer", func(t *testing.T) {
			sum := &recorder{}
			c := small
			c.Clustering.Summarizer = sum.Summarize
			w := window(t, c, "a 1", "a 2", "c", "d", "e", "f")
			require.NoError(t, w.Resolve(context.Background()))
			require.Equal(t, [][]string{{"a 1", "a 2"}}, sum.calls)
			all, _, _ := rendered(t, w, unionfind.Query{})
			require.Contains(t, all, "sum(a 1 + a 2)")
		}},
		{"a message of the overlap is shown once, as it was", func(t *testing.T) {
			all, _, res := rendered(t, window(t, small, numbered(4)...), unionfind.Query{})
			require.Equal(t, 1, strings.Count(all, "word0"))
			require.Empty(t, res.Clusters)
		}},
		{"an evicted message appears in its cluster, one that is still hot only there",
			func(t *testing.T) {
				w := window(t,
					unionfind.Config{
						GraduateAt: 2,
						EvictAt:    4,
						Clustering: unionfind.Clustering{NewEmbedder: byFirstWord},
					}, numbered(5)...)
				all, _, _ := rendered(t, w, unionfind.Query{})
				require.Equal(t, 1, strings.Count(all, "word0"), "evicted")
				require.Equal(t, 1, strings.Count(all, "word1"), "in a cluster, and hot")
			}},
		{"counts, here each message counts once", func(t *testing.T) {
			w := window(t, small, numbered(9)...)
			require.Equal(t, 9, w.Len())
			require.Len(t, slices.Concat(w.Clusters()...), 6)
		}},
		{"a query does not teach the embedder anything", func(t *testing.T) {
			w := window(t, unionfind.Config{GraduateAt: 1, EvictAt: 1}, "red apples", "green pears",
				"blue plums")
			before, err := w.MarshalJSON()
			require.NoError(t, err)
			_, _, _ = rendered(t, w, unionfind.Query{Text: "red pears and bananas"})
			after, err := w.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(before), string(after))
		}},
		{"evictAt below graduateAt is refused", func(t *testing.T) {
			_, err := unionfind.NewWindow(unionfind.Config{GraduateAt: 5, EvictAt: 3})
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

// chat is a window of n messages.
func chat(t testing.TB, config unionfind.Config, n int) *unionfind.Window {
	t.Helper()
	w, err := unionfind.NewWindow(config)
	require.NoError(t, err)
	require.NoError(t, w.Append(context.Background(), chatter(n)...))
	return w
}
