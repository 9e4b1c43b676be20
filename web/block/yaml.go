package block

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Document is a block's YAML after Decode: it knows where everything stood,
// so that what a kind finds wrong later can be placed as well.
type Document struct {
	at map[string]position
}

type position struct{ line, column int }

// Decode reads source, one YAML mapping, into the struct that v points to.
// It is strict, and goes on after a mistake so that an author sees them all:
// a key that no field has (with the nearest that one has), a key twice, a
// value of the wrong shape, and a field tagged need:"WHAT TO DO" that is
// missing or empty.
//
// Fields are named by their yaml tag, or by their name in lower case. Fields
// may be structs, pointers to structs, slices, maps with string keys, strings,
// bools and ints.
//
// Problems carry line and column within source, from 1, and no file.
func Decode(source []byte, v any) (*Document, []Problem) {
	d := &decoder{doc: &Document{at: map[string]position{"": {1, 1}}}}
	file, err := parser.ParseBytes(source, 0)
	if err != nil {
		p := YAMLProblem(err)
		p.Do = "mend the YAML there; quote a text that has a colon or a hash in it"
		return d.doc, []Problem{p}
	}
	var root ast.Node
	if len(file.Docs) > 0 {
		root = file.Docs[0].Body
	}
	if len(file.Docs) > 1 {
		d.problem("", "there are several YAML documents", "remove the line of three dashes")
	}
	d.value(root, reflect.ValueOf(v).Elem(), "")
	slices.SortStableFunc(d.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d.doc, d.problems
}

// YAMLProblem says what the YAML parser's error says, and where. It names no
// file and no way out.
func YAMLProblem(err error) Problem {
	p := Problem{Line: 1, Column: 1, What: err.Error()}
	if y := yaml.Error(nil); errors.As(err, &y) {
		p.What = y.GetMessage()
		if t := y.GetToken(); t != nil && t.Position != nil {
			p.Line, p.Column = t.Position.Line, t.Position.Column
		}
	}
	return p
}

// Problem makes a problem at a path such as "options[2].why"; a path that is
// not in the document stands for the nearest one above it that is.
func (d *Document) Problem(path, what, do string) Problem {
	at, ok := d.at[path]
	for !ok {
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
		at, ok = d.at[path]
	}
	return Problem{Line: at.line, Column: at.column, What: what, Do: do}
}

type decoder struct {
	doc      *Document
	problems []Problem
}

func (d *decoder) problem(path, what, do string) {
	d.problems = append(d.problems, d.doc.Problem(path, what, do))
}

func (d *decoder) place(path string, n ast.Node) {
	// A mapping in block style has the colon for its token; it begins at its first key.
	switch t := n.(type) {
	case *ast.MappingNode:
		if !t.IsFlowStyle && len(t.Values) > 0 {
			n = t.Values[0].Key
		}
	case *ast.MappingValueNode:
		n = t.Key
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return
	}
	if _, known := d.doc.at[path]; known && path != "" {
		return
	}
	p := n.GetToken().Position
	d.doc.at[path] = position{max(p.Line, 1), max(p.Column, 1)}
}

func (d *decoder) value(n ast.Node, v reflect.Value, path string) {
	switch t := n.(type) {
	case *ast.AnchorNode:
		n = t.Value
	case *ast.TagNode:
		n = t.Value
	case *ast.AliasNode:
		d.place(path, n)
		d.problem(path, "an alias stands here", "write the value itself")
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), path)
	case reflect.Struct:
		d.structure(n, v, path)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, e := range d.entries(n, path) {
			item := reflect.New(v.Type().Elem()).Elem()
			d.value(e.value, item, join(path, e.key))
			v.SetMapIndex(reflect.ValueOf(e.key), item)
		}
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			d.place(path, n)
			d.problem(path, "this is not a list", "write a dash before each item")
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
		for i, item := range list.Values {
			at := path + "[" + strconv.Itoa(i) + "]"
			d.place(at, item)
			d.value(item, v.Index(i), at)
		}
	default:
		d.scalar(n, v, path)
	}
}

