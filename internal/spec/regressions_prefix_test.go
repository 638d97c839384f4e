package spec

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// What was sent so far is sent again, now that more follows it.
func TestSoakedPrefixes(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile *preflight.Profile
		options preflight.Options
		sent    []preflight.Message
		more    []preflight.Message
		fixed   int // how many lines of the first output may not change
		// the provider reads messages of one role as one, and a repair may join them
		borderless bool
	}{
		{
			name:    "media leaves a system message at the end, and later does not",
			profile: modelProfile("claude-opus-5-5"),
			sent:    history(userMsg(says("q")), sysMsg(says("a"), image(), says("b"))),
			more:    history(userMsg(says("more"))),
			fixed:   2,
		},
		{
			name:    "text of a result without a call, and then an answered call with its id",
			profile: provider.OpenAIChat(""),
			options: preflight.Options{Orphans: preflight.OrphanText},
			sent:    history(toolMsg(answers("0", "of a lost call")), userMsg(says("q"))),
			more:    history(botMsg(calls("0")), toolMsg(answers("0", "1")), userMsg(says("r"))),
			fixed:   2,
		},
		{
			name:    "a late placeholder, and then the real result right after it",
			profile: geminiProfile(),
			options: preflight.Options{Dangling: preflight.DanglingAnswer},
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read")), userMsg(says("r")),
				botMsg(says("ok")), userMsg(unnamedPlaceholder("1"))),
			more:  history(userMsg(failed("1", "read"))),
			fixed: 4,
		},
		{
			name:    "a late placeholder, and then the real result, of a call that was removed",
			profile: modelProfile("claude-sonnet-4-5"),
			sent: history(userMsg(says("q")), botMsg(says("a"), calls("1")), userMsg(says("r")),
				botMsg(says("ok")), userMsg(unnamedPlaceholder("1"))),
			more:  history(userMsg(answers("1", "done"))),
			fixed: 4,
		},
		{
			name:    "a later call has the id under which a result without a name was found",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(calls("1")), userMsg(image()),
				userMsg(unnamed("1")), botMsg(says("ok")), userMsg(says("go on"))),
			more:  history(botMsg(calls("1"))),
			fixed: 5,
		},
		{
			name: "a late result replaces a placeholder without a name, and then a result of " +
				"the later call with its id comes",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read")),
				userMsg(unnamedPlaceholder("1")), botMsg(says("ok")), userMsg(says("go on")),
				botMsg(namedCall("1", "ls"), namedCall("2", "read")),
				userMsg(failed("1", "read"))),
			more:  history(userMsg(failed("1", "ls"), failed("2", "read"))),
			fixed: 5,
		},
		{
			name: "a result with another name made a turn complete, and then one with the " +
				"name of the call comes",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read")),
				userMsg(unnamedPlaceholder("1")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "read"))),
			more:  history(userMsg(failed("1", "ls"))),
			fixed: 4,
		},
		{
			name: "a call of the provider's own has the id of one that its result made the caller's, " +
				"later",
			profile: provider.Bedrock("us.deepseek.r1-v1:0"),
			sent: history(userMsg(says("q")), botMsg(searches("s")), userMsg(answers("s", "found")),
				botMsg(says("ok")), userMsg(says("go on"))),
			more:  history(botMsg(says("a"), searches("s"))),
			fixed: 5,
		},
		{
			name:    "a result without a call, beside one that is a later call's",
			profile: provider.Bedrock(""),
			options: preflight.Options{Orphans: preflight.OrphanText},
			sent: history(userMsg(says("q")), userMsg(answers("1", ""), answers("2", "two"), says("r")),
				botMsg(says("ok")), userMsg(says("so"))),
			more:  history(botMsg(calls("1")), userMsg(failed("1", ""))),
			fixed: 5, borderless: true,
		},
		{
			name: "a late placeholder has a copy of its call, and a later result gets one, too: " +
				"the first copy keeps its id",
			profile: provider.Bedrock("us.amazon.nova-2-lite-v1:0"),
			options: preflight.Options{Dangling: preflight.DanglingAnswer},
			sent: history(userMsg(says("q")), botMsg(calls("1")), botMsg(says("ok")),
				userMsg(unnamedPlaceholder("1")), botMsg(says("so"), calls("1"), calls("2")),
				userMsg(failed("1", ""))),
			more:  history(userMsg(answers("1", "done"), failed("2", ""))),
			fixed: 7,
		},
		{
			name:    "an open server tool is between results and their calls, and is removed later",
			profile: &preflight.Profile{},
			sent: history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
				botMsg(searches("s")), toolMsg(answers("b", "two"), answers("a", "one"))),
			more:  history(botMsg(says("done"))),
			fixed: 3,
		},
		{
			name:    "orphans become text, and a message that begins with one follows",
			profile: modelProfile("claude-opus-5-5"),
			options: preflight.Options{Orphans: preflight.OrphanText},
			sent: history(userMsg(says("q")), userMsg(answers("a", "one")),
				userMsg(answers("b", "two"))),
			more:  history(userMsg(answers("c", "three"), says("r"))),
			fixed: 3, borderless: true,
		},
		{
			name:    "an open server tool at the very end is a pause, and is removed later",
			profile: &preflight.Profile{},
			sent:    history(userMsg(says("q")), botMsg(says("let me see"), searches("s"))),
			more:    history(userMsg(says("well?"))),
			fixed:   1,
		},
		{
			name: "a later call has the id and the tool of a result that was sent as another " +
				"call's of that id",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "ls"), namedResult("1", "read", "one")),
				botMsg(says("ok")), userMsg(says("go on"))),
			more:  history(botMsg(namedCall("1", "read"))),
			fixed: 5,
		},
		{
			name: "a call gets a better result than the one that was sent as its own," +
				" and an earlier call of its id has none",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "ls")),
				userMsg(namedResult("1", "ls", "")), botMsg(namedCall("1", "read")),
				userMsg(namedResult("1", "", "one"))),
			more:  history(userMsg(namedResult("1", "read", "two"))),
			fixed: 4,
		},
		{
			name: "a result before all calls was sent as that of the first call of its id," +
				" and one of its tool follows",
			profile: geminiProfile(),
			sent: history(userMsg(namedResult("1", "read", "one")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "ls")),
				botMsg(says("ok")), userMsg(says("go on"))),
			more:  history(botMsg(namedCall("1", "read"))),
			fixed: 5,
		},
		{
			name: "a result before all calls may not wait for a later call of its tool," +
				" whose own result follows",
			profile: geminiProfile(),
			sent: history(userMsg(namedResult("1", "read", "one")), botMsg(namedCall("1", "ls")),
				userMsg(failed("1", "ls")),
				botMsg(namedCall("1", "read"))),
			more:  history(userMsg(failed("1", "read"))),
			fixed: 3,
		},
		{
			name: "two results before their call," +
				" of which the assistant spoke after the first: both move to it",
			profile: modelProfile("claude-sonnet-4-5"),
			sent: history(userMsg(says("q")), userMsg(answers("a", "one")), botMsg(says("ok")),
				userMsg(answers("a", "two")),
				userMsg(says("r")), botMsg(says("done"))),
			more:  history(botMsg(calls("a"))),
			fixed: 3,
		},
		{
			name: "a result of another name was sent as that of the call it follows," +
				" whose own result comes, and an earlier one is open",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read"), says("a")),
				userMsg(says("r")), botMsg(namedCall("1", "read")),
				userMsg(namedResult("1", "write", "one"))),
			more:  history(userMsg(namedResult("1", "read", "two"))),
			fixed: 3,
		},
		{
			name:    "the same with a placeholder that has no name",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read"), says("a")),
				userMsg(says("r")), botMsg(namedCall("1", "ls")),
				userMsg(unnamedPlaceholder("1"))),
			more:  history(userMsg(namedResult("1", "ls", "two"))),
			fixed: 3,
		},
		{
			name: "a result before its call," +
				" which gets another one: it is not that of an open call before it",
			profile: modelProfile("claude-sonnet-4-5"),
			sent: history(userMsg(says("q")), botMsg(says("a"), calls("1")),
				userMsg(answers("2", "one")), botMsg(says("b")), userMsg(says("r")),
				botMsg(calls("2"))),
			more:  history(userMsg(answers("2", "two"))),
			fixed: 4,
		},
		{
			name: "a call without an id was sent with a result that has the id of an earlier call," +
				" which a placeholder answers",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("1", "read")),
				userMsg(unnamedPlaceholder("1")), botMsg(says("a")), userMsg(says("r")),
				botMsg(namedCall("", "read")), userMsg(namedResult("1", "read", "one"))),
			more:  history(userMsg(failed("", "read"))),
			fixed: 5,
		},
		{
			name:    "a result of an earlier call, and then both of the turn in one message",
			profile: geminiProfile(),
			sent: history(userMsg(says("q")), botMsg(namedCall("2", "read")),
				userMsg(unnamedPlaceholder("2")), botMsg(says("a")), userMsg(says("r")),
				botMsg(namedCall("1", "ls"), namedCall("2", "fetch")),
				userMsg(namedResult("2", "read", "one"))),
			more:  history(userMsg(failed("1", "ls"), namedResult("2", "fetch", "two"))),
			fixed: 5,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := given{profile: c.profile, options: &c.options}
			before, err := g.sanitize(c.sent)
			require.NoError(t, err)
			after, err := g.sanitize(append(c.sent[:len(c.sent):len(c.sent)], c.more...))
			require.NoError(t, err)
			was, now := lines(before.Messages), lines(after.Messages)
			if c.borderless {
				was, now = parts(was), parts(now)
			}
			require.GreaterOrEqual(t, len(was), c.fixed, was)
			require.GreaterOrEqual(t, len(now), c.fixed, now)
			if diff := cmp.Diff(was[:c.fixed], now[:c.fixed]); diff != "" {
				t.Errorf("(-sent +now):\n%s", diff)
			}
		})
	}
}

// Media that moved out of the open turn is of the open turn: it may move again when a call of that
// turn gets a result.
func TestSoakedOpenTurn(t *testing.T) {
	h := history(
		userMsg(says("q")),
		botMsg(image(), callsWith("a", `{"n":1}`)),
		botMsg(callsWith("a", `{"n":2}`)),
		toolMsg(answers("a", "one")),
	)
	out := history(h[0], userMsg(h[1].Parts[0]), botMsg(h[2].Parts[0]), h[3])
	require.Equal(t, countBlocks(out), movedOut(h, out), "an image has no tag, and cannot be told")
	image := h[1].Parts[0].(*preflight.Media)
	image.Meta = preflight.Metadata{"histgen": json.RawMessage(`"m1"`)}
	h[0].Parts[0].(*preflight.Text).Meta = preflight.Metadata{"histgen": json.RawMessage(`"u1"`)}
	require.Equal(t, 1, movedOut(h, out))
	over := append(h[:4:4], botMsg(says("done")))
	require.Equal(t, countBlocks(out), movedOut(over, out), "the turn is over")
}
