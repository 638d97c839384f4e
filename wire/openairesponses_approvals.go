package wire

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs requests for approval of calls to MCP servers, and the answers to them.

const (
	approvalAnswer = "mcp_approval_response"

	ruleApprovalOrphan = "openai-responses/mcp-approval-orphan"
	ruleItemDuplicate  = "openai-responses/duplicate-item"
)

// approvals are the ids in the items about approvals.
type approvals struct {
	read     bool
	asked    map[string]bool // of requests, references, and all else that may be a request
	answered map[string]bool // of requests that an item answers
}

// approvals reads the items about approvals once.
func (r *Request) approvals() *approvals {
	a := &r.approvalItems
	if a.read {
		return a
	}
	a.read, a.asked, a.answered = true, map[string]bool{}, map[string]bool{}
	for v := r.list.First(); v.Exists(); v = v.Next() {
		kind := v.Get("type")
		switch {
		case kind.StrIs(approvalAnswer):
			a.answered[v.Get("approval_request_id").Str()] = true
		case missingMember(v, kind.Str()) == "": // what lacks a member becomes text
			a.asked[v.Get("id").Str()] = true
		}
	}
	return a
}

// isChained reports whether a request continues a stored response or conversation.
func (r *Request) isChained() bool {
	return !r.untied && r.said.Has(members.Held)
}

// needlessApproval reports whether the API refuses an item because of its approval, and records it:
// an answer whose request is nowhere, or, beside its answer, a reference to a request that the
// server has.
func (d *decoder) needlessApproval(v jsonscan.Value) bool {
	kind := v.Get("type")
	if !kind.StrIs(approvalAnswer) && !kind.StrIs(itemReference) || !d.r.checksItems() {
		return false
	}
	chained := d.r.isChained()
	switch {
	case kind.StrIs(approvalAnswer) && !chained &&
		!d.r.approvals().asked[v.Get("approval_request_id").Str()]:
		d.note(v, "", finding{
			code: codes.OrphanRemoved, problem: problems.Orphan, rule: ruleApprovalOrphan,
			wrong: "the answer to a request for approval has no request",
			done:  "removed an answer whose request for approval is not in the history",
		})
		return true
	case kind.StrIs(itemReference) && chained && d.r.approvals().answered[v.Get("id").Str()]:
		d.note(v, "", finding{
			code: codes.DuplicateRemoved, problem: problems.ItemDuplicate, rule: ruleItemDuplicate,
			wrong: "the server has the request for approval that is answered",
			done:  "removed a reference to a request for approval that the server has",
		})
		return true
	}
	return false
}
