// Command gen writes package event's types as TypeScript, so that the page
// and the server cannot mean different things by an event.
//
//	go run ./gen -out ../../web/src/event.gen.ts
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"reflect"
	"strings"
)

func main() {
	in := flag.String("in", "event.go", "the Go file with the types")
	out := flag.String("out", "", "the TypeScript file")
	flag.Parse()
	text, err := generate(*in)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, text, 0o644); err != nil {
		log.Fatal(err)
	}
}

func generate(path string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("// Made from exercises/event/event.go by go generate. Do not edit.\n\n")
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		if d.Tok == token.CONST {
			writeKinds(&b, d)
		}
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			if s, ok := t.Type.(*ast.StructType); ok {
				if err := writeStruct(&b, d.Doc, t.Name.Name, s); err != nil {
					return nil, err
				}
			}
		}
	}
	return b.Bytes(), nil
}

func writeKinds(b *bytes.Buffer, d *ast.GenDecl) {
	b.WriteString("/** Says what happened; behind each, the fields that it carries. */\nexport type Kind =\n")
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		fmt.Fprintf(b, "  | %s", strings.ReplaceAll(v.Values[0].(*ast.BasicLit).Value, `"`, `'`))
		if v.Comment != nil {
			fmt.Fprintf(b, " // %s", strings.TrimSpace(v.Comment.Text()))
		}
		b.WriteByte('\n')
	}
	b.WriteString("  ;\n\n")
}

func writeStruct(b *bytes.Buffer, doc *ast.CommentGroup, name string, s *ast.StructType) error {
	fmt.Fprintf(b, "/** %s */\nexport interface %s {\n", strings.TrimSpace(doc.Text()), name)
	for _, f := range s.Fields.List {
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		key, options, _ := strings.Cut(tag, ",")
		ts, err := typeOf(f.Type)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Names[0], err)
		}
		for _, c := range []*ast.CommentGroup{f.Doc, f.Comment} {
			if c != nil {
				fmt.Fprintf(b, "  /** %s */\n", strings.ReplaceAll(strings.TrimSpace(c.Text()), "\n", " "))
			}
		}
		optional := ""
		if options == "omitempty" {
			optional = "?"
		}
		fmt.Fprintf(b, "  readonly %s%s: %s;\n", key, optional, ts)
	}
	b.WriteString("}\n")
	return nil
}

func typeOf(e ast.Expr) (string, error) {
	switch t := e.(type) {
	case *ast.StarExpr:
		return typeOf(t.X)
	case *ast.SelectorExpr: // time.Duration, in nanoseconds
		return "number", nil
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string", nil
		case "bool":
			return "boolean", nil
		case "int", "uint16", "uint64":
			return "number", nil
		case "Kind":
			return "Kind", nil
		}
	}
	return "", fmt.Errorf("no TypeScript type is known for %T", e)
}
