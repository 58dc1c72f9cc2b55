package op

// dropUnread takes from the scans among calls the outputs that none of calls reads and that fetch does not name, so that their bodies need
// not compute them: the values that a gradient would keep, in a program without one, and outputs that nobody wants. What accumulates stays.
func dropUnread(calls []*Call, fetch []*Node) {
	read := map[*Node]bool{}
	for _, n := range fetch {
		read[n] = true
	}
	for _, c := range calls {
		for _, n := range c.In {
			read[n] = true
		}
	}
	for _, c := range calls {
		o, ok := c.Op.(scan)
		if !ok {
			continue
		}
		var out, outputs []*Node
		var results []role
		for i, n := range c.Out {
			if i < o.required || read[n] {
				n.index = len(out)
				out, outputs, results = append(out, n), append(outputs, o.outputs[i]), append(results, o.results[i])
			}
		}
		o.outputs, o.results = outputs, results
		c.Op, c.Out = o, out
	}
}
