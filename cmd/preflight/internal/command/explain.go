package command

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// maxErrorText is how much of standard input is read. An error message and the log around it need
// far less.
const maxErrorText = 16 << 20

func runExplain(args []string, std stdio) int {
	set := flags("explain")
	asJSON := set.Bool("json", false, "print the explanation as JSON")
	body := set.String("body", "", "try the repair on the request in `FILE`")
	var options wire.Options
	set.StringVar(&options.Provider, "provider", "", "with --body: "+providerHelp)
	profileFlag(set, &options.Measured)
	set.StringVar(&options.Model, "model", "", "with --body: model whose rules apply")
	text, code, done := errorText(set, args, std)
	if done {
		return code
	}
	if _, ok := rule.ByID(text); ok {
		return printRule(text, *asJSON, std)
	}
	e, ok := rule.Explain(text)
	if !ok {
		return tellUnknown(text, std)
	}
	answer := explained{Explanation: e}
	if *body != "" && e.Class == rule.ClassHistory {
		tried, err := tryOn(*body, options, e.Rule, std)
		if err != nil {
			return std.fail("explain", err, exitUsage)
		}
		answer.Tried = tried
	}
	printExplanation(std.out, answer, *asJSON)
	return exitOK
}

const unknownText = `preflight explain: this is no error text that preflight knows.
If it is about messages, tool calls or content, please report it, if you can with the request that
caused it:
https://github.com/go-preflight/preflight/issues`

// tellUnknown says what is wrong with a text that is not recognised: it may be the id of a rule, or
// the name of a file, that was meant.
func tellUnknown(text string, std stdio) int {
	if rules := likelyRules(text); ruleID.MatchString(text) && len(rules) > 0 {
		fmt.Fprintf(std.err, "preflight explain: there is no rule %q%s\n", text, meant(rules...))
		return exitUsage
	}
	if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
		fmt.Fprintf(std.err, "preflight explain: %q is a file; give its text on standard input\n", text)
		return exitUsage
	}
	fmt.Fprintln(std.err, unknownText)
	return exitWrong
}

// ruleID is what the id of a rule looks like, with the provider or without.
var ruleID = regexp.MustCompile(`^([a-z0-9-]+/)?[a-z0-9]+(-[a-z0-9]+)+$`)

// errorText returns the text to explain: the one argument, which flags may follow, or else standard
// input. done says that the command is over, with code.
func errorText(set *flag.FlagSet, args []string, std stdio) (text string, code int, done bool) {
	names, code, done := parse(set, args, std, anyNumber)
	switch {
	case done:
		return "", code, true
	case len(names) > 1:
		fmt.Fprintf(std.err, "preflight explain takes one argument, and %q is another; "+
			"put the error text in quotes\n", names[1])
		return "", exitUsage, true
	case len(names) == 1:
		text = names[0]
	default:
		data, err := io.ReadAll(io.LimitReader(std.in, maxErrorText))
		if err != nil {
			return "", std.fail("explain", err, exitUsage), true
		}
		text = string(data)
	}
	if strings.TrimSpace(text) == "" {
		fmt.Fprintln(std.err, "preflight explain: there is no text; "+
			"give the provider's error as an argument or on standard input")
		return "", exitUsage, true
	}
	return text, 0, false
}

// explained is an explanation, and what became of its rule in a request.
type explained struct {
	rule.Explanation
	Tried *trial `json:"tried,omitempty"`
}

func printExplanation(w io.Writer, e explained, asJSON bool) {
	if asJSON {
		_ = printJSON(w, e, "  ") // Run says what could not be written
		return
	}
	var b strings.Builder
	writeExplanation(&b, e)
	for _, more := range e.More {
		b.WriteString("\n")
		writeExplanation(&b, explained{Explanation: more})
	}
	fmt.Fprint(w, b.String())
}

// writeExplanation writes the rule on a line of its own, and below it what is known, one thing to a
// line.
func writeExplanation(b *strings.Builder, e explained) {
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %-9s %s\n", name, value)
		}
	}
	if e.Class != rule.ClassHistory {
		fmt.Fprintf(b, "not the history: %s\n", e.Class)
		line("through", strings.Join(e.Via, " and "))
		line("text", e.Text)
		line("advice", e.Advice)
		return
	}
	fmt.Fprintln(b, e.Rule.ID)
	line("said by", saidBy(e.Explanation))
	line("text", e.Text)
	if e.Guess {
		line("guess", "the words are new; the rule is the one of their meaning")
	}
	line("where", strings.Join(e.Paths, ", "))
	line("ids", strings.Join(e.IDs, ", "))
	for _, b := range e.Types {
		line("type", b.Kind+" is a type of "+b.Format)
	}
	line("means", e.Rule.Statement)
	line("fix", e.Rule.Fix)
	if e.Tried != nil {
		line("repair", e.Tried.String())
	} else {
		line("repair", covered(e.Rule))
	}
	for _, r := range e.Also {
		line("or", r.ID+": "+r.Statement)
	}
}

func saidBy(e rule.Explanation) string {
	if len(e.Via) == 0 {
		return e.Rule.Provider
	}
	return e.Rule.Provider + ", through " + strings.Join(e.Via, " and ")
}

// covered says what preflight does about a rule.
func covered(r rule.Rule) string {
	switch r.Coverage {
	case rule.Repaired:
		return "preflight fix repairs it, if the request shows it."
	case rule.Refused:
		return "preflight fix reports it and repairs nothing. " + r.Reason
	case rule.Accepted:
		return "preflight leaves it alone. " + r.Reason
	case rule.Unseen:
		return "preflight cannot see it. " + r.Reason
	}
	return "preflight fix does not repair it yet. " + r.Reason
}
