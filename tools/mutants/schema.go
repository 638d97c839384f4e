package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// schema is a mutation written so that a running program can be told whether it is on: with it off,
// the text means what the source means; with it on, what the mutated source means. Whatever has an
// effect is evaluated once, and only where the source evaluates it.
type schema struct {
	from, to int // the bytes of the file whose place it takes
	// with number in place of the number of the mutant; none when the mutation has no schema
	text string
}

const (
	number   = "\x00" // occurs in no source
	on       = "mutant_on(" + number + ")"
	variable = "MUTANT" // the environment variable that says which mutant is on
)

// prelude is what schemata call, for a file of its own in every package that has some. It may not
// collide with anything.
const prelude = `
import (
	mutant_os "os"
	mutant_strconv "strconv"
)

var mutant_current, _ = mutant_strconv.Atoi(mutant_os.Getenv("` + variable +
	`"))

func mutant_on(k int) bool { return k == mutant_current }

func mutant_one(k int) int {
	if mutant_on(k) {
		return 1
	}
	return 0
}

type mutant_integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutant_number interface{ mutant_integer | ~float32 | ~float64 }
`

// The signatures of the functions that replace operators.
const (
	ordering   = "[T mutant_number | ~string](k int, a, b T) bool"
	arithmetic = "[T mutant_number](k int, a, b T) T"
	bitwise    = "[T mutant_integer](k int, a, b T) T"
	shifting   = "[T, S mutant_integer](k int, a T, b S) T"
)

// operators are written as functions, so that their operands are written once: a mutation of the
// operator is in the function.
var operators = []struct {
	op        token.Token
	name      string
	signature string
}{
	{token.LSS, "mutant_less", ordering},
	{token.LEQ, "mutant_most", ordering},
	{token.GTR, "mutant_more", ordering},
	{token.GEQ, "mutant_least", ordering},
	{token.ADD, "mutant_add", arithmetic},
	{token.SUB, "mutant_sub", arithmetic},
	{token.MUL, "mutant_mul", arithmetic},
	{token.QUO, "mutant_quo", arithmetic},
	{token.REM, "mutant_rem", bitwise},
	{token.OR, "mutant_or", bitwise},
	{token.AND, "mutant_and", bitwise},
	{token.AND_NOT, "mutant_clear", bitwise},
	{token.SHL, "mutant_shl", shifting},
	{token.SHR, "mutant_shr", shifting},
}

// preludeOf is the file that a package with schemata gets.
func preludeOf(name string) []byte {
	var b strings.Builder
	b.WriteString("package " + name + "\n" + prelude)
	for _, f := range operators {
		b.WriteString("\nfunc " + f.name + f.signature + " {\n\tif mutant_on(k) {\n\t\treturn a " +
			swaps[f.op].String() + " b\n\t}\n\treturn a " + f.op.String() + " b\n}\n")
	}
	return []byte(b.String())
}

// operation calls the function of an operator; it is empty when there is none.
func operation(op token.Token, a, b string) string {
	for _, f := range operators {
		if f.op == op {
			return f.name + "(" + number + ", " + a + ", " + b + ")"
		}
	}
	return ""
}

func (s *surgeon) schema(n ast.Node, text string) schema {
	if text == "" {
		return schema{}
	}
	return schema{s.set.Position(n.Pos()).Offset, s.set.Position(n.End()).Offset, text}
}

func (s *surgeon) binary(n *ast.BinaryExpr) schema {
	switch n.Op {
	case token.EQL, token.NEQ:
		return s.schema(n, "(("+s.text(n)+") != "+on+")")
	case token.LAND, token.LOR:
		whole := s.whole(n, 1)
		return s.schema(whole,
			"(!"+on+" && ("+s.text(whole)+") || "+on+" && ("+s.swapped(whole, n)+"))")
	case token.OR, token.AND:
		if _, left := n.X.(*ast.BinaryExpr); left || s.whole(n, token.OR.Precedence()) != n {
			// the other binds otherwise, and may take the operands of its neighbours
			return schema{}
		}
		if _, right := n.Y.(*ast.BinaryExpr); right {
			return schema{}
		}
	case token.SHL, token.SHR:
		if _, literal := n.X.(*ast.BasicLit); literal {
			return schema{} // its type depends on what is around the shift
		}
	}
	return s.schema(n, operation(n.Op, s.text(n.X), s.text(n.Y)))
}

