// Command preflight checks and repairs the message history of an LLM request body.
//
//	preflight fix     [--provider P] [--model M] [--report FILE] < body.json > fixed.json
//	preflight fix     [--diff|--check|-w] [-v] FILE…
//	preflight check   [--provider P] [--model M] [--json] [--jsonl] [FILE…] < body.json
//	preflight explain [--json] ["the provider's error text"|RULE]
//	preflight convert [--from A] --to B [--model M] [--report FILE] [FILE] < body.json > other.json
//	preflight compact --budget N [--strategy S] [--report FILE] [FILE] < body.json > shorter.json
//	preflight repair  [--write] [--force] [--diff] [--html FILE] [--json] [FILE|DIR…]
//	preflight serve   [--config FILE] [--listen ADDRESS] [--check-config]
//	preflight probe   --url URL --model M [--key-env VAR] [--out FILE] | --template FILE
//	preflight rules   [--provider P] [--json] [RULE]
//	preflight completion bash|zsh|fish
//	preflight help    [COMMAND]
//	preflight version
//
// The body is a whole request body, or a bare array of messages. fix exits with 0 and writes the
// body, byte for byte the same when nothing had to change; with 1 when the history cannot be
// repaired; with 2 on wrong usage, or on input that is not JSON, not a request, or one in another
// format than the provider's that was named. With --diff or --check, it also exits with 1 when
// something had to change. check exits with 0 when nothing is wrong and with 1 when something is.
// With files, fix --write replaces those that had to change, in one step, and check has the name of
// the file before each path. With --jsonl, check has the number of the line there, too, and a line
// that is no request makes it exit with 1. The file "-" is standard input. repair is about sessions
// that agents store; see docs/repair.md. explain takes the text from its argument or from standard
// input, and exits with 1 when it does not know it.
package main

import (
	"os"

	"github.com/go-preflight/preflight/cmd/preflight/internal/command"
)

func main() {
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
