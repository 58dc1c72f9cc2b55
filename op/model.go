package op

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unsafe"
)

// model knows the parameters and the layers of a user's struct by the path of their fields.
type model struct {
	root  string
	names map[*Variable]string
	order []Named
	taken map[string]bool  // the names
	open  map[address]bool // pointers, slices and maps that the walk is inside of
	paths map[address]string
}

// address identifies a struct: the first field of a struct has the struct's own address, but another type.
type address struct {
	at unsafe.Pointer
	of reflect.Type
}

// Named is a variable of a model and its path, such as "conv1.weight".
type Named struct {
	Name      string
	Variable  *Variable
	Parameter *Parameter // nil for a variable that training does not change
}

// Walk returns the variables of a model in the order of its fields, with their paths, making those that are missing. A variable that
// several fields share is named by the first. It fails unless net is nil, a pointer, or a slice or map of pointers such as
// layer.Sequential.
func Walk(net any) ([]Named, error) {
	m, err := walkModel(net)
	if err != nil {
		return nil, err
	}
	return m.order, nil
}

func walkModel(net any) (*model, error) {
	m := &model{names: map[*Variable]string{}, taken: map[string]bool{}, open: map[address]bool{}, paths: map[address]string{}}
	if net == nil {
		return m, nil
	}
	v := reflect.ValueOf(net)
	m.root = v.Type().String()
	switch k := v.Kind(); {
	case k != reflect.Pointer && k != reflect.Slice && k != reflect.Map:
		return m, fmt.Errorf("the model is a %s, want a pointer to a struct of layers", m.root)
	case v.IsNil():
		return m, fmt.Errorf("the model is a nil %s, want a pointer to a struct of layers", m.root)
	}
	return m, m.walk(v, "")
}

// name returns the path of v, or a stand-in for a variable outside of the model.
func (m *model) name(v *Variable) string {
	if n, ok := m.names[v]; ok {
		return n
	}
	return "variable#" + strconv.FormatUint(v.ID(), 10)
}

// add names a variable, unless it has a name already. Two of one name could not be told apart in a file.
func (m *model) add(v *Variable, p *Parameter, path string) error {
	if _, ok := m.names[v]; ok {
		return nil
	}
	if m.taken[path] {
		return fmt.Errorf("two variables of the model have the path %q", path)
	}
	m.names[v], m.taken[path] = path, true
	m.order = append(m.order, Named{path, v, p})
	return nil
}

// walk visits everything that v leads to through exported fields, slices, arrays, maps, pointers and interfaces.
func (m *model) walk(v reflect.Value, path string) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		at := address{v.UnsafePointer(), v.Type()}
		if v.IsNil() || m.open[at] {
			return nil
		}
		m.open[at] = true
		defer delete(m.open, at)
	}
	switch v.Kind() {
	case reflect.Pointer:
		switch p := v.Interface().(type) {
		case *Parameter:
			return m.add(&p.Variable, p, path)
		case *Variable:
			return m.add(p, nil, path)
		}
		return m.walk(v.Elem(), path)
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return m.walk(v.Elem(), path)
	case reflect.Slice, reflect.Array:
		if !holds(v.Type().Elem()) {
			return nil
		}
		for i := range v.Len() {
			if err := m.walk(v.Index(i), join(path, strconv.Itoa(i))); err != nil {
				return err
			}
		}
	case reflect.Map:
		return m.walkMap(v, path)
	case reflect.Struct:
		return m.walkStruct(v, path)
	}
	return nil
}

func (m *model) walkMap(v reflect.Value, path string) error {
	if !holds(v.Type().Elem()) {
		return nil
	}
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(keys[i]) < fmt.Sprint(keys[j]) })
	for _, k := range keys {
		if err := m.walk(v.MapIndex(k), join(path, fmt.Sprint(k))); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) walkStruct(v reflect.Value, path string) error {
	t := v.Type()
	if t == reflect.TypeFor[Parameter]() || t == reflect.TypeFor[Variable]() {
		return fmt.Errorf("%s is an %s by value, want a pointer", path, t)
	}
	if v.CanAddr() {
		at := address{v.Addr().UnsafePointer(), t}
		if _, seen := m.paths[at]; seen {
			return nil
		}
		m.paths[at] = path
	}
	for i := range t.NumField() {
		f := t.Field(i)
		field, name := v.Field(i), join(path, snake(f.Name))
		if embedded := embeddedStruct(f, field); embedded.IsValid() {
			field, name = embedded, path
		} else if !f.IsExported() {
			continue
		}
		if err := m.make(field, name); err != nil {
			return err
		}
		if err := m.walk(field, name); err != nil {
			return err
		}
	}
	return nil
}

// embeddedStruct returns the struct that field f embeds, by value or by a pointer that is not nil; it lends its exported fields to the
// struct around it, whatever its own name.
func embeddedStruct(f reflect.StructField, field reflect.Value) reflect.Value {
	if !f.Anonymous || f.Type == reflect.TypeFor[*Parameter]() || f.Type == reflect.TypeFor[*Variable]() {
		return reflect.Value{}
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	if field.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return field
}

// make gives a nil *Parameter or *Variable field a new one.
func (m *model) make(field reflect.Value, path string) error {
	if field.Kind() != reflect.Pointer || !field.IsNil() {
		return nil
	}
	var fresh any
	switch field.Type() {
	case reflect.TypeFor[*Parameter]():
		fresh = new(Parameter)
	case reflect.TypeFor[*Variable]():
		fresh = new(Variable)
	default:
		return nil
	}
	if !field.CanSet() {
		return fmt.Errorf("%s cannot be made: its struct is held by value in an interface or a map, want a pointer", path)
	}
	field.Set(reflect.ValueOf(fresh))
	return nil
}

// holds reports whether values of type t may lead to parameters.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Struct, reflect.Interface, reflect.Map, reflect.Slice, reflect.Array:
		return true
	}
	return false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// snake turns a field name into a path element: Conv1 into conv1, HiddenLayer into hidden_layer, LSTM into lstm.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 {
			after := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(runes[i-1]) || after {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
