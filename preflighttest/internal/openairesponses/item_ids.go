package openairesponses

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Ids of items.

// named reports whether the item has an id of its own. That of a reference is
// another item's, and what the API says of one that no item can have, or of one
// that is there twice, is not on record.
func (i item) named() bool { return i.kind != "item_reference" && i.kind != "" }

func itemIDLength(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if n := len([]rune(item.id)); n > 64 && item.named() {
			found(item.path+".id", "input[3]", item.path, "length 408", fmt.Sprintf("length %d", n))
		}
	}
}

var itemIDForm = regexp.MustCompile(`^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$`)

func itemIDCharset(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		id, ok := item.object["id"].(string)
		if ok && item.named() && item.id == id && !itemIDForm.MatchString(id) {
			found(item.path+".id", "input[14]", item.path, "msg-2026…", id)
		}
	}
}

// prefixes are what the ids of items begin with, by type.
var prefixes = map[string]string{
	"message": "msg", "function_call": "fc", "custom_tool_call": "ctc", "web_search_call": "ws",
	"reasoning": "rs",
}

func itemIDPrefix(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if prefix := prefixes[item.kind]; item.id != "" &&
			!strings.HasPrefix(item.id, prefix) {
			found(item.path+".id", "input[4]", item.path, "call_XXXX", item.id, "with 'fc'",
				"with '"+prefix+"'")
		}
	}
}

func callIDLength(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if n := len([]rune(item.called)); n > 64 {
			found(item.path+".call_id", "input[2]", item.path, "length 452",
				fmt.Sprintf("length %d", n))
		}
	}
}

func itemDuplicate(r *fake.Request, found fake.Found) {
	seen := map[string]bool{}
	for _, item := range opened(r).items {
		if !item.named() {
			continue
		}
		if item.id != "" && seen[item.id] {
			found(item.path+".id", "msg_XXXX", item.id)
		}
		seen[item.id] = true
	}
}

// itemNotFound checks items that the request names without holding
// them, while nothing is stored.
func itemNotFound(r *fake.Request, found fake.Found) {
	o := opened(r)
	for _, item := range o.items {
		bare := item.kind == "item_reference" ||
			item.kind == "reasoning" && read.Text(item.object["encrypted_content"]) == ""
		if !o.store && bare && (item.id != "" || item.kind == "item_reference") {
			found(item.path+".id", "rs_XXXX", item.id)
		}
	}
}
