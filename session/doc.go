// Package session reads the sessions that agents store on disk, and repairs them.
//
// An agent that was killed, or whose file lost a line, often cannot go on: the provider refuses
// every request of the session, or the client silently forgets a part of the conversation.
// [Repair] edits the stored session so that the client can resume it, and says what was wrong and
// what the client would have lost.
//
//	repaired, report, err := session.Repair(data, nil)
//	if err != nil {
//		return err // not a session that this package knows
//	}
//	for _, f := range report.Findings {
//		fmt.Println(f.Lines, f.Problem, f.Fix)
//	}
//
// # What is edited
//
// A repair changes, adds or removes single lines; every other line keeps its bytes. It never
// touches reasoning that is followed by its answer, lines before a compaction, and lines that it
// does not understand. Repairing a repaired session changes nothing. Nothing depends on a clock or
// on chance: the ids of added lines are derived from the lines they belong to.
//
// [Repair] works on bytes; [RepairFile] adds a copy, and replaces the file in one step. The command
// "preflight repair" searches the clients' folders with [Places].
//
// # Clients
//
// Claude Code, Codex, Gemini CLI, Qwen Code, pi and Copilot CLI store lines of JSON, and are known
// here as their versions of November 2026 write it: a file of this package for each. The Cline CLI
// stores one JSON document. Databases of opencode, Kilo and Crush are read when package
// [github.com/go-preflight/preflight/session/sqlite] is imported.
//
// Lists of messages in one JSON document are sessions too: those of the Vercel AI SDK, pydantic-ai,
// LangChain and package preflight, and lists in the format of a provider. For anything else the
// error is an [UnknownError], which says what the data looks like.
package session
