package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is one place of a file with another text in it.
type mutant struct {
	// names it for as long as its line stays as it is, wherever that line moves to
	id         string
	file       string
	line       int
	start, end int // bytes of the file
	is         string
	schema     schema
	source     []byte
}

// mutantsOf lists the mutants of a directory's package, in order. Tests, generated tables and files
// of data alone have none.
func mutantsOf(dir string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []mutant
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s := surgeon{
			set: set, file: file, source: source, ids: map[string]int{},
			around: map[ast.Expr]*ast.BinaryExpr{}, headers: map[ast.Stmt]bool{},
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				s.function = f.Name.Name
				ast.Inspect(f.Body, s.visit)
			}
		}
		out = append(out, s.found...)
	}
	return out, nil
}

// surgeon collects the mutants of one file.
type surgeon struct {
	set      *token.FileSet
	file     string
	source   []byte
	function string         // the one under the knife
	ids      map[string]int // how many mutants have it
	around   map[ast.Expr]*ast.BinaryExpr
	headers  map[ast.Stmt]bool
	found    []mutant
}

// swaps are the operators that take each other's place.
var swaps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.REM:        token.MUL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC, token.BREAK: token.CONTINUE,
	token.CONTINUE: token.BREAK,
	token.OR:       token.AND, token.AND: token.OR, token.SHL: token.SHR, token.SHR: token.SHL,
	token.AND_NOT:   token.AND,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN,
}

func (s *surgeon) visit(node ast.Node) bool {
	s.context(node)
	switch n := node.(type) {
	case *ast.BinaryExpr:
		s.swap(n.OpPos, n.Op, s.binary(n))
	case *ast.AssignStmt:
		s.swap(n.TokPos, n.Tok, s.step(n, n.Lhs[0], n.Tok, s.text(n.Rhs[0])))
	case *ast.IncDecStmt:
		s.swap(n.TokPos, n.Tok, s.step(n, n.X, n.Tok, "1"))
	case *ast.BranchStmt:
		if n.Label == nil {
			s.swap(n.TokPos, n.Tok, s.branch(n))
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			s.replace(n.OpPos, n.OpPos+1, "", s.not(n))
		}
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			s.replace(n.Pos(), n.End(), strconv.Itoa(v+1), s.literal(n))
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			s.replace(n.Pos(), n.End(), "false", s.truth(n))
		case "false":
			s.replace(n.Pos(), n.End(), "true", s.truth(n))
		}
	case *ast.IfStmt:
		s.replace(n.Cond.Pos(), n.Cond.End(), "false && ("+s.text(n.Cond)+")", s.condition(n))
	case *ast.ExprStmt:
		s.replace(n.Pos(), n.End(), "", s.call(n)) // a call whose effect is its whole point
	}
	return true
}

func (s *surgeon) swap(at token.Pos, op token.Token, as schema) {
	if other, ok := swaps[op]; ok {
		s.replace(at, at+token.Pos(len(op.String())), other.String(), as)
	}
}

func (s *surgeon) text(n ast.Node) string {
	return string(s.source[s.set.Position(n.Pos()).Offset:s.set.Position(n.End()).Offset])
}

func (s *surgeon) replace(from, to token.Pos, text string, as schema) {
	start, end := s.set.Position(from), s.set.Position(to)
	m := mutant{
		file:   s.file,
		line:   start.Line,
		start:  start.Offset,
		end:    end.Offset,
		is:     text,
		schema: as,
		source: s.source,
	}
	m.id = s.id(m)
	s.ids[m.id]++
	if same := s.ids[m.id]; same > 1 {
		m.id += " #" + strconv.Itoa(same)
	}
	s.found = append(s.found, m)
}

// id shows the line with the new text in the place of the old: file, function, line with [old →
// new].
func (s *surgeon) id(m mutant) string {
	from := strings.LastIndexByte(string(s.source[:m.start]), '\n') + 1
	to := len(s.source)
	if k := strings.IndexByte(string(s.source[m.end:]), '\n'); k >= 0 {
		to = m.end + k
	}
	line := string(s.source[from:m.start]) + "[" + string(s.source[m.start:m.end]) + " → " + m.is +
		"]" + string(s.source[m.end:to])
	return s.file + " " + s.function + ": " + strings.Join(strings.Fields(line), " ")
}
