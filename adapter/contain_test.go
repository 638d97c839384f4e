package adapter_test

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

const secret = "alice@example.org"

// faulty calls fault in the nth call of one function.
type faulty struct {
	function   string
	nth, calls int
	fault      func()
}

func (x *faulty) called(function string) {
	if function != x.function {
		return
	}
	if x.calls++; x.calls == x.nth {
		x.fault()
	}
}

// letter is a message whose type has a function for its JSON.
type letter struct {
	turn
	x *faulty
}

func (l *letter) MarshalJSON() ([]byte, error) {
	l.x.called("MarshalJSON")
	return json.Marshal(l.turn)
}

// post is a request as an SDK may have one.
type post struct {
	Messages []*letter      `json:"messages"`
	Extra    map[string]any `json:"-"`
	Raw      []byte         `json:"-"`
	IsRaw    bool           `json:"-"`
}

func (p post) called(function string) { p.Messages[0].x.called(function) }

func (p post) Overrides() (any, bool) { p.called("Overrides"); return nil, p.IsRaw }

func (p post) ExtraFields() map[string]any { p.called("ExtraFields"); return p.Extra }

func (p *post) SetExtraFields(m map[string]any) { p.called("SetExtraFields"); p.Extra = m }

func (x *faulty) format() *adapter.Format[*letter] {
	return &adapter.Format[*letter]{
		Provider: "openai-chat", List: "messages",
		Marshal: func(l *letter) ([]byte, error) {
			x.called("Marshal")
			return json.Marshal(l.turn)
		},
		Unmarshal: func(raw []byte, _ **letter) (*letter, error) {
			x.called("Unmarshal")
			l := letter{x: x}
			return &l, json.Unmarshal(raw, &l.turn)
		},
	}
}

func (x *faulty) params() *adapter.Params[*letter, post] {
	return &adapter.Params[*letter, post]{
		Format:   x.format(),
		Messages: func(p *post) *[]*letter { x.called("Messages"); return &p.Messages },
		SetRaw:   func(p *post, body []byte) { x.called("SetRaw"); p.Raw = body },
	}
}

// letters need a repair that changes one of them.
func (x *faulty) letters() []*letter {
	return []*letter{
		{turn{"user", "a", 0}, x}, {turn{"human", "b\x00", 0}, x}, {turn{"tool", "an orphan", 0}, x},
	}
}

// TestFaultyFunctions: at whichever of its calls a function panics or ends its goroutine, the
// call after it is as if nothing had been; a panic is a typed error that quotes nothing, and the
// input comes back.
func TestFaultyFunctions(t *testing.T) {
	ctx := context.Background()
	params := func(raw bool) func(*faulty) error {
		return func(x *faulty) error {
			given := post{Messages: x.letters(), Extra: map[string]any{"n": nil}, IsRaw: raw}
			got, warnings, err := x.params().Sanitize(ctx, given, nil)
			if err != nil {
				require.Equal(t, given, got)
			} else {
				require.NotEmpty(t, warnings)
			}
			return err
		}
	}
	neutral := func(x *faulty) error {
		own := lines(map[string]int{})
		read, write := own.Read, own.Write
		own.Read = func(l *line) (preflight.Message, error) { x.called("Read"); return read(l) }
		own.Write = func(
			m preflight.Message, from **line, origin adapter.Origin[*line],
		) (*line, error) {
			x.called("Write")
			return write(m, from, origin)
		}
		own.Adjust = func(*preflight.Profile) { x.called("Adjust") }
		given := []*line{
			{role: "user", text: "a"}, {role: "human", text: "b\x00"},
			{role: "tool", answers: "none", text: "an orphan"},
		}
		got, warnings, err := own.Messages(ctx, given, nil)
		if err != nil {
			require.Equal(t, given, got)
			return err
		}
		require.NotEmpty(t, warnings)
		report := adapter.Report(func(context.Context, []wire.Warning, error) { x.called("Report") })
		return report.Tell(ctx, warnings, nil)
	}
	messages := func(x *faulty) error {
		given := x.letters()
		got, warnings, err := x.format().Messages(ctx, given, nil)
		if err != nil {
			require.Equal(t, given, got)
		} else {
			require.NotEmpty(t, warnings)
		}
		return err
	}
	read := func(x *faulty) error {
		_, err := x.params().FromJSON(
			[]byte(`{"messages":[{"role":"user","content":"a"}],"more":1}`))
		return err
	}
	faults := map[string]func(){"panic": func() { panic(secret) }, "goexit": runtime.Goexit}
	for name, c := range map[string]struct {
		run       func(*faulty) error
		functions []string
	}{
		"Format.Messages":  {messages, []string{"Marshal", "Unmarshal"}},
		"Neutral.Messages": {neutral, []string{"Read", "Write", "Adjust", "Report"}},
		"Params.Sanitize": {params(false), []string{
			"MarshalJSON", "Messages", "Overrides", "ExtraFields", "Unmarshal", "SetExtraFields",
		}},
		"Params, raw":     {params(true), []string{"SetRaw"}},
		"Params.FromJSON": {read, []string{"Messages", "Unmarshal", "MarshalJSON", "SetExtraFields"}},
	} {
		for _, function := range c.functions {
			for kind, fault := range faults {
				for nth := 1; ; nth++ {
					x := &faulty{function: function, nth: nth, fault: fault}
					returned, err := apart(func() error { return c.run(x) })
					if x.calls < nth {
						require.NoError(t, err)
						require.Greater(t, nth, 1, "%s does not call %s", name, function)
						break
					}
					require.Equal(t, kind == "panic", returned)
					if returned {
						require.ErrorIs(t, err, preflight.ErrHook, "%s in %s", function, name)
						require.NotContains(t, err.Error(), secret)
					}
					require.NoError(t, c.run(&faulty{}))
				}
			}
		}
	}
}

// apart runs f in a goroutine, and reports whether it returned.
func apart(f func() error) (returned bool, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = f()
		returned = true
	}()
	<-ended
	return returned, err
}

// TestReport: a report is told of what there is, and the error of the call stays.
func TestReport(t *testing.T) {
	told := 0
	report := adapter.Report(func(context.Context, []wire.Warning, error) { told++ })
	require.NoError(t, report.Tell(context.Background(), nil, nil))
	require.Zero(t, told)
	require.NoError(t, report.Tell(context.Background(), make([]wire.Warning, 1), nil))
	require.ErrorIs(t, report.Tell(context.Background(), nil, errTorn), errTorn)
	require.Equal(t, 2, told)
	report = nil
	require.ErrorIs(t, report.Tell(context.Background(), nil, errTorn), errTorn)
}
