// Package unionfind compacts by topic: a union-find forest says which messages belong together, and
// each cluster has a summary of its own.
//
// It follows gemini-cli's pull request 24736 ("union-find context compaction"), and remembers no
// more than compact.Flat does; docs/unionfind.md has the reasons. Choose it to know which messages
// are about one topic (Strategy, a compact.Strategy), or to answer questions about a long record
// (Window, with a Query). To continue a conversation use a compact.Session.
//
//	window, err := unionfind.NewWindow(unionfind.Config{Limits: limits})
//	err = window.Append(ctx, messages...)
//	result, err := window.Render(ctx, unionfind.Query{Text: "Which port has the database?"})
//
// A panic in a function of the caller (a summarizer, counter or embedder) is an error that wraps
// preflight.ErrHook and does not quote the value; but a panic in the functions that a Forest is
// given passes to its caller.
package unionfind
