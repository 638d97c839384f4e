package command

import (
	"fmt"
	"strings"
)

// runCompletion prints a script that completes commands and flags in a shell. The flags are those
// that the installed program prints as its help.
func runCompletion(args []string, std stdio) int {
	set := flags("completion")
	shell, code, done := parse(set, args, std, 1)
	if done {
		return code
	}
	if len(shell) == 0 || completions[shell[0]] == "" {
		fmt.Fprintln(std.err, "usage: preflight completion bash|zsh|fish")
		return exitUsage
	}
	var names []string
	for _, c := range commands() {
		if !strings.Contains(c.name, " ") {
			names = append(names, c.name)
		}
	}
	fmt.Fprint(std.out, strings.ReplaceAll(completions[shell[0]], "COMMANDS",
		strings.Join(append(names, "help"), " ")))
	return exitOK
}

const bashCompletion = `_preflight() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "COMMANDS" -- "$word"))
  elif [ "${word#-}" != "$word" ]; then
    COMPREPLY=($(compgen -W "$(preflight help "${COMP_WORDS[1]}" 2>/dev/null |
      sed -n 's/^  -\([a-z-]*\).*/--\1/p')" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _preflight preflight
`

var completions = map[string]string{
	"bash": bashCompletion,
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\n" + bashCompletion,
	"fish": `complete -c preflight -n __fish_use_subcommand -f -a "COMMANDS"
complete -c preflight -n "not __fish_use_subcommand" -a "(
  preflight help (commandline -opc)[2] 2>/dev/null |
    string replace -rf -- '^  -([a-z-]+).*' '--\$1')"
`,
}