func (d *decoder) scalar(n ast.Node, v reflect.Value, path string) {
	d.place(path, n)
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		d.problem(path, "a list or a mapping stands where one value is wanted", "write one value; quote a text that has a colon in it")
		return
	case nil, *ast.NullNode:
		return // empty; need says whether that is wrong
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		// A number or a bool in a place for text is that text as it was written.
		if s, ok := n.(*ast.StringNode); ok {
			v.SetString(s.Value)
		} else if l, ok := n.(*ast.LiteralNode); ok {
			v.SetString(l.Value.Value)
		} else {
			v.SetString(n.GetToken().Value)
		}
	case reflect.Bool:
		var b bool
		if err = yaml.NodeToValue(n, &b); err == nil {
			v.SetBool(b)
		}
	case reflect.Int:
		var i int
		if err = yaml.NodeToValue(n, &i); err == nil {
			v.SetInt(int64(i))
		}
	default:
		panic("block: Decode does not know fields of type " + v.Type().String())
	}
	if err != nil {
		d.problem(path, fmt.Sprintf("%q is not a %s", n.GetToken().Value, map[reflect.Kind]string{reflect.Bool: "yes or no", reflect.Int: "whole number"}[v.Kind()]),
			map[reflect.Kind]string{reflect.Bool: "write true or false", reflect.Int: "write a whole number"}[v.Kind()])
	}
}

type yamlEntry struct {
	key   string
	value ast.Node
}

// entries are a mapping's keys and values in order, each key once.
func (d *decoder) entries(n ast.Node, path string) []yamlEntry {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		d.place(path, n)
		d.problem(path, "this is not a mapping", "write key: value")
		return nil
	}
	var out []yamlEntry
	for _, v := range values {
		key := v.Key.GetToken().Value
		at := join(path, key)
		if slices.ContainsFunc(out, func(e yamlEntry) bool { return e.key == key }) {
			p := v.Key.GetToken().Position
			d.problems = append(d.problems, Problem{Line: p.Line, Column: p.Column, What: fmt.Sprintf("key %q stands here a second time", key), Do: "remove one of the two"})
			continue
		}
		d.place(at, v.Key)
		out = append(out, yamlEntry{key, v.Value})
	}
	return out
}

func (d *decoder) structure(n ast.Node, v reflect.Value, path string) {
	fields := map[string]int{}
	var names []string
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if name == "-" || !v.Type().Field(i).IsExported() {
			continue
		}
		if name == "" {
			name = strings.ToLower(v.Type().Field(i).Name)
		}
		fields[name] = i
		names = append(names, name)
	}
	for _, e := range d.entries(n, path) {
		i, ok := fields[e.key]
		if !ok {
			d.problem(join(path, e.key), fmt.Sprintf("unknown key %q", e.key), suggest(e.key, names))
			continue
		}
		d.value(e.value, v.Field(i), join(path, e.key))
	}
	for _, name := range names {
		field := v.Type().Field(fields[name])
		do, needed := field.Tag.Lookup("need")
		if f := v.Field(fields[name]); needed && (f.IsZero() || (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.Len() == 0) {
			d.problem(path, fmt.Sprintf("%q is missing", name), do)
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// suggest names the key that was probably meant, or all.
func suggest(key string, known []string) string {
	if near := Nearest(key, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "use one of: " + strings.Join(known, ", ")
}

// Nearest returns the word among known that differs from word by at most two
// letters (one, in a word of three or fewer), or "".
func Nearest(word string, known []string) string {
	best, limit := "", 3
	if len(word) <= 3 {
		limit = 2
	}
	for _, k := range known {
		if d := distance([]rune(word), []rune(k)); d < limit {
			best, limit = k, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			keep := diagonal
			if a[i] != b[j] {
				keep++
			}
			diagonal = row[j+1]
			row[j+1] = min(keep, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
