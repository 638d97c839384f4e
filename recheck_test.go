package preflight_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// TestReuse: what Sanitize reuses of its first check changes no result.
func TestReuse(t *testing.T) {
	afresh := preflight.AfreshPipeline()
	for name, s := range underTest() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := drawOptions(t)
				options.Request = s.request
				in := histgen.Any(&s.profile, options).Draw(t, "history")
				got, gotErr := preflight.Sanitize(context.Background(), in, &s.profile, options)
				want, wantErr := afresh.Sanitize(context.Background(), in, &s.profile, options)
				if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
					t.Fatalf("the error is %v, want %v\n%s", gotErr, wantErr, dump(in))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("(-want +got)\n%s\n%s", diff, dump(in))
				}
			})
		})
	}
}
