package command

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/nearest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
)

// maxErrorText is how much of standard input is read. An error message and the log around it need
// far less.
const maxErrorText = 16 << 20

func runExplain(args []string, std stdio) int {
	set := flags("explain")
	asJSON := set.Bool("json", false, "print the explanation as JSON")
	body := set.String("body", "", "try the repair on the request in `FILE`")
	refused := set.String("file", "", "explain a refused request that serve kept in `FILE`")
	var options wire.Options
	set.StringVar(&options.Provider, "provider", "", "the host that was asked: "+providerHelp)
	profileFlag(set, &options.Measured)
	set.StringVar(&options.Model, "model", "", "model whose rules apply")
	text, code, done := errorText(set, args, std, refused)
	if done {
		return code
	}
	var kept *preflighthttp.Refused
	if *refused != "" {
		var err error
		if kept, err = readRefused(*refused); err != nil {
			return std.fail("explain", err, exitUsage)
		}
		text = kept.Words
		options.Provider = cmp.Or(options.Provider, kept.Provider)
		options.Model = cmp.Or(options.Model, kept.Model)
	}
	if _, ok := rule.ByID(text); ok {
		return printRule(text, *asJSON, std)
	}
	e, ok := explain.Text(text)
	if !ok {
		return tellUnknown(text, std)
	}
	if name := options.Provider; name != "" && *body == "" &&
		!slices.Contains(wire.Providers(), name) {
		fmt.Fprintf(std.err, "preflight explain: there is no provider %q%s\n", name,
			meant(nearest.Name(name, wire.Providers())))
		options.Provider = ""
	}
	answer := explained{Explanation: e, Request: requestOf(kept), options: options}
	if e.Class == explain.ClassHistory {
		answer.Repair = repairOf(&e, options)
	}
	if (*body != "" || kept != nil) && e.Class == explain.ClassHistory {
		tried, err := tryOn(*body, kept, options, e.Rule, std)
		if err != nil {
			return std.fail("explain", err, exitUsage)
		}
		answer.Tried, answer.Repair = tried, tried.String()
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
	if _, err := wire.Decode([]byte(text), nil); err == nil {
		fmt.Fprintln(std.err, "preflight explain: this is a request, not an error; "+
			"preflight check says what its provider would refuse")
		return exitWrong
	}
	fmt.Fprintln(std.err, unknownText)
	return exitWrong
}

// ruleID is what the id of a rule looks like, with the provider or without.
var ruleID = regexp.MustCompile(`^([a-z0-9-]+/)?[a-z0-9]+(-[a-z0-9]+)+$`)

// errorText returns the text to explain: the one argument, which flags may follow, or else standard
// input. done says that the command is over, with code.
func errorText(
	set *flag.FlagSet, args []string, std stdio, file *string,
) (text string, code int, done bool) {
	names, code, done := parse(set, args, std, anyNumber)
	switch {
	case done:
		return "", code, true
	case *file != "" && (len(names) > 0 || set.Lookup("body").Value.String() != ""):
		fmt.Fprintln(std.err, "preflight explain: --file has the text and the request; "+
			"leave the others out")
		return "", exitUsage, true
	case *file != "":
		return "", 0, false
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
	explain.Explanation
	// Request is the refused request that was read from a file.
	Request string `json:"request,omitempty"`
	// Repair says what preflight does about the rule, for the host that was asked.
	Repair string `json:"repair,omitempty"`
	Tried  *trial `json:"tried,omitempty"`

	options wire.Options
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
		writeExplanation(&b, explained{Explanation: more, Repair: repairOf(&more, e.options)})
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
	if e.Class != explain.ClassHistory {
		fmt.Fprintf(b, "not the history: %s\n", e.Class)
		line("request", e.Request)
		line("through", strings.Join(e.Via, " and "))
		line("text", e.Text)
		line("advice", e.Advice)
		return
	}
	fmt.Fprintln(b, e.Rule.ID)
	line("request", e.Request)
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
	line("repair", e.Repair)
	for _, r := range e.Also {
		line("or", r.ID+": "+r.Statement)
	}
}

// saidBy names the provider whose words these are, or those that have them.
func saidBy(e explain.Explanation) string {
	who := e.Owner
	switch {
	case who != "":
	case len(e.Also) == 0:
		who = "a host that is not known"
	default:
		names := []string{e.Rule.Provider}
		for _, r := range e.Also {
			if !slices.Contains(names, r.Provider) {
				names = append(names, r.Provider)
			}
		}
		who = "one of " + strings.Join(names, ", ")
	}
	if len(e.Via) > 0 {
		who += ", through " + strings.Join(e.Via, " and ")
	}
	return who
}
