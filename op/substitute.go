package op

// Substitute replaces nodes by others everywhere they are read, in one sweep. Replacements are not followed into each other: where b
// replaces a and c replaces b, whoever read a reads b. The replacing applications may read what they replace.
func (g *Graph) Substitute(by map[*Node]*Node) {
	if len(by) == 0 {
		return
	}
	made := map[*Call]bool{}
	for _, n := range by {
		if n.call != nil {
			made[n.call] = true
		}
	}
	for _, c := range g.calls {
		if made[c] {
			continue
		}
		for i, in := range c.In {
			if n, ok := by[in]; ok {
				c.In[i] = n
			}
		}
	}
	for _, s := range g.sparse {
		if n, ok := by[s.rows.IDs]; ok {
			s.rows.IDs = n
		}
		if n, ok := by[s.rows.Values]; ok {
			s.rows.Values = n
		}
	}
	for _, c := range g.calls {
		for _, o := range c.Out {
			if n, ok := by[o.count]; ok && o.count != nil {
				o.count = n
			}
		}
	}
}
