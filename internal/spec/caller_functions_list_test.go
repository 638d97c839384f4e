package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// givenInterfaces are interfaces of other modules that users implement and pass to preflight. One
// that is missing is found by no test.
var givenInterfaces = []string{
	"http.RoundTripper", "http.Handler", "io.Reader", "io.Writer", "fs.FS",
	"model.ToolCallingChatModel", "model.LLM", "session.Service", "llms.Model",
	"providers.Provider", "fantasy.LanguageModel", "fantasy.Provider",
	"metric.MeterProvider",
}

// takenFunction is an exported place at which users pass functions to preflight.
type takenFunction struct {
	name string // "compact.Generate", "preflight.Hook.Message", "preflight.MapText(f)"
	doc  string // what its documentation says, and that of what it is in
}

// takenFunctions are the places of all modules: types of functions, interfaces, and fields and
// parameters of these types.
func takenFunctions(t *testing.T) []takenFunction {
	var s functionScan
	s.callable = make(map[string]bool)
	for _, name := range givenInterfaces {
		s.callable[name] = true
	}
	files := exportedFiles(t)
	for range 2 { // the first finds the types
		s.found = nil
		for _, file := range files {
			for _, d := range file.Decls {
				s.declaration(file.Name.Name, d)
			}
		}
	}
	slices.SortFunc(s.found, func(a, b takenFunction) int { return strings.Compare(a.name, b.name) })
	return s.found
}

// exportedFiles are the files of packages that others can import, of all modules.
func exportedFiles(t *testing.T) []*ast.File {
	skipped := []string{"internal", "testdata", "cmd", "examples", "docs", "tools"}
	var out []*ast.File
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." &&
			(strings.HasPrefix(name, ".") || slices.Contains(skipped, name)):
			return fs.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil,
			parser.SkipObjectResolution|parser.ParseComments)
		if err == nil && ast.FileExports(file) {
			out = append(out, file)
		}
		return err
	}))
	require.NotEmpty(t, out)
	return out
}

// functionScan collects places, and the names of the types of functions and interfaces.
type functionScan struct {
	callable map[string]bool // by package and name
	found    []takenFunction
}

func (s *functionScan) declaration(pkg string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := pkg + "." + d.Name.Name
		if d.Recv != nil {
			receiver := base(d.Recv.List[0].Type)
			if !ast.IsExported(receiver) {
				return
			}
			name = pkg + "." + receiver + "." + d.Name.Name
		}
		for _, param := range d.Type.Params.List {
			if s.takes(pkg, param.Type) {
				for _, p := range param.Names {
					s.add(name+"("+p.Name+")", d.Doc)
				}
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				s.typ(pkg+"."+spec.Name.Name, pkg, spec, d.Doc)
			}
		}
	}
}

func (s *functionScan) typ(name, pkg string, spec *ast.TypeSpec, doc *ast.CommentGroup) {
	switch typ := spec.Type.(type) {
	case *ast.InterfaceType:
		if !typ.Incomplete { // others have methods that are not exported
			s.callable[name] = true
			s.add(name, doc, spec.Doc)
		}
	case *ast.FuncType:
		s.callable[name] = true
		s.add(name, doc, spec.Doc)
	case *ast.StructType:
		for _, field := range typ.Fields.List {
			if s.takes(pkg, field.Type) {
				for _, f := range field.Names {
					s.add(name+"."+f.Name, doc, spec.Doc, field.Doc, field.Comment)
				}
			}
		}
	default:
		if s.takes(pkg, typ) {
			s.callable[name] = true
			s.add(name, doc, spec.Doc)
		}
	}
}

func (s *functionScan) add(name string, docs ...*ast.CommentGroup) {
	text := ""
	for _, d := range docs {
		text += d.Text()
	}
	s.found = append(s.found, takenFunction{name, text})
}

// takes reports whether a type has functions in it, or is one of those that are known to be called.
func (s *functionScan) takes(pkg string, typ ast.Expr) (found bool) {
	ast.Inspect(typ, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			found = true
		case *ast.SelectorExpr:
			found = found || s.callable[base(n.X)+"."+n.Sel.Name]
			return false
		case *ast.Ident:
			found = found || s.callable[pkg+"."+n.Name]
		}
		return !found
	})
	return found
}

