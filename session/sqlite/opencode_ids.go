package sqlite

import (
	"fmt"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session"
)

// usedIDs are the ids of the calls that come before a part: of its message, or, since Anthropic
// refuses an id that any two calls have, of the whole session.
type usedIDs struct {
	anthropic bool
	seen      map[string]bool
}

// enter begins a message.
func (u *usedIDs) enter() {
	if u.seen == nil || !u.anthropic {
		u.seen = map[string]bool{}
	}
}

// mend gives a call the id of its part if it has none, or one that another call has. The result is
// in the same part, so that it stays with its call.
func (u *usedIDs) mend(to *store, r *session.Report, p *opencodeRow) {
	if p.value.Type != "tool" {
		return
	}
	id := p.value.CallID
	if u.anthropic {
		id = anthropicID.ReplaceAllString(id, "_")
	}
	if id != "" && !u.seen[id] {
		u.seen[id] = true
		return
	}
	f := session.Finding{
		Code: session.Code(codes.IDRewritten), Rows: []string{"part " + p.id},
		Problem: "an earlier call has the id of this call",
		Fix:     "give it the id of its part",
	}
	f.Rule = "openai-chat/tool-call-id-duplicate"
	if u.anthropic {
		f.Rule = "anthropic/tool-use-id-duplicate"
	}
	if id == "" {
		f.Rule, f.Problem = "", "the call has no id"+unopened(r)
	}
	doc, err := jsonscan.Parse([]byte(p.data))
	if err != nil {
		return
	}
	id = p.id
	for n := 2; u.seen[id]; n++ {
		id = fmt.Sprintf("%s_%d", p.id, n)
	}
	value, err := encode(id)
	if err != nil {
		return
	}
	was := p.data
	p.set(string(withMember(doc.Root(), value, []string{"callID"}).Raw()))
	u.seen[id] = true
	to.edit("UPDATE part SET data = ? WHERE id = ? AND data = ?", p.data, p.id, was)
	r.Findings = append(r.Findings, f)
}
