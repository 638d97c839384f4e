package casecheck

// wholeRules are about the body as a whole.
var wholeRules = []rule{
	on(`unchanged|unchanged when nothing was removed.*|left for openai|is left for openai`, func(k *check, _ []string) string {
		if !k.same() {
			return k.out.outline()
		}
		return unlessf(len(k.o.Warnings) == 0, "%d warnings", len(k.o.Warnings))
	}),
	on(`with KeepPendingTail: unchanged`, func(k *check, _ []string) string {
		return k.unless(k.same() && len(k.o.Warnings) == 0)
	}),
	on(`large integers exact`, func(k *check, _ []string) string { return k.unless(k.same()) }),
	on(`no allocation of new messages \(identity\)`, func(k *check, _ []string) string {
		return unlessf(k.sameBytes(), "other bytes: %s", k.o.Body)
	}),
	on(`key order and unknown fields preserved`, func(k *check, _ []string) string {
		return unlessf(sameText(k.in.body, k.out.body), "another text: %s", k.o.Body)
	}),
	on(`valid|valid for a thinking-enabled request`, func(*check, []string) string { return "" }),
	on(`empty output`, func(k *check, _ []string) string { return k.unless(len(k.out.messages) == 0) }),
	on(`output non-empty`, func(k *check, _ []string) string { return k.unless(len(k.out.messages) > 0) }),
}
