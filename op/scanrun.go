package op

import "fmt"

func (o scan) Run(e *Env, in, out []Buffer) error {
	if err := o.checkTables(e, in); err != nil {
		return err
	}
	tables, values := in[:len(o.axes)], in[len(o.axes):]
	steps := len(tables[0].Int32s()) - 1
	args := e.Body.Args()
	for i, a := range o.axes {
		args.Rows[i], args.From[i] = widest(a, tables[i].Int32s(), o.Reverse)
	}
	if err := e.Body.Reserve(); err != nil {
		return err
	}
	o.start(e, args, values, out)
	key := e.Key
	defer func() { e.Key = key }()
	for k := range steps {
		n := k
		if o.Reverse {
			n = steps - 1 - k
		}
		o.bind(args, tables, values, out, n)
		e.Key = key.Fold(uint64(n))
		if err := e.Body.Run(e); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		o.finish(e, args, out)
	}
	return nil
}

// widest returns the most rows that a step has, and where the packed rows of the first step to run begin, for ends only.
func widest(a scanAxis, table []int32, reverse bool) (rows, from int) {
	last := int32(0)
	for _, t := range table {
		if a.ends {
			rows = max(rows, int(t))
			from += int(t)
		} else {
			rows = max(rows, int(t-last))
			last = t
		}
	}
	if !reverse {
		from = 0
	}
	return rows, from
}

// start gives the results that accumulate their first values, and points the arguments of the body that do not move at their values.
func (o scan) start(e *Env, args *BodyArgs, values, out []Buffer) {
	for i, p := range o.args {
		switch p.kind {
		case roleMemory:
			args.In[i] = out[o.stateOf(p.memory)]
		default:
			args.In[i] = values[i]
		}
	}
	for i, p := range o.results[:o.required] {
		switch p.kind {
		case roleMemory:
			copy(out[i].Bytes(), values[o.initOf(p.memory)].Bytes())
		case roleSame, rolePrefix:
			e.Fill(out[i], 0)
		}
	}
}

// initOf returns which input of the body is the given memory.
func (o scan) initOf(memory int) int {
	for i, p := range o.args {
		if p.kind == roleMemory && p.memory == memory {
			return i
		}
	}
	return -1
}

// stateOf returns which result is the given memory.
func (o scan) stateOf(memory int) int {
	for i, p := range o.results[:o.required] {
		if p.kind == roleMemory && p.memory == memory {
			return i
		}
	}
	return -1
}

// bind points the arguments of the body at the values of step n.
func (o scan) bind(args *BodyArgs, tables, values, out []Buffer, n int) {
	for i, a := range o.axes {
		t := tables[i].Int32s()
		switch {
		case !a.ends:
			args.Rows[i], args.From[i] = int(t[n+1]-t[n]), int(t[n])
		case o.Reverse:
			args.Rows[i] = int(t[n])
			args.From[i] -= args.Rows[i]
		default:
			if n > 0 {
				args.From[i] += int(t[n-1])
			}
			args.Rows[i] = int(t[n])
		}
	}
	for i := range o.args {
		if p := &o.args[i]; p.moves() {
			args.In[i].PointAt(&values[i], p.row(args, n))
		}
	}
	for i := o.required; i < len(o.results); i++ {
		args.Out[i].PointAt(&out[i], o.results[i].row(args, n))
	}
}

// moves reports whether the value of a step lies elsewhere in each step.
func (p *role) moves() bool { return p.kind == rolePacked || p.kind == roleStep }

// row returns the row of a value over all steps that the value of step n begins with.
func (p *role) row(args *BodyArgs, n int) int {
	switch p.kind {
	case rolePacked:
		return args.From[p.axis]
	case roleStep:
		return n
	}
	return 0
}

// finish takes what a step leaves to the next one and adds what it contributes to sums.
func (o scan) finish(e *Env, args *BodyArgs, out []Buffer) {
	for i, p := range o.results[:o.required] {
		got := e.Body.Result(i)
		if got.IsNil() {
			continue
		}
		if p.kind == roleMemory {
			copy(out[i].Bytes(), got.Bytes())
			continue
		}
		sum := out[i].Reshaped(got.Shape) // the first rows
		e.Binary(BinaryAdd, sum, got, sum)
	}
}

// checkTables returns an error unless the tables describe as many steps as the starts, of rows that there are.
func (o scan) checkTables(e *Env, in []Buffer) error {
	starts := in[0].Int32s()
	if len(starts) == 0 {
		return fmt.Errorf("the starts have no elements, want (steps+1,)")
	}
	for i, a := range o.axes {
		t := in[i].Int32s()
		var err error
		switch {
		case a.ends:
			err = checkEnds(t, len(starts)-1, e.Size(a.most))
		default:
			err = checkBounds(t, len(starts)-1, e.Size(a.total))
			if err == nil && i == 0 {
				err = checkWidths(t, e.Size(a.most))
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", quoted(e.Call.In[i]), err)
		}
	}
	return nil
}

// checkBounds returns an error unless t ascends from 0 to rows and has an element more than there are steps.
func checkBounds(t []int32, steps, rows int) error {
	if len(t) != steps+1 {
		return fmt.Errorf("%d bounds for %d steps, want %d", len(t), steps, steps+1)
	}
	if t[0] != 0 || int(t[steps]) != rows {
		return fmt.Errorf("the bounds go from %d to %d, want 0 to %d", t[0], t[steps], rows)
	}
	for n := range steps {
		if t[n+1] < t[n] {
			return fmt.Errorf("step %d goes from row %d to row %d, want ascending bounds", n, t[n], t[n+1])
		}
	}
	return nil
}

// checkWidths returns an error unless the widths of steps begin with at most batch and do not grow.
func checkWidths(t []int32, batch int) error {
	width := int32(batch)
	for n := range len(t) - 1 {
		w := t[n+1] - t[n]
		if w > width {
			return fmt.Errorf("step %d has %d rows, want 0 to %d: widths do not grow, and the memories have %d rows", n, w, width, batch)
		}
		width = w
	}
	return nil
}

// checkEnds returns an error unless t has an element for each step, at most rows, that do not grow.
func checkEnds(t []int32, steps, rows int) error {
	if len(t) != steps {
		return fmt.Errorf("%d ends for %d steps, want %d", len(t), steps, steps)
	}
	most := int32(rows)
	for n, end := range t {
		if end < 0 || end > most {
			return fmt.Errorf("step %d ends at row %d, want 0 to %d: ends do not grow, and there are %d rows", n, end, most, rows)
		}
		most = end
	}
	return nil
}
