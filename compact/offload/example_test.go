package offload_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/offload"
)

// An agent reads a long log. When the history no longer fits, the log becomes its first and last
// lines, and the path of a file that has all of it.
func ExampleFolder() {
	folder, err := os.MkdirTemp("", "outputs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	session, err := compact.NewSession(compact.SessionConfig{
		Limits: compact.Limits{Budget: 2000, Offload: offload.Folder(folder)},
	})
	if err != nil {
		panic(err)
	}
	say := func(role preflight.Role, part preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: []preflight.Part{part}}
	}
	ctx := context.Background()
	err = session.Append(ctx,
		say(preflight.RoleUser, &preflight.Text{Text: "Why did the build fail?"}),
		say(preflight.RoleAssistant, &preflight.ToolCall{ID: "c1", Name: "log", Input: []byte("{}")}),
		say(preflight.RoleTool, &preflight.ToolResult{CallID: "c1", Name: "log",
			Content: []preflight.Part{
				&preflight.Text{Text: strings.Repeat("compiled one more file\n", 500)},
			}}),
		say(preflight.RoleAssistant, &preflight.Text{Text: "I do not know yet."}),
		say(preflight.RoleUser, &preflight.Text{Text: "Look again."}),
	)
	if err != nil {
		panic(err)
	}
	result, err := session.Render(ctx)
	if err != nil {
		panic(err)
	}
	for _, m := range result.Messages {
		for line := range strings.Lines(compact.InputOf(m).Text) {
			if strings.Contains(line, "stored as") {
				fmt.Print(filepath.ToSlash(strings.Replace(line, folder, "outputs", 1)))
			}
		}
	}
	// Output: | [output of 11500 bytes, stored as outputs/6c9f09a432079a9a58fe1d7fffa61087.txt]
}
