package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestEncodeInPlace: edits of Request.Messages in place are written, and the messages around them
// keep their bytes.
func TestEncodeInPlace(t *testing.T) {
	const one, two, three = `{"role":"user","content":[{"type":"text","text":"a"}],"x":1.0}`,
		`{"content":"b", "role":"assistant"}`, `{"role":"user" ,"content":"\u0063"}`
	body := func(messages ...string) string {
		return `{"model":"m","system":"s","max_tokens":9,"messages":[` +
			strings.Join(messages, ",") + `]}`
	}
	for name, c := range map[string]struct {
		edit func(r *wire.Request)
		want string
	}{
		"nothing": {func(*wire.Request) {}, body(one, two, three)},
		"a part": {func(r *wire.Request) {
			r.Messages[2].Parts[0].(*preflight.Text).Text = "edited"
		}, body(one, strings.Replace(two, "b", "edited", 1), three)},
		"the system prompt": {func(r *wire.Request) {
			r.Messages[0].Parts[0].(*preflight.Text).Text = "edited"
		}, strings.Replace(body(one, two, three), `"s"`, `"edited"`, 1)},
		"parts": {func(r *wire.Request) {
			r.Messages[1].Parts = append(r.Messages[1].Parts, &preflight.Text{Text: "more"})
		}, body(strings.Replace(one, `}]`, `},{"type":"text","text":"more"}]`, 1), two, three)},
		"a role": {func(r *wire.Request) { r.Messages[2].Role = preflight.RoleUser },
			body(one, strings.Replace(two, "assistant", "user", 1), three)},
		"an appended message": {func(r *wire.Request) {
			r.Messages = append(r.Messages, preflight.Message{
				Role: "assistant", Parts: []preflight.Part{&preflight.Text{Text: "d"}},
			})
		}, body(one, two, three, `{"role":"assistant","content":"d"}`)},
		"the last one removed": {func(r *wire.Request) {
			r.Messages = r.Messages[:3]
		}, body(one, two)},
		"the first one removed": {func(r *wire.Request) {
			r.Messages = slices.Delete(r.Messages, 1, 2)
		}, body(two, three)},
		"the system prompt removed": {func(r *wire.Request) {
			r.Messages = r.Messages[1:]
		}, strings.Replace(body(one, two, three), `"system":"s",`, "", 1)},
		"swapped": {func(r *wire.Request) {
			r.Messages[1], r.Messages[3] = r.Messages[3], r.Messages[1]
		}, body(three, two, one)},
	} {
		given := []byte(body(one, two, three))
		r, err := wire.Decode(given, &wire.Options{Provider: "anthropic"})
		require.NoError(t, err)
		c.edit(r)
		got, err := r.Encode(r.Messages)
		require.NoError(t, err)
		require.Equal(t, c.want, string(got), name)
		if name == "nothing" {
			require.Same(t, &given[0], &got[0])
		}
	}
}