// whole is the longest expression around n, without parentheses, whose operators bind as tightly as
// a precedence.
func (s *surgeon) whole(n *ast.BinaryExpr, precedence int) *ast.BinaryExpr {
	for s.around[n] != nil && s.around[n].Op.Precedence() >= precedence {
		n = s.around[n]
	}
	return n
}

// swapped is the text of the whole with another operator in n.
func (s *surgeon) swapped(whole, n *ast.BinaryExpr) string {
	text, at := s.text(whole), int(n.OpPos-whole.Pos())
	return text[:at] + swaps[n.Op].String() + text[at+len(n.Op.String()):]
}

// steps are the operators inside those that assign.
var steps = map[token.Token]token.Token{
	token.INC: token.ADD, token.DEC: token.SUB, token.ADD_ASSIGN: token.ADD,
	token.SUB_ASSIGN: token.SUB,
	token.OR_ASSIGN:  token.OR, token.AND_ASSIGN: token.AND,
}

// step is for n, which adds the operand to the target, or the like; an increment has the operand 1.
func (s *surgeon) step(n ast.Stmt, target ast.Expr, op token.Token, operand string) schema {
	if _, ok := steps[op]; !ok {
		return schema{}
	}
	a := s.text(target)
	if !s.headers[n] {
		tail := strings.TrimPrefix(s.text(n), a)
		return s.schema(n,
			"if "+on+" { "+a+strings.Replace(tail, op.String(), swaps[op].String(), 1)+
				" } else { "+a+tail+" }")
	}
	if _, simple := target.(*ast.Ident); !simple {
		return schema{} // it would be evaluated twice
	}
	return s.schema(n, a+" = "+operation(steps[op], a, operand))
}

func (s *surgeon) branch(n *ast.BranchStmt) schema {
	return s.schema(n, "if "+on+" { "+swaps[n.Tok].String()+" }; "+n.Tok.String())
}

// call leaves out a statement.
func (s *surgeon) call(n *ast.ExprStmt) schema {
	if s.headers[n] {
		return schema{}
	}
	return s.schema(n, "if !"+on+" { "+s.text(n)+" }")
}

func (s *surgeon) not(n *ast.UnaryExpr) schema {
	return s.schema(n, "(("+s.text(n.X)+") == "+on+")")
}

func (s *surgeon) condition(n *ast.IfStmt) schema {
	return s.schema(n.Cond, "!"+on+" && ("+s.text(n.Cond)+")")
}

func (s *surgeon) literal(n *ast.BasicLit) schema {
	if len(n.Value) > 1 && n.Value[0] == '0' {
		return schema{} // octal, but its mutant is decimal
	}
	return s.schema(n, "("+n.Value+" + mutant_one("+number+"))")
}

// truth is for true and false: a comparison has no type of its own either.
func (s *surgeon) truth(n *ast.Ident) schema {
	off := map[string]string{"true": "false", "false": "true"}[n.Name]
	return s.schema(n, "("+on+" == "+off+")")
}

// context remembers where nodes are: an operand in a longer expression, and a statement in the
// header of another, where no if is allowed.
func (s *surgeon) context(node ast.Node) {
	switch n := node.(type) {
	case *ast.BinaryExpr:
		s.around[n.X], s.around[n.Y] = n, n
	case *ast.ForStmt:
		s.headers[n.Init], s.headers[n.Post] = true, true
	case *ast.IfStmt:
		s.headers[n.Init] = true
	case *ast.SwitchStmt:
		s.headers[n.Init] = true
	case *ast.TypeSwitchStmt:
		s.headers[n.Init], s.headers[n.Assign] = true, true
	case *ast.CommClause:
		s.headers[n.Comm] = true
	}
}