// base is the name of a type without its pointer and parameters.
func base(typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return base(typ.X)
	case *ast.IndexExpr:
		return base(typ.X)
	case *ast.IndexListExpr:
		return base(typ.X)
	case *ast.Ident:
		return typ.Name
	}
	return ""
}

// In functionRows the value is the test, with its directory, that has the function panic, or one of
// these.
const (
	passes = "its documentation says that a panic passes to the caller, or to whom"
	ours   = "preflight's own, for users to call"
)

// functionRows are the places at which users pass functions to preflight, with what contains them.
var functionRows = map[string]string{
	"adapter.Format.Marshal":                   "adapter TestFaultyFunctions",
	"adapter.Format.Unmarshal":                 "adapter TestFaultyFunctions",
	"adapter.Neutral.Adjust":                   "adapter TestFaultyFunctions",
	"adapter.Neutral.Read":                     "adapter TestFaultyFunctions",
	"adapter.Neutral.Write":                    "adapter TestFaultyFunctions",
	"adapter.Origin":                           ours,
	"adapter.Params.Messages":                  "adapter TestFaultyFunctions",
	"adapter.Params.SetRaw":                    "adapter TestFaultyFunctions",
	"adapter.Report":                           "adapter TestFaultyFunctions",
	"adapter.Typed.Message":                    passes,
	"adapter.Typed.RawBlock":                   passes,
	"adapter.Typed.RawMessage":                 passes,
	"compact.Flat.Summarizer":                  "compact TestPanickingSummarizer",
	"compact.Generate(ask)":                    "compact TestPanickingSummarizer",
	"compact.Limits.Count":                     "compact TestFailingFunctions",
	"compact.Limits.Offload":                   "compact/offload TestPanic",
	"compact.Limits.Pinned":                    "compact TestPinnedPanics",
	"compact.Limits.Replace(texts)":            "compact TestReplacePanics",
	"compact.Limits.Summarize(s)":              "compact TestPanickingSummarizer",
	"compact.SessionConfig.Store":              "compact TestFailingFunctions",
	"compact.SessionConfig.Strategy":           "compact TestFailingFunctions",
	"compact.Store":                            "compact TestFailingFunctions",
	"compact.Strategy":                         "compact TestFailingFunctions",
	"compact.Summarizer":                       "compact TestPanickingSummarizer",
	"tokens.EstimateWith(picture)":             passes,
	"unionfind.Clustering.NewEmbedder":         "compact TestFailingFunctions",
	"unionfind.Clustering.Summarizer":          "compact TestPanickingSummarizer",
	"unionfind.Embedder":                       "compact TestFailingFunctions",
	"unionfind.Forest.ClosestPair(allow)":      passes,
	"unionfind.Learner":                        "compact TestFailingFunctions",
	"unionfind.NewForest(likeness)":            passes,
	"compare.Run(yours)":                       "preflighttest/compare TestFaults",
	"compare.Sanitizer":                        "preflighttest/compare TestFaults",
	"histgen.Corruption.Break":                 ours,
	"histgen.Shape.Make":                       ours,
	"preflight.Fixer.Fix":                      "internal/spec TestFailingFunctions",
	"preflight.Hook.History":                   "internal/spec TestFaultyFunctions",
	"preflight.Hook.Message":                   "internal/spec TestFaultyFunctions",
	"preflight.HookFunc(f)":                    "internal/spec TestFaultyFunctions",
	"redact.Message(f)":                        passes,
	"preflight.Options.AllowURL":               "internal/spec TestFailingFunctions",
	"preflight.Options.OpenCall":               "internal/spec TestFaultyFunctions",
	"preflight.Options.Vouch":                  "internal/spec TestFailingFunctions",
	"redact.Verified(f)":                       passes,
	"preflightadk.BeforeModel(report)":         "adapter/adk TestFaultyReport",
	"preflightadk.Config.Keep":                 passes,
	"preflightadk.Config.Report":               "adapter/adk TestFaultyReport",
	"preflightadk.Model(m)":                    passes,
	"preflightadk.Model(report)":               "adapter/adk TestFaultyReport",
	"preflightadk.Report":                      "adapter/adk TestFaultyReport",
	"preflightanyllm.Provider(p)":              passes,
	"preflightanyllm.Provider(report)":         "adapter/anyllm TestFaultyReport",
	"preflightanyllm.Report":                   "adapter/anyllm TestFaultyReport",
	"preflighteino.ChatModel(m)":               passes,
	"preflighteino.ChatModel(report)":          "adapter/eino TestFaultyReport",
	"preflighteino.Middleware(report)":         "adapter/eino TestFaultyReport",
	"preflighteino.Report":                     "adapter/eino TestFaultyReport",
	"preflighteino.Rewriter(report)":           "adapter/eino TestFaultyReport",
	"preflightfantasy.Model(m)":                passes,
	"preflightfantasy.Model(report)":           "adapter/fantasy TestFaultyReport",
	"preflightfantasy.PrepareStep(report)":     "adapter/fantasy TestFaultyReport",
	"preflightfantasy.Provider(p)":             passes,
	"preflightfantasy.Provider(report)":        "adapter/fantasy TestFaultyReport",
	"preflightfantasy.Report":                  "adapter/fantasy TestFaultyReport",
	"preflightgenkit.Middleware(report)":       "adapter/genkit TestFaultyReport",
	"preflightgenkit.Report":                   "adapter/genkit TestFaultyReport",
	"preflightextproc.Processor.Host":          "adapter/extproc TestFaultyFunctions",
	"remedy.Remedy.Apply":                      "preflighthttp TestFaultyFunctions",
	"preflighthttp.Transport.Base":             passes,
	"preflighthttp.Transport.Middleware(next)": passes,
	"preflighthttp.Transport.Refused":          "preflighthttp TestFaultyFunctions",
	"preflighthttp.Transport.Report":           "preflighthttp TestFaultyFunctions",
	"preflighthttp.Transport.Verdict":          "preflighthttp TestFaultyFunctions",
	"preflighthttp.WithRepaired(f)":            "preflighthttp TestFaultyFunctions",
	"preflightlangchaingo.Model(llm)":          passes,
	"preflightlangchaingo.Model(report)":       "adapter/langchaingo TestFaultyReport",
	"preflightlangchaingo.Report":              "adapter/langchaingo TestFaultyReport",
	"preflightotel.Config.MeterProvider":       passes,
	"preflighttest.Options.Respond":            passes,
	"session.Database.Find":                    "session TestFaultyDatabase",
	"session.Database.Open":                    "session TestFaultyDatabase",
	"session.Store":                            "session TestFaultyDatabase",
	"fixer.Truncate.Boundary":                  "internal/spec TestFaultyFunctions",
	"stored.Options.Boundary":                  "internal/spec TestFaultyFunctions",
	"stored.Older.Boundary":                    "internal/spec TestFaultyFunctions",
	"wire.CheckCalls(validate)":                "wire TestCheckCallsLeaves",
}

// TestFunctionsAreListed: every function and interface that users pass to preflight, in all
// modules, is contained, as a test shows, or its documentation says that it is not.
func TestFunctionsAreListed(t *testing.T) {
	rows := maps.Clone(functionRows)
	for _, f := range takenFunctions(t) {
		row, ok := rows[f.name]
		require.True(t, ok, "functionRows has no row for %s", f.name)
		delete(rows, f.name)
		switch row {
		case ours:
		case passes:
			require.Contains(t, f.doc, "panic", f.name)
		default:
			dir, test, _ := strings.Cut(row, " ")
			require.True(t, hasTest(t, dir, test), "%s: there is no %s in %s", f.name, test, dir)
		}
	}
	require.Empty(t, rows, "what these rows name is no more")
}

// hasTest reports whether a directory has a test of a name.
func hasTest(t *testing.T, dir, name string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.Contains(string(source), "\nfunc "+name+"(")
	})
}
