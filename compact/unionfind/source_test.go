package unionfind_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// This file holds the behaviour of the system this package follows, gemini-cli's pull request 24736
// ("union-find context compaction"), test by test: the functions are its test files, the subtests
// what they say. Where this package does something else on purpose, the subtest says "here";
// testdata/systems/deviations.md lists those with the reasons.

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

// recorder has a summarizer that remembers what it was given.
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
func forest(vectors ...unionfind.Vector) *unionfind.Forest {
	f := unionfind.NewForest(unionfind.Cosine)
	for i, v := range vectors {
		f.Insert(input(string(rune('a'+i))), v)
	}
	return f
}

var (
	east  = unionfind.Vector{1, 0}
	near  = unionfind.Vector{0.9, 0.1}
	north = unionfind.Vector{0, 1}
)

// resolveAll resolves a forest by itself: the window does the same with a real summarizer.
func resolveAll(f *unionfind.Forest) {
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

func (like) Embed(_ context.Context, text string) (unionfind.Vector, error) {
	first, _, _ := strings.Cut(text, " ")
	v := make(unionfind.Vector, 26)
	if first != "" {
		v[(first[0]-'a')%26] = 1
	}
	return v, nil
}

func byFirstWord() unionfind.Embedder { return like{} }

// window is a window over texts, all of the user's.
func window(t *testing.T, config unionfind.Config, texts ...string) *unionfind.Window {
	t.Helper()
	w, err := unionfind.NewWindow(config)
	require.NoError(t, err)
	for _, s := range texts {
		require.NoError(t, w.Append(context.Background(), say(preflight.RoleUser, s)))
	}
	return w
}

// rendered is what a window shows: all of it as one text, and the texts of its messages.
func rendered(t *testing.T, w *unionfind.Window, q unionfind.Query) (string, []string, compact.Result) {
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

func embed(t *testing.T, e unionfind.Embedder, text string) unionfind.Vector {
	t.Helper()
	v, err := e.Embed(context.Background(), text)
	require.NoError(t, err)
	return v
}

// learned is a TFIDF that has seen texts.
func learned(t *testing.T, texts ...string) *unionfind.TFIDF {
	e := unionfind.NewTFIDF()
	for _, s := range texts {
		e.Learn(embed(t, e, s))
	}
	return e
}

func TestSourceEmbedding(t *testing.T) {
	zero := unionfind.Vector(make([]float64, len(embed(t, unionfind.NewTFIDF(), ""))))
	alike := func(t *testing.T, e *unionfind.TFIDF, a, b string) float64 {
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
		// testdata/systems/deviations.md.
		{"vectors have length 1", func(t *testing.T) {
			v := embed(t, learned(t), "three different words and three more")
			require.InDelta(t, 1, unionfind.Cosine(v, v), 1e-12)
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

func TestSourceCompressionService(t *testing.T) {
	ctx := context.Background()
	subtests{
		{"flat calls the summarizer, here once: it has no second call to probe the first",
			func(t *testing.T) {
				sum := &recorder{}
				_, err := compact.Flat{Keep: 4, Summarizer: sum.Summarize}.Compact(ctx, chatter(60),
					compact.Limits{Budget: 500})
				require.NoError(t, err)
				require.Len(t, sum.calls, 1)
			}},
		{"35 messages are compacted", func(t *testing.T) {
			h := chatter(35)
			res, err := unionfind.Strategy{}.Compact(ctx, h, compact.Limits{Budget: 500})
			require.NoError(t, err)
			require.True(t, res.Changed)
			require.Equal(t, h[34], res.Messages[len(res.Messages)-1])
		}},
		{"the result says what it is: tokens, clusters, sources", func(t *testing.T) {
			res, err := unionfind.Strategy{Keep: 4}.Compact(ctx, chatter(35),
				compact.Limits{Budget: 500})
			require.NoError(t, err)
			require.Positive(t, res.Tokens)
			require.NotEmpty(t, res.Clusters)
			require.Len(t, res.Sources, len(res.Messages))
		}},
		{"an empty history, here is an error: there is nothing to send", func(t *testing.T) {
			for name, s := range map[string]compact.Strategy{
				"flat": compact.Flat{Keep: 2}, "union-find": unionfind.Strategy{Keep: 2},
			} {
				_, err := s.Compact(ctx, nil, compact.Limits{Budget: 500})
				require.ErrorIs(t, err, preflight.ErrEmptyHistory, name)
			}
		}},
		{"here a compacted history is never longer than the one it replaces", func(t *testing.T) {
			for name, s := range map[string]compact.Strategy{
				"flat": compact.Flat{Keep: 2}, "union-find": unionfind.Strategy{Keep: 2},
			} {
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
