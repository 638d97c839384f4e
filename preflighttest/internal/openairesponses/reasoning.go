package openairesponses

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// Reasoning items, and the items that they belong to.

// sealed is the number of fields in encrypted reasoning: that it is, the id, what was thought, and
// what came before it.
const sealed = 4

func encrypted(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		fields, ours := seal.Open(read.Text(item.object["encrypted_content"]))
		if item.kind != "reasoning" || !ours {
			continue
		}
		if len(fields) != sealed || fields[0] != "reasoning" || item.id != "" && item.id != fields[1] {
			found(item.path+".encrypted_content", "rs_XXXX", item.id)
		}
	}
}

// needsReasoning checks items that are sent with the id under which
// the API returned them: what was thought before them has to be there too.
// Whether anything was, only the one knows who gave the id. With store: false
// there are no ids to hold anything against.
func needsReasoning(r *fake.Request, found fake.Found) {
	o := opened(r)
	if !o.store {
		return
	}
	for i, item := range o.items {
		answer, reasoned := answerOf(item.id)
		if !reasoned || !item.produced() || item.kind == "item_reference" {
			continue
		}
		if before := o.before[i]; before != nil {
			if of, _ := answerOf(before.id); of == "" || of == answer {
				continue
			}
		}
		found(item.path, "fc_XXXX", item.id, "'function_call'", "'"+item.kind+"'", "rs_XXXX",
			"rs_pfr"+answer+"00")
	}
}

// needsFollowing checks reasoning without what it led to, which is
// looked for where the request is stored (continuedev/continue#8933), and on
// Azure in every request (anomalyco/opencode#20698).
func needsFollowing(r *fake.Request, found fake.Found) {
	o := opened(r)
	for i, item := range o.items {
		if item.kind != "reasoning" || item.id == "" || !o.store && !o.azure {
			continue
		}
		following := o.after[i]
		if following == nil {
			found(item.path, "rs_XXXX", item.id)
			continue
		}
		if !o.store {
			continue
		}
		answer, _ := answerOf(item.id)
		if of, _ := answerOf(following.id); answer != "" && of != "" && of != answer {
			found(item.path, "rs_XXXX", item.id)
		}
	}
}

// reasoningDetached checks stored reasoning that is followed by an
// item without the id that would make it the item it led to.
func reasoningDetached(r *fake.Request, found fake.Found) {
	o := opened(r)
	for i, item := range o.items {
		if item.kind != "reasoning" || item.id == "" || !o.store {
			continue
		}
		following := o.after[i]
		if following == nil || following.id != "" {
			continue
		}
		if following.kind == "message" || strings.HasSuffix(following.kind, "_call") {
			found(item.path, "rs_XXXX", item.id)
		}
	}
}

func summaryRequired(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if path := item.path + ".summary"; item.kind == "reasoning" &&
			read.Has(item.object, "summary") && read.Kind(item.object["summary"]) != "array" {
			found.Says(path, openai.Type(path, "an array of objects", item.object["summary"]))
		}
		if item.kind == "reasoning" && !read.Has(item.object, "summary") {
			found(item.path+".summary", "input[1]", item.path)
		}
	}
}

func reasoningContent(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if n := len(read.Array(item.object["content"])); item.kind == "reasoning" && n > 0 {
			found(item.path+".content", "input[N]", item.path, "length 1 ",
				fmt.Sprintf("length %d ", n))
		}
	}
}

// reasoningBare checks reasoning of which nothing says which it is.
func reasoningBare(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if item.kind == "reasoning" && item.id == "" &&
			read.Text(item.object["encrypted_content"]) == "" {
			found(item.path+".id", "input[1].call_id", item.path+".id")
		}
	}
}
